// When calls are late, by a clock that stands still while the process's event loop does.
import { LONGEST_TIMER_MS, type PendingCall } from "./pending.js";

// Parts of a time-out; the loop is looked at as often while a call is under way.
const LOOKS = 8;

/**
 * Calls of one time-out in the order in which they are due, with one timer for all of them. Between two looks at the loop no more than two
 * parts of the time-out count: a loop that stands still sends nothing, and reads no answer.
 */
export class Deadlines {
  readonly #part: number;
  #first: PendingCall | undefined;
  #last: PendingCall | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The clock at the last look, and when that was. */
  #time = 0;
  #looked = performance.now();

  constructor(readonly ms: number) {
    this.#part = Math.max(1, ms / LOOKS);
  }

  /** Milliseconds, of which those count in which the loop had its turns. */
  now(real = performance.now()): number {
    return this.#time + Math.min(real - this.#looked, 2 * this.#part);
  }

  /** The call is due one time-out from now, or at `due`, which must not be before the last call's. */
  add(call: PendingCall, due?: number): void {
    if (this.ms === Infinity) return;
    if (!this.#timer) this.#look();
    call.due = due ?? this.now() + this.ms;
    call.earlier = this.#last;
    if (this.#last) this.#last.later = call;
    else this.#first = call;
    this.#last = call;
    if (!this.#timer) this.#start();
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

  #look(): number {
    const real = performance.now();
    this.#time = this.now(real);
    this.#looked = real;
    return this.#time;
  }

  #start(): void {
    const ms = Math.min(this.#part, Math.max(1, this.#first!.due - this.#time), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => {
      const now = this.#look();
      // What a process that stood still has not read yet comes first.
      setImmediate(() => this.#expire(now));
    }, Math.ceil(ms));
  }

  #expire(now: number): void {
    this.#timer = undefined;
    for (let call; (call = this.#first) && call.due <= now; ) {
      this.remove(call);
      call.expire();
    }
    if (this.#first && !this.#timer) this.#start();
  }
}
