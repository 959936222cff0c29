// Reservations on real servers and clusters, without a server, and through a proxy that loses an answer.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  CallId, ConcurrencyLimiter, MaybeChargedError, MisconfiguredError, EntryLimit, NoDecisionError, NotSentError, OverloadedError, RESERVE,
  Reservations, SCRIPTS, SETTLE, fixedWindow, slidingWindow, tokenBucket,
} from "penstock-redis";
import { FORMS, NAMES, PREFIX, PROXY, REDIS, isCluster, serversDo, subject, vectors, withClient } from "./servers.mjs";

const HOUR = 3_600_000;
const BUDGET = EntryLimit.of("tpm", fixedWindow(1000, HOUR));
const PLACES = EntryLimit.concurrency("in-flight", 2);
const reservationsOf = (sender, { keepMs = HOUR, ...options } = {}) =>
  new Reservations(sender, "llm", keepMs, { prefix: PREFIX, timeoutMs: 60_000, ...options });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const loaded = () => [RESERVE, SETTLE].forEach(({ source }) => serversDo("load", { said: source }));

/** The remaining and held units of a call's entries. */
const left = ({ allowed, usages }) => [allowed, ...usages.map(({ remaining, held }) => `${remaining}/${held}`)].join(" ");

/** A listener, and what it heard. */
function heard() {
  const events = [];
  return [events, { onEvent: ({ kind }) => events.push(kind) }];
}

async function whileServers(fault, end, body) {
  serversDo(fault);
  try {
    await body();
  } finally {
    serversDo(end);
  }
}

/** Makes the connection to the node of a group. */
async function connected(sender, group) {
  const llm = reservationsOf(sender);
  while (await llm.reserve(group, [EntryLimit.of("any", fixedWindow(1, HOUR)).charge(1)]).then(() => false, () => true));
}

for (const form of [...FORMS, "EVAL"]) {
  test(`the vectors of reservations, by ${form}`, () =>
    withClient("node-redis", async ({ raw, sender }) => {
      const scripts = Object.fromEntries([RESERVE, SETTLE, ...SCRIPTS].map((script) => [script.name, script]));
      if (form === "FCALL") await reservationsOf(sender).loadFunctions();
      for (const { source } of Object.values(scripts)) serversDo("load", { said: source });
      for (const { name, steps } of vectors("reservation", "sequences")) {
        for (const key of new Set(steps.flatMap(({ keys }) => keys))) await raw("DEL", key);
        for (const [at, { script, keys, args, before = {}, reply, error }] of steps.entries()) {
          for (const [key, state] of Object.entries(before)) {
            await (state ? raw("SET", key, state.hex ? Buffer.from(state.hex, "hex") : state.value) : raw("DEL", key));
          }
          const target = { EVALSHA: scripts[script].sha1, FCALL: scripts[script].function, EVAL: scripts[script].source }[form];
          const answered = await raw(form, target, String(keys.length), ...keys, ...args).catch((failure) => failure.message);
          if (error) assert.ok(answered.includes(`penstock ${script}: ${error} `), `${name} ${at}: ${answered}`);
          else assert.deepEqual(answered, reply, `${name} ${at}`);
        }
      }
    }));
}

for (const name of NAMES) {
  for (const form of FORMS) {
    test(`${name}: all that a reservation does, by ${form}`, () =>
      withClient(name, async ({ sender }) => {
        const [events, tell] = heard();
        const llm = reservationsOf(sender, { functions: form === "FCALL", ...tell });
        form === "FCALL" ? await llm.loadFunctions() : serversDo("flush");
        const [group, user, rate] = [subject(), "a/{b}", EntryLimit.of("rpm", tokenBucket(10, 1, HOUR))];
        const [own, all] = [BUDGET.reserve(400).within(user), BUDGET.reserve(400)];
        const call = await llm.reserve(group, [rate.charge(1), own, all, PLACES.reserve()]);
        assert.equal(left(call), "true 9/0 600/400 600/400 1/1");
        assert.deepEqual([call.retryAfterMs, call.retryAfterSeconds, call.delayMs, call.askAgainAfterMs, call.enforced], [0, 0, 0, 0, true]);
        assert.equal(await call.renew(100), "settled");
        const second = await llm.reserve(group, [own, PLACES.reserve()]);
        assert.equal(left(second), "true 200/700 0/2");
        const denied = await llm.reserve(group, [BUDGET.reserve(1), PLACES.reserve()]);
        assert.deepEqual([left(denied), denied.answer.denying], ["false 600/300 0/2", 1]);
        assert.ok(denied.retryAfterMs > 60_000 && denied.askAgainAfterMs <= 250);
        assert.equal(await denied.settle(1), "nothing_held");
        await denied.close();
        await assert.rejects(call.settleEntries(BUDGET.reserve(5).used(1)), /^RangeError: totals must name entries of this call/);
        await assert.rejects(call.settleEntries(own.used(1), own.used(1)), /^RangeError: totals must name entries of this call, each once/);
        await assert.rejects(call.settle(-1), /^RangeError: total must be an integer from 0 to 1000000000000: -1/);
        await assert.rejects(call.renew(0.5), /^RangeError: total must be an integer/);
        assert.equal(await call.settleEntries(own.used(150)), "settled");
        assert.equal(await call.settle(1), "nothing_held");
        assert.equal(await call.renew(), "nothing_held");
        await call.close();
        assert.equal(await second.cancel(), "settled");
        const third = await llm.reserve(group, [BUDGET.debit(10).within(user), BUDGET.debit(10), PLACES.reserve()]);
        assert.equal(left(third), "true 840/0 590/0 1/1");
        await third.close();
        assert.deepEqual(events.splice(0), "reserved renewed reserved denied settled cancelled reserved settled".split(" "));
        const never = await llm.reserve(group, [BUDGET.reserve(1001)]);
        assert.deepEqual([never.retryAfterMs, never.askAgainAfterMs, never.retryAfterSeconds], [Infinity, Infinity, undefined]);
      }));
  }

  test(`${name}: an answer that is lost once`, () =>
    withClient(name, async ({ sender }) => {
      loaded();
      const [once, group] = [EntryLimit.of("once", fixedWindow(1000, HOUR)), subject()];
      await connected(sender, group);
      const llm = reservationsOf(sender);
      serversDo("lose");
      const call = await llm.reserve(group, [once.reserve(400)]);
      assert.deepEqual([left(call), call.answer.repeated], ["true 600/400", true]);
      serversDo("lose");
      assert.equal(await call.settle(300), "settled");
      assert.equal(left(await llm.reserve(group, [once.debit(1)])), "true 699/0");
    }, { port: PROXY }));

  test(`${name}: an id finds its reservation`, () =>
    withClient(name, async ({ sender }) => {
      const [llm, group, id] = [reservationsOf(sender), subject(), CallId.random()];
      const first = await llm.reserve(group, [BUDGET.reserve(400)], { id });
      const again = await llm.reserve(group, [BUDGET.reserve(400)], { id });
      assert.deepEqual([left(again), first.answer.repeated, again.answer.repeated, again.answer.id], ["true 600/400", false, true, id]);
      const refused = (error) => error instanceof MisconfiguredError && /reserve: id must/.test(error.message);
      await assert.rejects(llm.reserve(group, [BUDGET.reserve(401)], { id }), refused);
      assert.deepEqual([await first.settle(300), await again.settle(200)], ["settled", "settled"]);
      assert.equal(left(await llm.reserve(group, [BUDGET.debit(1)])), "true 699/0");
      await assert.rejects(llm.reserve(group, [BUDGET.reserve(400)], { id }), refused);
    }));

  test(`${name}: a wrong password opens no reservation`, () =>
    withClient(name, async ({ sender }) => {
      const llm = reservationsOf(sender, { timeoutMs: 2_000, onUnavailable: "allow", onOverload: "allow" });
      // Until the server has refused the password, there is no connection yet.
      let outcome;
      do outcome = await llm.reserve(subject(), [BUDGET.reserve(1)]).catch((error) => error);
      while (outcome.enforced === false);
      assert.ok(outcome instanceof MisconfiguredError && /WRONGPASS/.test(outcome.message), String(outcome));
    }, { username: "nobody", password: "wrong", awaited: false }));

  if (isCluster(name)) {
    test(`${name}: TRYAGAIN is sent again`, () =>
      withClient(name, async ({ sender }) => {
        const [llm, group] = [reservationsOf(sender), subject()];
        await (await llm.reserve(group, [BUDGET.reserve(1), PLACES.reserve()])).close();
        const slot = { key: `x:{${group}}` };
        serversDo("ask", slot);
        const hasty = reservationsOf(sender, { timeoutMs: 1_000 });
        let error;
        // On a machine that stalls an attempt may have no answer in time, or be denied for that.
        do error = await hasty.reserve(group, [BUDGET.reserve(1), PLACES.reserve()]).catch((error) => error);
        while (["not_answered", "not_sent", undefined].includes(error.kind));
        assert.deepEqual([error.kind, error.maybeCharged], ["unavailable", false], String(error));
        const sent = llm.reserve(group, [BUDGET.reserve(1), PLACES.reserve()]);
        await pause(200);
        serversDo("settle", slot);
        assert.equal(left(await sent), "true 999/1 1/1");
      }));
    continue;
  }

  test(`${name}: an end without a word settles the estimates`, () =>
    withClient(name, async ({ sender }) => {
      const [llm, group] = [reservationsOf(sender), subject()];
      const call = await llm.reserve(group, [BUDGET.reserve(400), PLACES.reserve()]);
      await call[Symbol.asyncDispose]();
      assert.equal(left(await llm.reserve(group, [BUDGET.debit(1), PLACES.reserve()])), "true 599/0 1/1");
    }));

  test(`${name}: too late to settle`, () =>
    withClient(name, async ({ sender }) => {
      const [events, tell] = heard();
      const [llm, group] = [reservationsOf(sender, { keepMs: 3_000, timeoutMs: 3_000, ...tell }), subject()];
      const call = await llm.reserve(group, [BUDGET.reserve(400), PLACES.reserve()]);
      await pause(3_500);
      assert.deepEqual([await call.settle(1), await call.settle(1)], ["ran_out", "nothing_held"]);
      assert.equal(left(await llm.reserve(group, [BUDGET.debit(1), PLACES.reserve()])), "true 599/0 1/1");
      assert.deepEqual(events, ["reserved", "ran_out", "reserved"]);
    }));

  test(`${name}: a server that is stopped`, () =>
    withClient(name, async ({ sender }) => {
      const told = [];
      const options = { timeoutMs: 600, onEvent: ({ kind, error, answer }) => told.push([kind, error?.kind, answer?.enforced]) };
      const [fail, allow, deny] = ["throw", "allow", "deny"].map((onUnavailable) => reservationsOf(sender, { ...options, onUnavailable }));
      const [held, heldToo] = [await fail.reserve(subject(), [BUDGET.reserve(1)]), await allow.reserve(subject(), [BUDGET.reserve(1)])];
      told.length = 0;
      await whileServers("stop", "cont", async () => {
        await assert.rejects(fail.reserve(subject(), [BUDGET.reserve(1)]), MaybeChargedError);
        for (const [llm, allowed, wait] of [[allow, true, 0], [deny, false, 600]]) {
          const call = await llm.reserve(subject(), [BUDGET.reserve(1), PLACES.reserve()]);
          assert.equal(left(call), `${allowed} 0/0 0/0`);
          assert.deepEqual([call.enforced, call.answer.denying, call.retryAfterMs], [false, undefined, wait]);
          assert.deepEqual(call.usages.map(({ limit }) => limit), [1000, 2]);
          assert.equal(await call.settle(1), "nothing_held");
          await call.close();
        }
        const error = await held.settle(1).catch((error) => error);
        assert.deepEqual([error.constructor, error.kind, error.maybeCharged], [NoDecisionError, "not_answered", false]);
        assert.match(error.message, /^the settlement was not answered, so the held units expire: /);
        assert.equal(await heldToo.settle(1), "undecided");
        await held.close();
        await heldToo.close();
      });
      assert.deepEqual(told.splice(0), [
        ["undecided", "not_answered", undefined], ["reserved", "not_answered", false], ["denied", "not_answered", false],
        ["undecided", "not_answered", true], ["undecided", "not_answered", true],
      ]);
      while ((await held.settle(1).catch(() => "undecided")) === "undecided");
      assert.equal(await held.settle(1), "nothing_held");
    }));

  test(`${name}: a close in an outage throws nothing`, () =>
    withClient(name, async ({ sender }) => {
      const [events, tell] = heard();
      const call = await reservationsOf(sender, { timeoutMs: 600, ...tell }).reserve(subject(), [BUDGET.reserve(1)]);
      await whileServers("stop", "cont", async () => {
        await call.close();
        await call.close();
      });
      assert.deepEqual(events, ["reserved", "undecided"]);
    }));

  test(`${name}: what a renewal counted is charged though it never arrived`, () =>
    withClient(name, async ({ sender }) => {
      const [group, llm] = [subject(), reservationsOf(sender, { timeoutMs: 4_000 })];
      const call = await llm.reserve(group, [BUDGET.reserve(100)]);
      await whileServers("down", "up", () => assert.rejects(call.renew(150), NoDecisionError));
      await connected(sender, group);
      await call.close();
      assert.equal(left(await llm.reserve(group, [BUDGET.debit(1)])), "true 849/0");
    }, { port: PROXY }));

  test(`${name}: an attempt without an answer is not forgotten`, () =>
    withClient(name, async ({ sender }) => {
      const [llm, late] = [reservationsOf(sender, { timeoutMs: 4_000 }), EntryLimit.of("late", fixedWindow(9, HOUR))];
      loaded();
      await connected(sender, subject());
      const call = llm.reserve(subject(), [late.reserve(1)]).catch((error) => error);
      const bed = spawn("python3", [process.env.PENSTOCK_TESTBED, "held"]);
      await once(bed, "exit");
      await whileServers("down", "up", async () => {
        assert.ok((await call) instanceof MaybeChargedError);
        const refused = await llm.reserve(subject(), [late.reserve(1)]).catch((error) => error);
        assert.ok(refused instanceof NotSentError, String(refused));
      });
    }, { port: PROXY }));

  test(`${name}: a memory that is full`, () =>
    withClient(name, async ({ raw, sender }) => {
      await reservationsOf(sender).reserve(subject(), [BUDGET.debit(1)]);
      await raw("CONFIG", "SET", "maxmemory", "1");
      try {
        const denied = await reservationsOf(sender, { onUnavailable: "allow" }).reserve(subject(), [BUDGET.reserve(1)]);
        assert.deepEqual([left(denied), denied.enforced], ["false 0/0", false]);
        await assert.rejects(reservationsOf(sender, { onOverload: "throw" }).reserve(subject(), [BUDGET.reserve(1)]), OverloadedError);
      } finally {
        await raw("CONFIG", "SET", "maxmemory", "0");
      }
    }));

  test(`${name}: a memory that is full after a lost answer`, () =>
    withClient(name, async ({ raw, sender }) => {
      loaded();
      const [once, group] = [EntryLimit.of("once", fixedWindow(1000, HOUR)), subject()];
      await connected(sender, group);
      await raw("CONFIG", "SET", "maxmemory", "1");
      try {
        serversDo("lose");
        const error = await reservationsOf(sender, { onOverload: "throw" }).reserve(group, [once.reserve(1)]).catch((error) => error);
        assert.deepEqual([error.constructor, error.kind, error.maybeCharged], [OverloadedError, "overloaded", true], String(error));
        assert.match(error.message, /^overloaded, and the call may have been charged: .*OOM/);
      } finally {
        await raw("CONFIG", "SET", "maxmemory", "0");
      }
    }, { port: PROXY }));

  test(`${name}: permits in flight`, () =>
    withClient(name, async ({ sender }) => {
      const [events, tell] = heard();
      const [exports, who] = [new ConcurrencyLimiter(reservationsOf(sender, { keepMs: 6_000, timeoutMs: 6_000, ...tell }), "exports", 1), subject()];
      const permit = await exports.acquire(who);
      assert.equal(left(permit), "true 0/1");
      assert.equal(left(await exports.acquire(who, { id: CallId.random() })), "false 0/1");
      permit.keepAlive();
      permit.keepAlive();
      while (events.filter((kind) => kind === "renewed").length < 2) await pause(50);
      assert.equal(left(await exports.acquire(who)), "false 0/1");
      await permit.close();
      assert.equal(left(await exports.acquire(who)), "true 0/1");
      assert.deepEqual(events, "reserved denied renewed renewed denied settled reserved".split(" "));
    }));

  test(`${name}: a signal gives back what the call gets`, () =>
    withClient(name, async ({ sender }) => {
      loaded();
      const [events, tell] = heard();
      const [llm, late, group] = [reservationsOf(sender, tell), EntryLimit.of("late", fixedWindow(1000, HOUR)), subject()];
      await connected(sender, group);
      await assert.rejects(llm.reserve(group, [late.reserve(1)], { signal: AbortSignal.abort(new Error("gone")) }), { name: "OverloadedError", maybeCharged: false });
      const control = new AbortController();
      const call = llm.reserve(group, [late.reserve(400)], { signal: control.signal }).catch((error) => error);
      await once(spawn("python3", [process.env.PENSTOCK_TESTBED, "held"]), "exit");
      control.abort(new Error("gone"));
      const error = await call;
      assert.deepEqual([error.name, error.maybeCharged, error.cause.message], ["OverloadedError", true, "gone"]);
      while (!events.includes("cancelled")) {
        serversDo("release");
        await pause(50);
      }
      await withClient(name, async (direct) => {
        assert.equal(left(await reservationsOf(direct.sender).reserve(group, [late.debit(1)])), "true 999/0");
      });
      assert.deepEqual(events, ["reserved", "cancelled"]);
    }, { port: PROXY }));

  test(`${name}: a listener that throws loses nothing`, () =>
    withClient(name, async ({ sender }) => {
      const warnings = [];
      const warned = (warning) => warnings.push(warning.message);
      process.on("warning", warned);
      const llm = reservationsOf(sender, { onEvent: ({ kind }) => assert.fail(kind) });
      const call = await llm.reserve(subject(), [BUDGET.reserve(400)]);
      assert.equal(await call.settle(300), "settled");
      await pause(0);
      process.off("warning", warned);
      assert.deepEqual(warnings, ["reserved", "settled"]);
    }));
}

test("await using settles at the end of its block", () =>
  withClient("node-redis", async ({ sender }) => {
    const options = ["--target", "es2022", "--lib", "es2024,esnext.disposable", "--module", "nodenext", "--strict", "--skipLibCheck"];
    // Tests on another server may do this in the same folder.
    const folder = mkdtempSync("tests/using-");
    execFileSync("npx", ["tsc", "--ignoreConfig", ...options, "--types", "node", "--rootDir", "tests", "--outDir", folder, "tests/using.mts"]);
    const { served } = await import(`../${folder}/using.mjs`);
    rmSync(folder, { recursive: true });
    const [llm, group] = [reservationsOf(sender), subject()];
    assert.equal(await served(llm, group, async () => 300), "settled");
    await assert.rejects(served(llm, group, () => Promise.reject(new Error("the block's own"))), /the block's own/);
    // 300 were settled, and the estimate of 400 where the block failed.
    assert.equal(left(await llm.reserve(group, [BUDGET.debit(1)])), "true 299/0");
  }));

test("a process that is killed", () =>
  withClient("node-redis", async ({ sender }) => {
    const [llm, group] = [reservationsOf(sender), subject()];
    const held = spawn(process.execPath, ["tests/holder.mjs", PREFIX, group], { stdio: ["pipe", "pipe", "inherit"] });
    assert.equal(String((await once(held.stdout, "data"))[0]), "true\n");
    held.kill("SIGKILL");
    await once(held, "exit");
    const denied = await llm.reserve(group, [BUDGET.reserve(601), PLACES.reserve()]);
    assert.deepEqual([denied.allowed, denied.usages[1].held], [false, 2]);
    while (!(await llm.reserve(group, [PLACES.reserve()])).allowed) await pause(100);
    // Charged as it was estimated, and free again.
    assert.equal(left(await llm.reserve(group, [BUDGET.debit(1), PLACES.reserve()])), "true 599/0 0/2");
  }));

test("the README's tokens", () =>
  withClient("node-redis", async ({ raw, sender }) => {
    const example = readFileSync("examples/tokens.mjs", "utf8");
    assert.ok(readFileSync("README.md", "utf8").includes("```js\n" + example + "```"));
    const { ask } = await import("../examples/tokens.mjs");
    const [llm, tenant, answers] = [reservationsOf(sender), subject(), []];
    for (let at = 0; at < 5; at++) answers.push(await ask(llm, tenant, "user:42", async () => ({ text: "answer", used: 30_000 })));
    // 100,000 tokens a minute, of which each call uses 30,000.
    assert.deepEqual([...answers.slice(0, 3), answers[4]], ["answer", "answer", "answer", undefined]);
    // What cannot be settled, as its keys have become those of another program, loses no answer.
    const other = subject();
    const answer = await ask(llm, other, "user:42", async () => {
      for (const key of (await raw("KEYS", `*${other}*`))) {
        await raw("DEL", key);
        await raw("RPUSH", key, "x");
      }
      return { text: "answer", used: 1 };
    });
    assert.equal(answer, "answer");
  }));

test("the stream of docs/reservations.md", () =>
  withClient("node-redis", async ({ sender }) => {
    const example = readFileSync("examples/stream.mjs", "utf8");
    const page = join(process.env.PENSTOCK_TESTBED, "../../docs/reservations.md");
    assert.ok(readFileSync(page, "utf8").includes("```js\n" + example + "```"));
    const { streamed } = await import("../examples/stream.mjs");
    const [tokens, tenant, events] = [EntryLimit.of("tpm", slidingWindow(100_000, 60_000)), subject(), []];
    const llm = reservationsOf(sender, { onEvent: ({ kind }) => events.push(kind) });
    const words = Array.from({ length: 2_500 }, (_, at) => `word ${at}`);
    const passed = [];
    for await (const word of await streamed(llm, tenant, words)) passed.push(word);
    assert.deepEqual(passed, words);
    for await (const word of await streamed(llm, tenant, words)) if (word === "word 1199") break;
    const left = await llm.reserve(tenant, [tokens.reserve(100_000 - 3_700)]);
    assert.ok(left.allowed && left.usages[0].remaining === 0);
    assert.equal(await streamed(llm, tenant, words), undefined);
    assert.deepEqual(events, "reserved renewed renewed settled reserved renewed settled reserved denied".split(" "));
  }));
