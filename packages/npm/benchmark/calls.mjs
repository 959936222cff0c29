// Decisions a second and CPU of this process for each, beside the raw client that sends the same EVALSHA:
//     npm install --no-save redis ioredis && npm run prepack && node benchmark/calls.mjs PORT [ROUNDS]
// The two are interleaved; each figure is the best of all rounds.
import IoRedis from "ioredis";
import { RateLimiter, ioredis, key, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient } from "redis";

const [port, rounds] = [Number(process.argv[2] ?? 6379), Number(process.argv[3] ?? 9)];
const LIMIT = tokenBucket(10 ** 12, 10 ** 9, 1000);
const PREFIX = `bench${process.pid}`;
const SUBJECTS = Array.from({ length: 1000 }, (_, at) => `user:${at}`);

const plain = await createClient({ socket: { port } }).connect();
// node-redis 6 makes an AbortSignal.timeout for each command, which the limiter does not need.
const untimed = await createClient({ socket: { port }, commandOptions: { timeout: undefined } }).connect();
const ioredisClient = new IoRedis({ port });
const CLIENTS = {
  "node-redis": [nodeRedis(plain), (words) => plain.sendCommand(words)],
  "node-redis, `timeout: undefined`": [nodeRedis(untimed), (words) => untimed.sendCommand(words)],
  ioredis: [ioredis(ioredisClient), ([name, ...words]) => ioredisClient.call(name, ...words)],
};
await plain.sendCommand(["SCRIPT", "LOAD", LIMIT.script.source]);

/** Microseconds of wall clock and CPU for each of `calls`, of which `flight` are under way at a time. */
async function measured(call, flight, calls) {
  let begun = 0;
  const one = async () => {
    while (begun < calls) await call(SUBJECTS[begun++ % SUBJECTS.length]);
  };
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: flight }, one));
  const { user, system } = process.cpuUsage(cpu);
  return [((performance.now() - start) * 1000) / calls, (user + system) / calls];
}

console.log("| client | in flight | calls/s raw | limiter | ratio | CPU us raw | limiter | of the package |\n|---|---|---|---|---|---|---|---|");
for (const [name, [sender, send]] of Object.entries(CLIENTS)) {
  const limiter = new RateLimiter(sender, "api", LIMIT, { prefix: PREFIX, timeoutMs: 30_000 });
  const words = (subject) => ["evalsha", LIMIT.script.sha1, "1", key("api", subject, LIMIT, PREFIX), "1", ...LIMIT.args];
  const commands = new Map(SUBJECTS.map((subject) => [subject, words(subject)]));
  const ways = [(subject) => send(commands.get(subject)), (subject) => limiter.acquire(subject)];
  for (const [flight, calls] of [[256, 40_000], [1, 8_000]]) {
    const best = ways.map(() => [Infinity, Infinity]);
    for (let round = 0; round <= rounds; round++) {
      for (const [at, way] of ways.entries()) {
        const figures = await measured(way, flight, calls);
        // The first round warms up.
        if (round > 0) best[at] = best[at].map((least, which) => Math.min(least, figures[which]));
      }
    }
    const [[raw, rawCpu], [ours, ourCpu]] = best;
    const figures = [1e6 / raw, 1e6 / ours].map(Math.round).concat([raw / ours, rawCpu, ourCpu, ourCpu - rawCpu].map((each) => each.toFixed(2)));
    console.log(`| ${name} | ${flight} | ${figures.join(" | ")} |`);
  }
  sender.close();
}
plain.destroy();
untimed.destroy();
ioredisClient.disconnect();
