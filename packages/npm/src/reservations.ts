// Calls under several limits, and the units that they hold.
import { Calls, FailureChoices, checkedTimeout, type CallOptions, type Choice } from "./calls.js";
import { breakerOf, type CircuitBreaker } from "./circuit.js";
import { CallEntry, CallId, NamedLimit, checkedTotal, type EntryTotal, type EntryUsage } from "./entries.js";
import { NoDecisionError, OverloadedError, PenstockError, afterLostAnswer, textOf } from "./failures.js";
import { LONGEST_TIMER_MS, wait } from "./pending.js";
import { LONGEST_US, microseconds, nameOf, type Script } from "./protocol.js";
import { ReservationAnswer, ReservationPlan } from "./reservation-plan.js";
import { FUNCTIONS_LIBRARY, RESERVE, SETTLE } from "./scripts.js";
import type { VerdictListener } from "./questions.js";
import type { Sender } from "./sender.js";

const SHORTEST_KEEP_US = 1_000;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 160;
const PART = 0.45;

/**
 * The events of a call under several limits: it was allowed, denied, settled with its use, cancelled without use, renewed, settled or
 * renewed too late, or ended without a readable answer.
 */
export type EventKind = "reserved" | "denied" | "settled" | "cancelled" | "renewed" | "ran_out" | "undecided";

/**
 * The result of a settlement: it is done, by this call or an earlier one; the reservation no longer exists, because it expired and was
 * charged, or the server lost it; nothing was sent, because nothing is held; or no answer came, and `onUnavailable` or `onOverload` is not
 * `"throw"`: the held units expire at their time and are charged then, unless the settlement did arrive.
 */
export type SettleResult = "settled" | "ran_out" | "nothing_held" | "undecided";

/** The argument of `onEvent`. */
export interface ReservationEvent {
  readonly kind: EventKind;
  /** The name of the reservations. */
  readonly reservations: string;
  /** The group of the call. */
  readonly group: string | Uint8Array;
  readonly id: CallId;
  /** The first answer, if there was one. */
  readonly answer?: ReservationAnswer;
  /** The error that the call ended with, or that the program replaced by a decision. */
  readonly error?: PenstockError;
  /** From the start of the call to its end, including retries. */
  readonly latencyMs: number;
}

export interface ReservationsOptions {
  /** The prefix of every key; `penstock` by default. */
  prefix?: string;
  /** Call the Functions library (Redis 7.0, Valkey), which was loaded with `loadFunctions`. */
  functions?: boolean;
  /** The longest time of a call including retries, 1000 by default: each attempt gets 45 % of it, and none starts after 55 %. */
  timeoutMs?: number;
  /**
   * In an outage a call throws its NoDecisionError, by default, or is allowed or denied with `enforced` false, and holds nothing. A
   * settlement throws, or is `"undecided"`. Configuration errors and unknown errors are always thrown.
   */
  onUnavailable?: Choice;
  /** The choice for a full bound of this process, or a full memory of the server, while the server answers; it denies by default. */
  onOverload?: Choice;
  /** Of the client's server: calls do not wait while it does not answer; settlements are always sent. Cluster clients do not support it. */
  circuitBreaker?: CircuitBreaker | undefined;
  /** Receives every call, and every settlement that was sent. */
  onEvent?: ((event: ReservationEvent) => void) | undefined;
  /**
   * Called when a server stops answering, and when it answers again; without a listener of its client these are warnings of the process.
   */
  onVerdict?: VerdictListener | undefined;
}

export interface ReserveOptions extends CallOptions {
  /**
   * An id of the program, never of a request. A repeated call with this id, group and entries returns the same answer, changes nothing, and
   * refers to the same reservation until that is ended or has expired; the id of another call, or of one that was ended, is a
   * MisconfiguredError.
   */
  id?: CallId | undefined;
  /** Ends the call at once, like a limiter's; units that it is granted afterwards are returned. */
  signal?: AbortSignal | undefined;
}

/**
 * Decides several limits of one group in one call, and holds the units whose use is not known yet, until the call is settled, renewed or
 * cancelled, or expires. A group is the entity that all limits of a call apply to, such as a tenant; an entry counts the group itself or
 * one member of it.
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
   * The name appears in events; `keepMs` is the time for which a call holds its units if it is neither settled nor renewed: 1 ms to 366
   * days, and at least `timeoutMs`.
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
    this.#calls = new Calls(sender, timeoutMs * PART, question, options.onVerdict);
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
   * Requests all entries of a call (1 to 8, with different keys): all are charged and held, or none are. A denial is an answer,
   * not an error.
   *
   * After an outage the same call is sent again with the same id, until `timeoutMs` has passed; the id ensures that it is charged at most
   * once.
   */
  async reserve(group: string | Uint8Array, entries: readonly CallEntry[], options: ReserveOptions = {}): Promise<Reservation> {
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

  /** Sends a call until it is answered or its time has passed. */
  async #asked<T>(script: Script, keys: readonly string[], args: string[], charges: boolean, read: (reply: unknown) => T): Promise<T> {
    const last = performance.now() + this.#timeoutMs * (1 - PART);
    const prefix = this.sender.keyPrefix ?? "";
    const words = [String(keys.length), ...keys.map((key) => prefix + key), ...args];
    const target = this.#functions ? ["FCALL", script.function] : ["EVALSHA", script.sha1];
    let unanswered: PenstockError | undefined;
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
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

/** The error of a settlement. The settlement may be repeated, so the error does not mention charges. */
function unsettled(failure: PenstockError): PenstockError {
  if (!(failure instanceof NoDecisionError)) return failure;
  const { cause, kind } = failure;
  return new NoDecisionError(`the settlement has no answer, so what is held runs out: ${textOf(cause ?? failure)}`, kind, false, { cause });
}

/**
 * A call that was decided under its limits, and the units that it holds. End it by `await using`, or by `settle`, `cancel` or `close`. A
 * reservation that is not settled in time expires, and its estimate is charged. A failed settlement may be repeated, because it sends
 * totals and not differences.
 */
export class Reservation {
  readonly #plan: ReservationPlan;
  readonly #keepMs: number;
  readonly #send: (kind: EventKind, totals: readonly number[]) => Promise<SettleResult>;
  /** The largest total of each that was sent, whether it arrived or not. */
  #used: readonly number[] = [];
  #ending = false;
  #ended: boolean;
  #timer: NodeJS.Timeout | undefined;

  /** Made by `Reservations.reserve`. */
  constructor(
    plan: ReservationPlan,
    /** The answer of the server. */
    readonly answer: ReservationAnswer,
    keepMs: number,
    send: (kind: EventKind, totals: readonly number[]) => Promise<SettleResult>,
  ) {
    this.#plan = plan;
    this.#keepMs = keepMs;
    this.#send = send;
    this.#ended = !answer.allowed || !answer.enforced || plan.holders.length === 0;
  }

  /** Whether the call is allowed. */
  get allowed(): boolean {
    return this.answer.allowed;
  }

  /** Whether the limits decided; false if no decision could be made and `onUnavailable` or `onOverload` decided. */
  get enforced(): boolean {
    return this.answer.enforced;
  }

  /**
   * The time until the same call would be allowed if no reservation were settled meanwhile, rounded up; Infinity if a cost exceeds its
   * limit.
   */
  get retryAfterMs(): number {
    return this.answer.retryAfterMs;
  }

  /** That wait in whole seconds, rounded up, as in HTTP's `Retry-After`; undefined if no wait helps. */
  get retryAfterSeconds(): number | undefined {
    return this.answer.retryAfterSeconds;
  }

  /** The time that a denied caller should wait before it tries again. */
  get askAgainAfterMs(): number {
    return this.answer.askAgainAfterMs;
  }

  /** The delay of an allowed call until its turn in a leaky bucket, rounded up. */
  get delayMs(): number {
    return this.answer.delayMs;
  }

  /** The usage of each limit, in the order of the entries. */
  get usages(): readonly EntryUsage[] {
    return this.answer.usages;
  }

  /**
   * Ends it: each reserved rate has used `total` units, 0 to 10^12. The excess over the estimate is charged as well, beyond the limit if
   * necessary.
   */
  async settle(total: number): Promise<SettleResult> {
    return this.#end("settled", this.#allUsed(total));
  }

  /** Ends it with a total for each entry, `entry.used(900)`; an entry without a total keeps its estimate. */
  async settleEntries(...totals: EntryTotal[]): Promise<SettleResult> {
    return this.#end("settled", this.#plan.totals(totals));
  }

  /** Ends it without using anything. Units that an earlier `renew` counted stay charged. */
  async cancel(): Promise<SettleResult> {
    return this.#end("cancelled", this.#allUsed(0));
  }

  /**
   * Holds the remaining units for another full period. Each reserved rate has used `total` units so far; totals only grow, so 0 means no
   * further use.
   */
  async renew(total = 0): Promise<SettleResult> {
    return this.#settle("renewed", this.#allUsed(total));
  }

  /**
   * Renews it in the background after each third of its time, until it is ended or expires. The caller remains responsible for ending the
   * reservation.
   */
  keepAlive(): void {
    if (!this.#timer && !this.#ending && !this.#ended) this.#renewLater(this.#keepMs / 3);
  }

  /**
   * Ends it with its estimates, or with the units counted so far if that is more; does nothing if it was ended before. Never throws in an
   * outage: the held units expire.
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
 * Limits the concurrent calls of one subject. A permit is a reservation: close it, or renew it before its time ends; the permit of a
 * crashed process is free again at that time.
 */
export class ConcurrencyLimiter {
  readonly #place: CallEntry;

  /**
   * `limit` is the number of places of each subject, 1 to 10^12; the reservations' `keepMs` is the time for which one is held unless it is
   * renewed.
   */
  constructor(
    readonly reservations: Reservations,
    policy: string,
    limit: number,
  ) {
    this.#place = NamedLimit.concurrency(policy, limit).reserve();
  }

  /** Takes one place if there is one, like `reserve`. A denial is an answer, not an error. */
  acquire(subject: string | Uint8Array, options?: ReserveOptions): Promise<Reservation> {
    return this.reservations.reserve(subject, [this.#place], options);
  }
}
