// A call on its way, and what ends it when it is late.

/** The longest time that a timer takes. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a sender hears of a call, and says: the parts of an AbortSignal that clients use, without its cost for each call. */
export class PendingCall {
  /** Whether the client has sent it. */
  written = false;
  /** Whether it was given up, and must not be sent any more. */
  aborted = false;
  #takeBack: (() => void) | undefined;
  /** Its place in a queue of deadlines. */
  due = 0;
  earlier: PendingCall | undefined;
  later: PendingCall | undefined;

  /** `expire` gets the time when it was due, before the calls that were due with it took theirs. */
  constructor(readonly expire: (now: number) => void = () => {}) {}

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

/** The calls of one limiter in the order in which they are due, with one timer for all of them. */
export class Deadlines {
  #first: PendingCall | undefined;
  #last: PendingCall | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly ms: number) {}

  add(call: PendingCall): void {
    call.due = performance.now() + this.ms;
    if (this.ms === Infinity) return;
    call.earlier = this.#last;
    if (this.#last) this.#last.later = call;
    else this.#first = call;
    this.#last = call;
    if (!this.#timer) this.#start(this.ms);
    else if (this.#first === call) this.#timer.ref();
  }

  remove(call: PendingCall): void {
    const { earlier, later } = call;
    if (earlier) earlier.later = later;
    else if (this.#first === call) this.#first = later;
    else return;
    if (later) later.earlier = earlier;
    else this.#last = earlier;
    call.earlier = call.later = undefined;
    // The timer runs on, so that the next call need not start one, but keeps no process alive.
    if (!this.#first) this.#timer?.unref();
  }

  #start(ms: number): void {
    this.#timer = setTimeout(() => {
      const now = performance.now();
      // What a process that stood still has not read yet comes first.
      setImmediate(() => this.#expire(now));
    }, Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
  }

  #expire(now: number): void {
    this.#timer = undefined;
    for (let call; (call = this.#first) && call.due <= now; ) {
      this.remove(call);
      call.expire(now);
    }
    if (this.#first && !this.#timer) this.#start(Math.max(1, this.#first.due - now));
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
