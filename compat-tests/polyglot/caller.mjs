// Calls through node-redis or ioredis what polyglot.py asks for: caller.mjs CLIENT PORT RESP
import IoRedis from "ioredis";
import { createInterface } from "node:readline";
import { Limit, RateLimiter, SCRIPTS, decision, fixedWindow, ioredis, nodeRedis, provesNotRun } from "penstock-redis";
import { createClient } from "redis";

const AT_ONCE = 8;
const [, , name, port, protocol] = process.argv;
const isIoRedis = name === "ioredis";
const client = isIoRedis
  ? new IoRedis({ port: Number(port), protocol: Number(protocol) })
  : await createClient({ RESP: Number(protocol), socket: { port: Number(port) } }).connect();
const sender = isIoRedis ? ioredis(client) : nodeRedis(client);
const send = ([command, ...args]) => (isIoRedis ? client.call(command, ...args) : client.sendCommand([command, ...args]));

async function load({ functions }) {
  if (functions) await new RateLimiter(sender, "api", fixedWindow(1, 1000)).loadFunctions();
  const loaded = async ({ name, sha1, source, function: named }) => [name, [sha1, await send(["SCRIPT", "LOAD", source]), named]];
  return Object.fromEntries(await Promise.all(SCRIPTS.map(loaded)));
}

async function call({ words }) {
  let reply;
  try {
    reply = await send(words);
  } catch (error) {
    return { error: error.message, proves: provesNotRun(error) };
  }
  return { read: Object.values(decision(reply, 10 ** 12)).slice(0, 6) };
}

async function share({ script, tiers, prefix, policy, subject, functions, cost, batch, most }) {
  const limit = new Limit(SCRIPTS.find(({ name }) => name === script), tiers);
  const limiter = new RateLimiter(sender, policy, limit, { prefix, functions, timeoutMs: Infinity });
  const take = async () => (await limiter.acquireAll(Array(batch).fill(subject))).map(({ value, reason }) => value ?? Promise.reject(reason));
  const untilDenied = async () => {
    let units = 0;
    for (let call = 0; call < most; call++) {
      const decisions = batch > 1 ? await Promise.all(await take()) : [await limiter.acquire(subject, cost)];
      const allowed = decisions.filter((decision) => decision.allowed).length;
      units += cost * allowed;
      if (allowed < decisions.length) break;
    }
    return units;
  };
  const each = await Promise.all(Array.from({ length: AT_ONCE }, untilDenied));
  return { admitted: each.reduce((sum, units) => sum + units, 0) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = await (question.load ? load : question.words ? call : share)(question);
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit();
