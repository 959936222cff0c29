import { EntryLimit, slidingWindow } from "penstock-redis";

const tokens = EntryLimit.of("tpm", slidingWindow(100_000, 60_000));

/** Passes on the words of a model; undefined if the limit denies. */
export async function streamed(llm, tenant, words) {
  const call = await llm.reserve(tenant, [tokens.reserve(1_500)]);
  return call.allowed ? counted(call, words) : undefined;
}

async function* counted(call, words) {
  let used = 0;
  try {
    for await (const word of words) {
      used++;
      if (used % 1_000 === 0) await call.renew(used);
      yield word;
    }
  } finally {
    // Also where the client has gone away. After an error, what is held runs out by itself.
    await call.settle(used).catch(console.error);
  }
}
