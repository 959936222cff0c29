// The circuit breaker: circuit.json with a clock of the test's own, and the limiters on a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CircuitBreaker, EntryLimit, RateLimiter, Reservations, fixedWindow } from "penstock-redis";
import { NAMES, PREFIX, isCluster, serversDo, subject, vectors, withClient } from "./servers.mjs";

const HOUR = 3_600_000;
const WINDOW = fixedWindow(1000, HOUR);
const limiterOf = (sender, options) => new RateLimiter(sender, "api", WINDOW, { prefix: PREFIX, timeoutMs: 60_000, ...options });

test("circuit.json", () => {
  for (const { name, length_us: length, steps } of vectors("circuit", "sequences")) {
    let now = 0;
    const breaker = new CircuitBreaker(length / 1_000, () => now);
    for (const { at_us: at, lost = 0, answered = 0, sends = [], open } of steps) {
      now = at / 1_000;
      for (let each = 0; each < lost; each++) breaker.note(["not_sent", "not_answered"][each % 2]);
      for (let each = 0; each < answered; each++) breaker.note([undefined, "overloaded", "unavailable"][each % 3]);
      assert.deepEqual(sends.map(() => breaker.refusal() === undefined), sends, `${name}: ${at}`);
      assert.equal(breaker.open, open ?? breaker.open, `${name}: ${at}`);
    }
  }
});

for (const name of NAMES) {
  if (isCluster(name)) {
    test(`${name} has no circuit breaker`, () =>
      withClient(name, async ({ sender }) => {
        const must = { name: "TypeError", message: /^circuitBreaker must be for the client of a single server/ };
        assert.throws(() => limiterOf(sender, { circuitBreaker: new CircuitBreaker(HOUR) }), must);
        assert.throws(() => new Reservations(sender, "llm", HOUR, { circuitBreaker: new CircuitBreaker(HOUR) }), must);
      }));
    continue;
  }

  test(`${name}: F1 a server that does not answer is left alone`, { timeout: 120_000 }, () =>
    withClient(name, async ({ sender }) => {
      const [long, short] = [new CircuitBreaker(HOUR), new CircuitBreaker(10)];
      await limiterOf(sender).acquire(subject());
      const told = [];
      const hasty = { timeoutMs: 300, onUnavailable: "allow", onOutcome: ({ error }) => told.push(error) };
      const limiters = [long, short].map((circuitBreaker) => limiterOf(sender, { ...hasty, circuitBreaker }));
      // It would wait for longer than the test may take.
      const patient = limiterOf(sender, { timeoutMs: HOUR, circuitBreaker: long, onUnavailable: "deny" });
      serversDo("stop");
      try {
        for (let call = 0; call < 5; call++) {
          assert.equal(long.open, false);
          for (const limiter of limiters) assert.equal((await limiter.acquire(subject())).enforced, false);
        }
        assert.deepEqual([long.open, short.open], [true, true]);
        const denied = await patient.acquire(subject(), 5);
        assert.deepEqual([denied.allowed, denied.enforced, denied.limit], [false, false, 1000]);
        assert.equal((await limiters[0].acquireUpTo(subject(), 3, 2)).granted, 3);
        assert.match(told.at(-1).message, /nothing was charged: the circuit is open, since the server did not answer 5 calls in a row$/);
        const batch = await patient.acquireAll([subject(), subject()]);
        assert.deepEqual(batch.map(({ value }) => value.enforced), [false, false]);
        await assert.rejects(limiterOf(sender, { circuitBreaker: long }).acquire(subject()), { name: "NotSentError" });
        const cancelled = limiters[0].acquire(subject(), 1, { signal: AbortSignal.abort(new Error("enough")) });
        await assert.rejects(cancelled, { name: /^(NotSent|Overloaded)Error$/, message: /enough/ });
        // Peeks and refunds are sent.
        for (const call of [limiters[0].peek(subject()), limiters[0].refund(subject(), 1)]) {
          await assert.rejects(call, (error) => error.kind === "not_answered");
        }
      } finally {
        serversDo("cont");
      }
      const healing = limiterOf(sender, { circuitBreaker: short, onUnavailable: "allow" });
      while (short.open) await healing.acquire(subject());
      assert.equal((await healing.acquire(subject())).enforced, true);
      // A peek's answer is one, too.
      assert.equal(long.open, true);
      for (let call = 0; call < 3; call++) await limiterOf(sender, { circuitBreaker: long }).peek(subject());
      assert.equal(long.open, false);
    }));

  test(`${name}: F1 reservations`, { timeout: 120_000 }, () =>
    withClient(name, async ({ sender }) => {
      const [circuitBreaker, events, budget] = [new CircuitBreaker(HOUR), [], EntryLimit.of("tpm", WINDOW)];
      const made = (options) => new Reservations(sender, "llm", HOUR, { prefix: PREFIX, circuitBreaker, ...options });
      const hasty = made({ timeoutMs: 300, onUnavailable: "allow" });
      const patient = made({ timeoutMs: HOUR, onEvent: ({ kind }) => events.push(kind) });
      const held = await patient.reserve(subject(), [budget.reserve(1)]);
      serversDo("stop");
      try {
        while (!circuitBreaker.open) assert.equal((await hasty.reserve(subject(), [budget.reserve(1)])).enforced, false);
        assert.equal((await hasty.reserve(subject(), [budget.reserve(1)])).enforced, false);
        await assert.rejects(patient.reserve(subject(), [budget.reserve(1)]), { name: "NotSentError", message: /the circuit is open/ });
      } finally {
        serversDo("cont");
      }
      // Settlements are sent, and the answers of three close it.
      for (let call = 0; call < 3; call++) {
        assert.equal(circuitBreaker.open, true);
        assert.equal(await held.renew(), "settled");
      }
      assert.equal(circuitBreaker.open, false);
      assert.deepEqual(events, ["reserved", "undecided", "renewed", "renewed", "renewed"]);
    }));
}

test("what is no circuit breaker", () =>
  withClient("ioredis", async ({ sender }) => {
    for (const length of [0, 9, 3_600_001, NaN, undefined]) {
      assert.throws(() => new CircuitBreaker(length), { name: "RangeError", message: `lengthMs must be from 10 to 3600000: ${length}` });
    }
    assert.throws(() => limiterOf(sender, { circuitBreaker: 1_000 }), { name: "TypeError", message: "circuitBreaker must be a CircuitBreaker" });
  }));
