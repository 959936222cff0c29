import type { CanActivate } from "@nestjs/common";
import express from "express";
import { rateLimit as expressRateLimit } from "express-rate-limit";
import fastify, { type FastifyRequest } from "fastify";
import { header, rateLimit as ofExpress } from "penstock-redis/express";
import { WindowStore } from "penstock-redis/express-rate-limit";
import { rateLimit as ofFastify, rateLimitPlugin } from "penstock-redis/fastify";
import { RateLimitGuard } from "penstock-redis/nest";
import { memorySender } from "penstock-redis/testing";
// Compiled, not run: the clients' own types fit.
import { Cluster, Redis } from "ioredis";
import {
  CallId, ConcurrencyLimiter, EntryLimit, RateLimiter, Reservations, ioredis, nodeRedis, tokenBucket, type Reservation, type Sender,
  type SettleResult,
} from "penstock-redis";
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

const memory: Sender = Object.assign(memorySender({ now: () => 0 }), { down: true });
console.log(memory.isOneServer);
const sender = senders[0]!;
const limit = tokenBucket(100, 10, 1000);

// The middlewares are what their frameworks take.
express().use(ofExpress(sender, "api", "token-bucket:100/1m", { keyGenerator: (request: express.Request) => request.path, skip: async () => false }));
express().get("/", ofExpress(sender, "api", { free: limit }, { plan: header("X-Plan") }), (request, response) => void response.send(request.path));
express().use(expressRateLimit({ store: new WindowStore(sender, "api", { window: "sliding" }) }));
fastify().get("/", { onRequest: ofFastify(sender, "api", limit, { keyGenerator: (request: FastifyRequest) => request.url }) }, async () => "Hello");
await fastify().register(rateLimitPlugin, { sender, policy: "api", limit, keyGenerator: (request: FastifyRequest) => request.url });
express().use(ofExpress<express.Request>(sender, "api", limit, {
  chargeWhen: "status 401, 403", also: { policy: "tenants", limit, keyGenerator: ({ hostname }) => hostname },
}));
const guard: CanActivate = new RateLimitGuard(sender, "api", { short: limit, long: "token-bucket:100/1m" });
express().use(ofExpress<express.Request>(sender, "api", { free: limit, internal: "unlimited" }, {
  plan: header("X-Plan"),
  limitOf: ({ path }: express.Request) => (path === "/export" ? "fixed-window:10/1h" : undefined),
  onDenied: (request: express.Request, { retryAfterSeconds }, response: express.Response) => response.status(402).json({ retryAfterSeconds }),
}));
new RateLimitGuard(sender, "api", limit, { requestOf: (context) => ({ request: context.getArgs()[2].req }) });
// @ts-expect-error
ofExpress(sender, "api", limit, { keyGenerater: () => "user" });

const tokens = EntryLimit.of("tpm", tokenBucket(100, 10, 1000));
const llm = new Reservations(senders[0]!, "llm", 120_000, { onUnavailable: "deny", onEvent: ({ kind, latencyMs }) => console.log(kind, latencyMs) });
const permit: Reservation = await new ConcurrencyLimiter(llm, "exports", 10).acquire("user:42");
await using call = await llm.reserve("tenant:7", [tokens.reserve(4_000).within("user:42"), tokens.debit(1)], { id: CallId.random() });
const result: SettleResult = call.allowed ? await call.settle(900) : await permit.cancel();
console.log(result);
// @ts-expect-error An id is no text: it would be taken from a request.
await llm.reserve("tenant:7", [tokens.reserve(1)], { id: "from-a-header" });
// @ts-expect-error
await llm.reserve("tenant:7", ["tpm"]);
