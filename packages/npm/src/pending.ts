// A call in flight, and the timer that ends it when it is late.
import type { JudgedCall, Judgement, NodeVerdict } from "./verdict.js";

/** The longest delay of a timer. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Connects a sender and a call. It provides the part of AbortSignal that clients use, at a lower cost per call. */
export class PendingCall implements JudgedCall {
  /** Whether the client has sent the call. */
  written = false;
  /** Whether the call was abandoned and must not be sent. */
  aborted = false;
  #takeBack: (() => void) | undefined;
  /** The time at which the call requests a check, the time at which it is late, and its index in a queue of deadlines. */
  half = 0;
  due = 0;
  earlier: PendingCall | undefined;
  later: PendingCall | undefined;
  lateAt = Infinity;
  endsAt = Infinity;

  constructor(
    readonly node?: NodeVerdict,
    readonly expired: () => void = () => {},
    readonly judged: (judgement: Judgement) => void = () => {},
    readonly begun = performance.now(),
  ) {}

  /** Called by the client when the call is waiting to be written; `listener` withdraws the call. */
  addEventListener(_type: "abort", listener: () => void): void {
    this.written = false;
    this.#takeBack = listener;
  }

  /** Called by the client when the call has been written. */
  removeEventListener(_type: "abort", _listener: () => void): void {
    this.wrote();
    this.#takeBack = undefined;
  }

  /** The client has written the call. */
  wrote(): void {
    this.written = true;
  }

  giveUp(): void {
    this.aborted = true;
    this.#takeBack?.();
  }
}

/** Waits for the delay of a decision, which can exceed the 2^31 ms of a timer. Waits forever if `ms` is Infinity. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
    await timer(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}

function timer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      clearTimeout(running);
      reject(signal?.reason);
    };
    const running = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
