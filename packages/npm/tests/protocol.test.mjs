// The pure functions.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  CallId, CombinedHeaders, Decision, Limit, EntryLimit, RateLimitHeaders, RateLimiter, ReservationPlan, SCRIPTS, decision, classifyError,
  fixedWindow, key, classify, parseLimit, provesNotRun, tokenBucket, wait,
} from "penstock-redis";
import * as esm from "penstock-redis";
import { vectors } from "./vectors.mjs";

const SECOND = 1000;
const MUST = (what) => ({ name: "RangeError", message: new RegExp(`^${what} must`) });

test("CommonJS and ES modules export the same", () => {
  assert.deepEqual(Object.keys(createRequire(import.meta.url)("penstock-redis")).sort(), Object.keys(esm).sort());
});

test("keys.json", () => {
  for (const example of vectors("keys", "keys")) {
    const limit = new Limit(SCRIPTS.find(({ name }) => name === example.script), example.tiers);
    const subjects = [Buffer.from(example.subject_hex, "hex"), ...("subject" in example ? [example.subject] : [])];
    for (const subject of subjects) {
      const made = () => key(example.policy, subject, limit, example.prefix);
      example.key ? assert.equal(made(), example.key) : assert.throws(made, MUST(example.error));
    }
  }
  assert.throws(() => key("api", "\ud83d", fixedWindow(1, SECOND)), MUST("subject"));
});

test("a decision rounds waits up", () => {
  const denied = new Decision(0, 100, 3, 1_000_001, 5, 1);
  assert.deepEqual([denied.allowed, denied.retryAfterMs, denied.retryAfterSeconds, denied.delayMs], [false, 1001, 2, 0]);
  assert.equal(denied.resetAfterMs, 1);
  const turn = new Decision(1, 100, 3, 2_000_001, 5, 1);
  assert.deepEqual([turn.allowed, turn.retryAfterMs, turn.retryAfterSeconds, turn.delayMs], [true, 0, 0, 2001]);
  const never = new Decision(0, 100, 3, -1, 5, 1);
  assert.deepEqual([never.retryAfterMs, never.retryAfterSeconds], [Infinity, undefined]);
});

test("decisions.json", () => {
  for (const { reply, allowed, impossible, retry_after_seconds, delay_us } of vectors("decisions", "decisions")) {
    const read = decision(reply);
    assert.deepEqual(
      [read.allowed, read.retryAfterMs === Infinity, read.retryAfterSeconds, read.delayMs],
      [allowed, impossible, retry_after_seconds ?? undefined, Math.ceil(delay_us / 1000)],
    );
  }
});

test("limits.json", () => {
  for (const { text, error_at, did_you_mean, script, arguments: args, marker, normal } of vectors("limits", "limits")) {
    if (error_at !== undefined) {
      const place = `limit "${text}" at ${error_at}, "`;
      const hint = did_you_mean ? `; did you mean "${did_you_mean}"?` : "";
      const right = (message) => message.startsWith(place) && message.endsWith(hint) && message.includes("did you mean") === !!hint;
      assert.throws(() => parseLimit(text), ({ name, message }) => name === "RangeError" && right(message), text);
      continue;
    }
    const limit = parseLimit(text);
    assert.deepEqual([limit.script.name, limit.args, limit.marker, limit.text], [script, args, marker, normal]);
  }
  assert.throws(() => parseLimit(5), /^TypeError: limit must be a string/);
});

test("http.json", () => {
  for (const example of vectors("http", "answers")) {
    const { policy, limit, reply, enforced = true, form, names, quota_unit: quotaUnit, detail, fields, status, problem } = example;
    const headers = new RateLimitHeaders(policy, parseLimit(limit), { form, names, quotaUnit });
    const made = new Decision(...reply, enforced);
    assert.deepEqual(Object.entries(headers.fields(made)), fields);
    if (made.allowed) {
      assert.throws(() => headers.problem(made), MUST("denied"));
    } else {
      assert.deepEqual([RateLimitHeaders.status(made), JSON.parse(headers.problem(made, detail))], [status, problem]);
      assert.match(headers.problem(made, detail), /^[ -~]+$/);
    }
  }
});

function checkCombined(headers, { fields, status, problem }) {
  assert.deepEqual(Object.entries(headers.fields()), fields);
  if (status) {
    assert.deepEqual([headers.status, JSON.parse(headers.problem())], [status, problem]);
  } else {
    assert.throws(() => headers.status, MUST("a policy"));
    assert.throws(() => headers.problem(), MUST("a policy"));
  }
}

test("http.json: several policies", () => {
  for (const example of vectors("http", "several")) {
    const answers = example.policies.map(({ policy, limit, reply, enforced = true }) => [
      new RateLimitHeaders(policy, parseLimit(limit), { form: example.form }), new Decision(...reply, enforced),
    ]);
    checkCombined(CombinedHeaders.of(...answers), example);
  }
  for (const example of vectors("http", "reservations")) {
    const entries = example.entries.map(({ policy, limit, mode, within }) => {
      const entry = EntryLimit.parse(policy, limit)[mode](1);
      return within === undefined ? entry : entry.within(within);
    });
    const answer = new ReservationPlan(new CallId("id"), "g", entries).answer(example.reply);
    checkCombined(CombinedHeaders.ofReservation(answer, { form: example.form }), example);
  }
});

test("fields of several policies without a decision, and of none", () => {
  const entries = [EntryLimit.of("tpm", fixedWindow(1000, SECOND)).reserve(10), EntryLimit.concurrency("in-flight", 10).reserve()];
  const plan = new ReservationPlan(new CallId("id"), "g", entries);
  const policies = { "RateLimit-Policy": `"tpm";q=1000;w=1, "in-flight";q=10;qu="concurrent-requests"` };
  assert.deepEqual(CombinedHeaders.ofReservation(plan.undecided(true, 0)).fields(), policies);
  const denied = CombinedHeaders.ofReservation(plan.undecided(false, 1_500_000));
  assert.deepEqual([denied.fields(), denied.status], [{ ...policies, "Retry-After": "2" }, 503]);
  assert.equal(JSON.parse(denied.problem("Wait.")).detail, "Wait.");
  const [api, decided] = [tokenBucket(100, 10, SECOND), new Decision(1, 100, 99, 0, 100_000, 1)];
  const forms = [[new RateLimitHeaders("a", api), decided], [new RateLimitHeaders("b", api, { form: "draft-07" }), decided]];
  for (const answers of [[], forms]) assert.throws(() => CombinedHeaders.of(...answers), MUST("answers"));
  assert.throws(() => CombinedHeaders.ofReservation(plan.undecided(true, 0), { form: "draft-1" }), MUST("form"));
});

test("what a field cannot hold is refused", () => {
  const bucket = tokenBucket(100, 10, SECOND);
  for (const name of ["", "t\u00e4glich", "a\nb", "\u007f"]) {
    assert.throws(() => new RateLimitHeaders(name, bucket), MUST("policy"));
    assert.throws(() => new RateLimitHeaders("api", bucket, { names: [name] }), MUST("names"));
    assert.throws(() => new RateLimitHeaders("api", bucket, { quotaUnit: name }), MUST("quotaUnit"));
  }
  assert.throws(() => new RateLimitHeaders("api", bucket, { names: ["a", "b"] }), MUST("names"));
  assert.throws(() => new RateLimitHeaders("api", bucket, { form: "draft-1" }), MUST("form"));
  assert.throws(() => new RateLimitHeaders("api", bucket).fields(new Decision(1, 50, 49, 0, 1, 1)), MUST("decision"));
});

test("a reply that is not the protocol's is an error", () => {
  for (const { reply, calls } of vectors("commands", "unreadable")) assert.throws(() => decision(reply, calls), MUST("the reply"));
  assert.throws(() => decision([1, 1, 1, 0.5, 1, 1]), MUST("the reply"));
});

test("commands.json", async () => {
  const names = { acquire_up_to: "acquireUpTo" };
  for (const { call, limit, calls, cost, units, args, error } of vectors("commands", "commands")) {
    const sent = [];
    const sender = { sendToMasters() {}, close() {}, send: async (...words) => (sent.push(words), [1, 1, 1, 0, 0, 1]) };
    const limiter = new RateLimiter(sender, "api", parseLimit(limit));
    const given = [calls, cost, units].filter((each) => each !== undefined);
    const made = limiter[names[call] ?? call]("user:42", ...given);
    if (error) {
      await assert.rejects(made, MUST(error));
      assert.deepEqual(sent, []);
      continue;
    }
    await made;
    const own = key("api", "user:42", limiter.limit);
    assert.deepEqual(sent[0].slice(0, 2), [own, ["EVALSHA", limiter.limit.script.sha1, "1", own, ...args]]);
  }
});

test("arguments have bounds", () => {
  const wrong = {
    capacity: [() => tokenBucket(0, 1, SECOND), () => tokenBucket(10 ** 12 + 1, 1, SECOND), () => tokenBucket(1.5, 1, SECOND),
      () => tokenBucket(NaN, 1, SECOND), () => tokenBucket("1", 1, SECOND)],
    refill_period_us: [() => tokenBucket(1, 1, 0), () => tokenBucket(1, 1, 366 * 86_400_000 + 0.001)],
    refillPeriodMs: [() => tokenBucket(1, 1, 0.0005), () => tokenBucket(1, 1, Infinity), () => tokenBucket(1, 1, undefined)],
    tiers: [() => fixedWindow(1, SECOND).and(tokenBucket(1, 1, SECOND)), () => new Limit(SCRIPTS[0], []),
      () => new Limit(SCRIPTS[0], Array(17).fill([1, 1]))],
    "a tier": [() => new Limit(SCRIPTS[0], [[1]])],
  };
  for (const [what, made] of Object.entries(wrong)) {
    made.forEach((limit) => assert.throws(limit, MUST(what)));
  }
  assert.deepEqual(fixedWindow(1, 1.005).args, ["1", "1005"]);
});

test("tiers", () => {
  const both = tokenBucket(10, 10, SECOND).and(tokenBucket(100, 50, 60 * SECOND));
  assert.equal(both.marker, "b10.10.1000000-100.50.60000000");
  assert.deepEqual(both.args, ["10", "10", "1000000", "100", "50", "60000000"]);
});

test("a limit is printed without its script", () => {
  const limit = tokenBucket(10, 10, SECOND).and(tokenBucket(100, 50, SECOND));
  const text = "token-bucket capacity=10 refill_tokens=10 refill_period_us=1000000, capacity=100 refill_tokens=50 refill_period_us=1000000";
  assert.deepEqual([inspect(limit), `${limit}`], [text, text]);
});

test("errors.json", () => {
  const meant = ({ client }) => ["server", "node-redis", "ioredis"].includes(client);
  for (const { text, class: kind, charged = true } of vectors("errors", "cases", meant)) {
    const { kind: found, charged: may } = classify(text);
    assert.deepEqual([found, may, provesNotRun(new Error(text))], [kind, charged, !charged], text);
  }
});

test("the class of an error is found from all its causes", () => {
  const inner = new Error("outer", { cause: new Error("middle", { cause: new Error("WRONGPASS invalid username-password pair") }) });
  assert.equal(classifyError(inner).kind, "misconfigured");
  assert.equal(classifyError(new AggregateError([new Error("LOADING Redis is loading the dataset in memory")])).kind, "unavailable");
  const loop = new Error("a");
  loop.cause = loop;
  assert.deepEqual(classifyError(loop), { kind: "unknown", charged: true });
});

test("a wait goes on beyond the longest timer, and ends when it is aborted", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let done = false;
  const waiting = wait(2 ** 31 + 5).then(() => (done = true));
  for (const [ms, then] of [[2 ** 31 - 1, false], [5, false], [1, true]]) {
    t.mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(done, then);
  }
  await waiting;
  const abort = new AbortController();
  const forever = wait(Infinity, abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(forever, /enough/);
  await wait(0);
});
