// Random calls of all scripts on a few keys, at times of the caller's that mostly go on.
import { randomFrom } from "../playground/src/state.js";

const START_US = 1763712000000000;

/** `kinds` are the scripts of limits, as their headers describe them. */
export function randomCalls(seed, count, kinds) {
  const next = randomFrom(seed);
  const below = (bound) => Math.floor(next() * bound);
  const one = (list) => list[below(list.length)];
  const lengths = [7, 1_000, 333_333, 3_000_000, 60_000_000];
  const tier = ({ tier }) => [1 + below(30), ...tier.slice(2).map(() => 1 + below(12)), one(lengths)];
  const policies = Array.from({ length: 30 }, (_, at) => {
    const kind = one(kinds);
    return { kind: kind.name, key: `penstock:random:{s}:${at}`, tiers: Array.from({ length: one([1, 1, 1, 2, 3, 5]) }, () => tier(kind)) };
  });
  const held = Array.from({ length: 8 }, (_, at) => {
    const kind = one(kinds.filter(({ holds }) => holds));
    return { kind: kind.name, key: `penstock:held:{s}:${at}`, tiers: [tier(kind)] };
  });
  const open = [];
  let nowUs = START_US;

  function decision() {
    const { kind, key, tiers } = one(policies);
    const cost = one([1, 1, 1, 1 + below(9), below(40), 0, -1 - below(9), `${1 + below(4)}*${1 + below(20)}`, 1.5, "x"]);
    return { script: kind, keys: [key], args: [cost, ...tiers.flat(), nowUs].map(String) };
  }

  function reservation(at) {
    const entries = [...new Set([one(held), one(held)])];
    const [keep, receipt] = [one([1_000, 500_000, 60_000_000]), `penstock:{s}:id${below(4) ? at : below(at + 1)}`];
    const words = entries.flatMap(({ kind, tiers }) => ["reserve", kind, 1 + below(12), tiers.length, ...tiers.flat()]);
    const keys = [...entries.map(({ key }) => key), receipt];
    open.push(keys);
    return { script: "reserve", keys, args: [keep, nowUs, ...words].map(String) };
  }

  function settlement() {
    const keys = one(open.slice(-20));
    return { script: "settle", keys, args: [one([0, 0, 500_000]), nowUs, ...keys.slice(1).map(() => below(15))].map(String) };
  }

  return Array.from({ length: count }, (_, at) => {
    nowUs += one([0, 1, 500, 20_000, 20_000, 700_000, 5_000_000, -30_000]);
    const kind = below(20);
    const call = kind < 14 || !open.length && kind > 16 ? decision() : kind < 17 ? reservation(at) : settlement();
    return { ...call, nowUs };
  });
}
