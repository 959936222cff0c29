// Calls that share trips: trips.json with times of its own, and limiters on a real server (rules C1 to C6).
import assert from "node:assert/strict";
import { createServer, connect } from "node:net";
import { test } from "node:test";
import { CircuitBreaker, MaybeChargedError, RateLimiter, fixedWindow, key, tokenBucket } from "penstock-redis";
import { FORMS, NAMES, PREFIX, REDIS, inside, isCluster, subject, vectors, withClient } from "./servers.mjs";

const { TripGroup } = await inside("trips.js");
const DAY = 86_400_000;
const DAYS = 30 * DAY;
const SINGLE = NAMES.filter((name) => !isCluster(name));
const limiterOf = (sender, limit, options = {}) => new RateLimiter(sender, "trips", limit, { prefix: PREFIX, timeoutMs: 60_000, ...options });
const together = async (limiter, who, callers, calls, cost = 1) => {
  const outcomes = [];
  await Promise.all(Array.from({ length: callers }, async () => {
    for (let call = 0; call < calls; call++) outcomes.push(await limiter.acquire(who, cost));
  }));
  return outcomes;
};
const commands = async (raw) =>
  [...String(await raw("INFO", "commandstats")).matchAll(/cmdstat_(?:eval|evalsha|fcall):calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);

test("trips.json", () => {
  for (const { cost, in: steps, out } of vectors("trips", "histories")) {
    let now;
    const [done, trips] = [[], []];
    const written = (outcome) => (Array.isArray(outcome) ? outcome : { error: outcome.error, ran: outcome.ran ?? null, needs_source: outcome.needsSource === true });
    const group = new TripGroup(cost, {
      learnt: () => false,
      end: (ends, outcome) => done.push({ at_ms: now, ends, outcome: written(outcome) }),
      send(trip) {
        trips.push(trip);
        done.push({ at_ms: now, sends: [...trip.calls], commands: trip.commands, by_source: trip.bySource });
      },
    });
    for (const step of steps) {
      now = step.at_ms;
      if ("enters" in step) group.enter(step.enters, now);
      else if ("leaves" in step) group.leave(step.leaves);
      else if ("cancels" in step) group.cancel(step.cancels);
      else if (step.advances) group.advance(now);
      else {
        const outcomes = step.outcomes.map((each) => (Array.isArray(each) ? each : { error: each.error, ran: each.ran ?? undefined, needsSource: each.needs_source }));
        group.answered(trips[step.answered - 1], outcomes, now);
      }
    }
    assert.deepEqual(done, out);
    assert.ok(group.isOver);
  }
});

for (const name of NAMES) {
  for (const form of FORMS) {
    test(`C3 ${name}, ${form}: each call gets what it would get alone`, () =>
      withClient(name, async ({ sender }) => {
        const limit = tokenBucket(400, 1, DAYS).and(tokenBucket(10_000, 10_000, DAYS));
        const limiter = limiterOf(sender, limit, { functions: form === "FCALL" });
        if (form === "FCALL") await limiter.loadFunctions();
        const outcomes = await together(limiter, subject(), 40, 15, 3);
        const granted = outcomes.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
        assert.deepEqual(granted.sort((a, b) => a - b), Array.from({ length: 133 }, (_, at) => 1 + 3 * at));
        for (const denied of outcomes.filter(({ allowed }) => !allowed)) {
          assert.deepEqual([denied.remaining, denied.tier, denied.enforced], [1, 1, true]);
          assert.ok(denied.retryAfterMs > 59 * DAY && denied.retryAfterMs <= 60 * DAY, `${denied.retryAfterMs}`);
        }
        assert.equal(outcomes.length, 600);
      }));
  }
}

for (const name of SINGLE) {
  test(`C1 ${name}: trips are fewer, and can be switched off`, () =>
    withClient(name, async ({ raw, sender }) => {
      const counts = [];
      for (const shareTrips of [true, false]) {
        const limiter = limiterOf(sender, fixedWindow(10 ** 6, DAY), { shareTrips });
        await limiter.acquire("any");
        const before = await commands(raw);
        const outcomes = await together(limiter, subject(), 64, 20);
        counts.push((await commands(raw)) - before);
        const remaining = outcomes.map((outcome) => outcome.remaining).sort((a, b) => b - a);
        assert.deepEqual(remaining, Array.from({ length: 1280 }, (_, at) => 10 ** 6 - 1 - at));
      }
      assert.ok(counts[0] < 0.5 * counts[1] && counts[1] >= 1280, `${counts}`);
      assert.throws(() => limiterOf(sender, fixedWindow(5, DAY), { shareTrips: 1 }), /^TypeError: shareTrips must be true or false: 1$/);
    }));

  test(`C4 ${name}: a server that forgets the script`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [limit, who] = [fixedWindow(10 ** 6, DAY), subject()];
      const limiter = limiterOf(sender, limit);
      let over = false;
      const flushing = (async () => {
        while (!over) await raw("SCRIPT", "FLUSH");
      })();
      const outcomes = await together(limiter, who, 32, 20);
      over = true;
      await flushing;
      assert.equal(new Set(outcomes.map(({ remaining }) => remaining)).size, 640);
      assert.equal((await limiter.peek(who)).remaining, 10 ** 6 - 640);
    }));

  test(`C5 ${name}: a call that is cancelled leaves its unit to the next`, () =>
    withClient(name, async ({ sender }) => {
      const [limit, who] = [tokenBucket(100, 1, DAYS), subject()];
      const limiter = limiterOf(sender, limit);
      const controllers = Array.from({ length: 200 }, () => new AbortController());
      const calls = controllers.map(({ signal }) => limiter.acquire(who, 1, { signal }));
      controllers.slice(50, 150).forEach((each) => each.abort());
      const outcomes = await Promise.allSettled(calls);
      const allowed = outcomes.flatMap(({ value }, at) => (value?.allowed && value.enforced ? [at] : []));
      assert.deepEqual(allowed.slice(0, 50), Array.from({ length: 50 }, (_, at) => at));
      assert.ok(allowed.length >= 99, `${allowed.length}`);
      assert.equal((await limiter.peek(who)).remaining, 0);
    }));

  test(`C4 ${name}: an error is that of each call`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [limit, who] = [tokenBucket(10, 1, DAY), subject()];
      await raw("LPUSH", key("trips", who, limit, PREFIX), "of another type");
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => limiterOf(sender, limit).acquire(who)));
      const limiter = limiterOf(sender, limit);
      outcomes.push(...(await Promise.allSettled(Array.from({ length: 30 }, () => limiter.acquire(who)))));
      for (const { reason } of outcomes) assert.match(String(reason), /WRONGTYPE/);
    }));

  test(`C4 ${name}: answers that are cut off are charged at most once, and a trip counts once for the breaker`, async () => {
    let cuts = false;
    const proxy = createServer((one) => {
      const other = connect(REDIS, "127.0.0.1");
      one.on("data", (data) => other.write(data));
      other.on("data", (data) => (cuts ? one.destroy() : one.write(data)));
      for (const [from, to] of [[one, other], [other, one]]) from.on("error", () => {}).on("close", () => to.destroy());
    });
    await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const plays = async ({ sender }) => {
      const [limit, who, errors, told] = [fixedWindow(10 ** 6, DAY), subject(), [], []];
      const circuitBreaker = new CircuitBreaker(10);
      const limiter = limiterOf(sender, limit, {
        onUnavailable: "allow", onOverload: "allow", timeoutMs: 500, circuitBreaker, onOutcome: ({ error }) => error && errors.push(error),
      });
      told.push(await limiter.acquire(who));
      for (let at = 0; at < 6; at++) {
        cuts = at % 2 === 1;
        const until = performance.now() + 50;
        while (performance.now() < until) told.push(...(await together(limiter, who, 25, 4)));
      }
      cuts = false;
      // The client reconnects by its own back-off.
      while (!(await limiter.acquire(who).then((outcome) => (told.push(outcome), outcome.enforced)))) await new Promise((resolve) => setTimeout(resolve, 20));
      const enforced = told.filter((outcome) => outcome.enforced).length;
      const charged = 10 ** 6 - (await limiter.peek(who)).remaining;
      const maybe = errors.filter((error) => error instanceof MaybeChargedError || error.charged).length;
      assert.ok(enforced <= charged && charged <= enforced + maybe, `${enforced} enforced, ${charged} charged, ${maybe} may have been`);
      assert.ok(maybe > 0 && enforced > 100);
    };
    await withClient(name, plays, { port: proxy.address().port });
    proxy.close();
  });
}
