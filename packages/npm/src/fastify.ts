// Limits for Fastify.
import { RequestLimit, origin, settleAfter, type AnyLimit, type NodeRequest, type NodeResponseEnd, type RequestLimitOptions } from "./requests.js";
import type { Sender } from "./sender.js";

export { header } from "./requests.js";

/** The part of a Fastify request that the hook reads. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest;
}

/** The part of a Fastify reply that the hook uses. */
export interface FastifyReplyLike {
  readonly sent: boolean;
  readonly raw: NodeResponseEnd;
  code(status: number): unknown;
  headers(fields: Record<string, string>): unknown;
  send(body: unknown): unknown;
}

type Hook<Request> = (request: Request, reply: FastifyReplyLike) => Promise<unknown>;

/** Creates a hook for an application or a route. Use it as `onRequest` or a later hook. */
export function rateLimit<Request extends FastifyRequestLike>(
  sender: Sender,
  policy: string,
  limit: AnyLimit | Readonly<Record<string, AnyLimit>>,
  options?: RequestLimitOptions<Request>,
): Hook<Request> {
  const own = new RequestLimit(sender, policy, limit, options);
  return async (request, reply) => {
    const verdict = await own.decide(request, ...origin(request.raw));
    const { "Content-Type": type, ...fields } = verdict.fields;
    reply.headers(fields);
    settleAfter(verdict, reply.raw);
    if (!verdict.refused) return undefined;
    reply.code(verdict.status);
    const answer = await own.answer(request, verdict, reply);
    if (reply.sent) return reply;
    return answer === undefined ? (reply.headers({ "Content-Type": type! }), reply.send(verdict.body)) : reply.send(answer);
  };
}

/** The options of the plugin. */
export interface RateLimitPluginOptions<Request extends FastifyRequestLike> extends RequestLimitOptions<Request> {
  sender: Sender;
  policy: string;
  limit: AnyLimit | Readonly<Record<string, AnyLimit>>;
}

/**
 * A plugin. For example, `app.register(rateLimitPlugin, { sender, policy: "api", limit: "token-bucket:100/1m" })` limits the routes that
 * are registered after it.
 */
export function rateLimitPlugin<Request extends FastifyRequestLike>(
  app: { addHook(name: "onRequest", hook: Hook<Request>): unknown },
  { sender, policy, limit, ...options }: RateLimitPluginOptions<Request>,
  done: (error?: Error) => void,
): void {
  app.addHook("onRequest", rateLimit(sender, policy, limit, options));
  done();
}

// The hook belongs to the application that registers the plugin, not only to the plugin.
Object.assign(rateLimitPlugin, { [Symbol.for("skip-override")]: true });
