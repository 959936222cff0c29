// Calls of one subject that share a trip: rules C1 to C5 of docs/protocol.md, as a state machine without a clock, timers or sockets. Times
// are milliseconds of a monotonic clock.
import { OLD_TRIPS, TRIPS_UNDER_WAY, TRIP_CALLS, TRIP_CALLS_AT_ONCE, TRIP_NEXT_PART, TRIP_NEXT_US, TRIP_OLD_MS, TRIP_OLD_TIMES } from "./numbers.js";
import { MOST_UNITS } from "./protocol.js";

/** The reply to a command of a trip: its six integers. */
export type TripReply = readonly number[];

/** A command without a reply. */
export interface TripFailure {
  readonly error: unknown;
  /** Whether the command ran: `false` if the server proves that it did not, `true` for another error, `undefined` if no answer came. */
  readonly ran: boolean | undefined;
  readonly needsSource?: boolean;
}

export type TripOutcome = TripReply | TripFailure;

const isFailure = (outcome: TripOutcome): outcome is TripFailure => !Array.isArray(outcome);

/** Calls that go together: as one command, as two, or as one that asks for all but one of them and one that asks for one. */
export class SharedTrip<Call> {
  constructor(
    readonly calls: Call[],
    public sent: number,
    readonly bySource: boolean,
  ) {}

  /** The numbers of calls that the commands ask for. */
  get commands(): number[] {
    return this.calls.length < 2 ? [1] : [this.calls.length - 1, 1];
  }
}

/** Performs what a group decides. */
export interface TripDriver<Call> {
  /** Sends a trip, and reports its outcomes by `answered`, not before it returns. */
  send(trip: SharedTrip<Call>): void;
  end(call: Call, outcome: TripOutcome): void;
  /** Ends a call that needs no trip any more; returns whether it did. */
  learnt(call: Call): boolean;
}

/**
 * The calls that would send the same bytes. `took` is the time of an earlier trip. `sent` is when a call was sent that was alone then: it
 * gets its answer itself, and its trip is `alone`.
 */
export class TripGroup<Call> {
  readonly waiting: Call[] = [];
  /** The places of the calls that have not ended, in order of arrival. */
  readonly #places = new Map<Call, number>();
  #entered = 0;
  readonly #trips: SharedTrip<Call>[] = [];
  readonly #cancelled = new Set<Call>();
  readonly #left = new Set<Call>();
  #bySource = false;
  readonly alone: SharedTrip<Call> | undefined;

  constructor(
    private readonly cost: number,
    private readonly driver: TripDriver<Call>,
    public took?: number,
    sent?: number,
  ) {
    if (sent !== undefined) this.#trips.push((this.alone = new SharedTrip<Call>([], sent, false)));
  }

  get isOver(): boolean {
    return this.#trips.length === 0 && this.waiting.length === 0;
  }

  /** Returns the trip of a call that its caller sends at once itself, or undefined if the call must enter. */
  goesAlone(now: number): SharedTrip<Call> | undefined {
    if (this.waiting.length > 0 || this.#bySource || !this.#maySend(now)) return undefined;
    const trip = new SharedTrip<Call>([], now, false);
    this.#trips.push(trip);
    return trip;
  }

  /** A call begins. */
  enter(call: Call, now: number): void {
    this.#places.set(call, this.#entered++);
    this.waiting.push(call);
    this.advance(now);
  }

  /** The deadline of a call has passed. If it was sent, its unit stays its own, and it is not sent again. */
  leave(call: Call): void {
    if (!this.#leftQueue(call)) this.#left.add(call);
  }

  /** A caller has given up. If its call was sent, the unit goes to the next call. */
  cancel(call: Call): void {
    if (!this.#leftQueue(call)) this.#cancelled.add(call);
  }

  /** A trip has ended; there is an outcome for each of its commands. */
  answered(trip: SharedTrip<Call>, outcomes: TripOutcome[], now: number): void {
    if (!outcomes.some(isFailure)) {
      const took = now - trip.sent;
      // A caller that sent its call itself may hear of the answer late.
      this.took = trip.calls.length === 0 && this.took !== undefined ? Math.min(took, this.took) : took;
    }
    const again = this.#shared(trip, outcomes).filter((call) => !this.#left.has(call));
    // Not earlier: what ends a call asks for the next time, and whether the group is over.
    this.#trips.splice(this.#trips.indexOf(trip), 1);
    for (const call of trip.calls) {
      this.#cancelled.delete(call);
      this.#left.delete(call);
    }
    if (again.length > 0) {
      // Those of another trip may wait already.
      this.waiting.push(...again);
      this.waiting.sort((one, other) => this.#places.get(one)! - this.#places.get(other)!);
    }
    const goesAgain = new Set(again);
    for (const call of trip.calls) if (!goesAgain.has(call)) this.#places.delete(call);
    this.advance(now);
  }

  /** Sends the trips that may be sent. */
  advance(now: number): void {
    const most = Math.min(TRIP_CALLS, Math.floor(MOST_UNITS / this.cost) + 1);
    while (this.waiting.length > 0 && this.#maySend(now)) {
      const calls: Call[] = [];
      let taken = 0;
      for (; taken < this.waiting.length && calls.length < most; taken++) {
        const call = this.waiting[taken]!;
        if (this.driver.learnt(call)) this.#places.delete(call);
        else calls.push(call);
      }
      this.waiting.splice(0, taken);
      if (calls.length === 0) continue;
      const trip = new SharedTrip(calls, now, this.#bySource);
      this.#bySource = false;
      this.#trips.push(trip);
      this.driver.send(trip);
    }
  }

  /** Returns when `advance` must be called, unless an answer comes before; Infinity without a waiting call. */
  nextTime(now: number): number {
    if (this.waiting.length === 0) return Infinity;
    if (this.#maySend(now)) return now;
    const times = this.#trips.map((trip) => this.#oldAt(trip)).filter((at) => at > now);
    if (this.took !== undefined && this.#counting(now).length < TRIPS_UNDER_WAY) times.push(this.#nextAt(this.took));
    return Math.min(...times);
  }

  #leftQueue(call: Call): boolean {
    const at = this.waiting.indexOf(call);
    if (at < 0) return false;
    this.waiting.splice(at, 1);
    this.#places.delete(call);
    return true;
  }

  #oldAt(trip: SharedTrip<Call>): number {
    return trip.sent + Math.max(TRIP_OLD_MS, TRIP_OLD_TIMES * (this.took ?? 0));
  }

  /** The trips that count, of which the last is the youngest. */
  #counting(now: number): SharedTrip<Call>[] {
    const old = this.#trips.filter((trip) => this.#oldAt(trip) <= now).length;
    return this.#trips.slice(Math.min(old, OLD_TRIPS));
  }

  #maySend(now: number): boolean {
    const counting = this.#counting(now);
    // The call that was alone is not among its trip's.
    const calls = counting.reduce((sum, trip) => sum + (trip.calls.length || 1), 0);
    if (calls < TRIP_CALLS_AT_ONCE) return true;
    return this.took !== undefined && counting.length < TRIPS_UNDER_WAY && now >= this.#nextAt(this.took);
  }

  #nextAt(took: number): number {
    return this.#trips.at(-1)!.sent + Math.max(TRIP_NEXT_US / 1000, took * TRIP_NEXT_PART);
  }

  /** Ends the calls of a trip, and returns those for which another trip is needed. */
  #shared(trip: SharedTrip<Call>, outcomes: TripOutcome[]): Call[] {
    let calls = trip.calls.filter((call) => !this.#cancelled.has(call));
    const [first, last] = [outcomes[0]!, outcomes.at(-1)!];
    if (trip.calls.length < 2) return this.#alone(calls, first);
    if (!isFailure(first)) {
      const [granted, limit, remaining, ...others] = first as [number, number, number, ...number[]];
      // Each of two calls has its own command.
      const own = granted === 0 && trip.calls.length === 2 ? 1 : 0;
      calls.splice(0, granted).forEach((call, at) => this.driver.end(call, [1, limit, remaining + (granted - 1 - at) * this.cost, ...others]));
      this.#all(calls.splice(0, own), first);
    } else if (first.ran === undefined) {
      // All may have been charged.
      return this.#all(calls, first);
    } else if (first.ran) {
      const spoken = new Set(trip.calls.slice(0, -1));
      this.#all(calls.filter((call) => spoken.has(call)), first);
      calls = calls.filter((call) => !spoken.has(call));
    } else {
      // The last command ran alone: its answer is that of the first call, even if it is a denial.
      this.#bySource ||= first.needsSource === true;
      return this.#alone(calls, last);
    }
    if (!isFailure(last) && last[0] === 0) return this.#all(calls, last);
    return this.#alone(calls, last);
  }

  /** Ends the first call by the outcome of its own command; the others were not charged. */
  #alone(calls: Call[], outcome: TripOutcome): Call[] {
    if (isFailure(outcome) && outcome.ran === false) {
      this.#bySource ||= outcome.needsSource === true;
      return calls;
    }
    this.#all(calls.slice(0, 1), outcome);
    return calls.slice(1);
  }

  #all(calls: Call[], outcome: TripOutcome): Call[] {
    for (const call of calls) this.driver.end(call, outcome);
    return [];
  }
}
