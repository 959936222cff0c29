// The flood client of node-redis and ioredis: packages/floods.py has its contract.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import IoRedis from "ioredis";
import { CircuitBreaker, RateLimiter, ioredis, nodeRedis, tokenBucket } from "penstock-redis";
import { createClient, createCluster } from "redis";

const WARM_MS = 4_000;
const asked = JSON.parse(process.argv[2]);
const { deadline_ms: deadlineMs, circuit_ms: circuitMs, calls, callers, kind, raw, seconds } = asked;
const { hostname: host, port, username, password } = new URL(`redis://${asked.address}`);
const signIn = username && { username, password };
const ca = asked.ca ? readFileSync(asked.ca) : undefined;
const socket = { host, port: Number(port), ...(ca && { tls: true, ca }) };
const single = { host, port: Number(port), ...signIn, ...(ca && { tls: { ca } }) };

const FORMS = {
  "node-redis": {
    connect: () => (kind === "cluster" ? createCluster({ rootNodes: [{ socket }] }) : createClient({ socket, ...signIn })),
    sender: nodeRedis,
    send: (client, words) => (kind === "cluster" ? client.sendCommand(words[3], false, words) : client.sendCommand(words)),
    end: (client) => client.destroy(),
  },
  ioredis: {
    connect: () => (kind === "cluster" ? new IoRedis.Cluster([single], { lazyConnect: true }) : new IoRedis({ ...single, lazyConnect: true })),
    sender: ioredis,
    send: (client, [name, ...words]) => client.call(name, ...words),
    end: (client) => client.disconnect(),
  },
};

const { connect, sender, send, end } = FORMS[asked.form];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const [subject, prefix] = [randomUUID(), `f${randomUUID().slice(0, 8)}`];
const limit = tokenBucket(asked.limit, asked.limit, 86_400_000);
const client = connect();
client.on("error", () => {});
// A server that is stopped lets nobody connect.
client.connect().catch(() => {});
const limiter = new RateLimiter(sender(client), "flood", limit, {
  prefix, timeoutMs: deadlineMs, onUnavailable: "allow", onVerdict: (change) => console.error(change),
  shareTrips: asked.shares ?? true, ...(circuitMs && { circuitBreaker: new CircuitBreaker(circuitMs) }),
});
const words = ["EVAL", limit.script.source, "1", `flood:{${subject}}`, "1", ...limit.args];

/** What a call by the client itself comes to within the deadline. */
const byItself = () =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve("late"), deadlineMs);
    const ended = (outcome) => () => {
      clearTimeout(timer);
      resolve(outcome);
    };
    send(client, words).then(ended("decided"), ended("thrown"));
  });

async function byLimiter() {
  const { allowed, enforced } = await limiter.acquire(subject);
  if (enforced) return allowed ? "allowed" : "denied_by_server";
  return allowed ? "opened" : "overloaded";
}

async function one() {
  const [at, begun] = [Date.now() / 1000, performance.now()];
  const outcome = await (raw ? byItself() : byLimiter()).catch((error) => (console.error(error), "thrown"));
  return [at, performance.now() - begun, outcome];
}

if (asked.warm) {
  if (raw) while (!(await send(client, words).then(() => true, () => false))) await pause(10);
  else {
    while (!(await limiter.peek(subject).then(() => true, () => false))) await pause(10);
    await pause(WARM_MS);
  }
}
if (asked.signal) writeFileSync(asked.signal, "");
const [begun, before] = [performance.now(), process.cpuUsage()];
if (callers) {
  // What began in the first half a second is forgotten.
  const took = [];
  let lost = 0;
  const caller = async () => {
    while (performance.now() < begun + 500 + seconds * 1000) {
      const [at, [, ms, outcome]] = [performance.now(), await one()];
      const isDecided = outcome === "allowed" || outcome === "denied_by_server";
      // Calls that end at once would leave the event loop no time to connect.
      if (!isDecided) await pause(1);
      if (at < begun + 500) continue;
      if (isDecided) took.push(ms);
      else lost++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  end(client);
  took.sort((a, b) => a - b);
  const said = { decided: took.length, lost, median_ms: took[took.length >> 1], slowest_ms: took.at(-1) };
  process.stdout.write(`${JSON.stringify(said)}\n`, () => process.exit());
  await new Promise(() => {});
}
const running = [];
for (let number = 0; number < calls; number++) {
  const ms = seconds ? begun + (seconds * 1000 * number) / calls - performance.now() : 0;
  if (ms > 0) await pause(ms);
  running.push(one());
}
const each = await Promise.all(running);
const { user, system } = process.cpuUsage(before);
const count = (...names) => each.filter(([, , outcome]) => names.includes(outcome)).length;
const said = Object.fromEntries(["opened", "allowed", "denied_by_server", "overloaded", "thrown"].map((name) => [name, count(name)]));
const names = { allowed: "decided", denied_by_server: "decided" };
const text = JSON.stringify({
  ...said, decided: count("decided", "allowed", "denied_by_server"), slowest_ms: each.reduce((most, [, ms]) => Math.max(most, ms), 0),
  cpu_ms: (user + system) / 1000, ...(seconds && { each: each.map(([at, ms, outcome]) => [at, ms, names[outcome] ?? outcome]) }),
});
end(client);
process.stdout.write(`${text}\n`, () => process.exit());
