// The caller of a request, determined by pure functions; lua/vectors/requests.json has examples that all languages replay.
import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { MOST_UNITS, escaped, type Limit } from "./protocol.js";

/** An address as a number of 32 or 128 bits. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** The prefix of IPv4 addresses that are mapped to IPv6. */
const MAPPED = 0xffffn;
const NETWORK = /^([0-9A-Fa-f:.]+)(?:\/(0|[1-9][0-9]{0,2}))?$/;
const WITH_PORT = /^(?:\[([^\]]*:[^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5})$/;

const STATUS = /^[1-5](xx|[0-9][0-9])$/;

/** Parses the statuses of `chargeWhen`, such as `status 401, 403` or `status 4xx`. */
export function statusesOf(text: string): RegExp {
  const statuses = typeof text === "string" && text.startsWith("status ") ? text.slice(7).split(",").map((each) => each.trim()) : [];
  if (statuses.length === 0 || !statuses.every((each) => STATUS.test(each))) {
    const rule = '"status" and statuses from 100 to 599, such as status 401, 403 or status 4xx';
    throw new RangeError(`chargeWhen must be ${rule}: ${JSON.stringify(text)}`);
  }
  return new RegExp(`^(${statuses.join("|").replaceAll("x", "[0-9]")})$`);
}

/** A list of addresses and networks, such as `192.0.2.1` and `10.0.0.0/8`; `unix` is a connection without an address. */
export class Networks {
  readonly unix: boolean;
  readonly #networks: readonly { bits: number; shift: bigint; begin: bigint }[];

  constructor(name: string, texts: readonly string[]) {
    if (!Array.isArray(texts)) throw new TypeError(`${name} must be an array: ${texts}`);
    this.unix = texts.includes("unix");
    this.#networks = texts.filter((text) => text !== "unix").map((text) => network(name, text));
  }

  has(address: Address | undefined): boolean {
    return address !== undefined
      && this.#networks.some(({ bits, shift, begin }) => bits === address.bits && begin === address.value >> shift);
  }
}

function network(name: string, text: string): { bits: number; shift: bigint; begin: bigint } {
  const [, host, length] = NETWORK.exec(text) ?? [];
  const address = host === undefined ? undefined : parsed(host);
  const prefix = Number(length ?? address?.bits ?? 0);
  const shift = BigInt(Math.max(0, (address?.bits ?? 0) - prefix));
  const begin = (address?.value ?? 0n) >> shift;
  const isWrittenAsItself = host?.includes(":") === (address?.bits === 128);
  if (!address || !isWrittenAsItself || prefix < 1 || prefix > address.bits || begin << shift !== address.value) {
    const rule = "addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody";
    throw new RangeError(`${name} must be ${rule}, IPv4 in its own notation: ${JSON.stringify(text)}`);
  }
  return { bits: address.bits, shift, begin };
}

/** Returns the address of the connection, or the one that a trusted proxy reports in `X-Forwarded-For`. */
export function addressOf(connection: string | null | undefined, forwarded: readonly string[], proxies: Networks): Address | undefined {
  let address = parsed(connection ?? "");
  let isProxy = connection ? proxies.has(address) : proxies.unix;
  const elements = forwarded.flatMap((line) => line.split(",")).map((element) => element.replace(/^[ \t]+|[ \t]+$/g, ""));
  for (const element of elements.filter(Boolean).reverse()) {
    const [, bracketed, host] = WITH_PORT.exec(element) ?? [];
    const found = isProxy ? parsed(bracketed ?? host ?? element) : undefined;
    if (!found) break;
    address = found;
    isProxy = proxies.has(found);
  }
  return address;
}

function parsed(text: string): Address | undefined {
  if (isIPv4(text)) return { bits: 32, value: joined(text.split(".").map(Number), 8n) };
  if (!isIPv6(text)) return undefined;
  const [host = ""] = text.split("%");
  // A dotted end is two groups.
  const groups = host.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a, b, c, d] = bytes.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [left, right] = groups.split("::").map((part) => (part ? part.split(":").map((group) => parseInt(group, 16)) : []));
  const zeros = right ? Array<number>(8 - left!.length - right.length).fill(0) : [];
  const value = joined([...left!, ...zeros, ...(right ?? [])], 16n);
  return value >> 32n === MAPPED ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value };
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

/**
 * Returns the subject for an address: an IPv4 address, or the /64 network of an IPv6 address. All callers without an address share one
 * subject.
 */
export function addressSubject(address: Address | undefined): string {
  if (!address) return "address:unknown";
  const { bits, value } = address;
  if (bits === 32) return `address:${[24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".")}`;
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
  return `address:${groups.join(":").replace(/(^|:)0(:0)*$/, "")}::/64`;
}

/** Returns the hash of a header's value as the subject, so that the value does not appear in keys; undefined if there is no value. */
export function headerSubject(value: string | undefined): string | undefined {
  return value ? `header:${createHash("sha256").update(value, "latin1").digest("hex")}` : undefined;
}

/** Converts the value that a `keyGenerator` returned: a string, UTF-8 bytes, an integer or an ObjectId; undefined for any other type. */
export function subjectOf(found: unknown): string | Uint8Array | undefined {
  const { _bsontype: type, toHexString: hex } = (found ?? {}) as { _bsontype?: unknown; toHexString?: () => unknown };
  const isId = (type === "ObjectId" || type === "ObjectID" || type === "Binary") && typeof hex === "function";
  try {
    const id = isId ? (found as { toHexString(): unknown }).toHexString() : found;
    const subject = typeof id === "bigint" || Number.isSafeInteger(id) ? String(id) : id;
    return (typeof subject === "string" || subject instanceof Uint8Array) && escaped(subject).length > 0 ? subject : undefined;
  } catch {
    return undefined;
  }
}

const WHOLE = /^[+-]?[0-9]{1,300}(?:\.0{0,100})?$/;

/** Converts the value that a `cost` function returned: an integer, also as a string; 1 for any other value. */
export function costOf(found: unknown): number {
  const text = typeof found === "string" && WHOLE.test(found.trim());
  const units = text || typeof found === "bigint" ? Number(found) : found;
  return typeof units === "number" && Number.isInteger(units) && units > 0 ? Math.min(units, MOST_UNITS) : 1;
}

/** Returns the plan with the lowest sustained rate; ties are broken by the smallest burst, and then by name. */
export function strictest(plans: ReadonlyMap<string, Limit>): string {
  const rows = [...plans].map(([name, { script, tiers }]) => {
    const rates = tiers.map((tier) => {
      const units = script.refill === "in_batches" ? Math.min(tier.at(-2)!, tier[0]!) : tier.at(-2)!;
      return { units: BigInt(units), period: BigInt(tier.at(-1)!) };
    });
    return { name, rate: rates.sort(byRate)[0]!, burst: Math.min(...tiers.map((tier) => tier[0]!)) };
  });
  const byName = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  rows.sort((one, other) => byRate(one.rate, other.rate) || one.burst - other.burst || byName(one.name, other.name));
  return rows[0]!.name;
}

type Rate = { units: bigint; period: bigint };

function byRate(one: Rate, other: Rate): number {
  const [left, right] = [one.units * other.period, other.units * one.period];
  return left < right ? -1 : Number(left > right);
}
