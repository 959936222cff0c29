// Calls through node-redis or ioredis what polyglot.py asks for: caller.mjs CLIENT PORT RESP
import IoRedis from "ioredis";
import { createInterface } from "node:readline";
import {
  Limit, EntryLimit, RESERVE, RateLimiter, Reservations, SCRIPTS, SETTLE, decision, fixedWindow, ioredis, nodeRedis, provesNotRun,
} from "penstock-redis";
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
  return Object.fromEntries(await Promise.all([...SCRIPTS, RESERVE, SETTLE].map(loaded)));
}

async function call({ words, whole }) {
  let reply;
  try {
    reply = await send(words);
  } catch (error) {
    return { error: error.message, proves: provesNotRun(error) };
  }
  return { read: whole ? reply : Object.values(decision(reply, 10 ** 12)).slice(0, 6) };
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

async function hold({ limits, prefix, group, functions, held, used, most }) {
  const llm = new Reservations(sender, "llm", 3_600_000, { prefix, functions, timeoutMs: 60_000 });
  const [tokens, places] = Object.entries(limits).map(([policy, limit]) => EntryLimit.parse(policy, limit));
  const untilDenied = async () => {
    let units = 0;
    while (units < used * most) {
      const call = await llm.reserve(group, [tokens.reserve(held), places.reserve()]);
      if (call.allowed) {
        if ((await call.settle(used)) !== "settled") throw new Error("a call was not settled");
        units += used;
      } else if (call.answer.denying === 0 && call.usages[0].held === 0) {
        break;
      } else {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    return units;
  };
  const each = await Promise.all(Array.from({ length: AT_ONCE }, untilDenied));
  return { admitted: each.reduce((sum, units) => sum + units, 0) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = await (question.load ? load : question.words ? call : question.held ? hold : share)(question);
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit();
