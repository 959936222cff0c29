export { ioredis, nodeRedis, type IoRedis, type NodeRedis, type Sender } from "./clients.js";
export { RateLimiter, wait, type RateLimiterOptions } from "./limiter.js";
export { Decision, Limit, MaybeChargedError, NotSentError, decision, key, provesNotRun, type DropIn, type Script } from "./protocol.js";
export * from "./scripts.js";
