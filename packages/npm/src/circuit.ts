// The circuit breaker of a server: rule F1 of docs/protocol.md.
import { NotSentError, type FailureKind } from "./failures.js";
import type { Sender } from "./sender.js";

const LOST = 5;
const TRIALS = 2;
const LOST_KINDS: readonly (FailureKind | undefined)[] = ["not_sent", "not_answered"];
const WHY = `the circuit is open, since the server did not answer ${LOST} calls in a row`;

interface CircuitState {
  /** The time at which one call may be sent, while it is open. */
  next?: number;
  /** Consecutive calls without an answer, while it is closed. */
  lost: number;
  /** Calls that may be sent at once, after an answer. */
  trials: number;
  /** The time at which it opened. */
  answers: number;
}

/** Spares callers the wait for an unresponsive server: create one for each client, and pass it to all limiters of that client. */
export class CircuitBreaker {
  #state: CircuitState = { lost: 0, trials: 0, answers: 0 };

  /**
   * The milliseconds for which it stays open, 10 to 3,600,000, after 5 consecutive calls without any answer: no connection, or none
   * within `timeoutMs`. Meanwhile calls for units have the outcome of `onUnavailable`, except for one probe in each such time. After an
   * answer the next two are sent, and if both are answered, it closes. `now` is the caller's own clock.
   */
  constructor(
    readonly lengthMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    if (!(lengthMs >= 10 && lengthMs <= 3_600_000)) throw new RangeError(`lengthMs must be from 10 to 3600000: ${lengthMs}`);
  }

  /** Whether it is open, or half-open. */
  get open(): boolean {
    return this.#state.next !== undefined;
  }

  /** The reason that a call for units is not sent, if it is not. */
  refusal(): NotSentError | undefined {
    const { next, lost, trials, answers } = this.#state;
    if (next === undefined) return undefined;
    if (trials === 0 && this.now() < next) return new NotSentError(WHY);
    this.#state = { next: this.#later(), lost, trials: Math.max(0, trials - 1), answers };
    return undefined;
  }

  /** Notes the failure of a call, or its answer. Any reply of the server counts as an answer. */
  note(kind?: FailureKind): void {
    const { next, lost, trials, answers } = this.#state;
    if (!LOST_KINDS.includes(kind)) {
      if (next !== undefined && answers < TRIALS) {
        this.#state = { next: this.#later(), lost: 0, trials: answers === 0 ? TRIALS : trials, answers: answers + 1 };
      } else {
        this.#state = { lost: 0, trials: 0, answers: 0 };
      }
    } else if (next === undefined && lost + 1 < LOST) {
      this.#state = { lost: lost + 1, trials: 0, answers: 0 };
    } else if (next === undefined || answers > 0) {
      this.#state = { next: this.#later(), lost: 0, trials: 0, answers: 0 };
    }
  }

  /** Between nine tenths of the length and the whole of it, so that processes do not probe at the same time. */
  #later(): number {
    return this.now() + this.lengthMs * (0.9 + Math.random() / 10);
  }
}

/** The circuit breaker of a sender's user, or the error if it is not one. */
export function breakerOf({ isOneServer }: Sender, breaker: CircuitBreaker | undefined): CircuitBreaker | undefined {
  if (breaker !== undefined && typeof breaker?.refusal !== "function") throw new TypeError("circuitBreaker must be a CircuitBreaker");
  if (breaker && !isOneServer) {
    throw new TypeError("circuitBreaker must be that of one server's client: it is not known which node of a cluster a call goes to");
  }
  return breaker;
}
