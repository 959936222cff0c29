// The pure functions of reservations, and what is refused before anything is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  CallId, ConcurrencyLimiter, EntryCost, EntryLimit, ReservationAnswer, ReservationPlan, Reservations, fixedWindow, leakyBucket, slidingWindow,
  tokenBucket,
} from "penstock-redis";
import { vectors } from "./vectors.mjs";

const MINUTE = 60_000;
const DAY = 86_400_000;
const BUCKET = EntryLimit.of("tpm", tokenBucket(100, 10, 1000));
const LEAKY = EntryLimit.of("rpm", leakyBucket(5, 10, 1000));
const PLACES = EntryLimit.concurrency("in-flight", 10);
const nothing = () => assert.fail("nothing must be sent");
const SENDER = { send: nothing, sendToMasters: nothing, close() {} };
const LLM = new Reservations(SENDER, "llm", MINUTE, { onUnavailable: "allow" });

test("keys of a group", () => {
  for (const [entry, key] of [
    [BUCKET.charge(1), "p:tpm:{tenant:7}:b100.10.1000000"],
    [BUCKET.debit(1), "p:tpm:{tenant:7}:rb100.10.1000000"],
    [BUCKET.reserve(1).within("user:42"), "p:tpm:{tenant:7}/user:42:rb100.10.1000000"],
    [BUCKET.reserve(1).within("a/b%{\u00fc"), "p:tpm:{tenant:7}/a%2Fb%25%7B\u00fc:rb100.10.1000000"],
    [PLACES.reserve(), "p:in-flight:{tenant:7}:rc"],
    [LEAKY.charge(1), "p:rpm:{tenant:7}:b5.10.1000000"],
    [EntryLimit.of("day", fixedWindow(9, DAY)).reserve(1), "p:day:{tenant:7}:rw86400000000"],
    [EntryLimit.of("day", slidingWindow(9, DAY)).reserve(1), "p:day:{tenant:7}:rs86400000000"],
  ]) {
    assert.equal(entry.key("tenant:7", "p"), key);
  }
});

test("what a call refuses", async () => {
  const many = Array.from({ length: 9 }, (_, at) => BUCKET.reserve(1).within("x".repeat(at + 1)));
  for (const [made, message] of [
    [() => LLM.reserve("g", []), /^RangeError: entries must be 1 to 8: 0/],
    [() => LLM.reserve("g", many), /^RangeError: entries must be 1 to 8: 9/],
    [() => LLM.reserve("g", BUCKET.reserve(1)), /^TypeError: entries must be an array/],
    [() => LLM.reserve("g", ["tpm"]), /^TypeError: entries must be made by an EntryLimit: entry 1 is not/],
    [() => LLM.reserve("", [BUCKET.reserve(1)]), /^RangeError: group: subject must not be empty/],
    [() => LLM.reserve(7, [BUCKET.reserve(1)]), /^TypeError: group: subject must be a string/],
    [() => LLM.reserve("g", [BUCKET.reserve(1), BUCKET.debit(2)]), /^RangeError: entries must have different keys: entry 2 has the key of an earlier/],
    [() => LLM.reserve("g", [BUCKET.reserve(1)], { id: "from-a-header" }), /^TypeError: id must be a CallId, which the program makes/],
    [async () => BUCKET.reserve(1).within(""), /^RangeError: within: subject must not be empty/],
    [async () => BUCKET.reserve(1).within(undefined), /^TypeError: within: subject must be a string/],
    [async () => BUCKET.reserve(0), /^RangeError: units must be an integer from 1 to 1000000000000: 0/],
    [async () => BUCKET.charge(10 ** 12 + 1), /^RangeError: units must/],
    [async () => BUCKET.debit(1.5), /^RangeError: units must/],
    [async () => BUCKET.debit("1"), /^RangeError: units must/],
    [async () => PLACES.charge(1), /^RangeError: limit does not support charge: concurrency:10/],
    [async () => PLACES.debit(1), /^RangeError: limit does not support debit/],
    [async () => LEAKY.reserve(1), /^RangeError: limit does not support reserve: leaky-bucket:10\/1s,burst=5/],
    [async () => LEAKY.debit(1), /^RangeError: limit does not support debit/],
    [async () => new EntryCost(BUCKET, "chrage", 1), /^RangeError: limit does not support chrage/],
    [async () => EntryLimit.concurrency("x", 0), /^RangeError: limit must be an integer from 1 to 1000000000000: 0/],
    [async () => EntryLimit.of("GET /", BUCKET.limit), /^RangeError: policy must match/],
    [async () => EntryLimit.of("x", "token-bucket:1/1s"), /^TypeError: limit must be made by a function/],
    [async () => EntryLimit.parse("x", "concurrency:+1"), /^RangeError: limit "concurrency:.1" must be a number after "concurrency:"/],
    [async () => EntryLimit.parse("x", "concurrency:0"), /^RangeError: limit must be an integer/],
    [async () => EntryLimit.parse("x", "concurrenc:1"), /^RangeError: limit .*must begin with one of/],
    [async () => EntryLimit.parse("x", 5), /^TypeError: limit must be a string/],
    [async () => BUCKET.reserve(1).used(-1), /^RangeError: total must be an integer from 0 to 1000000000000: -1/],
    [async () => BUCKET.charge(1).used(1), /^RangeError: entry must reserve units of a rate: charge tpm/],
    [async () => PLACES.reserve().used(1), /^RangeError: entry must reserve units of a rate/],
    [async () => new CallId("a b"), /^RangeError: text must match/],
    [async () => new CallId("a\n"), /^RangeError: text must match/],
    [async () => new CallId(["a"]), /^RangeError: text must match/],
    [async () => new Reservations(SENDER, "llm", 0.999), /^RangeError: keepMs must be from 1 ms to 366 days: 0.999/],
    [async () => new Reservations(SENDER, "llm", 366 * DAY + 1), /^RangeError: keepMs must/],
    [async () => new Reservations(SENDER, "llm", 300), /^RangeError: keepMs must be at least the timeoutMs of 1000: 300/],
    [async () => new Reservations(SENDER, "llm", "x"), /^RangeError: keepMs must/],
    [async () => new Reservations(SENDER, "llm", MINUTE, { prefix: "a:b" }), /^RangeError: prefix must match/],
    [async () => new Reservations(SENDER, "llm", MINUTE, { timeoutMs: 0 }), /^RangeError: timeoutMs must be a number of at least 1: 0/],
    [async () => new Reservations(SENDER, "llm", MINUTE, { timeoutMs: Infinity }), /^RangeError: timeoutMs must not be Infinity/],
    [async () => new Reservations(SENDER, "llm", MINUTE, { onUnavailable: "alow" }), /^RangeError: onUnavailable must be "throw", "allow"/],
    [async () => new Reservations(SENDER, "llm", MINUTE, { onOverload: "alow" }), /^RangeError: onOverload must be/],
    [async () => new Reservations({}, "llm", MINUTE), /^TypeError: sender must be nodeRedis/],
    [async () => new ConcurrencyLimiter(LLM, "x", 0), /^RangeError: limit must/],
    [async () => new ConcurrencyLimiter(LLM, "x y", 1), /^RangeError: policy must/],
  ]) {
    await assert.rejects(made, message);
  }
});

test("named limits as text, and ids", () => {
  for (const text of ["concurrency:10", "token-bucket:100/1m,burst=20"]) assert.equal(EntryLimit.parse("x", text).text, text);
  const ids = new Set(Array.from({ length: 100 }, () => CallId.random().text));
  assert.equal(ids.size, 100);
  for (const id of ids) assert.equal(new CallId(id).text, id);
});

test("whom an entry is about is not printed", () => {
  assert.ok(!inspect(BUCKET.reserve(1).within("user:42"), { depth: 9 }).includes("user:42"));
});

const PLAN = new ReservationPlan(CallId.random(), "g", [PLACES.reserve()]);
const GOOD = [1, 0, 0, 0, 10, 9, 1, 5, 1];

test("unreadable replies allow nothing", () => {
  const answer = PLAN.answer(GOOD);
  assert.deepEqual([answer.allowed, answer.enforced, answer.denying, answer.usages[0].held], [true, true, undefined, 1]);
  const denied = PLAN.answer([0, 1_000_001, 1, 0, ...GOOD.slice(4)]);
  assert.deepEqual([denied.allowed, denied.denying, denied.retryAfterSeconds, denied.retryAfterMs], [false, 0, 2, 1001]);
  const wrong = [[2, -1, 0, "1", null, true], [-1], [1, -1], [2, -1], [0], [-1], [-1], [-1], [0, 2]];
  for (const [at, values] of wrong.entries()) {
    for (const value of values) assert.throws(() => PLAN.answer(GOOD.with(at, value)), /^RangeError: the reply must/, `${value} at ${at}`);
  }
  for (const reply of [null, "OK", [1], GOOD.slice(1), [2, 0, 0, 0, 0, 0]]) {
    assert.throws(() => PLAN.answer(reply), /^RangeError: the reply must/);
    assert.throws(() => PLAN.settled(reply), /^RangeError: the reply must/);
  }
  assert.deepEqual([PLAN.settled([1, 10, 10, 0, 0, 1]), PLAN.settled([0, 0, 0, 0, 0, 0])], [true, false]);
});

test("others ask at a pace of their own", () => {
  const asked = (waitUs, held) => {
    const usages = [{ entry: PLACES.reserve(), limit: 10, remaining: 0, held, resetUs: 5, tier: 1 }];
    return new ReservationAnswer(CallId.random(), false, true, false, waitUs, 0, usages).askAgainAfterMs;
  };
  const paces = Array.from({ length: 4000 }, () => asked(60_000_000, 1));
  assert.deepEqual([Math.min(...paces), Math.max(...paces)], [50, 250]);
  assert.deepEqual([asked(20_000, 1), asked(60_000_000, 0), asked(-1, 1)], [20, 60_000, Infinity]);
});

/** A call of calls.json as it would be sent. */
async function sent({ prefix, group, id, keep_us: keepUs, entries }) {
  const commands = [];
  const answered = (_key, command) => {
    commands.push(command.slice(3));
    const head = commands.length === 1 ? [1, 0, 0, 0] : [1];
    return Promise.resolve([...head, ...Array(Number(command[2]) - 1).fill([10, 9, 1, 5, 1]).flat()]);
  };
  const llm = new Reservations({ ...SENDER, send: answered }, "llm", keepUs / 1_000, { prefix, timeoutMs: Math.min(keepUs / 1_000, 1_000) });
  const made = entries.map(({ policy, limit, mode, units, within }) => {
    const entry = EntryLimit.parse(policy, limit)[mode](units);
    return within === undefined ? entry : entry.within(within);
  });
  const call = await llm.reserve(group, made, { id: new CallId(id) }).catch((error) => {
    assert.deepEqual(commands, []);
    throw error;
  });
  await call.cancel();
  return commands;
}

test("the calls of the vectors", async () => {
  for (const call of vectors("calls", "calls")) {
    if (call.error) {
      await assert.rejects(() => sent(call), RangeError, JSON.stringify(call));
      continue;
    }
    const [reserve, settle] = await sent(call);
    assert.deepEqual(reserve, [...call.keys, ...call.args]);
    const held = call.settle_keys.length - 1;
    assert.deepEqual(settle, held ? [...call.settle_keys, "0", "0", ...Array(held).fill("0")] : undefined);
  }
});

const planOf = ({ limits }) =>
  new ReservationPlan(CallId.random(), "g", limits.map((text, at) => EntryLimit.parse(`p${at}`, text).reserve()));

test("the replies of the vectors", () => {
  for (const vector of vectors("calls", "replies")) {
    const plan = planOf(vector);
    if (vector.error) {
      assert.throws(() => plan.answer(vector.reply), /^RangeError: the reply must/, JSON.stringify(vector));
      continue;
    }
    const answer = plan.answer(vector.reply);
    assert.deepEqual([answer.allowed, answer.enforced, answer.repeated], [vector.allowed, true, vector.repeated]);
    assert.deepEqual([answer.denying, answer.retryAfterSeconds], [vector.denying ?? undefined, vector.retry_after_seconds ?? undefined]);
    assert.equal(answer.delayMs, vector.delay_us / 1_000);
    const usages = answer.usages.flatMap(({ limit, remaining, held, resetUs, tier }) => [limit, remaining, held, resetUs, tier]);
    assert.deepEqual(usages, vector.reply.slice(4));
  }
});

test("the settlements of the vectors", () => {
  for (const vector of vectors("calls", "settlements")) {
    const plan = planOf(vector);
    if (vector.error) assert.throws(() => plan.settled(vector.reply), /^RangeError: the reply must/, JSON.stringify(vector));
    else assert.equal(plan.settled(vector.reply), vector.settled);
  }
});
