import express from "express";
import { RateLimiter, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient } from "redis";

const redis = await createClient().on("error", console.error).connect();
const limiter = new RateLimiter(nodeRedis(redis), "api", tokenBucket(100, 10, 1000));
const app = express();

app.use(async (request, response, next) => {
  const { allowed, retryAfterSeconds } = await limiter.acquire(request.ip);
  if (allowed) return next();
  if (retryAfterSeconds) response.set("Retry-After", `${retryAfterSeconds}`);
  response.status(429).send("Too many requests");
});
