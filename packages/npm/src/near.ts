// Denials that are known without asking the server: rules N1 to N6 of docs/protocol.md. Times are microseconds.
import { Decision, type Limit } from "./protocol.js";

export const MOST_DENIALS = 20_000;
const MOST_KEY_CHARS = 512;
// A mask of the stripes' numbers.
const STRIPES = 4_095;
// More than two readings that are not quite simultaneous can differ: the wall clock was set, or the machine was
// suspended.
const STEP_US = 5_000;

/** A monotonic time and its offset from the wall clock. */
export interface Clocks {
  readonly now: number;
  readonly apart: number;
}

export function clocks(): Clocks {
  const now = performance.now() * 1_000;
  return { now, apart: Date.now() * 1_000 - now };
}

interface Denial {
  readonly limit: Limit;
  readonly cost: number;
  readonly denied: Decision;
  readonly sent: Clocks;
  readonly answered: number;
  /** How long after it was sent the denial may be repeated. */
  readonly life: number;
}

/** The most recent denials by key. */
export class DenialMemory {
  // Denials that are not repeated while that many others are remembered leave with the older half.
  #young = new Map<string, Denial>();
  #old = new Map<string, Denial>();
  /**
   * The time at which a key of each stripe was last forgotten: denials of calls sent before it are not remembered.
   */
  readonly #forgotten = new Float64Array(STRIPES + 1).fill(-1);

  constructor(
    readonly most = MOST_DENIALS,
    private readonly read = clocks,
  ) {}

  /** Returns a denial if a recent denial on this key implies that the server would deny this call too. */
  find(key: string, limit: Limit, cost: number, most: number): Decision | undefined {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known === undefined) return undefined;
    const { now, apart } = this.read();
    const age = now - known.sent.now;
    if (age >= known.life || age >= most || Math.abs(apart - known.sent.apart) > STEP_US) return undefined;
    if (known.limit !== limit && (known.limit.script !== limit.script || known.limit.args.join() !== limit.args.join())) return undefined;
    const { denied } = known;
    // A thousandth less than has passed, because the server's clock may be slower by that.
    const passed = Math.floor((Math.floor(now - known.answered) * 999) / 1_000);
    let wait = denied.waitUs;
    if (cost !== known.cost) {
      const longer = wait < 0 ? undefined : longerUs(limit, known.cost, cost, denied.remaining);
      if (longer === undefined) return undefined;
      wait += longer;
    }
    if (wait >= 0) wait = Math.max(0, wait - passed);
    return new Decision(0, denied.limit, denied.remaining, wait, Math.max(0, denied.resetUs - passed), denied.tier);
  }

  /** Remembers a denial by the server. `sent` is a time before the call was sent. */
  remember(key: string, limit: Limit, cost: number, denied: Decision, sent: Clocks): void {
    const answered = this.read().now;
    const life = denied.waitUs < 0 ? Infinity : denied.waitUs * 0.999;
    if (key.length > MOST_KEY_CHARS || answered - sent.now >= life || sent.now <= this.#forgotten[stripe(key)]!) return;
    if (this.#young.size >= this.most / 2) [this.#young, this.#old] = [new Map(), this.#young];
    this.#young.set(key, { limit, cost, denied, sent, answered, life });
  }

  /** Forgets a key: before units are refunded, and again after the refund has succeeded or failed. */
  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
    this.#forgotten[stripe(key)] = this.read().now;
  }
}

function stripe(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return hash & STRIPES;
}

/** Returns the additional wait for a greater cost, or undefined if the denial does not imply one. */
function longerUs({ script, tiers }: Limit, denied: number, asked: number, remaining: number): number | undefined {
  const tier = tiers[0]!;
  const [capacity, units, period] = [tier[0]!, tier.at(-2)!, tier.at(-1)!];
  if (asked <= denied || asked > capacity || tiers.length > 1 || script.refill === "fading") return undefined;
  if (script.refill === "evenly") return Number((BigInt(asked - denied) * BigInt(period) + BigInt(units) - 1n) / BigInt(units));
  if (script.refill === "at_end") return 0;
  return (Math.ceil((asked - remaining) / units) - Math.ceil((denied - remaining) / units)) * period;
}

const memories = new WeakMap<object, DenialMemory>();

/** Returns the memory that all limiters of one connection share. */
export function memoryOf(connection: object): DenialMemory {
  let memory = memories.get(connection);
  if (!memory) memories.set(connection, (memory = new DenialMemory()));
  return memory;
}

/** Forgets a key in the memory of the connection. */
export function forget(connection: object, key: string): void {
  memories.get(connection)?.forget(key);
}
