import type { CanActivate } from "@nestjs/common";
import express from "express";
import { rateLimit as expressRateLimit } from "express-rate-limit";
import fastify, { type FastifyRequest } from "fastify";
import { header, rateLimit as ofExpress } from "penstock-redis/express";
import { WindowStore } from "penstock-redis/express-rate-limit";
import { rateLimit as ofFastify, rateLimitPlugin } from "penstock-redis/fastify";
import { RateLimitGuard } from "penstock-redis/nest";
// Compiled, not run: the clients' own types fit.
import { Cluster, Redis } from "ioredis";
import { RateLimiter, ioredis, nodeRedis, tokenBucket, type Sender } from "penstock-redis";
import { createClient, createClientPool, createCluster } from "redis";

const senders: Sender[] = [
  nodeRedis(createClient()),
  nodeRedis(createClientPool()),
  nodeRedis(createCluster({ rootNodes: [] })),
  ioredis(new Redis()),
  ioredis(new Cluster([])),
];
for (const sender of senders) {
  const { allowed, retryAfterMs } = await new RateLimiter(sender, "api", tokenBucket(100, 10, 1000)).acquire("user:42");
  const text: string = allowed ? "yes" : `in ${retryAfterMs.toFixed()} ms`;
  console.log(text);
}

const sender = senders[0]!;
const limit = tokenBucket(100, 10, 1000);

// The middlewares are what their frameworks take.
express().use(ofExpress(sender, "api", "token-bucket:100/1m", { keyGenerator: (request: express.Request) => request.path, skip: async () => false }));
express().get("/", ofExpress(sender, "api", { free: limit }, { plan: header("X-Plan") }), (request, response) => void response.send(request.path));
express().use(expressRateLimit({ store: new WindowStore(sender, "api", { window: "sliding" }) }));
fastify().get("/", { onRequest: ofFastify(sender, "api", limit, { keyGenerator: (request: FastifyRequest) => request.url }) }, async () => "Hello");
await fastify().register(rateLimitPlugin, { sender, policy: "api", limit, keyGenerator: (request: FastifyRequest) => request.url });
const guard: CanActivate = new RateLimitGuard(sender, "api", { short: limit, long: "token-bucket:100/1m" });
// @ts-expect-error
ofExpress(sender, "api", limit, { keyGenerater: () => "user" });
