// Compiled, not run: the types that require takes.
import penstock = require("penstock-redis");
import redis = require("redis");

const limiter = new penstock.RateLimiter(penstock.nodeRedis(redis.createClient()), "api", penstock.tokenBucket(100, 10, 1000));
export const seconds: Promise<number | undefined> = limiter.acquire("user:42").then((decision) => decision.retryAfterSeconds);
