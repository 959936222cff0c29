// A server in memory, for tests of code that uses the limiters: the algorithms of docs/protocol.md in exact integers.
import { NotSentError } from "./failures.js";
import { SCRIPTS } from "./scripts.js";
import type { Sender } from "./sender.js";

/**
 * The stored state of a tier: a time (for a bucket, multiplied by its units), and the units used in the current and in the previous window.
 */
type TierState = readonly [at: bigint, used: bigint, older: bigint];

/** The level of a tier at one point in time. */
interface TierLevel {
  readonly limit: bigint;
  readonly remaining: bigint;
  readonly resetUs: bigint;
  /** How long a new charge waits for its turn. */
  readonly turnUs: bigint;
  /** Returns the stored state after this many more units were used, or fewer if the number is negative. */
  after(units: bigint): TierState;
  /** Returns the time until a cost within the limit fits; 0 or less if it fits now. */
  fitsInUs(cost: bigint): bigint;
}

const UNUSED: TierState = [0n, 0n, 0n];
const most = (...numbers: bigint[]): bigint => numbers.reduce((one, other) => (one > other ? one : other));
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const ceil = (units: bigint, by: bigint): bigint => (units <= 0n ? 0n : (units + by - 1n) / by);

function window([limit, length]: bigint[], [end, count]: TierState, now: bigint): TierLevel {
  const [used, endsIn] = end > now ? [count, least(end - now, length!)] : [0n, 0n];
  return {
    limit: limit!, remaining: most(0n, limit! - used), resetUs: endsIn, turnUs: 0n,
    after: (units) => (used + units <= 0n ? UNUSED : [now + (used > 0n ? endsIn : length!), used + units, 0n]),
    fitsInUs: (cost) => (used + cost <= limit! ? 0n : endsIn),
  };
}

function sliding([limit, length]: bigint[], [end, count, before]: TierState, now: bigint): TierLevel {
  let [endsIn, used, older] = [least(end - now, length!), count, before];
  if (end <= now) [endsIn, used, older] = end + length! > now && used > 0n ? [end + length! - now, 0n, used] : [0n, 0n, 0n];
  const unused = used + older === 0n;
  const inSight = (room: bigint, units: bigint): bigint => (room * length!) / units;
  return {
    limit: limit!, remaining: most(0n, limit! - used - ceil(older * endsIn, length!)), turnUs: 0n,
    resetUs: unused ? 0n : used > 0n ? endsIn + length! : endsIn,
    after(units) {
      const left = used + units;
      // Units of a refund beyond those of the open window.
      const [one, other] = left >= 0n ? [left, older] : [0n, most(0n, older + left)];
      return one + other === 0n ? UNUSED : [now + (unused ? length! : endsIn), one, other];
    },
    fitsInUs(cost) {
      if (older * endsIn + (used + cost) * length! <= limit! * length!) return 0n;
      const room = limit! - used - cost;
      return room >= 0n ? endsIn - inSight(room, older) : endsIn + length! - inSight(limit! - cost, used);
    },
  };
}

function bucket([capacity, units, period]: bigint[], [emptyAt]: TierState, now: bigint, queues: boolean): TierLevel {
  const used = least(most(0n, emptyAt - now * units!), capacity! * period!);
  const resetUs = ceil(used, units!);
  return {
    limit: capacity!, remaining: capacity! - ceil(used, period!), resetUs, turnUs: queues ? resetUs : 0n,
    after: (more) => (used + more * period! <= 0n ? UNUSED : [now * units! + used + more * period!, 0n, 0n]),
    fitsInUs: (cost) => ceil(used + (cost - capacity!) * period!, units!),
  };
}

function batches([capacity, tokens, interval]: bigint[], [next, count]: TierState, now: bigint): TierLevel {
  const came = next <= now ? 1n + (now - next) / interval! : 0n;
  const missing = most(0n, count - came * tokens!);
  const nextIn = missing === 0n ? 0n : least(next + came * interval! - now, interval!);
  const broughtIn = (units: bigint): bigint => (units <= 0n ? 0n : nextIn + (ceil(units, tokens!) - 1n) * interval!);
  return {
    limit: capacity!, remaining: capacity! - missing, resetUs: broughtIn(missing), turnUs: 0n,
    after: (units) => (missing + units <= 0n ? UNUSED : [now + (missing > 0n ? nextIn : interval!), missing + units, 0n]),
    fitsInUs: (cost) => broughtIn(missing + cost - capacity!),
  };
}

/** By the way in which units refill. */
const LEVELS: Readonly<Record<string, (tier: bigint[], state: TierState, now: bigint, queues: boolean) => TierLevel>> = {
  at_end: window, fading: sliding, evenly: bucket, in_batches: batches,
};

/** Returns the index of the first level with the largest value. */
function firstWithMost(levels: TierLevel[], measure: (level: TierLevel) => bigint): number {
  return levels.reduce((found, level, at) => (measure(level) > measure(levels[found]!) ? at : found), 0);
}

/** Returns the reply to a call, and the state after it. */
function decided(levelOf: (state: TierState, at: number) => TierLevel, before: TierState[], cost: bigint, calls: bigint): [bigint[], TierState[]] {
  const levels = before.map(levelOf);
  const fits = (units: bigint) => levels.every((level) => units <= level.limit && level.fitsInUs(units) <= 0n);
  let granted = 1n;
  if (cost > 0n) {
    let tooMany = calls + 1n;
    for (granted = 0n; tooMany - granted > 1n; ) {
      const tried = (granted + tooMany) / 2n;
      fits(tried * cost) ? (granted = tried) : (tooMany = tried);
    }
  }
  const kept = levels.map((level) => level.after(granted * cost));
  const after = granted > 0n ? kept.map(levelOf) : levels;
  const waitUs = ({ limit, fitsInUs }: TierLevel) => (cost > limit ? 1n << 62n : fitsInUs(cost));
  const at = firstWithMost(after, granted > 0n ? ({ remaining }) => -remaining : waitUs);
  const { limit, remaining, resetUs } = after[at]!;
  const wait = granted > 0n ? (cost < 0n ? 0n : most(...levels.map(({ turnUs }) => turnUs))) : cost > limit ? -1n : waitUs(after[at]!);
  return [[granted, limit, remaining, wait, resetUs, BigInt(at) + 1n], kept];
}

export interface MemorySender extends Sender {
  /** Whether all calls are left unanswered, as in an outage. */
  down: boolean;
}

/**
 * Creates an in-memory server for one test, such as for `new RateLimiter(memorySender(), ...)` or for a middleware. It makes the same
 * decisions as the scripts. `now` returns the time in milliseconds, so a test can supply its own clock. Reservations are not supported.
 */
export function memorySender({ now = Date.now }: { now?: () => number } = {}): MemorySender {
  const kept = new Map<string, TierState[]>();
  const sender: MemorySender = {
    down: false,
    isOneServer: true,
    async send(key, [, target, , , asked, ...args], call) {
      if (sender.down) throw new NotSentError("the server in memory is down");
      call.wrote();
      const script = SCRIPTS.find(({ sha1, function: name, source }) => [sha1, name, source].includes(target!));
      if (!script) throw new TypeError("there are no reservations in memory");
      const [width, numbers] = [script.tier.length, args.map(BigInt)];
      const tiers = Array.from({ length: args.length / width }, (_, at) => numbers.slice(at * width, (at + 1) * width));
      const time = args.length % width === 1 ? numbers.at(-1)! : BigInt(Math.round(now() * 1_000));
      const [cost, calls = 1n] = asked!.split("*").map(BigInt);
      const levelOf = (state: TierState, at: number) => LEVELS[script.refill]!(tiers[at]!, state, time, script.queues);
      const [reply, after] = decided(levelOf, kept.get(key) ?? tiers.map(() => UNUSED), cost!, calls);
      if (cost !== 0n) after.every((state) => state === UNUSED) ? kept.delete(key) : kept.set(key, after);
      return reply.map(Number);
    },
    async sendToMasters() {},
    close() {},
  };
  return sender;
}
