// A call on its way, and what ends it when it is late.
import type { JudgedCall, Judgement, NodeVerdict } from "./verdict.js";

/** The longest time that a timer takes. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a sender hears of a call, and says: the parts of an AbortSignal that clients use, without its cost for each call. */
export class PendingCall implements JudgedCall {
  /** Whether the client has sent it. */
  written = false;
  /** Whether it was given up, and must not be sent any more. */
  aborted = false;
  #takeBack: (() => void) | undefined;
  /** When it puts the question, when it is late, and its place in a queue of deadlines. */
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

  /** The call waits to be written; `listener` takes it back. */
  addEventListener(_type: "abort", listener: () => void): void {
    this.written = false;
    this.#takeBack = listener;
  }

  /** The call was written. */
  removeEventListener(_type: "abort", _listener: () => void): void {
    this.written = true;
    this.#takeBack = undefined;
  }

  giveUp(): void {
    this.aborted = true;
    this.#takeBack?.();
  }
}

/** Waits for as long as a decision says, also beyond the 2^31 ms that a timer takes, and for ever if `ms` is Infinity. */
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
