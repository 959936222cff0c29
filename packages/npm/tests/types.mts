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
