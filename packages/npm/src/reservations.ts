// Calls under several limits, and what they hold.
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
 * What happened to a call under several limits: it was allowed, denied, ended with what it used, ended with nothing used, is held for
 * longer, was settled or renewed too late, or ended without an answer that could be read.
 */
export type EventKind = "reserved" | "denied" | "settled" | "cancelled" | "renewed" | "ran_out" | "undecided";

/**
 * The result of a settlement: it is done, by this call or before; there is no such reservation, as it ran out and was charged, or the
 * server lost it; nothing was sent, as nothing is held; or no answer came, and `onUnavailable` or `onOverload` is not `"throw"`: what is
 * held runs out at its time, and is charged then, unless the settlement did arrive.
 */
export type SettleResult = "settled" | "ran_out" | "nothing_held" | "undecided";

/** What `onEvent` hears. */
export interface ReservationEvent {
  readonly kind: EventKind;
  /** The name of the reservations. */
  readonly reservations: string;
  /** Whom the call is about. */
  readonly group: string | Uint8Array;
  readonly id: CallId;
  /** What was answered first, if anything was. */
  readonly answer?: ReservationAnswer;
  /** What the call ended with, or in spite of which the program decided. */
  readonly error?: PenstockError;
  /** From the call to its end, repeats included. */
  readonly latencyMs: number;
}

export interface ReservationsOptions {
  /** The first part of every key; `penstock` by default. */
  prefix?: string;
  /** Call the Functions library (Redis 7.0, Valkey), which was loaded with `loadFunctions`. */
  functions?: boolean;
  /** How long a call may take with its repeats, 1000 by default: each attempt has 45 % of it, and none begins after 55 %. */
  timeoutMs?: number;
  /**
   * In an outage a call throws its NoDecisionError, by default, or is allowed or denied with `enforced` false, and holds nothing. A
   * settlement throws, or is `"undecided"`. What is set up wrong or not understood always throws.
   */
  onUnavailable?: Choice;
  /** The same where a bound of this process or the server's memory is full while the server answers; it denies by default. */
  onOverload?: Choice;
  /** Of the client's server: calls do not wait while that does not answer; settlements are always sent. A cluster's client has none. */
  circuitBreaker?: CircuitBreaker | undefined;
  /** Told of every call, and of every settlement that was sent. */
  onEvent?: ((event: ReservationEvent) => void) | undefined;
  /** Told when a server stops answering, and when it answers again; without a listener of its client these are warnings of the process. */
  onVerdict?: VerdictListener | undefined;
}

export interface ReserveOptions extends CallOptions {
  /**
   * An id of the program's, and never a request's. The same id with the same group and entries is answered again and changes nothing, and
   * finds the reservation again, as long as it is neither ended nor has run out; the id of another call, or of one that was ended, is a
   * MisconfiguredError.
   */
  id?: CallId | undefined;
  /** Ends the call at once, as a limiter's; what it gets then is given back. */
  signal?: AbortSignal | undefined;
}

/**
 * Decides several limits of one group in one call, and holds what is not known yet, until it is settled, renewed or cancelled, or runs out.
 * A group is whom all limits of a call are about, such as a tenant; an entry counts the group itself or one within it.
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
   * The name is for events; `keepMs` is how long a call holds its units if it is neither settled nor renewed: 1 ms to 366 days, and at
   * least `timeoutMs`.
   */
  constructor(
    readonly sender: Sender,
    readonly name: string,
    readonly keepMs: number,
    options: ReservationsOptions = {},
  ) {
    const { prefix = "penstock", functions = false, timeoutMs = 1_000 } = options;
    if (checkedTimeout(timeoutMs) === Infinity) throw new RangeError("timeoutMs must not be Infinity");
    // Its script refuses a call without arguments, which is an answer.
    const question = { begin: functions ? ["FCALL", RESERVE.function, "1"] : ["EVALSHA", RESERVE.sha1, "1"], end: [] };
    this.#calls = new Calls(sender, timeoutMs * PART, question, options.onVerdict);
    this.#choices = new FailureChoices(options);
    this.#keepUs = microseconds("keepMs", keepMs);
    if (this.#keepUs < SHORTEST_KEEP_US || this.#keepUs > LONGEST_US) throw new RangeError(`keepMs must be from 1 ms to 366 days: ${keepMs}`);
    // A call that is sent again after its receipt has run out is charged twice.
    if (keepMs < timeoutMs) throw new RangeError(`keepMs must be at least the timeoutMs of ${timeoutMs}: ${keepMs}`);
    this.#timeoutMs = timeoutMs;
    this.#prefix = nameOf("prefix", prefix);
    this.#functions = functions;
    this.#breaker = breakerOf(sender, options.circuitBreaker);
    this.#onEvent = options.onEvent;
  }

  /**
   * Asks for all entries of a call, 1 to 8 of different keys: all are charged and held, or none. A denial is an answer, not an error.
   *
   * After an outage the same call is sent again, with the same id, until `timeoutMs` is over; so it is charged at most once.
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
        // onEvent tells what fails.
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

  /** Sends a call until it is answered or its time is over. */
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
      // What is held must not be lost with it.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** The error of a settlement. It may be made again, so nothing is said of charges. */
function unsettled(failure: PenstockError): PenstockError {
  if (!(failure instanceof NoDecisionError)) return failure;
  const { cause, kind } = failure;
  return new NoDecisionError(`the settlement has no answer, so what is held runs out: ${textOf(cause ?? failure)}`, kind, false, { cause });
}

/**
 * A call that was decided under its limits, and what it holds. It must be ended: by `await using`, or by `settle`, `cancel` or `close`.
 * What is not settled in time runs out, and is charged as it was estimated. A settlement that failed may be made again, as totals are sent
 * and not differences.
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
    /** What was answered. */
    readonly answer: ReservationAnswer,
    keepMs: number,
    send: (kind: EventKind, totals: readonly number[]) => Promise<SettleResult>,
  ) {
    this.#plan = plan;
    this.#keepMs = keepMs;
    this.#send = send;
    this.#ended = !answer.allowed || !answer.enforced || plan.holders.length === 0;
  }

  /** Whether the call may go ahead. */
  get allowed(): boolean {
    return this.answer.allowed;
  }

  /** Whether the limits decided; false if no decision could be made and `onUnavailable` or `onOverload` decided. */
  get enforced(): boolean {
    return this.answer.enforced;
  }

  /** How long until the same call would be allowed if nobody settled meanwhile, rounded up; Infinity if a cost exceeds its limit. */
  get retryAfterMs(): number {
    return this.answer.retryAfterMs;
  }

  /** The same in whole seconds, rounded up, as HTTP's `Retry-After` takes it; undefined where no wait helps. */
  get retryAfterSeconds(): number | undefined {
    return this.answer.retryAfterSeconds;
  }

  /** How long a denied caller should wait before it asks again. */
  get askAgainAfterMs(): number {
    return this.answer.askAgainAfterMs;
  }

  /** How long an allowed call should be delayed for its turn in a leaky bucket, rounded up. */
  get delayMs(): number {
    return this.answer.delayMs;
  }

  /** What is left of each limit, in the order of the entries. */
  get usages(): readonly EntryUsage[] {
    return this.answer.usages;
  }

  /**
   * Ends it: each reserved rate has used `total` units in all, 0 to 10^12. What exceeds the estimate is charged as well, beyond the limit
   * if need be.
   */
  async settle(total: number): Promise<SettleResult> {
    return this.#end("settled", this.#allUsed(total));
  }

  /** Ends it with a total for each entry, `entry.used(900)`; one that is not named keeps its estimate. */
  async settleEntries(...totals: EntryTotal[]): Promise<SettleResult> {
    return this.#end("settled", this.#plan.totals(totals));
  }

  /** Ends it: nothing was used. What an earlier `renew` counted stays charged. */
  async cancel(): Promise<SettleResult> {
    return this.#end("cancelled", this.#allUsed(0));
  }

  /**
   * Holds what is left for as long again as at first. Each reserved rate has used `total` units so far; totals only grow, so 0 says that
   * nothing more was used.
   */
  async renew(total = 0): Promise<SettleResult> {
    return this.#settle("renewed", this.#allUsed(total));
  }

  /** Renews it at a third of its time, in the background, until it is ended or runs out. Who calls it must end the reservation. */
  keepAlive(): void {
    if (!this.#timer && !this.#ending && !this.#ended) this.#renewLater(this.#keepMs / 3);
  }

  /**
   * Ends it with its estimates, or with what was counted if that is more; does nothing if it was ended before. Throws nothing in an outage:
   * what is held runs out by itself.
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
    // An event tells what fails; the next renewal may succeed.
    await this.renew().catch(() => {});
    if (!this.#ending && !this.#ended) this.#renewLater(this.#keepMs / 3);
  }
}

/**
 * Limits what one subject has in flight. A permit is a reservation: closed, or renewed before its time ends; that of a process that dies is
 * free again at its end.
 */
export class ConcurrencyLimiter {
  readonly #place: CallEntry;

  /** `limit` is how many places each subject has, 1 to 10^12; the reservations' `keepMs` is how long one is held unless it is renewed. */
  constructor(
    readonly reservations: Reservations,
    policy: string,
    limit: number,
  ) {
    this.#place = NamedLimit.concurrency(policy, limit).reserve();
  }

  /** Takes one place if there is one, as `reserve` does. A denial is an answer, not an error. */
  acquire(subject: string | Uint8Array, options?: ReserveOptions): Promise<Reservation> {
    return this.reservations.reserve(subject, [this.#place], options);
  }
}
