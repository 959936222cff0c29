// A limit of HTTP requests, which the middlewares of this package share; docs/languages.md has its rules.
import { Networks, addressOf, addressSubject, costOf, headerSubject, statusesOf, subjectOf } from "./callers.js";
import { CombinedHeaders, decisionsOf } from "./combined.js";
import { EntryLimit } from "./entries.js";
import { PenstockError } from "./failures.js";
import { PROBLEM_TYPE, RateLimitHeaders, retryAfter, type HeaderForm } from "./http.js";
import { RateLimiter, type RateLimiterOptions } from "./limiter.js";
import { wait } from "./pending.js";
import { PolicyPlans, checkFunctions, type AnyLimit, type Planned, type PolicyOptions } from "./plans.js";
import { Decision, escaped, type Limit } from "./protocol.js";
import type { ReservationAnswer } from "./reservation-plan.js";
import { Reservations, type Reservation, type ReservationEvent } from "./reservations.js";
import type { Sender } from "./sender.js";

export {
  Networks, addressOf, addressSubject, costOf, headerSubject, statusesOf, strictest, subjectOf, type Address,
} from "./callers.js";
export type { AnyLimit, PolicyOptions } from "./plans.js";

/**
 * A second policy for the same requests. A request is charged under both policies or under neither. Adding a second policy has three
 * consequences: a user of two tenants is counted separately in each, all keys of a tenant are in one slot of a cluster, and existing counts
 * are lost once, because the keys move to the tenant's hash tag.
 */
export interface AlsoOptions<Request> extends PolicyOptions<Request> {
  policy: string;
  limit: AnyLimit | Readonly<Record<string, AnyLimit>>;
  /** Returns the subject of a request under this policy, such as the user's tenant. */
  keyGenerator: (request: Request) => unknown;
  /** The cost of a request under this policy; by default, the same as under the first policy. */
  cost?: number | ((request: Request) => unknown);
}

/** The options of a limit for HTTP requests. Functions may return promises. */
export interface RequestLimitOptions<Request> extends RateLimiterOptions, PolicyOptions<Request> {
  /** A second policy for the same requests. A request is charged under both policies or under neither. */
  also?: AlsoOptions<Request>;
  /**
   * The responses that are charged, such as `status 401, 403` or `status 4xx`. The cost is held before the request and settled after it. A
   * request that is denied only because of held units is retried every 50 to 250 ms until `timeoutMs`. If there is no response, the cost is
   * charged after a minute.
   */
  chargeWhen?: string;
  /** Returns whether a request is exempt from the limit; only true exempts it. */
  skip?: (request: Request) => unknown;
  /** Addresses and networks that are exempt from the limit. */
  exempt?: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` header is trusted; `unix` means a proxy that connects over a Unix socket. */
  trustedProxies?: readonly string[];
  /** Whether to charge requests and call `onDecision`, but never reject a request. */
  dryRun?: boolean;
  /** Receives each request and its decision; if `enforced` is false, the server did not make the decision. */
  onDecision?: (request: Request, decision: Decision) => unknown;
  /**
   * Responds to a request that the server denied, with the framework's `response`, whose status and fields are already set. If no response
   * has been sent when it returns or its promise settles, the problem body is sent. The function is not called for an undecided request,
   * which gets a 503.
   */
  onDenied?: (request: Request, decision: Decision, response: any) => unknown;
  /** Used instead of `onOutcome` with `also` or `chargeWhen`, whose calls are reservations. */
  onEvent?: (event: ReservationEvent) => void;
  /** The format of the header fields, `draft-11` by default; false writes only `Retry-After`. */
  standardHeaders?: HeaderForm | boolean;
  /** The names of the tiers in the fields. */
  names?: readonly string[];
}

/**
 * The result for a request. Either pass the request on and add these fields to its response, or reject it with this status, these fields
 * and this problem body.
 */
export interface Verdict {
  readonly refused: boolean;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
  readonly decision?: Decision;
  /**
   * Charges the cost that is held for `chargeWhen` if the response's status is listed, and returns it otherwise. It is set only if a cost
   * is held.
   */
  readonly settle?: (status: number) => Promise<void>;
}

/** The decisions made so far about a request, and the units that they charged. */
const ANSWERS = new WeakMap<object, (readonly [RateLimitHeaders, Decision])[]>();
const CHARGED = new WeakMap<object, Set<string>>();
const PASSED: Verdict = { refused: false, status: 200, fields: {}, body: "" };
const FUNCTIONS = ["skip", "onDecision", "onDenied"];
/** How long a request may hold units before its response is known. */
const HELD_MS = 60_000;

type Subject = string | Uint8Array;

/** A rate limit for HTTP requests under one policy: one limit for all requests, or one for each plan. */
export class RequestLimit<Request = unknown> {
  readonly #policy: string;
  readonly #options: RequestLimitOptions<Request>;
  /** The limit's own policy, and the second policy if there is one. */
  readonly #policies: readonly [PolicyPlans<Request>, ...PolicyPlans<Request>[]];
  readonly #reservations: Reservations | undefined;
  readonly #charged: RegExp | undefined;
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
    const { exempt = [], trustedProxies = [], dryRun = false, standardHeaders = true, names, also, chargeWhen, timeoutMs = 1_000 } = options;
    checkFunctions(options, FUNCTIONS);
    if (typeof dryRun !== "boolean") throw new TypeError(`dryRun must be true or false: ${dryRun}`);
    if (chargeWhen !== undefined) this.#charged = statusesOf(chargeWhen);
    const isJoint = also !== undefined || chargeWhen !== undefined;
    for (const name of ["onOutcome", "rememberDenialsMs", "onEvent"] as const) {
      if (options[name] !== undefined && isJoint !== (name === "onEvent")) {
        throw new RangeError(`${name} must ${isJoint ? "not" : "only"} be given with also or chargeWhen`);
      }
    }
    if (isJoint) this.#reservations = new Reservations(sender, policy, Math.max(HELD_MS, timeoutMs), options);
    const form: HeaderForm = typeof standardHeaders === "string" ? standardHeaders : "draft-11";
    const planOf = (name: string, each: Limit): Planned => {
      const isNamed = name === policy && names?.length === each.tiers.length;
      const headers = new RateLimitHeaders(name, each, { form, ...(isNamed && { names }) });
      if (!isJoint) return { limiter: new RateLimiter(sender, name, each, options), headers };
      const limiter = EntryLimit.of(name, each);
      this.#entry(limiter, 1);
      return { limiter, headers };
    };
    const own = new PolicyPlans(policy, limit, options, planOf);
    if (names) for (const each of own.limits) new RateLimitHeaders(policy, each, { form, names });
    this.#policies = also === undefined ? [own] : [own, otherPlans(also, policy, planOf)];
    this.#exempt = new Networks("exempt", exempt);
    this.#proxies = new Networks("trustedProxies", trustedProxies);
    this.#policy = policy;
    this.#options = options;
  }

  /**
   * Makes the decision about a request. `connection` is the remote address of the connection; `forwarded` are the lines of the
   * `X-Forwarded-For` header. The fields report all limits that decided this request, the strictest first.
   */
  async decide(request: Request, connection: string | undefined, forwarded: readonly string[] = []): Promise<Verdict> {
    const { skip, onDecision, dryRun, standardHeaders } = this.#options;
    const address = addressOf(connection, forwarded, this.#proxies);
    if (address ? this.#exempt.has(address) : !connection && this.#exempt.unix) return PASSED;
    if ((await this.#finds("skip", skip, request)) === true) return PASSED;
    const asked: (Planned | undefined)[] = [];
    for (const policy of this.#policies) asked.push(await this.#planned(policy, request));
    const planned = asked.filter((each) => each !== undefined);
    if (planned.length === 0) return PASSED;
    const subjects: Subject[] = [];
    for (const policy of this.#policies) subjects.push((await this.#subject(policy, request)) ?? addressSubject(address));
    const costs: number[] = [];
    for (const policy of this.#policies) costs.push(await this.#cost(policy, request, costs[0] ?? 1));
    this.#noteCharge(request, [planned[0]!.headers.limit.marker, ...subjects.map(escaped)].join(" "));
    const { decisions, call } = await this.#decided(asked, subjects, costs).catch((error: unknown) => {
      if (!(error instanceof PenstockError)) throw error;
      this.#warn(`a request without a decision: ${error.message}`);
      const undecided = planned.map(({ headers }) => new Decision(0, headers.limit.tiers[0]![0]!, 0, -1, 0, 1, false));
      return { decisions: undecided, call: undefined };
    });
    const at = Math.max(0, decisions.findIndex(({ allowed }) => !allowed));
    const decision = decisions[at]!;
    const { headers } = planned[at]!;
    await this.#finds("onDecision", onDecision, request, decision);
    const isHeld = this.#charged && call?.allowed && call.enforced;
    const passed = { ...PASSED, decision, ...(isHeld && { settle: (status: number) => this.#settle(call, status) }) };
    if (dryRun) return passed;
    let fields = retryAfter(decision);
    if (standardHeaders !== false) {
      const answered = decisions.map((each, place) => [planned[place]!.headers, each] as const);
      const answers = [...(ANSWERS.get(Object(request)) ?? []), ...answered];
      ANSWERS.set(Object(request), answers);
      fields = CombinedHeaders.of(...answers.filter(([{ form }]) => form === headers.form)).fields();
    }
    if (decision.allowed) return { ...passed, fields };
    fields["Content-Type"] = PROBLEM_TYPE;
    return { refused: true, status: RateLimitHeaders.status(decision), fields, body: headers.problem(decision), decision };
  }

  /**
   * Calls `onDenied` for a denial by the server. Returns its result, which is the response in some frameworks, or undefined if there is no
   * such function or it threw an error.
   */
  async answer(request: Request, { decision }: Verdict, response: unknown): Promise<unknown> {
    return decision?.enforced ? this.#finds("onDenied", this.#options.onDenied, request, decision, response) : undefined;
  }

  async #planned(policy: PolicyPlans<Request>, request: Request): Promise<Planned | undefined> {
    const planned = policy.of(await this.#finds("plan", policy.options.plan, request));
    const own = planned && (await this.#finds("limitOf", policy.options.limitOf, request));
    if (own === undefined || own === null) return planned;
    try {
      return policy.ofLimit(own);
    } catch (error) {
      this.#warn(`limitOf returned no valid limit: ${(error as Error).message}`);
      return planned;
    }
  }

  async #subject(policy: PolicyPlans<Request>, request: Request): Promise<Subject | undefined> {
    const key = await this.#finds("keyGenerator", policy.options.keyGenerator, request);
    const found = subjectOf(key);
    if (found === undefined && key !== undefined && key !== null && key !== "") {
      const type = Object(key).constructor?.name ?? typeof key;
      this.#warnOnce(type, `keyGenerator returned a ${type}, so the address stands in: a subject is a text, an integer or an ObjectId`);
    }
    return found;
  }

  async #cost({ options: { cost } }: PolicyPlans<Request>, request: Request, without: number): Promise<number> {
    return typeof cost === "function" ? costOf(await this.#finds("cost", cost, request)) : cost ?? without;
  }

  #noteCharge(request: Request, counted: string): void {
    const charged = CHARGED.get(Object(request)) ?? new Set();
    CHARGED.set(Object(request), charged);
    const key = `${this.#policy} ${counted}`;
    if (charged.has(key)) this.#warnOnce(" twice", "one request is counted twice: is the limit mounted twice on its route?");
    charged.add(key);
  }

  /** Returns the joint decision of the limits, and the units held. */
  async #decided(asked: readonly (Planned | undefined)[], subjects: readonly Subject[], costs: readonly number[]) {
    if (!this.#reservations) {
      return { decisions: [await (asked[0]!.limiter as RateLimiter).acquire(subjects[0]!, costs[0])], call: undefined };
    }
    const within = subjects.length > 1 ? subjects[0] : undefined;
    const entries = asked.flatMap((each, at) => each
      ? [this.#entry(each.limiter as EntryLimit, costs[at]!, at === 0 ? within : undefined)] : []);
    const last = performance.now() + (this.#options.timeoutMs ?? 1_000);
    for (;;) {
      const call = await this.#reservations.reserve(subjects.at(-1)!, entries);
      const pause = call.askAgainAfterMs;
      const waits = this.#charged && !this.#options.dryRun && isDeniedByHeld(call.answer);
      if (!waits || performance.now() + pause > last) return { decisions: decisionsOf(call.answer), call };
      await wait(pause);
    }
  }

  #entry(limit: EntryLimit, units: number, within?: Subject) {
    const entry = this.#charged ? limit.reserve(units) : limit.charge(units);
    return within === undefined ? entry : entry.within(within);
  }

  async #settle(call: Reservation, status: number): Promise<void> {
    let result: unknown = "settled";
    try {
      if (this.#charged!.test(String(status))) await call.close();
      else result = await call.cancel();
    } catch (error) {
      result = (error as Error).message;
    }
    if (result !== "settled") this.#warn(`the units held for a request were not settled, and are charged when they expire: ${result}`);
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

  /** Emits a warning, at most once a second. */
  #warn(text: string): void {
    if (performance.now() - this.#warned < 1_000) return;
    this.#warned = performance.now();
    process.emitWarning(`policy ${this.#policy}: ${text}`, "PenstockWarning");
  }
}

/**
 * Returns a `keyGenerator` that returns the hash of a header's value. Callers control the header, so verify it or also limit by address.
 */
export function header(name: string): (request: Pick<NodeRequest, "headers"> & { raw?: object }) => string | undefined {
  const field = name.toLowerCase();
  return (request) => {
    const { headersDistinct = {} } = (request.raw ?? request) as { headersDistinct?: NodeJS.Dict<string[]> };
    const values = headersDistinct[field] ?? [request.headers[field]].flat();
    // If it occurs twice, its value is ambiguous.
    return values.length === 1 ? headerSubject(values[0]) : undefined;
  };
}

/** The part of a Node.js request that a limit reads; the frameworks' requests extend it. */
export interface NodeRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Record<string, string | string[] | undefined>;
}

/** Returns the origin of a request. */
export function origin({ socket, headers: { "x-forwarded-for": forwarded = [] } }: NodeRequest): [string | undefined, string[]] {
  return [socket.remoteAddress, [forwarded].flat()];
}

/** Settles the held units of a request after its response has been sent. Without a response, they are charged after a minute. */
export function settleAfter({ settle }: Verdict, response: NodeResponseEnd): void {
  if (settle) response.once("finish", () => void settle(response.statusCode));
}

/** The state of a Node.js response when it ends. */
export interface NodeResponseEnd {
  readonly statusCode: number;
  once(event: "finish", listener: () => void): unknown;
}

/** Returns whether the call would be allowed if all held units were returned. */
function isDeniedByHeld({ denying, usages }: ReservationAnswer): boolean {
  const usage = denying === undefined ? undefined : usages[denying]!;
  return usage !== undefined && usage.held > 0 && usage.remaining + usage.held >= usage.entry.units;
}

function otherPlans<Request>(
  also: AlsoOptions<Request>, policy: string, planOf: PolicyPlans<Request>["planOf"],
): PolicyPlans<Request> {
  if (typeof also?.keyGenerator !== "function") throw new TypeError(`also's keyGenerator must be a function: ${also?.keyGenerator}`);
  if (also.policy === policy) throw new RangeError(`also must be another policy: ${policy}`);
  return new PolicyPlans(also.policy, also.limit, also, planOf, "also's ");
}
