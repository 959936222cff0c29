import { inParts } from "./batches.js";
import { Calls, FailureChoices, checkedTimeout, type CallOptions, type Choice, type SendOptions } from "./calls.js";
import { OPEN, breakerOf, type CircuitBreaker } from "./circuit.js";
import { NotSentError, type PenstockError } from "./failures.js";
import { clocks, forget, memoryOf, type DenialMemory } from "./near.js";
import { BATCH_CALLS } from "./numbers.js";
import { Decision, Limit, LONGEST_US, MOST_UNITS, charge, decision, escaped, keyBegin, several } from "./protocol.js";
import { FUNCTIONS_LIBRARY, LEAKY_BUCKET } from "./scripts.js";
import type { VerdictListener } from "./questions.js";
import type { Sender } from "./sender.js";
import { SharedTrips } from "./sharing.js";

/** The outcome of one call, for metrics and logs. */
export interface CallOutcome {
  readonly policy: string;
  readonly subject: string | Uint8Array;
  readonly decision?: Decision;
  /** The failure. It is also set if the call failed and the limiter then made a decision without the server. */
  readonly error?: PenstockError;
}

export interface RateLimiterOptions {
  /** The prefix of every key, `penstock` by default. */
  prefix?: string;
  /** Whether to call the Functions library (Redis 7.0, Valkey) instead of scripts; load it first with `loadFunctions`. */
  functions?: boolean;
  /**
   * The timeout of a call in milliseconds, 1000 by default. A call can take up to 250 ms longer while the check of the server is pending.
   * Infinity disables the timeout.
   */
  timeoutMs?: number;
  /**
   * The result of a call for units during an outage. By default, the call throws a NoDecisionError. With the other choices, it is allowed
   * or denied with `enforced` set to false. A denied call can be retried after one `timeoutMs`. Configuration errors, unknown errors, and
   * failed peeks, refunds and resets always throw.
   */
  onUnavailable?: Choice;
  /**
   * The result of a call for units if a resource of this process is exhausted although the server answers, or if the server is out of
   * memory. By default, the call is denied.
   */
  onOverload?: Choice;
  /**
   * The longest time in milliseconds for which a denial is repeated without a round trip, such as 100. The default is 0, which disables
   * this. Refunds by other processes take effect after at most that time. All limiters of a client share the remembered denials.
   */
  rememberDenialsMs?: number;
  /**
   * The circuit breaker for the client's server. While the server is down, calls for units fail fast instead of waiting. Not supported for
   * cluster clients.
   */
  circuitBreaker?: CircuitBreaker | undefined;
  /**
   * Whether calls for the same units of one subject go to the server together if they are made while eight of them are under way; true by
   * default. Each gets the decision that it would have got alone (docs/protocol.md, C1 to C6).
   */
  shareTrips?: boolean;
  /** Receives each call, for metrics and for logs of decisions that were made without the server. */
  onOutcome?: ((outcome: CallOutcome) => void) | undefined;
  /**
   * Called when a server stops answering and when it answers again. If no limiter of the client has a listener, these events are emitted as
   * process warnings.
   */
  onVerdict?: VerdictListener | undefined;
}

type Subject = string | Uint8Array;

/**
 * A rate limiter for one policy and one limit, applied to each subject. Each call is sent once, and is sent again only after NOSCRIPT,
 * MOVED or ASK.
 */
export class RateLimiter {
  readonly #calls: Calls;
  readonly #keyBegin: string;
  readonly #keyEnd: string;
  readonly #verb: readonly [string, string];
  readonly #connection: object;
  readonly #memory: DenialMemory | undefined;
  readonly #mostUs: number;
  readonly #choices: FailureChoices;
  readonly #breaker: CircuitBreaker | undefined;
  readonly #onOutcome: RateLimiterOptions["onOutcome"];
  readonly #trips: SharedTrips | undefined;

  constructor(
    readonly sender: Sender,
    readonly policy: string,
    readonly limit: Limit,
    options: RateLimiterOptions = {},
  ) {
    const { prefix, functions = false, timeoutMs = 1_000, rememberDenialsMs = 0, shareTrips = true } = options;
    if (typeof limit?.marker !== "string") {
      throw new TypeError("limit must be made by a function of this package, such as tokenBucket(100, 10, 1000)");
    }
    this.#verb = functions ? ["FCALL", limit.script.function] : ["EVALSHA", limit.script.sha1];
    const peek = { begin: [...this.#verb, "1"], end: ["0", ...limit.args] };
    this.#calls = new Calls(sender, checkedTimeout(timeoutMs), peek, options.onVerdict);
    this.#choices = new FailureChoices(options);
    if (!(rememberDenialsMs >= 0)) {
      throw new RangeError(`rememberDenialsMs must be 0 or above: ${rememberDenialsMs}`);
    }
    this.#breaker = breakerOf(sender, options.circuitBreaker);
    this.#connection = sender.connection ?? sender;
    this.#mostUs = rememberDenialsMs * 1_000;
    if (rememberDenialsMs > 0) this.#memory = memoryOf(this.#connection);
    this.#onOutcome = options.onOutcome;
    this.#keyBegin = (sender.keyPrefix ?? "") + keyBegin(policy, prefix);
    this.#keyEnd = `}:${limit.marker}`;
    if (typeof shareTrips !== "boolean") throw new TypeError(`shareTrips must be true or false: ${shareTrips}`);
    // Each call of a leaky bucket has a turn of its own.
    if (shareTrips && sender.isOrdered === true && limit.script !== LEAKY_BUCKET) {
      this.#trips = new SharedTrips(this.#calls, limit.script.source, (key, cost) => this.#command(key, cost));
    }
  }

  /** Takes `cost` units if every tier has them available. A denial is returned as a decision, never thrown. */
  acquire(subject: Subject, cost = 1, options?: CallOptions): Promise<Decision> {
    return this.#take(subject, cost, 1, options, charge);
  }

  /** Takes the units for as many calls of this cost as fit, up to `calls`; the decision's `granted` is their number. */
  acquireUpTo(subject: Subject, calls: number, cost = 1, options?: CallOptions): Promise<Decision> {
    return this.#take(subject, cost, calls, options, (cost) => several(calls, cost));
  }

  /** Takes one unit for each subject, at most 10,000. The clients send up to 1,000 calls in one round trip per node. */
  async acquireAll(subjects: Iterable<Subject>, options?: CallOptions): Promise<PromiseSettledResult<Decision>[]> {
    if (typeof subjects === "string" || subjects instanceof Uint8Array) {
      throw new TypeError("subjects must be an iterable, such as an array; for one subject use acquire");
    }
    return this.#takeEach("subjects", Array.from(subjects, (subject) => [subject, 1] as const), options);
  }

  /** Like `acquireAll`, with a cost for each subject: takes pairs of a subject and its cost. */
  async acquireEach(calls: Iterable<readonly [subject: Subject, cost: number]>, options?: CallOptions): Promise<PromiseSettledResult<Decision>[]> {
    const pairs = Array.from(calls);
    for (const pair of pairs) {
      if (!Array.isArray(pair) || pair.length !== 2) throw new TypeError(`calls must be pairs of a subject and its cost: ${pair}`);
    }
    return this.#takeEach("calls", pairs, options);
  }

  /** Returns the current usage without charging anything. */
  peek(subject: Subject, options?: CallOptions): Promise<Decision> {
    return new Promise((resolve, reject) => this.#send(subject, this.#key(subject), 0, 0, 1, options, resolve, reject));
  }

  /** Refunds units, but no more than have been used. */
  async refund(subject: Subject, units: number, options?: CallOptions): Promise<Decision> {
    const [key, cost] = [this.#key(subject), -charge(units, "units")];
    forget(this.#connection, key);
    try {
      return await new Promise((resolve, reject) => this.#send(subject, key, cost, cost, 1, options, resolve, reject));
    } finally {
      forget(this.#connection, key);
    }
  }

  /** Refunds all used units. */
  reset(subject: Subject, options?: CallOptions): Promise<Decision> {
    return this.refund(subject, MOST_UNITS, options);
  }

  /** Loads the Functions library on every master. */
  async loadFunctions(): Promise<void> {
    await this.sender.sendToMasters(["FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY]);
  }

  #key(subject: Subject): string {
    return this.#keyBegin + escaped(subject) + this.#keyEnd;
  }

  async #takeEach(argument: string, pairs: (readonly [Subject, number])[], options?: CallOptions): Promise<PromiseSettledResult<Decision>[]> {
    if (pairs.length > BATCH_CALLS) throw new RangeError(`${argument} must be at most ${BATCH_CALLS} in a batch: ${pairs.length}`);
    const servers = pairs.map(([subject]) => this.#serverOf(subject));
    return inParts(servers, this.#calls.ms, (at, part) => {
      const [subject, cost] = pairs[at]!;
      return this.#take(subject, cost, 1, part ? { ...options, part } : options, charge);
    });
  }

  #serverOf(subject: Subject): unknown {
    if (!this.sender.serverOf) return undefined;
    try {
      return this.sender.serverOf(this.#key(subject));
    } catch {
      // The error appears in its own call.
      return undefined;
    }
  }

  #take(subject: Subject, cost: number, calls: number, options: SendOptions | undefined, argument: (cost: number) => number | string) {
    let key: string;
    let asked: number | string;
    try {
      key = this.#key(subject);
      asked = argument(cost);
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.#memory && !options?.signal?.aborted) {
      const known = this.#memory.find(key, this.limit, cost, this.#mostUs);
      if (known) {
        this.#tell(subject, known);
        return Promise.resolve(known);
      }
    }
    return new Promise<Decision>((resolve, reject) => this.#send(subject, key, cost, asked, calls, options, resolve, reject));
  }

  #send(
    subject: Subject,
    key: string,
    cost: number,
    asked: number | string,
    calls: number,
    options: SendOptions = {},
    resolve: (decided: Decision) => void,
    reject: (error: unknown) => void,
  ): void {
    const sent = this.#memory && clocks();
    const breaker = this.#breaker;
    const answered = (reply: unknown, counts = true) => {
      const decided = decision(reply, calls);
      if (counts) breaker?.note();
      resolve(decided);
      if (sent && cost > 0 && !decided.allowed) this.#memory!.remember(key, this.limit, cost, decided, sent);
      this.#tell(subject, decided);
    };
    const failed = (failure: PenstockError, cancelled: boolean, asked = true) => {
      // A cancellation is not an outage.
      if (asked && !cancelled) breaker?.note(failure.kind);
      const undecided = !cancelled && cost > 0 ? this.#undecided(failure, calls) : undefined;
      undecided ? resolve(undecided) : reject(failure);
      this.#tell(subject, undecided, failure);
    };
    if (breaker && cost > 0 && !options.signal?.aborted) {
      const refusal = breaker.refusal();
      if (refusal) return failed(refusal, false, false);
    }
    if (this.#trips && typeof asked === "number" && cost > 0 && !options.part) {
      const isProbe = breaker?.open === true;
      const learnt = () => {
        const known = this.#memory?.find(key, this.limit, cost, this.#mostUs);
        if (known) return () => (resolve(known), this.#tell(subject, known));
        return breaker?.open && !isProbe ? () => failed(new NotSentError(OPEN), false, false) : undefined;
      };
      return this.#trips.send(key, cost, options, learnt, answered, failed);
    }
    this.#calls.send(key, this.#command(key, String(asked)), this.limit.script.source, cost !== 0, options, answered, failed);
  }

  #command(key: string, cost: string): string[] {
    return [this.#verb[0], this.#verb[1], "1", key, cost, ...this.limit.args];
  }

  #undecided(failure: PenstockError, calls: number): Decision | undefined {
    const choice = this.#choices.of(failure);
    if (choice === "throw") return undefined;
    const [granted, wait] = choice === "allow" ? [calls, 0] : [0, Math.min(Math.round(this.#calls.ms * 1_000), LONGEST_US)];
    return new Decision(granted, this.limit.tiers[0]![0]!, 0, wait, 0, 1, false);
  }

  #tell(subject: Subject, decision: Decision | undefined, error?: PenstockError): void {
    if (!this.#onOutcome) return;
    try {
      this.#onOutcome({ policy: this.policy, subject, ...(decision && { decision }), ...(error && { error }) });
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}
