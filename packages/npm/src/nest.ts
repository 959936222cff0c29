// Limits for NestJS: a guard of all routes, and decorators of single ones.
import { HttpException, SetMetadata, type CanActivate, type CustomDecorator, type ExecutionContext } from "@nestjs/common";
import { RequestLimit, origin, settleAfter, type AnyLimit, type NodeRequest, type NodeResponseEnd, type RequestLimitOptions } from "./requests.js";
import { Limit } from "./protocol.js";
import type { Sender } from "./sender.js";
import { parseLimit } from "./text.js";

export { header } from "./requests.js";

/**
 * A limit, or several named limits of one kind, such as `{ short: "token-bucket:3/1s", long: "token-bucket:100/1m" }`, which are decided in
 * one call. With the option `plan`, the names are those of plans, and only the limit of the request's plan applies.
 */
export type NamedLimits = AnyLimit | Readonly<Record<string, AnyLimit>>;
type Options<Request> = Omit<RequestLimitOptions<Request>, "names">;

/** The options of a guard. */
export interface GuardOptions<Request> extends Options<Request> {
  /**
   * Returns the request of a non-HTTP context, and its response if fields should be written. An example for GraphQL is `(context) => {
   * const { req } = GqlExecutionContext.create(context).getContext(); return { request: req, response: req.res }; }`.
   */
  requestOf?: (context: ExecutionContext) => { request: Request; response?: unknown } | undefined;
}

interface Override {
  readonly policy: string;
  readonly limits: NamedLimits;
  readonly options: Options<any>;
}

const OVERRIDE = Symbol("penstock:limit");

/** A sender that sends nothing, for limits that are created only to validate them. */
const NOWHERE: Sender = { isOneServer: true, send: () => Promise.reject(), sendToMasters: () => Promise.reject(), close() {} };

/**
 * Limits a method or a controller under a separate policy instead of the guard's. The guard's options apply by default, except that its
 * `plan` does not apply if this policy has only one limit.
 */
export function RateLimit<Request = any>(policy: string, limits: NamedLimits, options: Options<Request> = {}): CustomDecorator<symbol> {
  if (isOne(limits) || options.plan) limitOf(NOWHERE, policy, limits, options);
  else Object.values(limits).forEach((limit) => new RequestLimit(NOWHERE, policy, limit));
  return SetMetadata<symbol, Override>(OVERRIDE, { policy, limits, options });
}

/** Exempts a method or a controller from the guard's limit. */
export function SkipRateLimit(): CustomDecorator<symbol> {
  return SetMetadata<symbol, null>(OVERRIDE, null);
}

/** A guard for Express and Fastify: `app.useGlobalGuards(new RateLimitGuard(sender, "api", "token-bucket:100/1m"))`. */
export class RateLimitGuard<Request = any> implements CanActivate {
  readonly #sender: Sender;
  readonly #options: Options<Request>;
  readonly #requestOf: GuardOptions<Request>["requestOf"];
  readonly #own: RequestLimit<Request>;
  readonly #overrides = new Map<Override, RequestLimit<Request>>();

  /** `options` are also the defaults for `@RateLimit`. */
  constructor(sender: Sender, policy: string, limits: NamedLimits, { requestOf, ...options }: GuardOptions<Request> = {}) {
    if (requestOf !== undefined && typeof requestOf !== "function") throw new TypeError(`requestOf must be a function: ${requestOf}`);
    this.#sender = sender;
    this.#options = options;
    this.#requestOf = requestOf;
    this.#own = limitOf(sender, policy, limits, options);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const limit = this.#limitOf(context);
    if (!limit) return true;
    const { request, response } = this.#httpOf(context);
    const verdict = await limit.decide(request, ...origin(((request as { raw?: unknown }).raw ?? request) as NodeRequest));
    const { "Content-Type": type, ...fields } = verdict.fields;
    const write = response?.header ?? response?.setHeader;
    for (const [name, value] of Object.entries(fields)) write?.call(response, name, value);
    if (verdict.settle) settleAfter(verdict, responseEnd(response));
    if (!verdict.refused) return true;
    const answer = await limit.answer(request, verdict, response);
    if (answer instanceof Error) throw answer;
    if (answer === undefined) write?.call(response, "Content-Type", type);
    throw new HttpException(answer ?? JSON.parse(verdict.body), verdict.status);
  }

  #httpOf(context: ExecutionContext): { request: Request; response?: any } {
    const type = context.getType<string>();
    const found = type === "http" ? undefined : this.#requestOf?.(context);
    if (found?.request) return found;
    if (type !== "http") throw new TypeError(`requestOf must find the request of a context that is not HTTP's: ${type}`);
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse() };
  }

  #limitOf(context: ExecutionContext): RequestLimit<Request> | undefined {
    const places = [context.getHandler(), context.getClass()];
    const found: (Override | null | undefined)[] = places.map((place) => Reflect.getMetadata(OVERRIDE, place));
    const override = found.find((each) => each !== undefined);
    if (!override) return override === null ? undefined : this.#own;
    let limit = this.#overrides.get(override);
    if (!limit) {
      const { plan, ...others } = this.#options;
      const inherited = plan && !isOne(override.limits) ? this.#options : (others as Options<Request>);
      limit = limitOf(this.#sender, override.policy, override.limits, { ...inherited, ...override.options });
      this.#overrides.set(override, limit);
    }
    return limit;
  }
}

function responseEnd(response: any): NodeResponseEnd {
  const found = response?.raw ?? response;
  if (typeof found?.once === "function") return found;
  throw new TypeError("requestOf must find the response, whose status chargeWhen reads");
}

function isOne(limits: NamedLimits): limits is AnyLimit {
  return typeof limits === "string" || limits instanceof Limit;
}

function limitOf<Request>(sender: Sender, policy: string, limits: NamedLimits, options: Options<Request>): RequestLimit<Request> {
  if (isOne(limits) || options.plan) return new RequestLimit(sender, policy, limits, options);
  const entries = Object.entries(limits).map(([name, limit]) => [name, typeof limit === "string" ? parseLimit(limit) : limit] as const);
  const [first, ...rest] = entries.map(([name, limit]) => {
    if (limit.tiers.length !== 1) throw new RangeError(`each of limits must be one, and not several: ${name}`);
    return limit;
  });
  if (!first) throw new RangeError("limits must be one at least");
  const names = entries.map(([name]) => name);
  return new RequestLimit(sender, policy, rest.reduce((all, limit) => all.and(limit), first), { ...options, names });
}
