import express from "express";
import { RateLimiter, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient } from "redis";

const redis = await createClient().connect();
const limiter = new RateLimiter(nodeRedis(redis), "api", tokenBucket(100, 10, 1000));
const app = express();

app.use(async (request, response, next) => {
  const decision = await limiter.acquire(request.ip);
  if (decision.allowed) return next();
  response.status(429).set("Retry-After", `${decision.retryAfterSeconds}`).send("Too many requests");
});
