// Calls a second on one denied subject, which a limiter remembers, beside the raw client's EVALSHA on the same key; and what
// remembering adds to a call that it does not help:
//     npm install --no-save redis ioredis && npm run prepack && node benchmark/denials.mjs PORT [ROUNDS]
// The ways are interleaved; each figure is the best of all rounds, which are short so that some are not disturbed.
import IoRedis from "ioredis";
import { RateLimiter, fixedWindow, ioredis, key, nodeRedis } from "penstock-redis";
import { createClient } from "redis";

const { DenialMemory, clocks } = await import(new URL("../node_modules/penstock-redis/dist/esm/near.js", import.meta.url)).catch(
  () => import(new URL("../dist/esm/near.js", import.meta.url)),
);
const [port, rounds] = [Number(process.argv[2] ?? 6379), Number(process.argv[3] ?? 300)];
const LIMIT = fixedWindow(1, 3_600_000);
const client = await createClient({ socket: { port } }).connect();
const other = new IoRedis({ port });

const memory = new DenialMemory();
const unknown = Array.from({ length: 1000 }, (_, at) => `penstock:api:{user:${at}}:w1000`);

/** Microseconds for each of `calls`, of which `flight` are under way at a time. */
async function measured(call, flight, calls) {
  const start = performance.now();
  for (let at = 0; at < calls; at += flight) {
    if (flight === 1) await call();
    else await Promise.all(Array.from({ length: flight }, call));
  }
  return ((performance.now() - start) * 1000) / calls;
}

for (const [name, sender, send] of [
  ["node-redis", nodeRedis(client), (words) => client.sendCommand(words)],
  ["ioredis", ioredis(other), ([command, ...words]) => other.call(command, ...words)],
]) {
  const prefix = `bench${process.pid}${name}`;
  const limiter = new RateLimiter(sender, "api", LIMIT, { prefix, timeoutMs: 60_000, rememberDenialsMs: 100 });
  await limiter.acquire("user:42");
  const denied = await limiter.acquire("user:42");
  unknown.forEach((each) => memory.remember(`${each}.`, LIMIT, 1, denied, clocks()));
  const words = ["evalsha", LIMIT.script.sha1, "1", key("api", "user:42", LIMIT, prefix), "1", ...LIMIT.args];
  for (const flight of [1, 256]) {
    const best = [Infinity, Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      const figures = [
        await measured(() => send(words), flight, flight === 1 ? 20 : 512),
        await measured(() => limiter.acquire("user:42"), flight, 2_048),
      ];
      const start = performance.now();
      for (const each of unknown) memory.find(each, LIMIT, 1, 100_000);
      figures.push(performance.now() - start);
      figures.forEach((figure, at) => (best[at] = Math.min(best[at], figure)));
    }
    const [raw, ours, added] = best;
    console.log(`${name}, ${flight} in flight: raw ${raw.toFixed(1)} us a call, a remembered denial ${ours.toFixed(2)} us: ` +
      `${(raw / ours).toFixed(1)} times as many; a call that it does not help: ${added.toFixed(2)} us more`);
  }
  sender.close();
}
client.destroy();
other.disconnect();
