// Calls under several limits in pure functions: keys, arguments, replies. No client is needed.
import { CallId, EntryCost, receiptKey, type EntryTotal, type EntryUsage } from "./entries.js";
import { Decision } from "./protocol.js";

const MOST_ENTRIES = 8;
const HEAD = 4;
const EACH = 5;
const SHORTEST_PACE_MS = 50;
const PACES_MS = 201;

/** The answer to a call under several limits. */
export class ReservationAnswer {
  constructor(
    readonly id: CallId,
    /** Whether the call was allowed. */
    readonly allowed: boolean,
    /** False if `onUnavailable` or `onOverload` determined the result; it is then unknown which units are held. */
    readonly enforced: boolean,
    /** Whether this is the answer to an earlier call with the same id, such as an attempt whose reply was lost. */
    readonly repeated: boolean,
    /**
     * For a denied call, the time until it would be allowed if no reservation is settled in the meantime, or -1 if it can never be allowed.
     * For an allowed call, its delay.
     */
    readonly waitUs: number,
    /** The index, from 0, of the entry with the longest wait; undefined if the call was allowed or is undecided. */
    readonly denying: number | undefined,
    /** The usage of each limit, in the order of the entries. */
    readonly usages: readonly EntryUsage[],
  ) {}

  /**
   * The time until the call would be allowed if no reservation is settled in the meantime, rounded up. It is 0 if the call was allowed, and
   * Infinity if a cost exceeds its limit. To wait and retry, use `askAgainAfterMs`.
   */
  get retryAfterMs(): number {
    return this.#decision.retryAfterMs;
  }

  /** `retryAfterMs` in whole seconds, rounded up, as in HTTP's `Retry-After`; undefined if waiting does not help. */
  get retryAfterSeconds(): number | undefined {
    return this.#decision.retryAfterSeconds;
  }

  /** The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds, rounded up. */
  get delayMs(): number {
    return this.#decision.delayMs;
  }

  /**
   * The time to wait before retrying a denied call: `retryAfterMs`, or a random time of 50 to 250 ms if that is shorter and held units
   * could be settled sooner.
   */
  get askAgainAfterMs(): number {
    const exact = this.retryAfterMs;
    if (this.denying === undefined || exact === Infinity || this.usages[this.denying]!.held === 0) return exact;
    return Math.min(exact, SHORTEST_PACE_MS + Math.floor(Math.random() * PACES_MS));
  }

  get #decision(): Decision {
    return new Decision(Number(this.allowed), 1, 0, this.waitUs, 0, 1);
  }
}

/** The keys and arguments of a call under several limits, and the parser of its replies. */
export class ReservationPlan {
  /** The entries that reserve units, in order. Each of them has a total. */
  readonly holders: readonly EntryCost[];
  /** The keys for `reserve`. */
  readonly keys: readonly string[];
  /** The keys for `settle`. */
  readonly holding: readonly string[];

  constructor(
    readonly id: CallId,
    readonly group: string | Uint8Array,
    readonly entries: readonly EntryCost[],
    prefix?: string,
  ) {
    if (!(id instanceof CallId)) throw new TypeError("id must be a CallId, which the program makes");
    if (!Array.isArray(entries)) throw new TypeError("entries must be an array");
    if (entries.length < 1 || entries.length > MOST_ENTRIES) throw new RangeError(`entries must be 1 to ${MOST_ENTRIES}: ${entries.length}`);
    const keys = entries.map((entry, at) => {
      if (!(entry instanceof EntryCost)) throw new TypeError(`entries must be made by an EntryLimit: entry ${at + 1} is not`);
      return entry.key(group, prefix);
    });
    const same = keys.findIndex((key, at) => keys.indexOf(key) < at);
    if (same >= 0) throw new RangeError(`entries must have different keys: entry ${same + 1} has the key of an earlier entry`);
    const receipt = receiptKey(group, id, prefix);
    this.entries = [...entries];
    this.holders = entries.filter(({ mode }) => mode === "reserve");
    this.keys = [...keys, receipt];
    this.holding = [...keys.filter((_, at) => entries[at]!.mode === "reserve"), receipt];
  }

  /** Returns the arguments for `reserve`. */
  reserve(keepUs: number): string[] {
    return [String(keepUs), "0", ...this.entries.flatMap((entry) => entry.args)];
  }

  /** Returns the arguments for `settle`; a `keepUs` of 0 ends the reservation. */
  settle(keepUs: number, totals: readonly number[]): string[] {
    return [String(keepUs), "0", ...totals.map(String)];
  }

  /** Returns the total of each entry that reserves units; an entry without a total is charged its estimate. */
  totals(named: readonly EntryTotal[]): number[] {
    const of = new Map(named.map(({ entry, total }) => [entry, total]));
    if (of.size < named.length || [...of.keys()].some((entry) => !this.entries.includes(entry))) {
      throw new RangeError(`totals must name entries of this call, each once: ${named.map(({ entry }) => entry.limit.policy)}`);
    }
    return this.holders.map((entry) => of.get(entry) ?? entry.units);
  }

  /** Decodes a reply of `reserve`; throws a RangeError unless it consists of integers within their bounds. */
  answer(reply: unknown): ReservationAnswer {
    const numbers = integers(reply, HEAD + EACH * this.entries.length);
    const [allowed, wait, denying, repeated] = numbers as [number, number, number, number];
    let valid = isFlag(allowed) && isFlag(repeated) && wait >= allowed - 1;
    valid &&= allowed === 1 ? denying === 0 : denying >= 1 && denying <= this.entries.length;
    const usages = this.entries.map((entry, at) => {
      const five = numbers.slice(HEAD + EACH * at, HEAD + EACH * (at + 1)) as [number, number, number, number, number];
      const [limit, remaining, held, resetUs, tier] = five;
      valid &&= limit >= 1 && Math.min(remaining, held, resetUs) >= 0 && tier >= 1 && tier <= entry.tiers;
      return { entry, limit, remaining, held, resetUs, tier };
    });
    if (!valid) throw unreadable(reply);
    return new ReservationAnswer(this.id, allowed === 1, true, repeated === 1, wait, allowed === 1 ? undefined : denying - 1, usages);
  }

  /** Returns the answer that the program chose for a call that the server did not answer. */
  undecided(allowed: boolean, waitUs: number): ReservationAnswer {
    const usages = this.entries.map((entry) => ({ entry, limit: entry.capacity, remaining: 0, held: 0, resetUs: 0, tier: 1 }));
    return new ReservationAnswer(this.id, allowed, false, false, allowed ? 0 : waitUs, undefined, usages);
  }

  /** Returns whether a reply of `settle` reports success; throws a RangeError unless it consists of integers. */
  settled(reply: unknown): boolean {
    const [done] = integers(reply, 1 + EACH * this.holders.length);
    if (!isFlag(done!)) throw unreadable(reply);
    return done === 1;
  }
}

function isFlag(value: number): boolean {
  return value === 0 || value === 1;
}

function integers(reply: unknown, count: number): number[] {
  if (Array.isArray(reply) && reply.length === count && reply.every(Number.isSafeInteger)) return reply;
  throw unreadable(reply);
}

function unreadable(reply: unknown): RangeError {
  return new RangeError(`the reply must be integers of the protocol: ${JSON.stringify(reply)}`);
}
