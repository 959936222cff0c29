// The circuit breaker of a server: rule F1 of docs/protocol.md.
import { NotSentError, type FailureKind } from "./failures.js";
import { CIRCUIT_LOST_CALLS, CIRCUIT_SPREAD, CIRCUIT_TRIAL_CALLS } from "./numbers.js";
import type { Sender } from "./sender.js";

const LOST_KINDS: readonly (FailureKind | undefined)[] = ["not_sent", "not_answered"];
export const OPEN = `the circuit is open, since the server did not answer ${CIRCUIT_LOST_CALLS} calls in a row`;

interface CircuitState {
  /** The time at which the next probe may be sent, while the breaker is open. */
  next?: number;
  /** The number of consecutive calls without an answer, while the breaker is closed. */
  lost: number;
  /** The number of calls that may be sent now, after an answer. */
  trials: number;
  /** The number of answers since the breaker opened. */
  answers: number;
}

/** Makes calls fail fast while the server is down. Create one breaker for each client and pass it to all limiters of that client. */
export class CircuitBreaker {
  #state: CircuitState = { lost: 0, trials: 0, answers: 0 };

  /**
   * `lengthMs` is how long the breaker stays open, 10 to 3,600,000 milliseconds, after 5 consecutive calls without any answer, that is,
   * without a connection or without a reply within `timeoutMs`. While it is open, calls for units end as `onUnavailable` specifies, except
   * that one probe is sent in each such interval. After the first answer, the next two calls are sent; if both are answered, the breaker
   * closes. `now` replaces the clock.
   */
  constructor(
    readonly lengthMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    if (!(lengthMs >= 10 && lengthMs <= 3_600_000)) throw new RangeError(`lengthMs must be from 10 to 3600000: ${lengthMs}`);
  }

  /** Whether the breaker is open or half-open. */
  get open(): boolean {
    return this.#state.next !== undefined;
  }

  /** Returns the error with which a call for units fails without being sent, or undefined if it may be sent. */
  refusal(): NotSentError | undefined {
    const { next, lost, trials, answers } = this.#state;
    if (next === undefined) return undefined;
    if (trials === 0 && this.now() < next) return new NotSentError(OPEN);
    this.#state = { next: this.#later(), lost, trials: Math.max(0, trials - 1), answers };
    return undefined;
  }

  /** Records the failure of a call, or its answer. Any reply of the server counts as an answer. */
  note(kind?: FailureKind): void {
    const { next, lost, trials, answers } = this.#state;
    if (!LOST_KINDS.includes(kind)) {
      if (next !== undefined && answers < CIRCUIT_TRIAL_CALLS) {
        this.#state = { next: this.#later(), lost: 0, trials: answers === 0 ? CIRCUIT_TRIAL_CALLS : trials, answers: answers + 1 };
      } else {
        this.#state = { lost: 0, trials: 0, answers: 0 };
      }
    } else if (next === undefined && lost + 1 < CIRCUIT_LOST_CALLS) {
      this.#state = { lost: lost + 1, trials: 0, answers: 0 };
    } else if (next === undefined || answers > 0) {
      this.#state = { next: this.#later(), lost: 0, trials: 0, answers: 0 };
    }
  }

  /** Returns the time of the next probe: now plus a random 90 to 100 % of the length, so that processes do not probe simultaneously. */
  #later(): number {
    return this.now() + this.lengthMs * (1 - Math.random() * CIRCUIT_SPREAD);
  }
}

/** Returns the circuit breaker for a sender; throws if the value is not a circuit breaker, or the sender has several servers. */
export function breakerOf({ isOneServer }: Sender, breaker: CircuitBreaker | undefined): CircuitBreaker | undefined {
  if (breaker !== undefined && typeof breaker?.refusal !== "function") throw new TypeError("circuitBreaker must be a CircuitBreaker");
  if (breaker && !isOneServer) {
    throw new TypeError("circuitBreaker must be for the client of a single server: it is not known which node of a cluster a call goes to");
  }
  return breaker;
}
