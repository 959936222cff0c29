import express from "express";
import { NoDecisionError, RateLimiter, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient } from "redis";

const redis = createClient().on("error", console.error);
redis.connect().catch(console.error); // Not awaited, so that the service starts without Redis.
const limiter = new RateLimiter(nodeRedis(redis), "api", tokenBucket(100, 10, 1000), { timeoutMs: 200 });
const app = express();

app.use(async (request, response, next) => {
  let decision;
  try {
    decision = await limiter.acquire(request.ip);
  } catch (error) {
    if (error instanceof NoDecisionError) return next(); // Redis is down: serve.
    throw error; // It is set up wrong, or full: Express answers 500.
  }
  if (decision.allowed) return next();
  const { retryAfterSeconds } = decision;
  if (retryAfterSeconds !== undefined) response.set("Retry-After", `${retryAfterSeconds}`);
  response.status(429).send("Too many requests");
});
