// Calls under several limits, and the units that they hold.
import { Calls, FailureChoices, checkedTimeout, type CallOptions, type Choice } from "./calls.js";
import { breakerOf, type CircuitBreaker } from "./circuit.js";
import { CallId, EntryCost, EntryLimit, checkedTotal, type EntryTotal, type EntryUsage } from "./entries.js";
import { NoDecisionError, OverloadedError, PenstockError, afterLostAnswer, textOf } from "./failures.js";
import { ATTEMPT_LONGEST_PAUSE_MS, ATTEMPT_PART, ATTEMPT_PAUSE_MS } from "./numbers.js";
import { LONGEST_TIMER_MS, wait } from "./pending.js";
import { LONGEST_US, microseconds, nameOf, type Script } from "./protocol.js";
import { ReservationAnswer, ReservationPlan } from "./reservation-plan.js";
import { FUNCTIONS_LIBRARY, RESERVE, SETTLE } from "./scripts.js";
import type { VerdictListener } from "./questions.js";
import type { Sender } from "./sender.js";

const SHORTEST_KEEP_US = 1_000;

/**
 * The kind of a `ReservationEvent`. The call was allowed or denied; was settled, cancelled without using units, or renewed; was settled or
 * renewed too late; or ended without a readable answer.
 */
export type EventKind = "reserved" | "denied" | "settled" | "cancelled" | "renewed" | "ran_out" | "undecided";

/**
 * The result of a settlement. `settled`: the call is settled, by this or an earlier settlement. `ran_out`: the reservation expired and was
 * charged, or the server lost it. `nothing_held`: the call held nothing or had already ended, so nothing was sent. `undecided`: the server
 * did not answer, and `onUnavailable` or `onOverload` is not `"throw"`. If the settlement did not reach the server, the held units are
 * charged when the reservation expires.
 */
export type SettleResult = "settled" | "ran_out" | "nothing_held" | "undecided";

/** The event that `onEvent` receives. */
export interface ReservationEvent {
  readonly kind: EventKind;
  /** The name of the `Reservations` object. */
  readonly reservations: string;
  /** The group of the call. */
  readonly group: string | Uint8Array;
  readonly id: CallId;
  /** The first answer, if there was one. */
  readonly answer?: ReservationAnswer;
  /** The error with which the call ended, or that `onUnavailable` or `onOverload` turned into a decision. */
  readonly error?: PenstockError;
  /** The time from the start of the call to its end, including retries. */
  readonly latencyMs: number;
}

export interface ReservationsOptions {
  /** The prefix of every key, `penstock` by default. */
  prefix?: string;
  /** Whether to call the Functions library (Redis 7.0, Valkey) instead of scripts; load it first with `loadFunctions`. */
  functions?: boolean;
  /**
   * The timeout of a call including its retries, in milliseconds, 1000 by default. Each attempt has 45 % of it, and no attempt starts after
   * 55 %.
   */
  timeoutMs?: number;
  /**
   * The result of a call during an outage. By default, the call throws a NoDecisionError. With the other choices, it is allowed or denied
   * with `enforced` set to false, and holds nothing. A settlement throws by default; with the other choices, it returns `"undecided"`.
   * Configuration errors and unknown errors always throw.
   */
  onUnavailable?: Choice;
  /**
   * The result of a call if a resource of this process is exhausted although the server answers, or if the server is out of memory. By
   * default, the call is denied.
   */
  onOverload?: Choice;
  /**
   * The circuit breaker for the client's server. While the server is down, calls fail fast instead of waiting. Settlements are always sent.
   * Not supported for cluster clients.
   */
  circuitBreaker?: CircuitBreaker | undefined;
  /** Receives every call and every settlement that was sent. */
  onEvent?: ((event: ReservationEvent) => void) | undefined;
  /**
   * Called when a server stops answering and when it answers again. If no limiter of the client has a listener, these events are emitted as
   * process warnings.
   */
  onVerdict?: VerdictListener | undefined;
}

export interface ReserveOptions extends CallOptions {
  /**
   * An id that the program generates and never takes from a request. A repeated call with this id, group and entries returns the same
   * answer, changes nothing, and refers to the same reservation until the reservation ends or expires. If the id belongs to a different
   * call, or to a call that has ended, a MisconfiguredError is thrown.
   */
  id?: CallId | undefined;
  /** Aborts the call, as for a limiter. If the server still allows the call afterwards, its units are returned. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes one decision under several limits of one group, in a single call. Units whose final use is not yet known are held until the call is
 * settled or cancelled, or its reservation expires. A group is the entity that all limits of a call apply to, such as a tenant; an entry
 * applies to the group as a whole or to one of its members.
 */
export class Reservations {
  readonly #calls: Calls;
  readonly #choices: FailureChoices;
  readonly #keepUs: number;
  readonly #timeoutMs: number;
  readonly #prefix: string;
  readonly #functions: boolean;
  readonly #breaker: CircuitBreaker | undefined;
  readonly #onEvent: ReservationsOptions["onEvent"];

  /**
   * `name` appears in events. `keepMs` is how long a call holds its units if it is neither settled nor renewed; it is 1 ms to 366 days, and
   * at least `timeoutMs`.
   */
  constructor(
    readonly sender: Sender,
    readonly name: string,
    readonly keepMs: number,
    options: ReservationsOptions = {},
  ) {
    const { prefix = "penstock", functions = false, timeoutMs = 1_000 } = options;
    if (checkedTimeout(timeoutMs) === Infinity) throw new RangeError("timeoutMs must not be Infinity");
    // Its script refuses a call without arguments, which counts as an answer.
    const question = { begin: functions ? ["FCALL", RESERVE.function, "1"] : ["EVALSHA", RESERVE.sha1, "1"], end: [] };
    this.#calls = new Calls(sender, timeoutMs * ATTEMPT_PART, question, options.onVerdict);
    this.#choices = new FailureChoices(options);
    this.#keepUs = microseconds("keepMs", keepMs);
    if (this.#keepUs < SHORTEST_KEEP_US || this.#keepUs > LONGEST_US) throw new RangeError(`keepMs must be from 1 ms to 366 days: ${keepMs}`);
    // A call that is sent again after its receipt has expired is charged twice.
    if (keepMs < timeoutMs) throw new RangeError(`keepMs must be at least the timeoutMs of ${timeoutMs}: ${keepMs}`);
    this.#timeoutMs = timeoutMs;
    this.#prefix = nameOf("prefix", prefix);
    this.#functions = functions;
    this.#breaker = breakerOf(sender, options.circuitBreaker);
    this.#onEvent = options.onEvent;
  }

  /**
   * Requests all entries of a call (1 to 8, each with a different key). Either all are charged or held, or none is. A denial is returned as
   * an answer, never thrown.
   *
   * If an attempt fails because of an outage, the call is retried with the same id until `timeoutMs`; the id ensures that the call is
   * charged at most once.
   */
  async reserve(group: string | Uint8Array, entries: readonly EntryCost[], options: ReserveOptions = {}): Promise<Reservation> {
    const { id = CallId.random(), signal } = options;
    const plan = new ReservationPlan(id, group, entries, this.#prefix);
    const cancelled = (written: boolean) => this.#calls.cancelled((this.sender.keyPrefix ?? "") + plan.keys[0]!, signal!.reason, written);
    if (signal?.aborted) throw cancelled(false);
    const reserved = this.#reserved(plan);
    if (!signal) return reserved;
    return new Promise((resolve, reject) => {
      const aborted = () => {
        reject(cancelled(true));
        // onEvent receives the failure.
        reserved.then((call) => call.cancel()).catch(() => {});
      };
      signal.addEventListener("abort", aborted, { once: true });
      reserved.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
    });
  }

  /** Loads the Functions library on every master. */
  async loadFunctions(): Promise<void> {
    await this.sender.sendToMasters(["FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY]);
  }

  async #reserved(plan: ReservationPlan): Promise<Reservation> {
    const begun = performance.now();
    let answer: ReservationAnswer;
    let error: PenstockError | undefined;
    try {
      answer = await this.#asked(RESERVE, plan.keys, plan.reserve(this.#keepUs), true, (reply) => plan.answer(reply));
    } catch (failure) {
      error = failure as PenstockError;
      const choice = this.#choices.of(error);
      if (choice === "throw") {
        this.#tell("undecided", plan, begun, undefined, error);
        throw error;
      }
      answer = plan.undecided(choice === "allow", Math.min(Math.round(this.#timeoutMs * 1_000), LONGEST_US));
    }
    this.#tell(answer.allowed ? "reserved" : "denied", plan, begun, answer, error);
    return new Reservation(plan, answer, this.keepMs, (kind, totals) => this.#settle(plan, answer, kind, totals));
  }

  async #settle(plan: ReservationPlan, answer: ReservationAnswer, kind: EventKind, totals: readonly number[]): Promise<SettleResult> {
    const begun = performance.now();
    const args = plan.settle(kind === "renewed" ? this.#keepUs : 0, totals);
    let done: boolean;
    try {
      done = await this.#asked(SETTLE, plan.holding, args, false, (reply) => plan.settled(reply));
    } catch (failure) {
      const error = unsettled(failure as PenstockError);
      this.#tell("undecided", plan, begun, answer, error);
      if (this.#choices.of(error) === "throw") throw error;
      return "undecided";
    }
    this.#tell(done ? kind : "ran_out", plan, begun, answer);
    return done ? "settled" : "ran_out";
  }

  /** Sends a call until it is answered or its timeout has passed. */
  async #asked<T>(script: Script, keys: readonly string[], args: string[], charges: boolean, read: (reply: unknown) => T): Promise<T> {
    const last = performance.now() + this.#timeoutMs * (1 - ATTEMPT_PART);
    const prefix = this.sender.keyPrefix ?? "";
    const words = [String(keys.length), ...keys.map((key) => prefix + key), ...args];
    const target = this.#functions ? ["FCALL", script.function] : ["EVALSHA", script.sha1];
    let unanswered: PenstockError | undefined;
    for (let pause = ATTEMPT_PAUSE_MS; ; pause = Math.min(2 * pause, ATTEMPT_LONGEST_PAUSE_MS)) {
      const refusal = charges ? this.#breaker?.refusal() : undefined;
      if (refusal) throw unanswered ?? refusal;
      try {
        const done = await new Promise<T>((resolve, reject) =>
          this.#calls.send(prefix + keys[0]!, [...target, ...words], script.source, charges, {}, (reply) => resolve(read(reply)), reject),
        );
        this.#breaker?.note();
        return done;
      } catch (error) {
        this.#breaker?.note((error as PenstockError).kind);
        if (!(error instanceof NoDecisionError)) throw unanswered ? afterLostAnswer(error) : error;
        if (error.kind === "not_answered") unanswered = error;
        // An earlier attempt may have been charged.
        if (performance.now() + pause > last) throw unanswered ?? error;
      }
      await wait(pause);
    }
  }

  #tell(kind: EventKind, plan: ReservationPlan, begun: number, answer?: ReservationAnswer, error?: PenstockError): void {
    if (!this.#onEvent) return;
    const { id, group } = plan;
    const told = { kind, reservations: this.name, group, id, ...(answer && { answer }), ...(error && { error }) };
    try {
      this.#onEvent({ ...told, latencyMs: performance.now() - begun });
    } catch (error) {
      // The held units must not be lost with it.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** Returns the error of a settlement. The settlement may be repeated, so the error does not mention charges. */
function unsettled(failure: PenstockError): PenstockError {
  if (!(failure instanceof NoDecisionError)) return failure;
  const { cause, kind } = failure;
  return new NoDecisionError(`the settlement was not answered, so the held units expire: ${textOf(cause ?? failure)}`, kind, false, { cause });
}

/**
 * The decision about a call under several limits, and the units that the call holds. End it with `await using`, or with `settle`, `cancel`
 * or `close`. A reservation that is not settled in time expires, and its estimate is charged. A failed settlement can be repeated, because
 * it sends totals rather than differences.
 */
export class Reservation {
  readonly #plan: ReservationPlan;
  readonly #keepMs: number;
  readonly #send: (kind: EventKind, totals: readonly number[]) => Promise<SettleResult>;
  /** The largest total of each entry that was sent, whether or not it arrived. */
  #used: readonly number[] = [];
  #ending = false;
  #ended: boolean;
  #timer: NodeJS.Timeout | undefined;

  /** Called by `Reservations.reserve` only. */
  constructor(
    plan: ReservationPlan,
    /** The server's answer. */
    readonly answer: ReservationAnswer,
    keepMs: number,
    send: (kind: EventKind, totals: readonly number[]) => Promise<SettleResult>,
  ) {
    this.#plan = plan;
    this.#keepMs = keepMs;
    this.#send = send;
    this.#ended = !answer.allowed || !answer.enforced || plan.holders.length === 0;
  }

  /** Whether the call was allowed. */
  get allowed(): boolean {
    return this.answer.allowed;
  }

  /** Whether the limits were enforced; false if `onUnavailable` or `onOverload` determined the result. */
  get enforced(): boolean {
    return this.answer.enforced;
  }

  /**
   * The time until the call would be allowed if no reservation is settled in the meantime, rounded up; Infinity if a cost exceeds its
   * limit.
   */
  get retryAfterMs(): number {
    return this.answer.retryAfterMs;
  }

  /** `retryAfterMs` in whole seconds, rounded up, as in HTTP's `Retry-After`; undefined if waiting does not help. */
  get retryAfterSeconds(): number | undefined {
    return this.answer.retryAfterSeconds;
  }

  /** The time to wait before retrying a denied call. */
  get askAgainAfterMs(): number {
    return this.answer.askAgainAfterMs;
  }

  /** The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds, rounded up. */
  get delayMs(): number {
    return this.answer.delayMs;
  }

  /** The usage of each limit, in the order of the entries. */
  get usages(): readonly EntryUsage[] {
    return this.answer.usages;
  }

  /**
   * Ends the reservation, and reports that the call has used `total` units, 0 to 10^12, of each rate limit that it reserves. Units above
   * the estimate are also charged, even beyond the limit.
   */
  async settle(total: number): Promise<SettleResult> {
    return this.#end("settled", this.#allUsed(total));
  }

  /** Ends the reservation with a total for each entry, such as `entry.used(900)`; an entry without a total is charged its estimate. */
  async settleEntries(...totals: EntryTotal[]): Promise<SettleResult> {
    return this.#end("settled", this.#plan.totals(totals));
  }

  /** Ends the reservation without charging anything. Units that an earlier `renew` reported stay charged. */
  async cancel(): Promise<SettleResult> {
    return this.#end("cancelled", this.#allUsed(0));
  }

  /**
   * Renews the reservation for another full `keepMs`, and reports that the call has used `total` units so far of each rate limit that it
   * reserves. A total below the largest reported so far is ignored, so 0 renews the reservation without reporting further use.
   */
  async renew(total = 0): Promise<SettleResult> {
    return this.#settle("renewed", this.#allUsed(total));
  }

  /**
   * Renews the reservation in the background every `keepMs / 3`, until it ends or expires. The caller remains responsible for ending the
   * reservation.
   */
  keepAlive(): void {
    if (!this.#timer && !this.#ending && !this.#ended) this.#renewLater(this.#keepMs / 3);
  }

  /**
   * Ends the reservation with its estimates or with the units reported so far, whichever is more. Does nothing if the reservation has
   * already ended. Never throws in an outage; the held units then expire.
   */
  async close(): Promise<void> {
    if (this.#ending || this.#ended) return;
    try {
      await this.#end("settled", this.#plan.totals([]));
    } catch (error) {
      if (!(error instanceof NoDecisionError || error instanceof OverloadedError)) throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #allUsed(total: number): number[] {
    checkedTotal(total);
    return this.#plan.holders.map(() => total);
  }

  #end(kind: EventKind, totals: readonly number[]): Promise<SettleResult> {
    this.#ending = true;
    clearTimeout(this.#timer);
    return this.#settle(kind, totals);
  }

  async #settle(kind: EventKind, totals: readonly number[]): Promise<SettleResult> {
    if (this.#ended) return "nothing_held";
    this.#used = totals.map((total, at) => Math.max(total, this.#used[at] ?? 0));
    const result = await this.#send(kind, this.#used);
    if (result === "ran_out" || (result === "settled" && kind !== "renewed")) this.#ended = true;
    return result;
  }

  #renewLater(ms: number): void {
    const go = () => (ms > LONGEST_TIMER_MS ? this.#renewLater(ms - LONGEST_TIMER_MS) : void this.#renewAgain());
    this.#timer = setTimeout(go, Math.min(ms, LONGEST_TIMER_MS)).unref();
  }

  async #renewAgain(): Promise<void> {
    // An event reports the failure; the next renewal may succeed.
    await this.renew().catch(() => {});
    if (!this.#ending && !this.#ended) this.#renewLater(this.#keepMs / 3);
  }
}

/**
 * Limits the number of concurrent calls of each subject. A permit is a reservation; close it when the call ends, or renew it before it
 * expires. If the process crashes, its permits expire and become available again.
 */
export class ConcurrencyLimiter {
  readonly #place: EntryCost;

  /**
   * `limit` is the maximum number of concurrent calls of each subject, 1 to 10^12. The `keepMs` of the reservations is how long a permit is
   * held without renewal.
   */
  constructor(
    readonly reservations: Reservations,
    policy: string,
    limit: number,
  ) {
    this.#place = EntryLimit.concurrency(policy, limit).reserve();
  }

  /** Takes one permit if one is available, like `reserve`. A denial is returned as an answer, never thrown. */
  acquire(subject: string | Uint8Array, options?: ReserveOptions): Promise<Reservation> {
    return this.reservations.reserve(subject, [this.#place], options);
  }
}
