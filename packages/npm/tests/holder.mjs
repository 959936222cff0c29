// Reserves, says so, and is killed by a test.
import { EntryLimit, Reservations, fixedWindow, nodeRedis } from "penstock-redis";
import { createClient } from "redis";

const [prefix, group] = process.argv.slice(2);
const client = createClient({ socket: { port: Number(process.env.PENSTOCK_REDIS) } });
await client.connect();
const llm = new Reservations(nodeRedis(client), "llm", 6_000, { prefix, timeoutMs: 6_000 });
const budget = EntryLimit.of("tpm", fixedWindow(1000, 3_600_000));
const call = await llm.reserve(group, [budget.reserve(400), EntryLimit.concurrency("in-flight", 2).reserve(2)]);
console.log(call.allowed);
process.stdin.resume();
