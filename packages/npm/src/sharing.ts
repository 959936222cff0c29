// Sends calls of one subject together; trips.ts has the rules.
import type { Calls, SendOptions } from "./calls.js";
import { isReply, provesNotRun, textOf, type PenstockError } from "./failures.js";
import { decision } from "./protocol.js";
import { PendingCall } from "./pending.js";
import { SharedTrip, TripGroup, type TripDriver, type TripFailure, type TripOutcome } from "./trips.js";

/** The shortest delay of a timer. For a shorter one, the group looks at the clock in each turn of the event loop. */
const SHORTEST_TIMER_MS = 1;

type Answered = (reply: unknown, counts?: boolean) => void;
type Failed = (failure: PenstockError, cancelled: boolean, counts?: boolean) => void;

/** A call that waits for a trip, or was sent with one. */
interface SharedCall {
  readonly call: PendingCall;
  readonly heard: (reply: unknown) => void;
  readonly refused: (error: unknown) => void;
  /** Ends it by what was learnt since it began, unless it needs a trip; returns whether it did. */
  readonly learnt: () => boolean;
  /** Whether it is the call of its trip that counts for the circuit breaker. */
  counts: boolean;
  /** The number of its trip's calls that have not ended, and the trip's commands. */
  trip: { open: number; readonly calls: readonly SharedCall[]; readonly commands: TripCommand[]; over(outcomes: TripOutcome[]): void } | undefined;
}

/** A command of a trip, which is written for all of its calls. */
class TripCommand extends PendingCall {
  constructor(private readonly calls: readonly SharedCall[]) {
    super();
  }

  override wrote(): void {
    super.wrote();
    for (const { call } of this.calls) call.written = true;
  }
}

class SharedGroup extends TripGroup<SharedCall> {
  timer: (() => void) | undefined;
}

/** Shares the trips of one limiter's calls. */
export class SharedTrips {
  /** For a key and a cost: the time at which a call was sent that is alone so far, or the group that others have made. */
  readonly #groups = new Map<string, SharedGroup | number>();
  #took: number | undefined;

  /** `words` returns the command for a key and a cost. */
  constructor(
    private readonly calls: Calls,
    private readonly source: string,
    private readonly words: (key: string, cost: string) => string[],
  ) {}

  /**
   * Sends a call for units as `Calls.send` does, alone or with others. `learnt` is asked about a call of a group, and returns what
   * ends it if no trip is needed.
   */
  send(key: string, cost: number, options: SendOptions, learnt: () => (() => void) | undefined, answered: Answered, failed: Failed): void {
    // No key ends with a space and a number.
    const id = cost === 1 ? key : `${key} ${cost}`;
    const known = this.#groups.get(id);
    if (known === undefined) {
      this.#groups.set(id, performance.now());
      return this.#sendAlone(key, cost, options, answered, failed, (outcome) => this.#firstEnded(id, outcome));
    }
    const group = typeof known === "number" ? this.#groupOf(id, key, cost, known) : known;
    const alone = group.goesAlone(performance.now());
    if (alone) return this.#sendAlone(key, cost, options, answered, failed, (outcome) => this.#aloneEnded(id, group, alone, outcome));
    let shared: SharedCall | undefined;
    const ended = () => {
      const trip = shared?.trip;
      if (shared) shared.trip = undefined;
      if (!trip || --trip.open > 0) return;
      // Otherwise a command that is not written yet would be charged for calls that have all ended, and the trip would last as long as a
      // connection that is silent for good.
      trip.commands.forEach((command) => command.giveUp());
      trip.over(trip.commands.map(() => ({ error: undefined, ran: undefined })));
    };
    this.calls.send(
      key, this.words(key, String(cost)), this.source, true, options,
      (reply) => (ended(), answered(reply, shared?.counts === true)),
      (failure, cancelled) => {
        const wasShared = shared;
        const next = cancelled && shared?.counts && shared.trip?.calls.find((other) => other !== shared && other.trip);
        if (next) next.counts = true;
        if (shared) cancelled ? group.cancel(shared) : group.leave(shared);
        ended();
        if (wasShared) this.#settle(id, group);
        failed(failure, cancelled, wasShared?.counts === true);
      },
      (call, heard, refused, done) => {
        const endsByLearnt = () => {
          const found = learnt();
          if (!found) return false;
          done();
          call.aborted = true;
          found();
          return true;
        };
        shared = { call, heard, refused, learnt: endsByLearnt, counts: false, trip: undefined };
        group.enter(shared, performance.now());
        this.#settle(id, group);
      },
    );
  }

  #sendAlone(
    key: string, cost: number, options: SendOptions, answered: Answered, failed: Failed, ended: (outcome: TripOutcome) => void,
  ): void {
    this.calls.send(
      key, this.words(key, String(cost)), this.source, true, options,
      (reply) => {
        // If this throws, the call fails.
        answered(reply);
        ended(reply as number[]);
      },
      (failure, cancelled) => {
        ended({ error: failure, ran: undefined });
        failed(failure, cancelled);
      },
    );
  }

  #firstEnded(id: string, outcome: TripOutcome): void {
    const known = this.#groups.get(id);
    if (!(known instanceof SharedGroup)) return void this.#groups.delete(id);
    this.#aloneEnded(id, known, known.alone!, outcome);
  }

  #aloneEnded(id: string, group: SharedGroup, trip: SharedTrip<SharedCall>, outcome: TripOutcome): void {
    group.answered(trip, [outcome], performance.now());
    this.#settle(id, group);
  }

  #groupOf(id: string, key: string, cost: number, sent: number): SharedGroup {
    const driver: TripDriver<SharedCall> = {
      send: (trip) => this.#send(id, group, key, cost, trip),
      end,
      // A call whose deadline has passed waits for the verdict only.
      learnt: ({ call, learnt }) => call.aborted || call.lateAt < Infinity || learnt(),
    };
    const group = new SharedGroup(cost, driver, this.#took, sent);
    this.#groups.set(id, group);
    return group;
  }

  #send(id: string, group: SharedGroup, key: string, cost: number, trip: SharedTrip<SharedCall>): void {
    const words = trip.commands.map((asks) => this.words(key, asks === 1 ? String(cost) : `${cost}*${asks}`));
    if (trip.bySource) words[0]!.splice(0, 2, "EVAL", this.source);
    const commands = words.map(() => new TripCommand(trip.calls));
    let over!: (outcomes: TripOutcome[]) => void;
    const abandoned = new Promise<TripOutcome[]>((resolve) => (over = resolve));
    const open = { open: trip.calls.length, calls: trip.calls, commands, over };
    trip.calls.forEach((call, at) => {
      call.trip = open;
      call.counts = at === 0;
    });
    const { sender } = this.calls;
    const replies = sender.sendInOrder?.(key, words, commands);
    const outcomes = words.map((each, at) => {
      const failed = (error: unknown) => failure(error, commands[at]!.written);
      try {
        return (replies?.[at] ?? sender.send(key, each, commands[at]!)).then((reply) => outcome(reply, trip.commands[at]!), failed);
      } catch (error) {
        return failed(error);
      }
    });
    void Promise.race([Promise.all(outcomes), abandoned]).then((all) => {
      group.answered(trip, all, performance.now());
      this.#settle(id, group);
    });
  }

  /** Sets the timer for those who wait, and forgets a group that is over. */
  #settle(id: string, group: SharedGroup): void {
    group.timer?.();
    group.timer = undefined;
    if (group.isOver) {
      this.#took = group.took;
      if (this.#groups.get(id) === group) this.#groups.delete(id);
      return;
    }
    const now = performance.now();
    const due = group.nextTime(now);
    if (due === Infinity) return;
    const advance = () => {
      group.timer = undefined;
      group.advance(performance.now());
      this.#settle(id, group);
    };
    if (due - now < SHORTEST_TIMER_MS) {
      const immediate = setImmediate(advance);
      group.timer = () => clearImmediate(immediate);
    } else {
      const timeout = setTimeout(advance, due - now);
      group.timer = () => clearTimeout(timeout);
    }
  }
}

function end({ heard, refused }: SharedCall, outcome: TripOutcome): void {
  if (Array.isArray(outcome)) heard(outcome);
  else refused((outcome as TripFailure).error);
}

function outcome(reply: unknown, calls: number): TripOutcome {
  try {
    decision(reply, calls);
    return reply as number[];
  } catch (error) {
    return { error, ran: true };
  }
}

function failure(error: unknown, written: boolean): TripFailure {
  // A cluster's client may find no node after a redirect, or too many: then the command is over, and did not run.
  if (!isReply(error)) return { error, ran: written && !provesNotRun(error) ? undefined : true };
  const needsSource = textOf(error).startsWith("NOSCRIPT");
  return { error, ran: !needsSource, needsSource };
}
