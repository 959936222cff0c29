// The limiters on a real server, on a real cluster, and through a proxy that loses answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import IoRedis from "ioredis";
import {
  MaybeChargedError, NotSentError, PendingCall, RateLimiter, fixedWindow, ioredis, key, leakyBucket, nodeRedis, provesNotRun, tokenBucket,
} from "penstock-redis";
import { createClient, createCluster, createSentinel } from "redis";
import { CLUSTER, FORMS, MEASURES, NAMES, PREFIX, PROXY, REDIS, isCluster, measured, serversDo, subject, versionOf, withClient } from "./servers.mjs";

const HOUR = 3_600_000;
const WINDOW = fixedWindow(1000, HOUR);
const limiterOf = (sender, { policy = "api", limit = WINDOW, ...options } = {}) =>
  new RateLimiter(sender, policy, limit, { prefix: PREFIX, timeoutMs: 60_000, ...options });
const remaining = (outcomes) => outcomes.map(({ value, reason }) => value?.remaining ?? reason);

/** The units in a fixed window, read without a script. */
async function used(raw, policy, who, limit = WINDOW) {
  const state = await raw("GET", key(policy, who, limit, PREFIX));
  return Number(state?.split(":")[1] ?? 0);
}

for (const name of NAMES) {
  for (const form of FORMS) {
    test(`${name}: all that a limiter does, by ${form}`, () =>
      withClient(name, async ({ raw, sender }) => {
        const limit = tokenBucket(10, 1, HOUR).and(tokenBucket(20, 1, HOUR));
        const options = { functions: form === "FCALL" };
        const limiter = limiterOf(sender, { limit, ...options });
        if (options.functions) await limiter.loadFunctions();
        const [who, other] = [subject(), subject()];
        const first = await limiter.acquire(who, 4);
        assert.deepEqual([first.allowed, first.limit, first.remaining, first.tier], [true, 10, 6, 1]);
        assert.equal((await limiter.acquire(who, 7)).allowed, false);
        assert.equal((await limiter.acquire(who, 11)).retryAfterMs, Infinity);
        assert.equal((await limiter.peek(who)).remaining, 6);
        assert.equal((await limiter.refund(who, 3)).remaining, 9);
        const many = await limiter.acquireAll([who, other, who, ...Array.from({ length: 20 }, subject)]);
        // A cluster's connections are made meanwhile, so the two calls of one subject may change places.
        const [one, , two, ...rest] = remaining(many);
        assert.deepEqual([[one, two].sort(), many[1].value.remaining, rest], [[7, 8], 9, Array(20).fill(9)]);
        const each = await limiter.acquireEach([[who, 2], [other, 3], [Buffer.from(subject()), 4], [other, 0], [subject(), 11]]);
        assert.deepEqual(each.slice(0, 3).map(({ value }) => value.remaining), [5, 6, 6]);
        assert.match(String(each[3].reason), /^RangeError: cost must/);
        assert.equal(each[4].value.retryAfterMs, Infinity);
        assert.equal((await limiter.reset(who)).remaining, 10);
        const some = await limiter.acquireUpTo(who, 64, 3);
        assert.deepEqual([some.granted, some.allowed, some.remaining, some.retryAfterMs], [3, true, 1, 0]);
        const none = await limiter.acquireUpTo(who, 64, 3);
        assert.deepEqual([none.granted, none.allowed, none.retryAfterMs > 0], [0, false, true]);
        await limiter.reset(who);
        assert.equal(await raw("EXISTS", key("api", who, limit, PREFIX)), 0);
        const turns = limiterOf(sender, { limit: leakyBucket(10, 1, 10_000), ...options });
        await turns.acquire(who);
        const { delayMs } = await turns.acquire(who);
        assert.ok(delayMs > 0 && delayMs <= 10_000);
        await assert.rejects(limiter.acquire(who, 0), /^RangeError: cost must/);
        await assert.rejects(limiter.acquireUpTo(who, 10 ** 11 + 1, 10), /^RangeError: calls must/);
        await assert.rejects(limiter.acquire(""), /^RangeError: subject must/);
        assert.throws(() => limiterOf(sender, { policy: "a b" }), /^RangeError: policy must/);
        await raw("SET", key("api", who, limit, PREFIX), "x");
        await assert.rejects(limiter.acquire(who), /^(?!MaybeCharged).*penstock token-bucket: state /);
      }));
  }

  test(`${name}: the server of a key is known`, () =>
    withClient(name, async ({ client, sender }) => {
      if (!isCluster(name)) return assert.equal(sender.serverOf, undefined);
      await limiterOf(sender).acquire(subject());
      const servers = new Set();
      for (const tagged of [subject(), `a{${subject()}}b`, `{}${subject()}`, `{${subject()}`, `é{ü}{}`, ...Array.from({ length: 20 }, subject)]) {
        const slot = await withClient("node-redis", (single) => single.raw("CLUSTER", "KEYSLOT", tagged), { port: CLUSTER });
        const known = "slots" in client && client.masters ? client.slots[slot].master.address : sender.connection.own.slots[slot][0];
        assert.equal(sender.serverOf(tagged), known);
        servers.add(known);
      }
      assert.equal(servers.size, 3);
    }));

  test(`${name}: a batch has at most 10,000 calls`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [who, limit] = [subject(), fixedWindow(10_000, HOUR)];
      const limiter = limiterOf(sender, { limit });
      const refused = (argument) => ({ name: "RangeError", message: `${argument} must be at most 10000 in a batch: 10001` });
      await assert.rejects(limiter.acquireAll(Array(10_001).fill(who)), refused("subjects"));
      await assert.rejects(limiter.acquireEach(Array(10_001).fill([who, 1])), refused("calls"));
      assert.equal(await used(raw, "api", who, limit), 0);
      const outcomes = await limiter.acquireAll(Array(10_000).fill(who));
      assert.ok(outcomes.every(({ value }) => value?.allowed));
      assert.equal(await used(raw, "api", who, limit), 10_000);
    }));

  test(`${name}: the Functions are loaded on every master`, { skip: !FORMS.includes("FCALL") && "the server has no Functions" }, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { functions: true });
      serversDo("flush");
      await assert.rejects(limiter.acquire(subject()), /^(?!MaybeCharged).*Function not found/);
      await limiter.loadFunctions();
      const ports = isCluster(name) ? serversDo("masters").trim().split(" ").map(Number) : [REDIS];
      for (const port of ports) {
        await withClient("node-redis", async ({ raw }) => assert.equal((await raw("FUNCTION", "LIST")).length, 1, `${port}`), { port });
      }
      assert.deepEqual(remaining(await limiter.acquireAll(Array.from({ length: 50 }, subject))), Array(50).fill(999));
    }));

  for (const fault of ["lost", "late"]) {
    test(`${name}: charged once when the answer is ${fault}`, { timeout: 120_000 }, () =>
      withClient(name, async ({ client, raw, sender }) => {
        serversDo("load", { said: WINDOW.script.source });
        const limiter = limiterOf(sender, { policy: fault, timeoutMs: 1_000 });
        const [who, plain] = [subject(), subject()];
        // Asked for on the sender's own connection, which is there when it answers.
        const count = (each) => {
          if (fault === "late") serversDo("release");
          return settledCount(() => used((...command) => sender.send(command[1], command, new PendingCall()), fault, each));
        };
        assert.equal(await count(who), 0);
        await assert.rejects(limiter.acquire(who), MaybeChargedError);
        const then = await count(who);
        assert.equal(then, 1);
        await assert.rejects(limiter.refund(who, 1), MaybeChargedError);
        assert.ok((await count(who)) <= 1, "a refund that has no answer may have run or not");
        await assert.rejects(limiter.peek(who), (error) => !(error instanceof MaybeChargedError));
        const batch = [subject(), subject(), subject()];
        // A count that is answered means that the connection to that node is there again.
        assert.deepEqual(await Promise.all(batch.map(count)), [0, 0, 0]);
        const outcomes = await limiter.acquireAll(batch);
        assert.ok(outcomes.every(({ reason }) => reason instanceof MaybeChargedError));
        // Those that the client had not sent when the connection was cut are charged 0 times.
        const each = await Promise.all(batch.map(count));
        assert.ok(each.includes(1) && each.every((charges) => charges <= 1), `${each}`);
        if (!MEASURES) return;
        const command = ["EVALSHA", WINDOW.script.sha1, "1", key(fault, plain, WINDOW, PREFIX), "1", ...WINDOW.args];
        const sent = raw(...command).catch((error) => error);
        await Promise.race([sent, pause(8_000)]);
        serversDo("release");
        const endless = name.startsWith("ioredis");
        // ioredis never settles a call that is between two of its connections when it is closed.
        endless ? client.disconnect() : await sent;
        const byDefault = await (endless ? withClient(name, (later) => used(later.raw, fault, plain)) : count(plain));
        measured(name, versionOf(endless ? "ioredis" : "redis"), fault, byDefault, then);
      }, { port: PROXY }));
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** A count, asked for until the connection that lost an answer is there again, and once more when everything had time to be repeated. */
async function settledCount(count) {
  const answered = async () => {
    for (;;) {
      try {
        return await count();
      } catch {
        await pause(50);
      }
    }
  };
  await answered();
  await pause(250);
  return answered();
}

for (const name of NAMES.filter(isCluster)) {
  for (const flushed of [false, true]) {
    test(`${name}: MOVED and ASK are followed${flushed ? ", also after NOSCRIPT" : ""}`, () =>
      withClient(name, async ({ sender }) => {
        const limiter = limiterOf(sender);
        const ask = async (who) => {
          if (flushed) serversDo("flush");
          const alone = await limiter.acquire(who);
          const outcomes = await limiter.acquireAll([who, ...Array.from({ length: 9 }, subject)]);
          return [alone.remaining, ...remaining(outcomes)];
        };
        const others = Array(9).fill(999);
        await ask(subject());
        const [moved, asked] = [subject(), subject()];
        serversDo("move", { key: key("api", moved, WINDOW, PREFIX) });
        assert.deepEqual(await ask(moved), [999, 998, ...others]);
        serversDo("ask", { key: key("api", asked, WINDOW, PREFIX) });
        try {
          assert.deepEqual(await ask(asked), [999, 998, ...others]);
        } finally {
          serversDo("move", { key: key("api", asked, WINDOW, PREFIX) });
        }
      }));
  }
}

for (const name of NAMES) {
  test(`${name}: what is given up before it was sent is never charged`, { timeout: 120_000 }, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { timeoutMs: 100 });
      const patient = limiterOf(sender);
      const givenUp = () => limiter.acquire(subject()).catch((error) => error);
      await patient.acquire(subject());
      serversDo("down");
      try {
        // Until the client has noticed, calls may have been written.
        while (!((await givenUp()) instanceof NotSentError));
        const batch = Array.from({ length: 4 }, subject);
        let alone, error;
        // Another node of a cluster may have answered within the deadline.
        do error = await limiter.acquire((alone = subject())).catch((failure) => failure);
        while (!(error instanceof NotSentError));
        // Clients of a cluster do not always say why.
        const cause = name.includes("cluster") ? "" : ": \\S";
        assert.match(String(error), new RegExp(`^NotSentError: .*nothing was charged: there was no connection within 100 ms${cause}`));
        assert.ok(provesNotRun(error));
        const outcomes = await limiter.acquireAll(batch);
        assert.ok(outcomes.every(({ reason, value }) => reason instanceof NotSentError || (isCluster(name) && value?.enforced === false)), `${outcomes}`);
        serversDo("up");
        // Answered by the connection on which what was queued would have gone first.
        const left = await Promise.all([alone, ...batch].map((each) => settledCount(() => patient.peek(each))));
        assert.deepEqual(left.map((decision) => decision.remaining), Array(5).fill(1000));
      } finally {
        serversDo("up");
      }
    }, { port: PROXY }));
}

test("ioredis: a client without an offline queue is waited for", async () => {
  const options = { enableOfflineQueue: false };
  for (const client of [
    new IoRedis({ port: REDIS, ...options }),
    new IoRedis({ port: REDIS, ...options, lazyConnect: true }),
    new IoRedis.Cluster([{ host: "127.0.0.1", port: CLUSTER }], options),
  ]) {
    const sender = ioredis(client);
    assert.deepEqual(remaining(await limiterOf(sender).acquireAll([subject(), subject()])), [999, 999]);
    sender.close();
    await assert.rejects(limiterOf(sender, { timeoutMs: Infinity }).acquire(subject()), { name: "MisconfiguredError", message: /closed$/ });
    client.disconnect();
  }
});

test("what is put together in a wrong way is said at once", async () => {
  const [node, other] = [createClient(), new IoRedis({ lazyConnect: true })];
  for (const made of [() => nodeRedis(other), () => ioredis(node), () => nodeRedis(), () => ioredis(null)]) {
    assert.throws(made, { name: "TypeError", message: /^client must be / });
  }
  const sentinel = createSentinel({ name: "primary", sentinelRootNodes: [{ host: "127.0.0.1", port: 1 }] });
  assert.throws(() => nodeRedis(sentinel), { name: "TypeError", message: /^client must not be a Sentinel of node-redis: use ioredis/ });
  for (const sender of [node, other, undefined]) {
    assert.throws(() => limiterOf(sender), { name: "TypeError", message: /^sender must be nodeRedis\(client\) or ioredis/ });
  }
  assert.throws(() => limiterOf(nodeRedis(node), { limit: null }), { name: "TypeError", message: /^limit must be / });
  for (const timeoutMs of [0, 0.5, NaN, "1000"]) {
    assert.throws(() => limiterOf(nodeRedis(node), { timeoutMs }), { name: "RangeError", message: /^timeoutMs must be a number of at least 1: / });
  }
  for (const client of [node, createCluster({ rootNodes: [{ socket: { port: CLUSTER } }] })]) {
    await assert.rejects(limiterOf(nodeRedis(client)).acquire("a"), { name: "MisconfiguredError", message: /client.connect\(\) first$/ });
  }
  assert.throws(() => limiterOf(nodeRedis(node), { policy: "GET /orders" }), /^RangeError: policy must match .* such as api .*: "GET \/orders"$/);
  const limiter = limiterOf(nodeRedis(node));
  for (const subjects of ["abc", new Uint8Array(3)]) {
    await assert.rejects(limiter.acquireAll(subjects), { name: "TypeError", message: /^subjects must be / });
  }
  for (const pair of ["abc", ["abc"], "ab"]) {
    await assert.rejects(limiter.acquireEach([pair]), { name: "TypeError", message: /^calls must be pairs/ });
  }
  await assert.rejects(limiter.acquire(42), { name: "TypeError", message: "subject must be a string, or bytes of UTF-8: 42" });
});

test("an error of the server that proves it", async () => {
  await withClient("node-redis", async ({ raw }) => {
    await withClient("node-redis", async ({ sender }) => {
      await raw("CONFIG", "SET", "replica-serve-stale-data", "no");
      await raw("REPLICAOF", "127.0.0.1", "1");
      try {
        await assert.rejects(limiterOf(sender).acquire(subject()), /^(?!MaybeCharged).*MASTERDOWN/);
      } finally {
        await raw("REPLICAOF", "NO", "ONE");
        await raw("CONFIG", "SET", "replica-serve-stale-data", "yes");
      }
      await limiterOf(sender).acquire(subject());
    });
  });
});
