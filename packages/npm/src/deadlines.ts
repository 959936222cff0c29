// The times at which calls send the check, and at which they are late.
import { VERDICT_ASKS_AT } from "./numbers.js";
import { LONGEST_TIMER_MS, type PendingCall } from "./pending.js";
import { CLOCK } from "./verdict.js";

/** The calls with one timeout in the order in which they are due, with a single timer for all of them. */
export class Deadlines {
  #first: PendingCall | undefined;
  #last: PendingCall | undefined;
  /** The first call for which less than half the time has passed. */
  #fresh: PendingCall | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly ms: number,
    private readonly clock = CLOCK,
  ) {}

  /** Adds a call that is due one timeout after its start, or at `due`, which must not be before the last call's. */
  add(call: PendingCall, due = call.begun + this.ms): void {
    call.due = due;
    call.half = call.begun + (due - call.begun) * VERDICT_ASKS_AT;
    call.earlier = this.#last;
    if (this.#last) this.#last.later = call;
    else this.#first = call;
    this.#last = call;
    this.#fresh ??= call;
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
    if (this.#fresh === call) this.#fresh = later;
    call.earlier = call.later = undefined;
    // The timer continues, so that the next call need not start one, but does not keep the process alive.
    if (!this.#first) this.#timer?.unref();
  }

  #start(): void {
    const next = Math.min(this.#first!.due, this.#fresh?.half ?? Infinity) - this.clock.now();
    // After a pause of the process, unread data comes first.
    this.#timer = this.clock.after(Math.min(Math.max(0, next), LONGEST_TIMER_MS), () => this.clock.turn(() => this.#expire()));
  }

  #expire(): void {
    this.#timer = undefined;
    const now = this.clock.now();
    for (let call; (call = this.#fresh) && call.half <= now; ) {
      this.#fresh = call.later;
      call.node?.half(call);
    }
    for (let call; (call = this.#first) && call.due <= now; ) {
      this.remove(call);
      call.expired();
    }
    if (this.#first && !this.#timer) this.#start();
  }
}
