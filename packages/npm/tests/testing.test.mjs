// The server in memory decides as the scripts do: their vectors, but for states that are put under a key, and odd or wrong arguments.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import express from "express";
import { EntryLimit, PendingCall, RateLimiter, Reservations, SCRIPTS, fixedWindow } from "penstock-redis";
import { rateLimit } from "penstock-redis/express";
import { memorySender } from "penstock-redis/testing";
import { vectors } from "./vectors.mjs";

const HOUR = 3_600_000;

for (const { name, sha1, function: own } of SCRIPTS) {
  test(`${name} in memory`, async () => {
    let [played, at] = [0, 0];
    const isPlain = (text) => /^-?\d+(\*\d+)?$/.test(text);
    const meant = ({ steps }) => steps.every(({ before, error, args }) => before === undefined && error === undefined && args.every(isPlain));
    for (const { name: sequence, steps } of vectors(name, "sequences", meant)) {
      const sender = memorySender();
      for (const { keys, args, reply } of steps) {
        const target = at++ % 2 ? ["EVALSHA", sha1] : ["FCALL", own];
        const found = await sender.send(keys[0], [...target, "1", keys[0], ...args], new PendingCall());
        assert.deepEqual(found, reply, `${sequence}: ${args}`);
      }
      played++;
    }
    assert.ok(played > 30, `${played}`);
  });
}

test("a limiter in memory, with the test's own time", async () => {
  let now = Date.now();
  const sender = memorySender({ now: () => now });
  const [limiter, other] = ["api", "other"].map((policy) => new RateLimiter(sender, policy, fixedWindow(5, HOUR), { onUnavailable: "deny" }));
  assert.deepEqual((await limiter.acquireAll(["a", "b", "a"])).map(({ value }) => value.remaining), [4, 4, 3]);
  assert.equal((await limiter.acquireUpTo("a", 9)).granted, 3);
  assert.equal((await limiter.acquire("a")).retryAfterMs, HOUR);
  assert.equal((await other.acquire("a")).allowed, true);
  assert.equal((await limiter.refund("a", 2)).remaining, 2);
  now += HOUR;
  assert.equal((await limiter.peek("a")).remaining, 5);
  sender.down = true;
  assert.deepEqual(await limiter.acquire("a").then(({ allowed, enforced }) => [allowed, enforced]), [false, false]);
  await assert.rejects(limiter.peek("a"), { name: "NotSentError", message: /the server in memory is down/ });
  const tokens = EntryLimit.of("tpm", fixedWindow(5, HOUR));
  sender.down = false;
  await assert.rejects(new Reservations(sender, "llm", HOUR).reserve("g", [tokens.reserve(1)]), /there are no reservations in memory/);
});

test("a middleware in memory", async (t) => {
  const sender = memorySender();
  const app = express().use(rateLimit(sender, "api", "fixed-window:2/1h"));
  app.get("/", (_request, response) => response.send("Hello"));
  const server = app.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const status = async () => (await fetch(`http://127.0.0.1:${server.address().port}/`)).status;
  assert.deepEqual([await status(), await status(), await status()], [200, 200, 429]);
  sender.down = true;
  assert.equal(await status(), 503);
});
