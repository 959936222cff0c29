// failures.json: what each call is while the server or its network fails, on a real server and through a proxy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import IoRedis from "ioredis";
import { Decision, MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, RateLimiter, fixedWindow, key } from "penstock-redis";
import { NAMES, NODES, PREFIX, PROXY, REDIS, isCluster, serversDo, subject, vectors, versionOf, withClient } from "./servers.mjs";

const { choices } = JSON.parse(readFileSync(`${process.env.PENSTOCK_VECTORS}/failures.json`, "utf8"));
const WINDOW = fixedWindow(1000, 3_600_000);
const PORTS = { server: REDIS, proxy: PROXY, nobody: 1 };
const UNITS = { acquire: 1, up_to: 5, all: 1 };
const CALLS = {
  acquire: (limiter, [who]) => limiter.acquire(who),
  up_to: (limiter, [who]) => limiter.acquireUpTo(who, 5),
  all: (limiter, subjects) => limiter.acquireAll(subjects),
  peek: (limiter, [who]) => limiter.peek(who),
  refund: (limiter, [who]) => limiter.refund(who, 1),
  reset: (limiter, [who]) => limiter.reset(who),
};
const isOutage = (kind) => ["not_sent", "not_answered", "unavailable"].includes(kind);
const classOf = (kind) => (isOutage(kind) ? NoDecisionError : { overloaded: OverloadedError, misconfigured: MisconfiguredError }[kind]);

/** The outcomes of a call, as Promise.allSettled has them. */
async function played(limiter, verb, subjects) {
  const [outcome] = await Promise.allSettled([CALLS[verb](limiter, subjects)]);
  return verb === "all" ? outcome.value : [outcome];
}

function check(scenario, choice, verb, { value, reason }, deadline) {
  const [first] = scenario.is;
  const chosen = (verb in UNITS && (isOutage(first) ? choice.on_unavailable : first === "overloaded" && choice.on_overload)) || "throw";
  const shown = `${verb}, ${JSON.stringify(choice)}: ${JSON.stringify(value)} ${reason?.stack}`;
  if (first === "decided") {
    assert.equal(value?.enforced, true, shown);
  } else if (chosen === "throw") {
    assert.ok(reason && scenario.is.includes(reason.kind), shown);
    for (const each of [NoDecisionError, OverloadedError, MisconfiguredError]) assert.equal(reason instanceof each, each === classOf(reason.kind), shown);
    if (!(verb in UNITS)) return;
    assert.equal(reason.maybeCharged, scenario.maybe_charged ?? reason.kind === "not_answered", shown);
    assert.equal(reason instanceof MaybeChargedError, reason.maybeCharged && isOutage(reason.kind), shown);
  } else {
    const waitUs = chosen === "deny" ? value?.waitUs : 0;
    assert.deepEqual(value, new Decision(chosen === "allow" ? UNITS[verb] : 0, 1000, 0, waitUs, 0, 1, false), shown);
    assert.ok(chosen === "allow" || (waitUs > 0 && waitUs <= deadline * 1000), shown);
  }
}

async function play(name, scenario) {
  const { client, policy = "api", deadline_ms: timeoutMs = 20_000, bed: [before, later] = [], calls = ["acquire"] } = scenario;
  const user = `u${subject()}`;
  const admins = isCluster(name) ? nodes : [server];
  const everywhere = async (commands = [], words = {}) => {
    for (const command of commands) {
      const filled = command.map((word) => words[word] ?? word.replace("$user", user));
      for (const admin of admins) await admin.call(...filled);
    }
  };
  const isNew = scenario.new ?? Boolean(client.user || client.database);
  const fault = async () => (await everywhere(scenario.commands), before && serversDo(before));
  const ends = [async () => (later && serversDo(later), await everywhere(scenario.undo))];
  const end = async () => ends.pop()?.();
  const options = { port: PORTS[client.at], username: client.user?.replace("$user", user), password: client.password, db: client.database };
  const newest = await Promise.all(admins.map((admin) => admin.client("ID")));
  const areAsked = () => Promise.all(admins.map((admin, at) => isAsked(admin, newest[at]))).then((all) => all.every(Boolean));
  try {
    if (isNew) await fault();
    await withClient(name, async ({ sender }) => {
      const limiter = (more, named = policy) => new RateLimiter(sender, named, WINDOW, { prefix: PREFIX, timeoutMs, ...more });
      const connected = () => Promise.all(Array.from({ length: 20 }, () => decided(limiter({ timeoutMs: 20_000 }, "api"))));
      if (!isNew) {
        await connected();
        while (scenario.asked && !(await areAsked())) await connected();
        await fault();
      }
      const charges = [];
      for (const choice of choices) {
        // Where calls lose their connections, the next ones have them again.
        if (!isNew && !scenario.bed && !scenario.commands) await connected();
        const chooses = limiter({ onUnavailable: choice.on_unavailable, onOverload: choice.on_overload });
        const made = calls.map((verb) => ({ verb, who: Array.from({ length: verb === "all" ? 2 : 1 }, () => `${scenario.subject ?? ""} #${subject()}`) }));
        for (const { who } of scenario.before_each ? made : []) await everywhere([scenario.before_each], { $key: key(policy, who[0], WINDOW, PREFIX) });
        const outcomes = await Promise.all(made.map(({ verb, who }) => played(chooses, verb, who)));
        for (const [at, { verb, who }] of made.entries()) {
          outcomes[at].forEach((outcome) => check(scenario, choice, verb, outcome, timeoutMs));
          if (verb in UNITS && scenario.ran) charges.push(...who.map((each) => ({ each, units: UNITS[verb] })));
        }
      }
      await end();
      for (const { each, units } of charges) while (!scenario.ran.includes((await used(name, policy, each)) / units)) await pause();
      if (!scenario.stays) await decided(limiter({ timeoutMs: 20_000 }, "api"));
    }, { ...options, awaited: !isNew });
  } finally {
    await end();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const server = new IoRedis({ port: REDIS });
const nodes = NODES.map((port) => new IoRedis({ port }));
const cluster = new IoRedis.Cluster([{ host: "127.0.0.1", port: NODES[0] }]);
after(() => [server, cluster, ...nodes].forEach((each) => each.disconnect()));

/** The units in a fixed window, read without a script. */
async function used(name, policy, who) {
  const state = await (isCluster(name) ? cluster : server).get(key(policy, who, WINDOW, PREFIX));
  return Number(state?.split(":")[1] ?? 0);
}

/** Whether a server has newer connections of calls and of the check. */
async function isAsked(admin, newest) {
  const ours = String(await admin.client("LIST")).split("\n").filter((line) => Number(/^id=(\d+)/.exec(line)?.[1]) > newest && line.includes(" cmd=eval"));
  return ours.length >= 2;
}

/** Calls until the server decides. */
async function decided(limiter) {
  while (!(await limiter.acquire(subject()).catch(() => false))?.enforced) await pause();
}

/** A machine on which the server does not run for P makes an outage of an overload; another play shows whether it was that. */
async function playAgain(name, scenario) {
  for (let tries = scenario.is[0] === "overloaded" ? 3 : 1; ; tries--) {
    try {
      return await play(name, scenario);
    } catch (error) {
      if (tries === 1) throw error;
    }
  }
}

// A cluster of node-redis 5 fails until it knows its nodes, without the reason for which it may not sign in.
const plays = (name, { cluster, client }) => !isCluster(name) || cluster && !(client.user && name.startsWith("node-redis") && versionOf("redis").startsWith("5."));

for (const name of NAMES) {
  test(`${name}: failures.json`, async (t) => {
    for (const scenario of vectors("failures", "scenarios", (scenario) => plays(name, scenario))) await t.test(scenario.name, { timeout: 120_000 }, () => playAgain(name, scenario));
  });
}
