import { EntryLimit, slidingWindow, tokenBucket } from "penstock-redis";

const requests = EntryLimit.of("rpm", slidingWindow(60, 60_000));
const tokens = EntryLimit.of("tpm", tokenBucket(100_000, 100_000, 60_000));
const inFlight = EntryLimit.concurrency("in-flight", 10);

/** Asks a model that tells how many tokens it used; undefined if a limit denies. */
export async function ask(llm, tenant, user, model) {
  const entries = [requests.charge(1).within(user), tokens.reserve(4_000).within(user), tokens.reserve(4_000), inFlight.reserve()];
  const call = await llm.reserve(tenant, entries); // With TypeScript or Node.js 24: await using call = ...
  try {
    if (!call.allowed) return undefined;
    const { text, used } = await model();
    // A settlement that fails costs no answer.
    await call.settle(used).catch(console.error);
    return text;
  } finally {
    await call.close(); // Settles the estimates, unless the call was settled.
  }
}
