// Denials that are known without asking: near.json with clocks of the test's own, and the limiters on a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import IoRedis from "ioredis";
import { Decision, RateLimiter, fixedWindow, ioredis, key, parseLimit } from "penstock-redis";
import { NAMES, PREFIX, REDIS, inside, isCluster, serversDo, subject, vectors, withClient } from "./servers.mjs";

const { DenialMemory } = await inside("near.js");
const HOUR = 3_600_000;
const FIVE = fixedWindow(5, HOUR);
const limiterOf = (sender, { limit = FIVE, ...options } = {}) =>
  new RateLimiter(sender, "api", limit, { prefix: PREFIX, timeoutMs: 60_000, rememberDenialsMs: HOUR, ...options });

test("near.json", () => {
  for (const { name, most_us: most, steps } of vectors("near", "sequences")) {
    let [now, apart] = [0, 1e15];
    const sent = new Map();
    const memory = new DenialMemory(100, () => ({ now, apart }));
    for (const step of steps) {
      // The clocks of whatever is sent until this step.
      for (const { sent_us: at } of steps) if (at >= now && at <= step.at_us && !sent.has(at)) sent.set(at, { now: at, apart });
      now = step.at_us;
      const call = step.denied ?? step.asked;
      if (step.denied) {
        memory.remember(call.key, parseLimit(call.limit), call.cost, new Decision(...step.reply), sent.get(step.sent_us));
      } else if (step.asked) {
        const told = memory.find(call.key, parseLimit(call.limit), call.cost, most);
        assert.deepEqual(told, step.told === null ? undefined : new Decision(...step.told), `${name}: ${JSON.stringify(step)}`);
      } else if (step.given_back) {
        memory.forget(step.given_back);
      } else {
        apart += step.wall_steps_us;
      }
    }
  }
});

test("as many are remembered as may be", () => {
  const clocks = { now: 0, apart: 0 };
  const memory = new DenialMemory(1_000, () => clocks);
  const denied = new Decision(0, 5, 0, HOUR * 1_000, HOUR * 1_000, 1);
  const keys = Array.from({ length: 5_000 }, (_, at) => `penstock:api:{${at}}:w1`);
  keys.forEach((key) => memory.remember(key, FIVE, 1, denied, clocks));
  const known = keys.filter((key) => memory.find(key, FIVE, 1, Infinity)).length;
  assert.ok(known >= 500 && known <= 1_000, `${known}`);
  assert.ok(memory.find(keys.at(-1), FIVE, 1, Infinity));
  memory.remember("k".repeat(513), FIVE, 1, denied, clocks);
  assert.equal(memory.find("k".repeat(513), FIVE, 1, Infinity), undefined);
});

for (const name of NAMES) {
  test(`${name}: a denial that is known sends nothing`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [who, told] = [subject(), []];
      const limiter = limiterOf(sender, { onOutcome: ({ decision }) => told.push(decision) });
      const other = limiterOf(sender);
      // As if somebody else had given it back: only memory denies then.
      const lost = () => raw("DEL", key("api", who, FIVE, PREFIX));
      assert.ok((await limiter.acquire(who, 5)).allowed);
      const denied = await limiter.acquire(who, 2);
      await lost();
      for (const known of [await limiter.acquire(who, 5), await limiter.acquireUpTo(who, 9, 2), await other.acquire(who, 2)]) {
        assert.deepEqual([known.allowed, known.limit, known.remaining, known.enforced], [false, 5, 0, true]);
        assert.ok(known.waitUs > 0 && known.waitUs <= denied.waitUs);
      }
      assert.deepEqual(told.map(({ allowed }) => allowed), [true, false, false, false]);
      // Another limit, a smaller cost, no memory and a peek ask.
      assert.ok((await limiterOf(sender, { limit: fixedWindow(6, HOUR) }).acquire(who, 2)).allowed);
      assert.ok((await limiter.acquire(who, 1)).allowed);
      assert.equal((await limiter.peek(who)).remaining, 2);
      assert.ok((await limiterOf(sender, { rememberDenialsMs: 0 }).acquire(who, 2)).allowed);
      // One unit is denied now, and a batch knows it.
      assert.equal((await limiter.acquire(who)).allowed, false);
      await lost();
      const batch = await limiter.acquireAll([who, subject(), who]);
      assert.deepEqual(batch.map(({ value }) => value.allowed), [false, true, false]);
      // What is given back is seen at once.
      await other.refund(who, 1);
      assert.ok((await limiter.acquire(who)).allowed);
    }));

  test(`${name}: a refund that fails forgets`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [who, limiter] = [subject(), limiterOf(sender)];
      await limiter.acquire(who, 5);
      assert.equal((await limiter.acquire(who)).allowed, false);
      await raw("SET", key("api", who, FIVE, PREFIX), "x");
      await assert.rejects(limiter.reset(who), /state must be/);
      await raw("DEL", key("api", who, FIVE, PREFIX));
      assert.ok((await limiter.acquire(who)).allowed);
    }));

  if (isCluster(name)) continue;

  test(`${name}: a denial is known while the server is stopped, and an outage is not`, () =>
    withClient(name, async ({ sender }) => {
      // Longer than the machine takes to stop the server.
      const remembering = { rememberDenialsMs: 10_000 };
      const [who, lost, limiter] = [subject(), subject(), limiterOf(sender, remembering)];
      await limiter.acquire(who, 5);
      assert.equal((await limiter.acquire(who)).allowed, false);
      const hasty = limiterOf(sender, { ...remembering, timeoutMs: 300, onUnavailable: "deny" });
      serversDo("stop");
      try {
        assert.equal((await hasty.acquire(who)).enforced, true);
        assert.equal((await hasty.acquire(lost)).enforced, false);
      } finally {
        serversDo("cont");
      }
      assert.ok((await limiter.acquire(lost)).allowed);
    }));
}

test("ioredis: senders of one client remember together", async () => {
  const client = new IoRedis({ port: REDIS });
  const [[one, two], who] = [[ioredis(client), ioredis(client)], subject()];
  await limiterOf(one).acquire(who, 5);
  await limiterOf(one).acquire(who);
  await client.del(key("api", who, FIVE, PREFIX));
  assert.equal((await limiterOf(two).acquire(who)).allowed, false);
  client.disconnect();
});

test("a time that is none", () => {
  for (const rememberDenialsMs of [-1, NaN]) {
    const sender = ioredis(new IoRedis({ lazyConnect: true }));
    assert.throws(() => limiterOf(sender, { rememberDenialsMs }), /^RangeError: rememberDenialsMs must be/);
  }
});
