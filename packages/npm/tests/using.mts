// Compiled, and run by a test.
import { EntryLimit, fixedWindow, type Reservations, type SettleResult } from "penstock-redis";

const tokens = EntryLimit.of("tpm", fixedWindow(1000, 3_600_000));

export async function served(llm: Reservations, group: string, work: () => Promise<number>): Promise<SettleResult> {
  await using call = await llm.reserve(group, [tokens.reserve(400)]);
  return await call.settle(await work());
}
