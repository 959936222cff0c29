// A policy's limits by the names of plans, and separate limits that functions return.
import { strictest } from "./callers.js";
import type { EntryLimit } from "./entries.js";
import type { RateLimitHeaders } from "./http.js";
import type { RateLimiter } from "./limiter.js";
import { Limit, charge } from "./protocol.js";
import { parseLimit } from "./text.js";

/** A limit, as an object or as text. */
export type AnyLimit = string | Limit;

/** The limits of one policy, and the functions that choose one for a request. */
export interface PolicyOptions<Request> {
  /**
   * Returns the subject of a request, such as `header("X-Api-Key")`: a string, an integer or an ObjectId. If it returns anything else or
   * throws, the client's address is the subject.
   */
  keyGenerator?: (request: Request) => unknown;
  /** The cost of a request in units, or a function that returns it. A result that is not a positive integer counts as 1. */
  cost?: number | ((request: Request) => unknown);
  /** Returns the name of a request's plan; an unknown name gets the strictest limit. */
  plan?: (request: Request) => unknown;
  /**
   * Returns a request's own limit, as an object or as text. If it returns undefined or an invalid limit, or throws, the configured limit
   * applies.
   */
  limitOf?: (request: Request) => unknown;
}

/** The limit that applies to a request under one policy. */
export interface Planned {
  /** The limiter, or the limit of a reservation. */
  readonly limiter: RateLimiter | EntryLimit;
  readonly headers: RateLimitHeaders;
}

const UNLIMITED = "unlimited";
const FUNCTIONS = ["keyGenerator", "plan", "limitOf"] as const;
/** The maximum number of limits returned by functions for which limiters are kept. */
const MOST_FOUND = 1_000;

/** A policy with one limit, or with one limit for each plan. */
export class PolicyPlans<Request> {
  readonly #plans: ReadonlyMap<string, Planned>;
  readonly #unlimited: ReadonlySet<unknown>;
  readonly #strictest: string;
  readonly #found = new Map<string, Planned>();

  /** The limits of all plans that are not unlimited. */
  readonly limits: readonly Limit[];

  constructor(
    readonly policy: string,
    limit: AnyLimit | Readonly<Record<string, AnyLimit>>,
    readonly options: PolicyOptions<Request>,
    readonly planOf: (policy: string, limit: Limit) => Planned,
    where = "",
  ) {
    checkFunctions(options, FUNCTIONS, where);
    if (options.cost !== undefined && typeof options.cost !== "function") charge(options.cost);
    const isOne = typeof limit === "string" || typeof (limit as Limit)?.marker === "string";
    const given = isOne ? [["", limit as AnyLimit] as const] : Object.entries(limit);
    const isUnlimited = (each: AnyLimit) => !isOne && each === UNLIMITED;
    const limits = new Map(given.filter(([, each]) => !isUnlimited(each)).map(([name, each]) => [name, read(each, name)] as const));
    if (isOne !== (options.plan === undefined) || given.length === 0) {
      throw new TypeError("plan must be given with limits by the names of plans, and only with these");
    }
    if (limits.size === 0) throw new RangeError("limit must have a plan that is not unlimited, for callers without a plan");
    this.#plans = new Map([...limits].map(([name, each]) => [name, planOf(policy, each)]));
    this.#unlimited = new Set(given.filter(([, each]) => isUnlimited(each)).map(([name]) => name));
    this.#strictest = strictest(limits);
    this.limits = [...limits.values()];
  }

  /** Returns the limiter of a plan; undefined if the plan is unlimited. */
  of(name: unknown): Planned | undefined {
    return this.#unlimited.has(name) ? undefined : this.#plans.get(name as string) ?? this.#plans.get(this.#strictest);
  }

  /** Returns the limiter for a limit that a function returned; throws if the limit is invalid. */
  ofLimit(limit: unknown): Planned {
    const made = read(limit as AnyLimit, "");
    if (!(made instanceof Limit)) throw new TypeError(`limit must be made by a function of this package, or a text: ${limit}`);
    let plan = this.#found.get(made.text);
    if (!plan) {
      plan = this.planOf(this.policy, made);
      if (this.#found.size >= MOST_FOUND) this.#found.clear();
      this.#found.set(made.text, plan);
    }
    return plan;
  }
}

export function checkFunctions(options: object, names: readonly string[], where = ""): void {
  for (const name of names) {
    const found = (options as Record<string, unknown>)[name];
    if (found !== undefined && typeof found !== "function") throw new TypeError(`${where}${name} must be a function: ${found}`);
  }
}

function read(limit: AnyLimit, plan: string): Limit {
  if (limit === "none") {
    const where = plan ? `the plan "${plan}"` : "limit";
    const rule = '"unlimited" is a plan whose requests all pass; to let none pass, answer them yourself';
    throw new RangeError(`${where} must not be "none": ${rule}`);
  }
  const made = typeof limit === "string" ? parseLimit(limit) : limit;
  if (made?.script?.queues) {
    throw new RangeError(`limit must not make callers wait, because a request needs an immediate response: ${made.text}`);
  }
  return made;
}
