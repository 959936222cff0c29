// Calls that share trips: trips.json with times of its own, and limiters on a real server (rules C1 to C6).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CircuitBreaker, NotSentError, RateLimiter, fixedWindow, key, leakyBucket, tokenBucket } from "penstock-redis";
import { createClient } from "redis";
import { FORMS, NAMES, NODES, POOL, PREFIX, PROXY, REDIS, inside, isCluster, serversDo, subject, vectors, withClient } from "./servers.mjs";

const { TripGroup } = await inside("trips.js");
const DAY = 86_400_000;
const DAYS = 30 * DAY;
const CLIENTS = [...NAMES, POOL];
const limiterOf = (sender, limit, options = {}) => new RateLimiter(sender, "trips", limit, { prefix: PREFIX, timeoutMs: 60_000, ...options });
const together = async (limiter, who, callers, calls, cost = 1) => {
  const outcomes = [];
  await Promise.all(Array.from({ length: callers }, async () => {
    for (let call = 0; call < calls; call++) outcomes.push(await limiter.acquire(who, cost));
  }));
  return outcomes;
};

/** Runs `body` with functions that each send a command to one server, which is the single one or a master of the cluster. */
async function withServers(name, body) {
  const clients = (isCluster(name) ? NODES : [REDIS]).map((port) => createClient({ socket: { port } }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await body(clients.map((client) => (...command) => client.sendCommand(command)));
  } finally {
    clients.forEach((client) => client.destroy());
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a port can be listened on. */
const isFree = async (port) => {
  const server = createServer().listen(port, "127.0.0.1");
  const [error] = await Promise.race([once(server, "listening"), once(server, "error")]).catch((error) => [error]);
  server.close();
  return error === undefined;
};

/** A cluster of one master, which still has after a crash what it has answered. */
class OwnCluster {
  folder = mkdtempSync(join(tmpdir(), "penstock trips "));

  static async start() {
    const own = new OwnCluster();
    // Neither this nor the port of its bus, 10,000 above, is given to outgoing connections.
    do own.port = 22_000 + Math.floor(Math.random() * 700);
    while (!(await isFree(own.port)) || !(await isFree(own.port + 10_000)));
    own.start = () => {
      const kept = { dir: own.folder, appendonly: "yes", appendfsync: "no", save: "" };
      const options = { port: own.port, "cluster-enabled": "yes", "cluster-announce-ip": "127.0.0.1", ...kept };
      const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
      own.process = spawn(process.env.PENSTOCK_EXECUTABLE, words, { stdio: "ignore" });
    };
    own.start();
    const client = createClient({ socket: { port: own.port } }).on("error", () => {});
    await client.connect();
    await client.sendCommand(["CLUSTER", "ADDSLOTS", ...Array.from({ length: 16_384 }, (_, slot) => String(slot))]);
    while (!(await client.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok")) await pause(20);
    client.destroy();
    return own;
  }

  async crash() {
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }

  async close() {
    await this.crash();
    rmSync(this.folder, { recursive: true });
  }
}

/** Checks that calls are charged that the server decided, and otherwise at most once; returns how many may have been, and the rest told. */
function chargedAtMostOnce(outcomes, state, units = 1000) {
  const maybe = outcomes.filter(({ reason }) => reason?.maybeCharged).length;
  const granted = outcomes.flatMap(({ value }) => (value?.allowed ? [value.remaining] : []));
  const charged = Number(state?.split(":")[1] ?? 0);
  assert.equal(new Set(granted).size, granted.length, `${granted}`);
  const most = Math.min(units, granted.length + maybe);
  assert.ok(granted.length <= charged && charged <= most, `${granted} told, ${charged} charged, ${maybe} may have been, of ${units}`);
  return { maybe, granted };
}

/** Waits until a proxy holds an answer back. */
const held = () => once(spawn("python3", [process.env.PENSTOCK_TESTBED, "held"]), "exit");

/** The number of commands with a script that the servers have executed. */
async function executed(servers) {
  const texts = await Promise.all(servers.map((server) => server("INFO", "commandstats")));
  return [...texts.join().matchAll(/cmdstat_(?:eval|evalsha|fcall):calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** Calls that are made by 32 callers until `over` is set; a failure is an outcome, too. */
function flood(limiter, who) {
  const calls = { outcomes: [], over: false };
  const caller = async () => {
    while (!calls.over) {
      const outcome = await limiter.acquire(who).catch((error) => error);
      calls.outcomes.push(outcome);
      // A caller without an answer lets the client connect.
      if (!outcome.enforced) await pause(20);
    }
  };
  const callers = Array.from({ length: 32 }, caller);
  calls.more = async (count) => {
    for (const end = calls.outcomes.length + count; calls.outcomes.length < end; ) await new Promise(setImmediate);
  };
  calls.end = async () => {
    calls.over = true;
    await Promise.all(callers);
    return calls.outcomes;
  };
  return calls;
}

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
      if ("begins" in step) {
        const trip = group.goesAlone(now);
        if (trip) {
          trips.push(trip);
          done.push({ at_ms: now, goes_alone: step.begins });
        } else group.enter(step.begins, now);
      } else if ("enters" in step) group.enter(step.enters, now);
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

test("a group is asked for the next time while a trip's calls end, and others wait", () => {
  const [trips, told] = [[], []];
  const end = (call) => told.push([call, group.nextTime(8), group.isOver]);
  const group = new TripGroup(1, { learnt: () => false, send: (trip) => trips.push(trip), end });
  const calls = ["first", "lost", ...Array(6).keys()];
  for (const call of calls) group.enter(call, 0);
  group.answered(trips[0], [[1, 9, 8, 0, 0, 1]], 8);
  for (const call of ["eighth", "waits"]) group.enter(call, 8);
  group.answered(trips[1], [{ error: "lost", ran: undefined }], 8);
  assert.deepEqual(told, [["first", Infinity, false], ["lost", 32, false]]);
  assert.deepEqual(trips.at(-1).calls, ["waits"]);
});

for (const name of CLIENTS) {
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

for (const name of CLIENTS) {
  test(`C1 ${name}: trips are fewer, and can be switched off`, () =>
    withClient(name, ({ sender }) => withServers(name, async (servers) => {
      const counts = [];
      for (const shareTrips of [true, false]) {
        const limiter = limiterOf(sender, fixedWindow(10 ** 6, DAY), { shareTrips });
        await limiter.acquire("any");
        const before = await executed(servers);
        const outcomes = await together(limiter, subject(), 64, 20);
        counts.push((await executed(servers)) - before);
        const remaining = outcomes.map((outcome) => outcome.remaining).sort((a, b) => b - a);
        assert.deepEqual(remaining, Array.from({ length: 1280 }, (_, at) => 10 ** 6 - 1 - at));
      }
      assert.ok(counts[0] < 0.5 * counts[1] && counts[1] >= 1280, `${counts}`);
      assert.throws(() => limiterOf(sender, fixedWindow(5, DAY), { shareTrips: 1 }), /^TypeError: shareTrips must be true or false: 1$/);
    })));

  test(`C6 ${name}: calls of leaky buckets are not shared`, () =>
    withClient(name, ({ sender }) => withServers(name, async (servers) => {
      const limiter = limiterOf(sender, leakyBucket(10 ** 6, 10 ** 6, DAY));
      await limiter.acquire("any");
      const before = await executed(servers);
      const outcomes = await together(limiter, subject(), 64, 20);
      assert.ok(outcomes.every(({ allowed, enforced }) => allowed && enforced));
      const commands = (await executed(servers)) - before;
      assert.ok(commands >= 1280, `${commands}`);
    })));

  test(`C2 ${name}: the commands of a trip go on one connection, one after the other`, () =>
    withClient(name, async ({ sender }) => {
      const [limit, who, seen] = [fixedWindow(10 ** 6, DAY), subject(), []];
      const named = key("trips", who, limit, PREFIX);
      const monitors = (isCluster(name) ? NODES : [REDIS]).map((port) => createClient({ socket: { port } }));
      const sees = (line) => {
        const [, source, on, cost] = /\[0 (\S+)\] "eval[^"]*" ".*?" "1" "(.*?)" "(.*?)"/i.exec(line) ?? [];
        if (on === named) seen.push({ source, cost });
      };
      for (const monitor of monitors) await (await monitor.connect()).monitor(sees);
      await together(limiterOf(sender, limit), who, 64, 20);
      await limiterOf(sender, limit).acquire(who, 1000);
      while (seen.at(-1)?.cost !== "1000") await new Promise(setImmediate);
      monitors.forEach((monitor) => monitor.destroy());
      const firsts = seen.flatMap(({ cost }, at) => (cost.startsWith("1*") ? [at] : []));
      assert.ok(firsts.length > 10);
      for (const at of firsts) assert.equal(seen.slice(at + 1).find(({ source }) => source === seen[at].source)?.cost, "1");
    }));

  test(`C4 ${name}: a server that forgets the script`, () =>
    withClient(name, ({ sender }) => withServers(name, async (servers) => {
      const [limit, who] = [fixedWindow(10 ** 6, DAY), subject()];
      const limiter = limiterOf(sender, limit);
      let over = false;
      const flushing = (async () => {
        while (!over) await Promise.all(servers.map((server) => server("SCRIPT", "FLUSH")));
      })();
      const outcomes = await together(limiter, who, 32, 20);
      over = true;
      await flushing;
      assert.equal(new Set(outcomes.map(({ remaining }) => remaining)).size, 640);
      assert.equal((await limiter.peek(who)).remaining, 10 ** 6 - 640);
    })));

  test(`C5 ${name}: a call that is cancelled leaves its unit to the next`, () =>
    withClient(name, async ({ sender }) => {
      const [limit, who] = [tokenBucket(100, 1, DAYS), subject()];
      const limiter = limiterOf(sender, limit);
      const controllers = Array.from({ length: 200 }, () => new AbortController());
      const began = performance.now();
      const calls = controllers.map(({ signal }) => limiter.acquire(who, 1, { signal }));
      controllers.slice(50, 150).forEach((each) => each.abort());
      // Without the answers to the first eight, a trip goes 10 ms later, perhaps with calls that are cancelled then.
      const least = performance.now() - began < 10 ? 99 : 50;
      const outcomes = await Promise.allSettled(calls);
      const allowed = outcomes.flatMap(({ value }, at) => (value?.allowed && value.enforced ? [at] : []));
      assert.deepEqual(allowed.slice(0, 50), Array.from({ length: 50 }, (_, at) => at));
      assert.ok(allowed.length >= least, `${allowed.length}`);
      assert.equal((await limiter.peek(who)).remaining, 0);
    }));

  test(`C5 ${name}: calls that are cancelled after they were sent are charged at most once`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [limit, who, controller] = [fixedWindow(1000, DAY), subject(), new AbortController()];
      const limiter = limiterOf(sender, limit, { onOverload: "throw" });
      await limiter.acquire("any");
      serversDo("trip", { key: ["second late"] });
      const calls = Array.from({ length: 24 }, (_, at) => limiter.acquire(who, 1, at % 2 ? { signal: controller.signal } : {}));
      const ended = Promise.allSettled(calls);
      await held();
      controller.abort();
      await Promise.allSettled(calls.filter((_, at) => at % 2));
      serversDo("release");
      const { maybe, granted } = chargedAtMostOnce(await ended, await raw("GET", key("trips", who, limit, PREFIX)));
      assert.ok(granted.length >= 6 && maybe > 0, `${granted} told, ${maybe} may have been`);
    }, { port: PROXY }));

  test(`C4 ${name}: an error is that of each call`, () =>
    withClient(name, async ({ raw, sender }) => {
      const [limit, who] = [tokenBucket(10, 1, DAY), subject()];
      await raw("LPUSH", key("trips", who, limit, PREFIX), "of another type");
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => limiterOf(sender, limit).acquire(who)));
      const limiter = limiterOf(sender, limit);
      outcomes.push(...(await Promise.allSettled(Array.from({ length: 30 }, () => limiter.acquire(who)))));
      for (const { reason } of outcomes) assert.match(String(reason), /WRONGTYPE/);
    }));
}

for (const name of CLIENTS) {
  for (const fault of serversDo("faults").trim().split("\n").filter((fault) => isCluster(name) || !/MOVED|ASK/.test(fault))) {
    test(`C4 ${name}: a trip whose ${fault} charges each call at most once`, () =>
      withClient(name, async ({ raw, sender }) => {
        const units = name === "node-redis" || name === "ioredis Cluster" ? 11 : 1000;
        const [limit, isLate, callers] = [fixedWindow(units, DAY), fault.includes("late"), 24];
        const limiter = limiterOf(sender, limit, { onOverload: "throw", timeoutMs: isLate ? 1_000 : 60_000 });
        await limiter.acquire("any");
        serversDo("trip", { key: [fault] });
        let met = "";
        let outcomes, who;
        while (!met) {
          who = subject();
          outcomes = await Promise.allSettled(Array.from({ length: callers }, () => limiter.acquire(who)));
          met = serversDo("tripped");
        }
        if (isLate) serversDo("release");
        const [, maybe, refused] = met.split(" ").map(Number);
        const errors = outcomes.flatMap(({ reason }) => reason ?? []);
        const lost = errors.filter((error) => error.maybeCharged).length;
        // On the same connection, other calls may meet the fault, too.
        const also = isLate || /cut|lost/.test(fault) ? callers : 0;
        assert.ok(lost >= maybe && lost <= maybe + also && errors.length === lost + refused, `${met}: ${errors}`);
        const { granted } = chargedAtMostOnce(outcomes, await raw("GET", key("trips", who, limit, PREFIX)), units);
        if (maybe === 0) assert.equal(granted.length, Math.min(units, callers - refused), `${granted} told, of ${units}`);
      }, { port: PROXY }));
  }
}

for (const name of CLIENTS.filter((name) => !isCluster(name))) {
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
      // A pool may still be without a connection.
      let usage;
      while (!usage) usage = await limiter.peek(who).catch((error) => assert.equal(error.kind, "overloaded"));
      const charged = 10 ** 6 - usage.remaining;
      const maybe = errors.filter((error) => error.maybeCharged).length;
      assert.ok(enforced <= charged && charged <= enforced + maybe, `${enforced} enforced, ${charged} charged, ${maybe} may have been`);
      assert.ok(maybe > 0 && enforced > 100);
    };
    await withClient(name, plays, { port: proxy.address().port });
    proxy.close();
  });
}

for (const name of CLIENTS.filter((name) => !isCluster(name))) {
  test(`C5 ${name}: a client that is closed charges each call of a trip at most once`, () =>
    withClient(name, async ({ client, sender }) => {
      const [limit, who] = [fixedWindow(1000, DAY), subject()];
      const limiter = limiterOf(sender, limit, { onOverload: "throw" });
      await limiter.acquire("any");
      serversDo("trip", { key: ["first late"] });
      const calls = Promise.allSettled(Array.from({ length: 24 }, () => limiter.acquire(who)));
      await held();
      client.destroy ? client.destroy() : client.disconnect();
      client.destroy &&= () => {};
      const [trip] = serversDo("tripped").split(" ").map(Number);
      serversDo("release");
      const outcomes = await calls;
      const state = await withServers(name, ([server]) => server("GET", key("trips", who, limit, PREFIX)));
      const { maybe, granted } = chargedAtMostOnce(outcomes, state);
      // ioredis only says that it goes, and reads what is under way.
      assert.ok(maybe >= trip || granted.length === 24, `${maybe} of ${trip}, ${granted}`);
    }, { port: PROXY }));
}

/** Lets a circuit breaker of this length open: `calls` are made while the server is stopped. */
const opens = (name, circuitMs, calls) =>
  withClient(name, async ({ sender }) => {
    const circuitBreaker = new CircuitBreaker(circuitMs);
    const limiter = limiterOf(sender, fixedWindow(1000, DAY), { onUnavailable: "allow", timeoutMs: 300, circuitBreaker });
    await limiter.acquire("any");
    serversDo("stop");
    try {
      await calls(limiter, circuitBreaker);
    } finally {
      serversDo("cont");
    }
    assert.ok(circuitBreaker.open);
  });

for (const name of NAMES.filter((name) => !isCluster(name))) {
  test(`F1 ${name}: a burst without answers opens the circuit`, () =>
    // Those that go alone end at the deadline of the first.
    opens(name, 60_000, (limiter) => Promise.all(Array.from({ length: 20 }, () => limiter.acquire("hot")))));

  test(`C4 ${name}: a trip whose first call is cancelled counts for the circuit breaker`, () =>
    opens(name, 600, async (limiter, circuitBreaker) => {
      for (let burst = 0; burst < 8 && !circuitBreaker.open; burst++) {
        const controllers = Array.from({ length: 11 }, () => new AbortController());
        const calls = controllers.map(({ signal }) => limiter.acquire("hot", 1, { signal }));
        await pause(100);
        // The eight that were sent alone, and the first of the trip.
        controllers.slice(0, 9).forEach((each) => each.abort());
        await Promise.allSettled(calls);
      }
    }));
}

for (const name of NAMES.filter(isCluster)) {
  test(`C4 ${name}: a slot that migrates`, () =>
    withClient(name, ({ sender }) => withServers(name, async (servers) => {
      const [limit, who] = [fixedWindow(10 ** 6, DAY), subject()];
      const limiter = limiterOf(sender, limit);
      const named = key("trips", who, limit, PREFIX);
      const calls = flood(limiter, who);
      await calls.more(640);
      const before = [await executed(servers), calls.outcomes.length];
      const slot = String(await servers[0]("CLUSTER", "KEYSLOT", named));
      const ids = await Promise.all(servers.map((server) => server("CLUSTER", "MYID")));
      const has = await Promise.all(servers.map((server) => server("EXISTS", named).catch(() => 0)));
      const [from, to] = [has.indexOf(1), (has.indexOf(1) + 1) % 3];
      await servers[to]("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[from]);
      await servers[from]("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to]);
      await calls.more(640);
      // From here on, the old owner answers ASK.
      await servers[from]("MIGRATE", "127.0.0.1", String(NODES[to]), named, "0", "60000");
      await calls.more(640);
      for (const server of [servers[to], servers[from], ...servers]) await server("CLUSTER", "SETSLOT", slot, "NODE", ids[to]);
      await calls.more(640);
      const outcomes = await calls.end();
      const remaining = outcomes.map((outcome) => outcome.remaining).sort((a, b) => b - a);
      assert.deepEqual(remaining, Array.from(outcomes, (_, at) => 10 ** 6 - 1 - at));
      assert.equal((await limiter.peek(who)).remaining, 10 ** 6 - outcomes.length);
      const [commands, decisions] = [(await executed(servers)) - before[0], outcomes.length - before[1]];
      assert.ok(commands < 0.5 * decisions, `${commands} commands for ${decisions} decisions`);
    })));
}

for (const name of NAMES.filter(isCluster)) {
  test(`C4 ${name}: a master that is killed charges each call at most once`, async () => {
      const cluster = await OwnCluster.start();
      try {
        await withClient(name, async ({ sender }) => {
          const [limit, who, errors] = [fixedWindow(10 ** 6, DAY), subject(), []];
          const choices = { onUnavailable: "allow", onOverload: "allow", timeoutMs: 2_000 };
          const onOutcome = ({ error }) => error && errors.push(error);
          const limiter = limiterOf(sender, limit, { ...choices, onOutcome, onVerdict: () => {} });
          const calls = flood(limiter, who);
          await calls.more(640);
          await cluster.crash();
          cluster.start();
          do await pause(20);
          while (!calls.outcomes.at(-1).enforced);
          await calls.more(640);
          const outcomes = await calls.end();
          const enforced = outcomes.filter((outcome) => outcome.enforced).length;
          const maybe = errors.filter((error) => error.maybeCharged).length;
          const charged = 10 ** 6 - (await limiter.peek(who)).remaining;
          assert.ok(enforced <= charged && charged <= enforced + maybe, `${enforced} enforced, ${charged} charged, ${maybe} may have been`);
          assert.ok(enforced > 640 && maybe > 0, `${enforced}, ${maybe}`);
        }, { cluster: cluster.port });
      } finally {
        await cluster.close();
      }
    });

  test(`C4 ${name}: trips whose answers are lost are not sent again`, () =>
    withClient(name, ({ sender }) => withServers(name, async (servers) => {
      const [limit, who] = [fixedWindow(10 ** 6, DAY), subject()];
      serversDo("load", { said: limit.script.source });
      // The proxies cut the connection when a server has run a call of this policy.
      let alone = 8;
      const send = async (key, words, call) => {
        if (alone-- <= 0) return sender.send(key, words, call);
        // The first eight go past the proxies, to the master that has their key: so the others are one trip, on a whole connection.
        const replies = await Promise.allSettled(servers.map((server) => server(...words)));
        return replies.find(({ value }) => value).value;
      };
      const past = Object.create(sender, { send: { value: send } });
      await limiterOf(sender, limit).peek(who);
      const limiter = new RateLimiter(past, "lost", limit, { prefix: PREFIX, timeoutMs: 5_000 });
      const outcomes = await Promise.allSettled(Array.from({ length: 32 }, () => limiter.acquire(who)));
      const maybe = outcomes.filter(({ reason }) => reason?.maybeCharged).length;
      const states = await Promise.all(servers.map((server) => server("GET", key("lost", who, limit, PREFIX)).catch(() => undefined)));
      const charged = Number(states.find(Boolean).split(":")[1]);
      assert.equal(maybe, 24);
      assert.ok(charged >= 31 && charged <= 32, `${charged} charged`);
    })));

  test(`C4 ${name}: a first command that found no node leaves the last its own answer`, () =>
    withClient(name, async ({ sender }) => {
      const [limit, who] = [fixedWindow(10 ** 6, DAY), subject()];
      const send = (key, words, call) => {
        if (!words[4].startsWith("1*")) return sender.send(key, words, call);
        // It had been written before it was redirected.
        call.wrote();
        return new Promise((_, reject) => connect(1, "127.0.0.1").on("error", reject));
      };
      const limiter = limiterOf(Object.create(sender, { send: { value: send } }), limit);
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => limiter.acquire(who)));
      const failed = outcomes.filter(({ reason }) => reason instanceof NotSentError);
      assert.ok(failed.length > 0);
      assert.equal((await limiterOf(sender, limit).peek(who)).remaining, 10 ** 6 - (outcomes.length - failed.length));
    }));
}
