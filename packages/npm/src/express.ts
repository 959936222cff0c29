// Limits for Express, and for other frameworks with middlewares of Node.js' own requests and
// responses.
import { RequestLimit, origin, settleAfter, type AnyLimit, type NodeRequest, type RequestLimitOptions } from "./requests.js";
import type { Sender } from "./sender.js";

export { header } from "./requests.js";

/** The part of a Node.js response that the middleware uses. */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent?: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
  once(event: "finish", listener: () => void): unknown;
}

/** Creates a middleware for an application, a router or a route. */
export function rateLimit<Request extends NodeRequest>(
  sender: Sender,
  policy: string,
  limit: AnyLimit | Readonly<Record<string, AnyLimit>>,
  options?: RequestLimitOptions<Request>,
): (request: Request, response: NodeResponse, next: (error?: unknown) => void) => void {
  const own = new RequestLimit(sender, policy, limit, options);
  return (request, response, next) => {
    own.decide(request, ...origin(request)).then(async (verdict) => {
      const { "Content-Type": type, ...fields } = verdict.fields;
      for (const [name, value] of Object.entries(fields)) response.setHeader(name, value);
      settleAfter(verdict, response);
      if (!verdict.refused) return next();
      response.statusCode = verdict.status;
      await own.answer(request, verdict, response);
      if (response.headersSent) return;
      response.setHeader("Content-Type", type!);
      response.end(verdict.body);
    }).catch(next);
  };
}
