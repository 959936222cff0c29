// Rule F2 on real servers: what opens a limit, and what does not.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RateLimiter, fixedWindow, ioredis, nodeRedis } from "penstock-redis";
import { createClientPool } from "redis";
import { NAMES, POOL, PREFIX, REDIS, inside, isCluster, opensNothing, subject, versionOf, withClient } from "./servers.mjs";

const WINDOW = fixedWindow(1000, 3_600_000);
const SINGLES = NAMES.filter((name) => !isCluster(name));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const limiterOf = (sender, options) => new RateLimiter(sender, "api", WINDOW, { prefix: PREFIX, onUnavailable: "allow", ...options });

/** What calls at once come to: how many were decided, opened and overloaded. */
async function flooded(limiter, calls, who = subject()) {
  const decisions = await Promise.all(Array.from({ length: calls }, () => limiter.acquire(who)));
  const decided = decisions.filter(({ enforced }) => enforced).length;
  const opened = decisions.filter(({ allowed, enforced }) => allowed && !enforced).length;
  return { decided, opened, overloaded: calls - decided - opened };
}

/** Asks until the answer fits, and returns when. */
async function until(condition) {
  const begun = performance.now();
  while (!(await condition())) await pause(20);
  return performance.now() - begun;
}

/** A proxy before the single server. `held` says of each connection how long its answers are held back; `isHole` if nothing arrives. */
class FaultyProxy {
  connections = [];
  held = () => 0;
  isHole = () => false;
  accepts = () => {};
  answersPing = false;
  #kept = [];

  /** Ends a hole: what was sent into it arrives. */
  heal() {
    this.isHole = () => false;
    this.answersPing = false;
    this.#kept.splice(0).forEach((arrive) => arrive());
  }

  async listening() {
    this.server = createServer((client) => this.#serve(client)).listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return this.server.address().port;
  }

  #serve(client) {
    const at = this.connections.push(client) - 1;
    this.accepts(at);
    const server = connect(REDIS, "127.0.0.1");
    for (const each of [client, server]) each.on("error", () => {}).on("close", () => (client.destroy(), server.destroy()));
    client.on("data", (data) => {
      if (this.answersPing && /ping/i.test(data)) client.write("+PONG\r\n");
      else this.#pass(at, () => server.write(data));
    });
    server.on("data", (data) => setTimeout(() => this.#pass(at, () => client.write(data)), this.held(at)));
  }

  #pass(at, arrive) {
    this.isHole(at) ? this.#kept.push(arrive) : arrive();
  }

  close() {
    this.server.close();
    this.connections.forEach((each) => each.destroy());
  }
}

async function behindProxy(name, body) {
  const proxy = new FaultyProxy();
  const port = await proxy.listening();
  try {
    return await withClient(name, (own) => body({ ...own, proxy }), { port });
  } finally {
    proxy.close();
  }
}

for (const name of SINGLES) {
  test(`${name}: F2.4 an answer to the question that is held back for 220 ms opens nothing`, () =>
    behindProxy(name, async ({ sender, proxy }) => {
      const limiter = limiterOf(sender, { timeoutMs: 20 });
      await until(async () => (await limiter.acquire(subject())).enforced && proxy.connections.length >= 2);
      proxy.held = () => 220;
      // The 30 ms that are left until P are few on a busy machine, whose proxy is late, too.
      const { decided, overloaded } = await opensNothing(async () => {
        // Else the last answers may be younger than 100 ms.
        await pause(200);
        return flooded(limiter, 900);
      }, 20);
      assert.equal(decided + overloaded, 900);
    }));

  test(`${name}: F2.4 a connection for the question that comes late opens nothing`, () =>
    opensNothing(() => behindProxy(name, async ({ sender, proxy }) => {
      // ioredis's calls have a connection of the package, which is the first.
      const ofQuestion = proxy.connections.length + (name === "ioredis");
      let isOver = false;
      proxy.accepts = (at) => {
        if (at !== ofQuestion) return;
        // As where a SYN is lost, which is sent again after 1 s: nothing is heard until then. A machine that stalls needs the rest.
        proxy.isHole = () => true;
        setTimeout(() => (proxy.heal(), (isOver = true)), 500);
      };
      const limiter = limiterOf(sender, { timeoutMs: 20 });
      let opened = 0;
      while (!isOver) opened += (await flooded(limiter, 300)).opened;
      return { opened };
    })));

  test(`${name}: F2.8 a process that is stopped for 2 s opens nothing`, () => opensNothing(async () => {
    const folder = mkdtempSync(join(tmpdir(), "penstock-"));
    const begins = join(folder, "begins");
    const asked = { address: `127.0.0.1:${REDIS}`, kind: "single", ca: null, calls: 5_000, deadline_ms: 50, warm: false, limit: 1000, form: name, raw: false, signal: begins };
    const process_ = spawn(process.execPath, [fileURLToPath(new URL("flood.mjs", import.meta.url)), JSON.stringify(asked)], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const said = [];
      process_.stdout.on("data", (data) => said.push(data));
      const closed = once(process_, "close");
      await until(() => existsSync(begins));
      process_.kill("SIGSTOP");
      await pause(2_000);
      process_.kill("SIGCONT");
      await closed;
      const { opened, allowed, denied_by_server: denied, overloaded, thrown } = JSON.parse(Buffer.concat(said));
      assert.deepEqual([thrown, opened + allowed + denied + overloaded], [0, 5_000]);
      return { opened };
    } finally {
      process_.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  }));

  test(`${name}: F2.5 an event loop that is blocked for 2 s opens nothing`, () =>
    withClient("node-redis", ({ raw }) =>
      withClient(name, async ({ sender }) => {
        const limiter = limiterOf(sender, { timeoutMs: 100 });
        // The connection of the calls, and that of the question.
        const isAsked = async () => (await raw("CLIENT", "LIST")).match(/ cmd=evalsha /g)?.length === 2;
        await until(async () => (await limiter.acquire(subject())).enforced && (await isAsked()));
        await opensNothing(async () => {
          const calls = flooded(limiter, 200);
          // Every call has begun, and none was answered.
          for (let turns = 0; turns < 50; turns++) await undefined;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
          return calls;
        });
      })));

  test(`${name}: F2.3 a server that has no room for the connection of the question opens nothing`, () =>
    withClient(name, ({ raw }) =>
      withClient(name, async ({ sender, raw: single }) => {
        await single("PING");
        const verdicts = [];
        const limiter = limiterOf(sender, { timeoutMs: 20, onVerdict: ({ verdict, error }) => verdicts.push([verdict, String(error)]) });
        const [, most] = Object.entries(await raw("CONFIG", "GET", "maxclients")).flat(2).filter((each) => each !== "0" && each !== "1");
        if (sender.connection) await until(() => sender.connection.own.status === "ready");
        await raw("CONFIG", "SET", "maxclients", /connected_clients:(\d+)/.exec(await raw("INFO", "clients"))[1]);
        try {
          const told = () => verdicts.some(([verdict, error]) => verdict === "refused" || error !== "undefined");
          await until(async () => (await limiter.acquire(subject())).enforced && told());
          // A machine that stalls may be taken for silent before.
          const refusal = verdicts.find(([verdict, error]) => verdict === "refused" || error !== "undefined");
          assert.match(String(refusal), /^(up|refused),.*(max number of clients|EPIPE|ECONNRESET|closed)/i);
          await opensNothing(() => flooded(limiter, 900));
        } finally {
          await raw("CONFIG", "SET", "maxclients", most);
        }
      })));

  test(`${name}: F2.2 a user with the rights for scripts only is answered`, () =>
    withClient(name, async ({ raw }) => {
      const user = { username: `u${subject()}`, password: "right" };
      // node-redis 5.1 does not connect where it may not send CLIENT SETINFO.
      await raw("ACL", "SETUSER", user.username, "on", ">right", "~*", "+get", "+set", "+del", "+time", "+evalsha", "+eval", "+info", "+hello", "+client");
      try {
        await withClient(name, async ({ sender }) => {
          const verdicts = [];
          const limiter = limiterOf(sender, { timeoutMs: 5, onVerdict: (change) => verdicts.push(change) });
          await until(async () => (await limiter.acquire(subject())).enforced);
          await opensNothing(() => flooded(limiter, 900));
          assert.ok(!verdicts.some(({ verdict, error }) => verdict === "refused" || error), `${verdicts}`);
        }, user);
      } finally {
        await raw("ACL", "DELUSER", user.username);
      }
    }));

  for (const [fault, begin] of Object.entries({
    "a black hole": (proxy) => (proxy.isHole = () => true),
    "a pause of all commands": (_proxy, raw) => raw("CLIENT", "PAUSE", "6000"),
    "a proxy that answers PING before a dead server": (proxy) => (proxy.answersPing = proxy.isHole = () => true),
  })) {
    test(`${name}: F2.3 ${fault} is an outage, and ends`, () =>
      withClient("node-redis", ({ raw }) =>
        behindProxy(name, async ({ sender, proxy }) => {
          const verdicts = [];
          const limiter = limiterOf(sender, { timeoutMs: 100, onVerdict: ({ verdict }) => verdicts.push(verdict) });
          await until(async () => (await limiter.acquire(subject())).enforced && proxy.connections.length >= 2);
          await begin(proxy, raw);
          // All within the pause, on a slow machine, too.
          for (let call = 0; call < 5; call++) assert.deepEqual(await flooded(limiter, 1), { decided: 0, opened: 1, overloaded: 0 });
          const attempts = proxy.connections.length;
          proxy.heal();
          const ms = await until(async () => (await limiter.acquire(subject())).enforced);
          assert.ok(proxy.connections.length - attempts <= 3 + ms / 2_500, "connections are not made again by calls");
          assert.ok(verdicts.includes("silent") && verdicts.at(-1) === "up", `${verdicts}`);
        })));
  }

  test(`${name}: F2.6 connections that are silent for good are replaced, and calls of one subject go on`, (context) =>
    behindProxy(name, async ({ sender, proxy }) => {
      const limiter = limiterOf(sender, { timeoutMs: 100 });
      await until(async () => (await limiter.acquire(subject())).enforced && proxy.connections.length >= 2);
      const old = proxy.connections.length;
      proxy.isHole = (at) => at < old;
      // More trips are lost than those that need not count.
      let [decided, who] = [0, subject()];
      const ms = await until(async () => {
        for (let call = 0; call < 2; call++) limiter.acquire(who).then(({ enforced }) => (decided += enforced));
        return decided > 0 && proxy.connections.length > old;
      });
      context.diagnostic(`decided again after ${Math.round(ms)} ms`);
      await until(async () => (await flooded(limiter, 10)).decided === 10);
    }));
}

test("ioredis: a call has the limiter's timeout, not the client's", () =>
  behindProxy("ioredis", async ({ client, proxy }) => {
    proxy.held = () => 200;
    const hasty = client.duplicate({ commandTimeout: 20, lazyConnect: true });
    const sender = ioredis(hasty);
    try {
      assert.equal((await limiterOf(sender, { timeoutMs: 60_000 }).acquire(subject())).enforced, true);
    } finally {
      sender.close();
      hasty.disconnect();
    }
  }));

test("ioredis: a program whose Redis is away ends after disconnect() or quit()", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address();
  closed.close();
  for (const end of ["disconnect", "quit"]) {
    const program = `
      import IoRedis from "ioredis";
      import { RateLimiter, fixedWindow, ioredis } from "penstock-redis";
      const client = new IoRedis({ port: ${port} }).on("error", () => {});
      const limiter = new RateLimiter(ioredis(client), "api", fixedWindow(1, 1000), { timeoutMs: 300, onUnavailable: "allow" });
      await limiter.acquire("a");
      await client.${end}();`;
    const process_ = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: new URL("..", import.meta.url), stdio: "inherit" });
    try {
      assert.deepEqual(await once(process_, "exit"), [0, null], end);
    } finally {
      process_.kill("SIGKILL");
    }
  }
});

test(`${POOL}: F2.1 the connection for the question is made outside the pool, whose clients are all in use`, async () => {
  const { DELAYS } = await inside("verdict.js");
  const { first } = DELAYS;
  for (const hasCalled of [false, true]) {
    const pool = createClientPool({ socket: { port: REDIS } }, { maximum: 1 });
    pool.on("error", () => {});
    if (!hasCalled) await pool.connect();
    const limiter = limiterOf(nodeRedis(pool), { timeoutMs: 100, onVerdict: () => {} });
    if (hasCalled) await pool.connect();
    // The connection is made while the pool's only client is in use.
    DELAYS.first = () => (hasCalled ? 200 : 0);
    if (hasCalled) await until(async () => (await limiter.acquire(subject())).enforced);
    let release;
    const held = pool.execute(() => new Promise((resolve) => (release = resolve)));
    try {
      if (hasCalled) await pause(200);
      assert.deepEqual(await flooded(limiter, 1), { decided: 0, opened: 0, overloaded: 1 });
    } finally {
      DELAYS.first = first;
      release();
      await held;
      while (pool.clientsInUse) await pause(5);
      pool.destroy();
    }
  }
});

test(`${POOL}: F2.1 no connection for the question waits in the queue of a pool whose clients are all in use`, async () => {
  for (const acquireTimeout of [3_000, 100]) {
    const pool = createClientPool({ socket: { port: REDIS } }, { maximum: 1, acquireTimeout });
    pool.on("error", () => {});
    const limiter = limiterOf(nodeRedis(pool), { timeoutMs: 150, onOverload: "throw", onVerdict: () => {} });
    const hold = () => new Promise((held) => void pool.execute(() => new Promise((release) => held(release))));
    await pool.connect();
    let release = await hold();
    try {
      // Longer than a new connection may be silent.
      const over = performance.now() + 1_600;
      while (performance.now() < over) {
        const error = await limiter.acquire(subject()).then(assert.fail, (error) => error);
        assert.deepEqual([error.kind, error.serverAnswers], ["overloaded", false]);
      }
      release();
      // A client that a call got is enough for the connection.
      await until(async () => (await limiter.acquire(subject()).catch(() => ({}))).enforced);
      release = await hold();
      await until(async () => (await limiter.acquire(subject()).catch((error) => error)).serverAnswers);
    } finally {
      release();
      while (pool.clientsInUse) await pause(5);
      pool.destroy();
    }
  }
});

// A pool of node-redis 5.1 whose client cannot connect ends the process.
const ENDS = versionOf("redis").startsWith("5.") && "its pool cannot fail to connect";
test(`${POOL}: F2.10 a pool that cannot connect is told of before any of its clients is known`, { skip: ENDS }, async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address();
  closed.close();
  for (const [code, socket] of [["ECONNREFUSED", { port }], ["ENOENT", { path: "/no/such/socket" }]]) {
    const pool = createClientPool({ socket: { ...socket, reconnectStrategy: 20 } }, { maximum: 1 });
    pool.on("error", () => {});
    const changes = [];
    const limiter = limiterOf(nodeRedis(pool), { timeoutMs: 50, onVerdict: (change) => changes.push(change) });
    pool.connect().catch(() => {});
    try {
      await until(async () => (await flooded(limiter, 1)).opened === 1 && changes.length > 0);
      assert.deepEqual(changes.map(({ verdict, error }) => [verdict, error?.code]), [["silent", code]]);
    } finally {
      pool.destroy();
    }
  }
});
