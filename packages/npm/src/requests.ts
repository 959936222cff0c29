// A limit of HTTP requests, as the middlewares of this package have it; docs/languages.md says what it does with a request.
import { Networks, addressOf, addressSubject, costOf, headerSubject, strictest, subjectOf } from "./callers.js";
import { CombinedHeaders } from "./combined.js";
import { PenstockError } from "./failures.js";
import { PROBLEM_TYPE, RateLimitHeaders, retryAfter, type HeaderForm } from "./http.js";
import { RateLimiter, type RateLimiterOptions } from "./limiter.js";
import { Decision, Limit, charge, escaped } from "./protocol.js";
import type { Sender } from "./sender.js";
import { parseLimit } from "./text.js";

export { Networks, addressOf, addressSubject, costOf, headerSubject, strictest, subjectOf, type Address } from "./callers.js";

/** A limit or its text. */
export type AnyLimit = string | Limit;

/** What is set for a request. Functions may return promises. */
export interface RequestLimitOptions<Request> extends RateLimiterOptions {
  /**
   * Whom a request is counted for, such as `header("X-Api-Key")`: a text, an integer or an ObjectId. Where it finds none of these or
   * throws, it is the address.
   */
  keyGenerator?: (request: Request) => unknown;
  /** The units of a request. What a function finds that is no integer above 0 is 1. */
  cost?: number | ((request: Request) => unknown);
  /** Which of several limits is a request's, by name; a name that is unknown is the strictest limit's. */
  plan?: (request: Request) => unknown;
  /** A request's own limit, made or as text; where it finds nothing, throws or finds what is no limit, it is the one that was given. */
  limitOf?: (request: Request) => unknown;
  /** Whether a request is not limited: true, and nothing else, says so. */
  skip?: (request: Request) => unknown;
  /** Addresses and networks that are not limited. */
  exempt?: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; `unix` is a proxy behind a Unix socket. */
  trustedProxies?: readonly string[];
  /** Charges and tells `onDecision`, and refuses nobody. */
  dryRun?: boolean;
  /** Told of each request and its decision; one that is not `enforced` was not the server's. */
  onDecision?: (request: Request, decision: Decision) => unknown;
  /**
   * Answers a request that the server denied, by the framework's `response`, whose status and fields are set. Where it has not answered
   * when it returns, or its promise settles, the answer is the problem body. What is undecided is no denial, and is answered 503.
   */
  onDenied?: (request: Request, decision: Decision, response: any) => unknown;
  /** The form of the header fields, `draft-11` by default; false writes none but `Retry-After`. */
  standardHeaders?: HeaderForm | boolean;
  /** The tiers' names in the fields. */
  names?: readonly string[];
}

/** What becomes of a request: passed on, with these fields in its answer, or refused with these, this status and this problem body. */
export interface Verdict {
  readonly refused: boolean;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
  readonly decision?: Decision;
}

/** What the limits of a request have decided so far, and which units they charged. */
const ANSWERS = new WeakMap<object, (readonly [RateLimitHeaders, Decision])[]>();
const CHARGED = new WeakMap<object, Set<string>>();
const PASSED: Verdict = { refused: false, status: 200, fields: {}, body: "" };
const FUNCTIONS = ["keyGenerator", "plan", "limitOf", "skip", "onDecision", "onDenied"] as const;
const UNLIMITED = "unlimited";
/** Limits that functions find, of which each has a limiter. */
const MOST_FOUND = 1_000;

interface LimitedPlan {
  readonly limiter: RateLimiter;
  readonly headers: RateLimitHeaders;
}

/** One policy for HTTP requests: one limit for all, or one for each plan. */
export class RequestLimit<Request = unknown> {
  readonly #policy: string;
  readonly #options: RequestLimitOptions<Request>;
  readonly #plans: ReadonlyMap<string, LimitedPlan>;
  readonly #unlimited: ReadonlySet<unknown>;
  readonly #strictest: string;
  readonly #planOf: (limit: Limit) => LimitedPlan;
  readonly #found = new Map<string, LimitedPlan>();
  readonly #exempt: Networks;
  readonly #proxies: Networks;
  #warned = -Infinity;
  readonly #warnedOf = new Set<string>();

  constructor(
    sender: Sender,
    policy: string,
    limit: AnyLimit | Readonly<Record<string, AnyLimit>>,
    options: RequestLimitOptions<Request> = {},
  ) {
    const { plan, cost = 1, exempt = [], trustedProxies = [], dryRun = false, standardHeaders = true, names } = options;
    for (const name of FUNCTIONS) {
      const found = options[name];
      if (found !== undefined && typeof found !== "function") throw new TypeError(`${name} must be a function: ${found}`);
    }
    if (typeof cost !== "function") charge(cost);
    if (typeof dryRun !== "boolean") throw new TypeError(`dryRun must be true or false: ${dryRun}`);
    const isOne = typeof limit === "string" || typeof (limit as Limit)?.marker === "string";
    const given = isOne ? [["", limit as AnyLimit] as const] : Object.entries(limit);
    const isUnlimited = (each: AnyLimit) => !isOne && each === UNLIMITED;
    const limits = new Map(given.filter(([, each]) => !isUnlimited(each)).map(([name, each]) => [name, limitOf(each, name)] as const));
    if (isOne !== (plan === undefined) || given.length === 0) {
      throw new TypeError("plan must be given with limits by the names of plans, and only with these");
    }
    if (limits.size === 0) throw new RangeError("limit must have a plan that is not unlimited, for callers without a plan");
    const form: HeaderForm = typeof standardHeaders === "string" ? standardHeaders : "draft-11";
    this.#planOf = (each) => {
      const headers = new RateLimitHeaders(policy, each, { form, ...(names?.length === each.tiers.length && { names }) });
      return { limiter: new RateLimiter(sender, policy, each, options), headers };
    };
    if (names) for (const each of limits.values()) new RateLimitHeaders(policy, each, { form, names });
    this.#plans = new Map([...limits].map(([name, each]) => [name, this.#planOf(each)]));
    this.#unlimited = new Set(given.filter(([, each]) => isUnlimited(each)).map(([name]) => name));
    this.#strictest = strictest(limits);
    this.#exempt = new Networks("exempt", exempt);
    this.#proxies = new Networks("trustedProxies", trustedProxies);
    this.#policy = policy;
    this.#options = options;
  }

  /**
   * `connection` is the address that the connection comes from, `forwarded` are the lines of `X-Forwarded-For`. The fields are those of all
   * limits that were given this very request, the strictest first.
   */
  async decide(request: Request, connection: string | undefined, forwarded: readonly string[] = []): Promise<Verdict> {
    const { keyGenerator, cost = 1, plan, limitOf: limitOfRequest, skip, onDecision, dryRun, standardHeaders } = this.#options;
    const address = addressOf(connection, forwarded, this.#proxies);
    if (address ? this.#exempt.has(address) : !connection && this.#exempt.unix) return PASSED;
    if ((await this.#finds("skip", skip, request)) === true) return PASSED;
    const name = await this.#finds("plan", plan, request);
    if (this.#unlimited.has(name)) return PASSED;
    const planned = this.#plans.get(name as string) ?? this.#plans.get(this.#strictest)!;
    const { limiter, headers } = this.#ownPlan(await this.#finds("limitOf", limitOfRequest, request)) ?? planned;
    const key = await this.#finds("keyGenerator", keyGenerator, request);
    const found = subjectOf(key);
    if (found === undefined && key !== undefined && key !== null && key !== "") {
      const type = Object(key).constructor?.name ?? typeof key;
      this.#warnOnce(type, `keyGenerator returned a ${type}, so the address stands in: a subject is a text, an integer or an ObjectId`);
    }
    const subject = found ?? addressSubject(address);
    const units = typeof cost === "function" ? costOf(await this.#finds("cost", cost, request)) : cost;
    const charged = CHARGED.get(Object(request)) ?? new Set();
    CHARGED.set(Object(request), charged);
    const counted = `${this.#policy} ${headers.limit.marker} ${escaped(subject)}`;
    if (charged.has(counted)) this.#warnOnce(" twice", "one request is counted twice: is the limit mounted twice on its route?");
    charged.add(counted);
    const decision = await limiter.acquire(subject, units).catch((error: unknown) => {
      if (!(error instanceof PenstockError)) throw error;
      this.#warn(`a request without a decision: ${error.message}`);
      return new Decision(0, headers.limit.tiers[0]![0]!, 0, -1, 0, 1, false);
    });
    await this.#finds("onDecision", onDecision, request, decision);
    if (dryRun) return { ...PASSED, decision };
    let fields = retryAfter(decision);
    if (standardHeaders !== false) {
      const answers = [...(ANSWERS.get(Object(request)) ?? []), [headers, decision] as const];
      ANSWERS.set(Object(request), answers);
      fields = CombinedHeaders.of(...answers.filter(([{ form }]) => form === headers.form)).fields();
    }
    if (decision.allowed) return { ...PASSED, fields, decision };
    fields["Content-Type"] = PROBLEM_TYPE;
    return { refused: true, status: RateLimitHeaders.status(decision), fields, body: headers.problem(decision), decision };
  }

  /**
   * Has `onDenied` answer a denial of the server. Returns what it returned, which is the answer where the framework takes one; nothing if
   * there is no such function, or if it threw.
   */
  async answer(request: Request, { decision }: Verdict, response: unknown): Promise<unknown> {
    return decision?.enforced ? this.#finds("onDenied", this.#options.onDenied, request, decision, response) : undefined;
  }

  /** The plan of a limit that a function found; nothing if that is no limit. */
  #ownPlan(limit: unknown): LimitedPlan | undefined {
    if (limit === undefined || limit === null) return undefined;
    try {
      const read = limitOf(limit as AnyLimit, "");
      if (!(read instanceof Limit)) throw new TypeError(`limit must be made by a function of this package, or a text: ${limit}`);
      let plan = this.#found.get(read.text);
      if (!plan) {
        plan = this.#planOf(read);
        if (this.#found.size >= MOST_FOUND) this.#found.clear();
        this.#found.set(read.text, plan);
      }
      return plan;
    } catch (error) {
      this.#warn(`limitOf found no limit: ${(error as Error).message}`);
      return undefined;
    }
  }

  async #finds<Given extends unknown[]>(name: string, find: ((...given: Given) => unknown) | undefined, ...given: Given): Promise<unknown> {
    try {
      return await find?.(...given);
    } catch (error) {
      this.#warn(`${name} threw ${error}`);
      return undefined;
    }
  }

  #warnOnce(what: string, text: string): void {
    if (this.#warnedOf.has(what)) return;
    this.#warnedOf.add(what);
    process.emitWarning(`policy ${this.#policy}: ${text}`, "PenstockWarning");
  }

  /** At most once a second. */
  #warn(text: string): void {
    if (performance.now() - this.#warned < 1_000) return;
    this.#warned = performance.now();
    process.emitWarning(`policy ${this.#policy}: ${text}`, "PenstockWarning");
  }
}

/** A `keyGenerator`: the header's value, hashed. Check that it is one of yours, or limit by address as well: callers choose it. */
export function header(name: string): (request: Pick<NodeRequest, "headers"> & { raw?: object }) => string | undefined {
  const field = name.toLowerCase();
  return (request) => {
    const { headersDistinct = {} } = (request.raw ?? request) as { headersDistinct?: NodeJS.Dict<string[]> };
    const values = headersDistinct[field] ?? [request.headers[field]].flat();
    // Twice, nobody knows which one counts.
    return values.length === 1 ? headerSubject(values[0]) : undefined;
  };
}

/** What a request of Node.js says, of which those of the frameworks are made. */
export interface NodeRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Record<string, string | string[] | undefined>;
}

/** Where a request comes from. */
export function origin({ socket, headers: { "x-forwarded-for": forwarded = [] } }: NodeRequest): [string | undefined, string[]] {
  return [socket.remoteAddress, [forwarded].flat()];
}

function limitOf(limit: AnyLimit, plan: string): Limit {
  if (limit === "none") {
    const where = plan ? `the plan "${plan}"` : "limit";
    const rule = '"unlimited" is a plan whose requests all pass; to let none pass, answer them yourself';
    throw new RangeError(`${where} must not be "none": ${rule}`);
  }
  const read = typeof limit === "string" ? parseLimit(limit) : limit;
  if (read?.script?.name === "leaky-bucket") {
    throw new RangeError(`limit must be none whose callers wait, since a request is answered at once: ${read.text}`);
  }
  return read;
}
