// The parts of a call under several limits: limits with a policy's name, their entries, and the ids of calls. No client is needed.
import { randomUUID } from "node:crypto";
import { MOST_UNITS, escaped, integer, keyBegin, nameOf, type Limit } from "./protocol.js";
import { parseLimit } from "./text.js";

const CONCURRENCY = "concurrency";
const PLACES = /^[0-9]{1,13}$/;

/**
 * How an entry takes its units: charged at once, held until the call is settled, or charged at once under a limit from which other calls
 * reserve units.
 */
export type Mode = "charge" | "reserve" | "debit";

/**
 * A limit with the name of its policy. It creates the entries of a call. `EntryLimit.concurrency` creates a limit for the number of
 * concurrent calls.
 *
 * A charge counts against the same units as a `RateLimiter` with this name and limit. Reservations and debits are counted separately from
 * charges, so combine reserve with debit under one limit, but never with charge.
 */
export class EntryLimit {
  private constructor(
    /** The name of the policy: 1 to 64 letters, digits, dots, hyphens and underscores. */
    readonly policy: string,
    /** The rate limit; undefined for a concurrency limit. */
    readonly limit: Limit | undefined,
    /** The number of concurrent calls; 0 for a rate limit. */
    readonly places: number,
  ) {
    nameOf("policy", policy);
  }

  /** Creates a rate limit. */
  static of(policy: string, limit: Limit): EntryLimit {
    if (typeof limit?.marker !== "string") {
      throw new TypeError("limit must be made by a function of this package, such as tokenBucket(100, 10, 1000)");
    }
    return new EntryLimit(policy, limit, 0);
  }

  /** Creates a limit for the number of concurrent calls, 1 to 10^12. A call holds a place while it runs. Places are never charged. */
  static concurrency(policy: string, limit: number): EntryLimit {
    return new EntryLimit(policy, undefined, integer("limit", limit, MOST_UNITS));
  }

  /** Parses a limit in the syntax of `parseLimit`, or a concurrency limit such as `concurrency:10`; the limit's `text` is the inverse. */
  static parse(policy: string, text: string): EntryLimit {
    if (typeof text !== "string" || !text.startsWith(`${CONCURRENCY}:`)) return EntryLimit.of(policy, parseLimit(text));
    const number = text.slice(CONCURRENCY.length + 1);
    if (!PLACES.test(number)) throw new RangeError(`limit "${text}" must be a number after "concurrency:", such as concurrency:10`);
    return EntryLimit.concurrency(policy, Number(number));
  }

  /** The limit as text. */
  get text(): string {
    return this.limit?.text ?? `${CONCURRENCY}:${this.places}`;
  }

  /** Creates an entry that charges a known cost permanently: 1 to 10^12 units of any rate limit. */
  charge(units: number): EntryCost {
    return new EntryCost(this, "charge", units);
  }

  /**
   * Creates an entry that holds an estimate until the call is settled: 1 to 10^12 units of a token bucket, fixed window, sliding window or
   * concurrency limit. A call usually holds 1 unit of a concurrency limit.
   */
  reserve(units = 1): EntryCost {
    return new EntryCost(this, "reserve", units);
  }

  /**
   * Creates an entry that charges a known cost under a limit from which other calls reserve units: 1 to 10^12 units of a token bucket,
   * fixed window or sliding window.
   */
  debit(units: number): EntryCost {
    return new EntryCost(this, "debit", units);
  }
}

/** One limit of a call and the call's cost under this limit. An `EntryLimit` creates it. */
export class EntryCost {
  readonly #within: string | undefined;

  constructor(
    readonly limit: EntryLimit,
    readonly mode: Mode,
    readonly units: number,
    within?: string | Uint8Array,
  ) {
    const rate = limit.limit;
    const modes = !rate ? ["reserve"] : rate.script.holds ? ["charge", "reserve", "debit"] : ["charge"];
    if (!modes.includes(mode)) throw new RangeError(`limit does not support ${mode}: ${limit.text}`);
    integer("units", units, MOST_UNITS);
    if (within !== undefined) this.#within = partOf("within", within);
  }

  /**
   * Returns the entry for one member of the group, such as a tenant's user, instead of for the group itself. The member has the syntax of a
   * subject.
   */
  within(who: string | Uint8Array): EntryCost {
    // Without this check, an empty member would count the group itself.
    partOf("within", who);
    return new EntryCost(this.limit, this.mode, this.units, who);
  }

  /** Returns the total that this entry used, 0 to 10^12, to be passed to `settleEntries`. */
  used(total: number): EntryTotal {
    checkedTotal(total);
    if (!this.countsTotal) throw new RangeError(`entry must reserve units of a rate: ${this.mode} ${this.limit.policy}`);
    return { entry: this, total };
  }

  /** Whether the entry holds units of a rate limit; a settlement charges such units. */
  get countsTotal(): boolean {
    return this.mode === "reserve" && this.limit.limit !== undefined;
  }

  get tiers(): number {
    return this.limit.limit?.tiers.length ?? 1;
  }

  /** The limit or capacity of the first tier. */
  get capacity(): number {
    return this.limit.limit?.tiers[0]![0]! ?? this.limit.places;
  }

  /** Returns the key of the entry for this group. */
  key(group: string | Uint8Array, prefix?: string): string {
    const within = this.#within === undefined ? "" : `/${this.#within.replaceAll("/", "%2F")}`;
    const marker = (this.mode === "charge" ? "" : "r") + (this.limit.limit?.marker ?? "c");
    return `${keyBegin(this.limit.policy, prefix)}${partOf("group", group)}}${within}:${marker}`;
  }

  /** The entry's arguments for the `reserve` script. */
  get args(): string[] {
    const rate = this.limit.limit;
    const [script, numbers] = rate ? [rate.script.name, rate.args] : [CONCURRENCY, [String(this.limit.places)]];
    return [this.mode, script, String(this.units), String(this.tiers), ...numbers];
  }
}

/** The total that an entry used, created by a call such as `entry.used(900)`. */
export interface EntryTotal {
  readonly entry: EntryCost;
  readonly total: number;
}

/**
 * The idempotency key of one call. A call that is repeated with the same id and entries gets the same answer and is charged once.
 *
 * Generate the id in your program: 1 to 64 of `A-Z a-z 0-9 . _ -`. Never take it from a request, such as from a header, because a client
 * that chooses the id can repeat an allowed call, which is then allowed again without a charge.
 */
export class CallId {
  constructor(readonly text: string) {
    nameOf("text", text);
  }

  /** Returns a unique id, which is a random UUID. */
  static random(): CallId {
    return new CallId(randomUUID());
  }

  toString(): string {
    return this.text;
  }
}

/** The usage of an entry's limit after a call. Held units count as used. */
export interface EntryUsage {
  readonly entry: EntryCost;
  /**
   * The limit or capacity of the reported tier, which is the tier that denied the call or, if none did, the tier with the fewest units
   * remaining.
   */
  readonly limit: number;
  /** The available units. */
  readonly remaining: number;
  /** The units that unsettled calls hold; 0 for an entry that charges. */
  readonly held: number;
  /** The time until the reported tier is back at full capacity, in microseconds. */
  readonly resetUs: number;
  /** The index of the reported tier, from 1. */
  readonly tier: number;
}

/** Returns `<prefix>:{<group>}:<id>`. */
export function receiptKey(group: string | Uint8Array, id: CallId, prefix = "penstock"): string {
  return `${nameOf("prefix", prefix)}:{${partOf("group", group)}}:${id}`;
}

export function checkedTotal(total: number): number {
  return integer("total", total, MOST_UNITS, 0);
}

function partOf(argument: string, text: string | Uint8Array): string {
  try {
    return escaped(text);
  } catch (error) {
    (error as Error).message = `${argument}: ${(error as Error).message}`;
    throw error;
  }
}
