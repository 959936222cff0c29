// Penstock's protocol in pure functions: limits, keys, arguments and replies. No client is needed.
import { createHash } from "node:crypto";

export const MOST_UNITS = 10 ** 12;
export const MOST_TIERS = 16;
export const LONGEST_US = 366 * 86_400_000_000;
/** The units of a period in a limit's text, longest first. */
export const PERIODS_US: Readonly<Record<string, number>> = { d: 86_400_000_000, h: 3_600_000_000, m: 60_000_000, s: 1_000_000, ms: 1_000, us: 1 };
const CENTURY_US = 36_525n * 86_400_000_000n;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
// A subject that needs no escaping in a key.
const PLAIN = /^[ -$&-z|~]{1,128}$/;

/**
 * One of the protocol's scripts. `marker` is the letter with which the last part of a key begins, and `unmarked` is how many leading
 * numbers of each tier that part omits. `tier` and `most` are the names and the upper bounds of a tier's numbers; `refill` is how its units
 * refill: `evenly`, `in_batches`, `at_end` of a window, or `fading` with the older of two windows.
 */
export interface Script {
  readonly name: string;
  readonly sha1: string;
  readonly function: string;
  readonly marker: string;
  readonly unmarked: number;
  readonly tier: readonly string[];
  readonly most: readonly number[];
  readonly refill: string;
  /** Whether an admitted call waits for its turn. */
  readonly queues: boolean;
  /** Whether units can be reserved and settled later. */
  readonly holds: boolean;
  readonly source: string;
}

/** A script that replaces the script of another limiter; docs/drop-ins.md describes its contract. */
export interface DropIn {
  readonly sha1: string;
  readonly source: string;
}

/** A script and the numbers of its 1 to 16 tiers, with times in microseconds. A call is charged to all tiers or to none. */
export class Limit {
  /** The last part of the key. */
  readonly marker: string;
  /** The arguments that follow the cost. */
  readonly args: readonly string[];

  constructor(
    readonly script: Script,
    readonly tiers: readonly (readonly number[])[],
  ) {
    if (tiers.length < 1 || tiers.length > MOST_TIERS) {
      throw new RangeError(`tiers must be 1 to ${MOST_TIERS}: ${tiers.length}`);
    }
    for (const tier of tiers) {
      if (tier.length !== script.tier.length) {
        throw new RangeError(`a tier must be ${script.tier.join(" ")}: ${tier}`);
      }
      tier.forEach((value, at) => integer(script.tier[at]!, value, script.most[at]!));
      if (tier.length === 3) bucket(script.refill === "in_batches", tier as [number, number, number]);
    }
    this.marker = script.marker + tiers.map((tier) => tier.slice(script.unmarked).join(".")).join("-");
    this.args = tiers.flat().map(String);
  }

  /** The limit as text, such as `token-bucket:100/1m,burst=20`, in the syntax of `parseLimit`. */
  get text(): string {
    return `${this.script.name}:${this.tiers.map(tierText).join("+")}`;
  }

  toString(): string {
    return `${this.script.name} ${this.tiers.map((tier) => this.script.tier.map((name, at) => `${name}=${tier[at]}`).join(" ")).join(", ")}`;
  }

  /** The representation for `console.log`, which contains the numbers but not the script's source. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  /** Combines this limit with another limit of the same script. */
  and(other: Limit): Limit {
    if (other.script !== this.script) {
      throw new RangeError(`tiers must be of one script: ${this.script.name} and ${other.script.name}`);
    }
    return new Limit(this.script, [...this.tiers, ...other.tiers]);
  }
}

/** The script's reply. `granted` is 0 or 1 or, for `cost*calls`, the number of calls that were charged. */
export class Decision {
  constructor(
    readonly granted: number,
    readonly limit: number,
    readonly remaining: number,
    readonly waitUs: number,
    readonly resetUs: number,
    readonly tier: number,
    /** False if the server did not make the decision, because of an outage or an overload. */
    readonly enforced = true,
  ) {}

  get allowed(): boolean {
    return this.granted > 0;
  }

  /**
   * The time after which a denied call can be retried, rounded up. It is 0 if the call was allowed, and Infinity if the cost exceeds the
   * limit, so that waiting does not help.
   */
  get retryAfterMs(): number {
    return retryAfter(this, 1_000);
  }

  /** `retryAfterMs` in whole seconds, rounded up, as in HTTP's `Retry-After`; undefined if waiting does not help. */
  get retryAfterSeconds(): number | undefined {
    const seconds = retryAfter(this, 1_000_000);
    return seconds === Infinity ? undefined : seconds;
  }

  /** The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds, rounded up. */
  get delayMs(): number {
    return this.allowed ? Math.ceil(this.waitUs / 1_000) : 0;
  }

  /** The time until the deciding tier is back at full capacity, rounded up. */
  get resetAfterMs(): number {
    return Math.ceil(this.resetUs / 1_000);
  }
}

function retryAfter({ allowed, waitUs }: Decision, unit: number): number {
  return allowed ? 0 : waitUs < 0 ? Infinity : Math.ceil(waitUs / unit);
}

/** Converts a time to microseconds, the unit of the scripts. */
export function microseconds(name: string, ms: number): number {
  const us = Math.round(ms * 1_000);
  if (!(Math.abs(ms * 1_000 - us) < 0.001)) {
    throw new RangeError(`${name} must be milliseconds of whole microseconds: ${ms}`);
  }
  return us;
}

/** Returns `<prefix>:<policy>:{<subject>}:<marker>` with the subject escaped, or hashed if it is longer than 128 bytes. */
export function key(policy: string, subject: string | Uint8Array, limit: Limit, prefix = "penstock"): string {
  return `${keyBegin(policy, prefix)}${escaped(subject)}}:${limit.marker}`;
}

/** Returns the part of a key before the subject. */
export function keyBegin(policy: string, prefix = "penstock"): string {
  return `${nameOf("prefix", prefix)}:${nameOf("policy", policy)}:{`;
}

/** Checks a name that is used in keys without escaping. */
export function nameOf(argument: string, value: string): string {
  if (typeof value === "string" && NAME.test(value)) return value;
  throw new RangeError(
    `${argument} must match [A-Za-z0-9._-]{1,64}, such as api or orders.get (what is limited, as a path, goes to the subject): ${JSON.stringify(value)}`,
  );
}

/** Escapes a subject for a key. */
export function escaped(subject: string | Uint8Array): string {
  if (typeof subject !== "string" && !(subject instanceof Uint8Array)) {
    throw new TypeError(`subject must be a string, or bytes of UTF-8: ${String(subject)}`);
  }
  if (typeof subject === "string" && PLAIN.test(subject)) {
    return subject;
  }
  const text = typeof subject === "string" ? subject : decoded(subject);
  if (text === "") {
    throw new RangeError("subject must not be empty");
  }
  if (!text.isWellFormed()) {
    throw new RangeError("subject must be well-formed: it has half of a surrogate pair");
  }
  if (Buffer.byteLength(text) > 128) {
    return "%sha256-" + createHash("sha256").update(text).digest("hex");
  }
  return text.replace(/[\x00-\x1f\x7f%{}]/g, (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));
}

function decoded(subject: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(subject);
  } catch (cause) {
    throw new RangeError("subject must be well-formed UTF-8", { cause });
  }
}

/** Checks a cost to be charged: 1 to 10^12. */
export function charge(cost: number, name = "cost"): number {
  return integer(name, cost, MOST_UNITS);
}

/** Returns the argument for as many calls as fit; `cost` times `calls` is at most 10^12. */
export function several(calls: number, cost: number): string {
  return `${charge(cost)}*${integer("calls", calls, Math.floor(MOST_UNITS / cost))}`;
}

/** Decodes a reply; throws a RangeError unless it consists of six integers within their bounds. */
export function decision(reply: unknown, calls = 1): Decision {
  if (Array.isArray(reply) && reply.length === 6 && reply.every(Number.isSafeInteger)) {
    const [granted, limit, remaining, wait, reset, tier] = reply as [number, number, number, number, number, number];
    const unsigned = Math.min(granted, remaining, reset, granted > 0 ? wait : wait + 1) >= 0;
    if (unsigned && granted <= calls && limit >= 1 && tier >= 1 && tier <= MOST_TIERS) {
      return new Decision(granted, limit, remaining, wait, reset, tier);
    }
  }
  throw new RangeError(`the reply must be six integers of the protocol: ${JSON.stringify(reply)}`);
}

export function integer(name: string, value: number, most: number, least = 1): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be an integer from ${least} to ${most}: ${value}`);
  }
  return value;
}

function tierText(tier: readonly number[]): string {
  const [capacity, units, period] = [tier[0]!, tier.at(-2)!, tier.at(-1)!];
  const [unit, length] = Object.entries(PERIODS_US).find(([, length]) => period % length === 0)!;
  return `${units}/${period / length}${unit}${capacity === units ? "" : `,burst=${capacity}`}`;
}

/** Checks the scripts' bounds for a bucket as a whole. */
function bucket(inBatches: boolean, tier: [number, number, number]): void {
  const [capacity, units, period] = tier.map(BigInt) as [bigint, bigint, bigint];
  const fills = inBatches ? ((capacity + units - 1n) / units) * period <= CENTURY_US : capacity * period <= units * CENTURY_US;
  if (!fills) {
    throw new RangeError(`capacity must be such that the bucket fills within 100 years: ${capacity}`);
  }
  let [divisor, rest] = [period, units];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  if (!inBatches && (capacity * period) / divisor >= 2n ** 53n) {
    throw new RangeError(`capacity must be such that capacity * period is below 2^53 where units / period is in lowest terms: ${capacity}`);
  }
}
