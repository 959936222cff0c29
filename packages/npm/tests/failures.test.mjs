// What each failure is called, provoked on real servers; only an outage is a NoDecisionError.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import IoRedis from "ioredis";
import { Decision, MaybeChargedError, NoDecisionError, RateLimiter, fixedWindow, ioredis, nodeRedis } from "penstock-redis";
import { RESP_TYPES, createClient, createClientPool, createCluster } from "redis";
import { CLUSTER, NAMES, PREFIX, REDIS, inside, isCluster, opensNothing, serversDo, subject, withClient } from "./servers.mjs";

const { CALLS_IN_FLIGHT } = await inside("numbers.js");
const { verdictsOf } = await inside("questions.js");

const WINDOW = fixedWindow(1000, 3_600_000);
const limiterOf = (sender, options = {}) =>
  new RateLimiter(sender, "api", WINDOW, { prefix: PREFIX, timeoutMs: 20_000, onOverload: "throw", ...options });
const undecided = (granted) => new Decision(granted, 1000, 0, 0, 0, 1, false);
const failed = (call) => call.then((decided) => assert.fail(`it decided: ${JSON.stringify(decided)}`), (error) => error);
const USER = { username: `u${subject()}`, password: "right" };
const NODES = process.env.PENSTOCK_NODES.split(" ").map(Number);

/** Sends a command to the single server, and to all nodes of the cluster. */
async function everywhere(...command) {
  for (const port of [REDIS, ...NODES]) await withClient("node-redis", ({ raw }) => raw(...command), { port });
}

const single = (body) => withClient("node-redis", ({ raw }) => body(raw));
const grant = (...rights) => everywhere("ACL", "SETUSER", USER.username, "reset", "on", ">right", "~*", "+@all", ...rights);

/** The error is of this kind, and an outage only if it is called so. */
function is(error, kind, text) {
  assert.equal(error.kind, kind, String(error.stack));
  assert.equal(error instanceof NoDecisionError, ["not_sent", "not_answered", "unavailable"].includes(kind));
  assert.match(error.message, text);
  assert.equal(error.maybeCharged, error instanceof MaybeChargedError);
}

const HAS_OPENSSL = !spawnSync("openssl", ["version"]).error;
const atOnce = (limiter, calls, who) => Promise.allSettled(Array.from({ length: calls }, () => limiter.acquire(who ?? subject())));
const standStill = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** The first failure that is more than a connection that is not there yet. */
async function settled(sender) {
  for (;;) {
    const call = limiterOf(sender, { timeoutMs: 2_000, onUnavailable: "allow", onOverload: "allow" }).acquire(subject());
    const error = await call.then((decided) => void assert.equal(decided.enforced, false), (error) => error);
    if (error) return error;
  }
}

before(() => grant());
after(() => everywhere("ACL", "DELUSER", USER.username));

for (const name of NAMES) {
  test(`${name}: a password that is rotated while it runs, and back`, async () => {
    // Who is not signed in may do nothing, else a client goes on as the default user.
    await withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { timeoutMs: 2_000 });
      await limiter.acquire(subject());
      await everywhere("ACL", "SETUSER", USER.username, "resetpass", ">other");
      await everywhere("ACL", "SETUSER", "default", "-evalsha", "-eval");
      await everywhere("CLIENT", "KILL", "USER", USER.username);
      try {
        // The client may need a call to notice that its connection is gone; none of them is decided.
        for (let named = 0; named < 2; ) {
          const error = await failed(limiter.acquire(subject()));
          if (error instanceof NoDecisionError) continue;
          is(error, "misconfigured", /WRONGPASS|NOPERM/);
          named++;
        }
      } finally {
        await everywhere("ACL", "SETUSER", "default", "+@all");
        await grant();
      }
      for (;;) if (await limiter.acquire(subject()).then(() => true, () => false)) break;
    }, USER);
  });

  test(`${name}: a process that stands still opens nothing while the server answers, and all calls while it does not`, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { timeoutMs: 1_000, onUnavailable: "allow", onOverload: "deny" });
      await limiterOf(sender).acquire(subject());
      const counts = async () => {
        const [sent, unsent] = [atOnce(limiter, 5_000), atOnce(limiter, 500)];
        standStill(1_100);
        const late = atOnce(limiter, 500);
        await new Promise((resolve) => setImmediate(resolve));
        standStill(3_000);
        const ended = (await Promise.all([sent, unsent, late])).flat().map(({ value }) => value);
        assert.equal(ended.length, 6_000);
        return { opened: ended.filter(({ allowed, enforced }) => allowed && !enforced).length };
      };
      await opensNothing(counts);
      if (isCluster(name)) return;
      serversDo("stop");
      try {
        assert.equal((await counts()).opened, 6_000);
      } finally {
        serversDo("cont");
      }
    }));

  if (isCluster(name)) continue;

  test(`${name}: a server of another kind`, async () => {
    const web = createServer().listen(0, "127.0.0.1");
    await once(web, "listening");
    try {
      const { port } = web.address();
      await withClient(name, async ({ sender }) => is(await settled(sender), "misconfigured", /reply type byte|Unknown RESP type/), { port, awaited: false });
    } finally {
      web.close();
    }
  });

  test(`${name}: a refusal that is in no list`, async () => {
    const refuse = (data) => "-ERR no way in\r\n".repeat(String(data).match(/^\*/gm).length);
    const door = createNetServer((socket) => socket.on("error", () => {}).on("data", (data) => socket.write(refuse(data)))).listen(0);
    await once(door, "listening");
    try {
      const { port } = door.address();
      await withClient(name, async ({ sender }) => is(await settled(sender), "unknown", /unknown failure: ERR no way in/), { port, ...USER, awaited: false });
    } finally {
      door.close();
    }
  });

  test(`${name}: a port that is none`, () =>
    withClient(name, async ({ sender }) => is(await settled(sender), "misconfigured", /65536/), { port: 70_000, awaited: false }));

  test(`${name}: a certificate that is no server's`, { skip: !HAS_OPENSSL && "openssl makes the certificate" }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "penstock-"));
    const [keyOut, out] = ["key.pem", "certificate.pem"].map((file) => join(folder, file));
    const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext extendedKeyUsage=clientAuth";
    execFileSync("openssl", [...made.split(" "), "-keyout", keyOut, "-out", out], { stdio: "ignore" });
    const cert = readFileSync(out);
    const server = createTlsServer({ key: readFileSync(keyOut), cert }, () => {}).on("tlsClientError", () => {}).listen(0);
    await once(server, "listening");
    const { port } = server.address();
    const client = name === "ioredis"
      ? new IoRedis({ host: "localhost", port, tls: { ca: cert } })
      : createClient({ socket: { host: "localhost", port, tls: true, ca: cert } });
    client.on("error", () => {});
    const sender = name === "ioredis" ? ioredis(client) : (client.connect().catch(() => {}), nodeRedis(client));
    try {
      is(await settled(sender), "misconfigured", /certificate purpose/);
    } finally {
      sender.close();
      client.destroy ? client.destroy() : client.disconnect();
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  test(`${name}: a server that is stopped answers nobody, and each outcome is told`, () =>
    withClient(name, async ({ sender }) => {
      await limiterOf(sender).acquire(subject());
      const told = [];
      const onOutcome = ({ decision, error }) => told.push([decision, error.kind]);
      const deciding = limiterOf(sender, { timeoutMs: 300, onUnavailable: "allow", onOutcome });
      serversDo("stop");
      try {
        const [[first, wrong, last], several] = await Promise.all([deciding.acquireAll([subject(), "", subject()]), deciding.acquireUpTo(subject(), 5)]);
        assert.deepEqual([first.value, wrong.reason.name, last.value, several], [undecided(1), "RangeError", undecided(1), undecided(5)]);
        assert.deepEqual(told.splice(0), [undecided(1), undecided(1), undecided(5)].map((decision) => [decision, "not_answered"]));
        for (const call of [deciding.peek(subject()), deciding.refund(subject(), 1), deciding.reset(subject())]) await failed(call);
        assert.deepEqual(told, Array(3).fill([undefined, "not_answered"]));
        const control = new AbortController();
        const call = failed(limiterOf(sender, { onUnavailable: "allow" }).acquire(subject(), 1, { signal: control.signal }));
        control.abort(new Error("gone"));
        assert.match((await call).message, /gone/);
      } finally {
        serversDo("cont");
      }
    }));

  test(`${name}: a replica is an outage for 10 s, and then set up wrong`, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender);
      await limiter.acquire(subject());
      await single((raw) => raw("REPLICAOF", "127.0.0.1", "1"));
      try {
        const begun = performance.now();
        let error = await failed(limiter.acquire(subject()));
        is(error, "unavailable", /READONLY/);
        while ((error = await failed(limiter.acquire(subject()))).kind === "unavailable") await new Promise((resolve) => setTimeout(resolve, 100));
        assert.ok(performance.now() - begun >= 10_000);
        is(error, "misconfigured", /a replica's: .*READONLY/);
        // For other calls that are late, too, this is no outage.
        const node = verdictsOf(sender).of(sender.serverOf?.(""), { begin: [], end: [] }, "");
        const outcome = await new Promise((judged) => node.late({ begun: 0, half: 0, written: true, judged: (said) => judged(said.outcome) }));
        assert.equal(outcome, "overloaded");
      } finally {
        await single((raw) => raw("REPLICAOF", "NO", "ONE"));
      }
      await limiter.acquire(subject());
    }));

  test(`${name}: more calls than may be in flight are overloaded while the server answers, an outage while it does not`, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { timeoutMs: 300 });
      await limiter.acquire(subject());
      // As if so many were.
      sender.verdicts.pending += CALLS_IN_FLIGHT;
      const full = await failed(limiter.acquire(subject()));
      is(full, "overloaded", /nothing was charged: 100000 calls are in flight, and the server answers/);
      serversDo("stop");
      try {
        sender.verdicts.pending -= CALLS_IN_FLIGHT;
        is(await failed(limiter.acquire(subject())), "not_answered", /no answer within 300 ms/);
        sender.verdicts.pending += CALLS_IN_FLIGHT;
        is(await failed(limiter.acquire(subject())), "not_sent", /100000 calls are in flight/);
      } finally {
        serversDo("cont");
      }
    }));

  test(`${name}: a late call is overloaded while the server answers, behind how many calls it may be`, () =>
    withClient(name, ({ raw, sender }) =>
      withClient(name, async (other) => {
        const limiter = limiterOf(sender, { timeoutMs: 500 });
        await limiter.acquire(subject());
        for (const calls of [1, 1_500]) {
          await opensNothing(async () => {
            // The connection, which with ioredis is the sender's own, stands still until something is there to pop.
            const key = subject();
            const popped = sender.connection ? sender.connection.own.call("BLPOP", key, "0").catch(() => {}) : raw("BLPOP", key, "0");
            const ended = await atOnce(limiter, calls);
            const late = ended.filter(({ reason }) => reason?.kind === "overloaded" && reason.serverAnswers).length;
            // What was silent beside a server that answers is replaced.
            while (!(await limiter.acquire(subject()).catch(() => undefined))) await new Promise(setImmediate);
            await other.raw("LPUSH", key, "go");
            await popped;
            // Its connection is heard again before the next calls.
            await raw("PING");
            return { opened: calls - late };
          });
        }
      })));

  test(`${name}: a large batch is sent in parts, all of which have one deadline`, () =>
    withClient(name, async ({ sender }) => {
      const who = subject();
      const outcomes = await limiterOf(sender, { timeoutMs: 60_000 }).acquireAll(Array(3_000).fill(who));
      assert.equal(outcomes.filter(({ value }) => value.allowed).length, 1_000);
      serversDo("stop");
      try {
        const unanswered = await limiterOf(sender, { timeoutMs: 300, onUnavailable: "allow" }).acquireAll(Array(10_000).fill(who));
        unanswered.forEach(({ value }) => assert.deepEqual(value, undecided(1)));
      } finally {
        serversDo("cont");
      }
    }));

  test(`${name}: an answer that a process has not read, since it stood still, counts`, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender, { timeoutMs: 1_000, onUnavailable: "allow" });
      await limiter.acquire(subject());
      serversDo("stop");
      let call;
      try {
        call = limiter.acquire(subject());
        for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
      } finally {
        serversDo("cont");
      }
      standStill(2_000);
      assert.equal((await call).enforced, true);
    }));

  test(`${name}: a signal cancels`, () =>
    withClient(name, async ({ sender }) => {
      const limiter = limiterOf(sender);
      await limiter.acquire(subject(), 1, { signal: new AbortController().signal });
      const cancelled = async (signal) => failed(limiterOf(sender, { onUnavailable: "allow", onOverload: "deny" }).acquire(subject(), 1, { signal }));
      const early = await cancelled(AbortSignal.abort(new Error("gone")));
      assert.deepEqual([early.kind, early.maybeCharged, early.serverAnswers, early.cause.message], ["overloaded", false, false, "gone"]);
      serversDo("stop");
      try {
        for (const [kind, name_] of [["overloaded", "OverloadedError"], ["not_answered", "MaybeChargedError"]]) {
          const control = new AbortController();
          const call = cancelled(control.signal);
          // A timer of 50 ms is after the turn of the loop in which the client writes.
          setTimeout(() => control.abort(new Error("gone")), 50);
          const error = await call;
          assert.deepEqual([error.kind, error.name, error.maybeCharged, error.cause.message], [kind, name_, true, "gone"]);
          // It is known now that the server is silent.
          if (kind === "overloaded") await failed(limiterOf(sender, { timeoutMs: 100 }).acquire(subject()));
        }
      } finally {
        serversDo("cont");
      }
      await limiter.acquire(subject());
    }));
}

test("a choice that there is not", () => {
  const sender = ioredis(new IoRedis({ lazyConnect: true }));
  for (const name of ["onUnavailable", "onOverload"]) {
    assert.throws(() => limiterOf(sender, { [name]: "alow" }), new RegExp(`^RangeError: ${name} must be "throw", "allow" or "deny": alow`));
  }
});

test("a client that lacks what the package needs of it is refused when its sender is made", () => {
  const [redis, io] = [[nodeRedis, "node-redis"], [ioredis, "ioredis"]];
  for (const [[made, name], client, ...places] of [
    [redis, () => createClient(), "duplicate", "unref"],
    [redis, () => createClientPool(), "execute"],
    [redis, () => createCluster({ rootNodes: [{}] }), "slots", "nodeClient"],
    [io, () => new IoRedis({ lazyConnect: true }), "status"],
    [io, () => new IoRedis.Cluster([{}], { lazyConnect: true }), "status", "slots", "nodes"],
  ]) {
    for (const place of places) {
      const without = Object.defineProperty(client(), place, { value: undefined });
      assert.throws(() => made(without), new RegExp(`^TypeError: this version of ${name} is not known to work: ${place} must be of type \\w+: undefined$`));
    }
  }
  const own = new IoRedis({ lazyConnect: true });
  ioredis(own, { verdictConnection: false });
  assert.throws(() => ioredis(own), /^TypeError: verdictConnection must be the same for all senders of a client$/);
});

test("a client that gives numbers as texts gives decisions", async () => {
  const text = { [RESP_TYPES.NUMBER]: String };
  const made = [
    createClient({ socket: { port: REDIS }, commandOptions: { typeMapping: text } }),
    createClient({ socket: { port: REDIS } }).withTypeMapping(text),
    createClientPool({ socket: { port: REDIS }, commandOptions: { typeMapping: text } }),
  ];
  for (const client of made) {
    await client.connect();
    assert.equal((await limiterOf(nodeRedis(client)).acquire(subject())).remaining, 999);
    // A pool of node-redis 5.1 that is destroyed while it connects another client ends the process.
    while (client.clientsInUse) await new Promise((resolve) => setTimeout(resolve, 5));
    client.destroy();
  }
  for (const client of [
    new IoRedis({ port: REDIS, stringNumbers: true }),
    new IoRedis.Cluster([{ host: "127.0.0.1", port: CLUSTER }], { redisOptions: { stringNumbers: true } }),
  ]) {
    assert.equal((await limiterOf(ioredis(client)).acquire(subject())).remaining, 999);
    client.disconnect();
  }
});

test("node-redis's keyPrefix comes before keys, as ioredis's does", async () => {
  const [prefix, who] = [`${subject()}:`, subject()];
  const ours = createClient({ socket: { port: REDIS }, keyPrefix: prefix });
  await ours.connect();
  const other = new IoRedis({ port: REDIS, keyPrefix: prefix });
  const { remaining } = await limiterOf(nodeRedis(ours)).acquire(who);
  if (ours._keyPrefix === undefined) assert.equal(remaining, 999, "this version has no keyPrefix");
  else assert.deepEqual([remaining, (await limiterOf(ioredis(other)).acquire(who)).remaining], [999, 998]);
  ours.destroy();
  other.disconnect();
});

test("the senders of one client share its connections", async () => {
  const client = createClient({ socket: { port: REDIS } });
  assert.equal(nodeRedis(client), nodeRedis(client));
  const other = new IoRedis({ port: REDIS, connectionName: `n${subject()}` });
  const senders = Array.from({ length: 5 }, () => ioredis(other));
  await Promise.all(senders.map((sender) => limiterOf(sender).acquire(subject())));
  const named = async () => String(await other.client("LIST")).split(` name=${other.options.connectionName} `).length - 1;
  assert.equal(await named(), 3, "the client's, and for all senders one for calls and one for the question");
  senders.slice(1).forEach((sender) => sender.close());
  assert.equal((await limiterOf(senders[0]).acquire(subject())).allowed, true);
  senders[0].close();
  await assert.rejects(limiterOf(senders[0], { onUnavailable: "allow" }).acquire(subject()), { name: "MisconfiguredError" });
  const again = ioredis(other);
  await limiterOf(again).acquire(subject());
  other.disconnect();
  // Closed with its client, it keeps no process alive.
  let error;
  do {
    await new Promise(setImmediate);
    error = await limiterOf(again).acquire(subject()).catch((error) => error);
  } while (!(error instanceof Error) || error instanceof NoDecisionError);
  is(error, "misconfigured", /the client is closed/);
});
