import express from "express";
import { RateLimitHeaders, RateLimiter, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient } from "redis";

const redis = createClient().on("error", console.error);
redis.connect().catch(console.error); // Not awaited, so that the service starts without Redis.
const limit = tokenBucket(100, 10, 1000);
const limiter = new RateLimiter(nodeRedis(redis), "api", limit, { timeoutMs: 200, onUnavailable: "allow" });
const headers = new RateLimitHeaders("api", limit);
const app = express();

app.use(async (request, response, next) => {
  // All callers at a Unix socket are one. A failure is such as a wrong password: nobody is served.
  const decision = await limiter.acquire(request.ip ?? "unknown").catch(console.error);
  if (!decision) return response.sendStatus(503);
  if (decision.allowed) return next();
  response.set(headers.fields(decision)).status(RateLimitHeaders.status(decision)).send("Too many requests");
});
