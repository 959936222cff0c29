// Rule F2: verdict.json on a moved clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PendingCall } from "penstock-redis";
import { inside, vectors } from "./vectors.mjs";

const { NodeVerdict } = await inside("verdict.js");
const { Deadlines } = await inside("deadlines.js");
const { NodeQuestion, ownPath } = await inside("questions.js");

const AGAIN_MS = 5_000;
const ERRORS = {
  WRONGPASS: "WRONGPASS invalid username-password pair or user is disabled.", maxclients: "ERR max number of clients reached",
  LOADING: "LOADING Redis is loading the dataset in memory", BUSY: "BUSY Redis is busy running a script.",
  NOSCRIPT: "NOSCRIPT No matching script.", MOVED: "MOVED 1 127.0.0.1:7001",
};
const UNREACHABLE = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:6379"), { code: "ECONNREFUSED", syscall: "connect" });
const errorOf = (kind = "ok") =>
  kind === "ok" ? undefined : kind === "ECONNREFUSED" ? UNREACHABLE : new Error(ERRORS[kind] ?? assert.fail(`unknown kind: ${kind}`));

/** A clock that the test moves. Of one time, timers run first, then what happens, then the further turns of the loop. */
class MovedClock {
  time = 0;
  #timers = new Set();
  #turns = [];

  now = () => this.time;
  cancel = (timer) => void this.#timers.delete(timer);
  turn = (run) => void this.#turns.push(run);

  after = (ms, run) => {
    const timer = { due: this.time + ms, run, ref: () => timer, unref: () => timer };
    this.#timers.add(timer);
    return timer;
  };

  next() {
    return Math.min(Infinity, ...Array.from(this.#timers, ({ due }) => due));
  }

  runTimers() {
    for (let due; (due = this.next()) <= this.time; ) {
      const timer = [...this.#timers].find((each) => each.due === due);
      this.#timers.delete(timer);
      timer.run();
    }
  }

  runTurns() {
    while (this.#turns.length > 0) this.#turns.shift()();
  }
}

/** One process, and what it does. */
class PlayedProcess {
  nodes = new Map();
  calls = new Map();
  #deadlines = new Map();
  #begun = new Map();

  constructor(clock, did, says, byHand, comparesDrops) {
    Object.assign(this, { clock, did, says, byHand, comparesDrops });
  }

  node(name) {
    let node = this.nodes.get(name);
    if (node) return node;
    node = { links: [], questions: [] };
    const did = (what) => this.did(name === "a" ? what : { node: name, ...what });
    const open = (connected, ended) => {
      const on = node.links.push({ connected, ended });
      did({ connect: on });
      return {
        ask: (written, answered) => {
          const question = node.questions.push({ written, answered });
          did({ ask: question, on });
          if (!this.byHand.includes(question)) written();
        },
        close: () => this.comparesDrops && did({ drop: on }),
      };
    };
    const heal = () => {
      did({ close: node.on });
      for (const call of [...this.calls.values()]) {
        if (call.on !== node.on) continue;
        assert.ok(node.verdict.hasHealed(call.pending));
        call.pending.judged({ outcome: "overloaded", answered: true });
      }
    };
    const changed = ({ verdict }) => this.says.push([this.clock.time, verdict]);
    node.verdict = new NodeVerdict(open, heal, changed, this.clock, { first: () => 0, again: () => AGAIN_MS });
    this.nodes.set(name, node);
    return node;
  }

  happens({ node: name = "a", begins, deadline_ms: ms, on, answered, connected, refused, kind, cut, reply, written, cancels, crowded }) {
    const node = this.node(name);
    const call = this.calls.get(answered ?? cancels);
    const end = (name_, outcome) => {
      const { pending, deadlines } = this.calls.get(name_);
      deadlines.remove(pending);
      node.verdict.ended(pending);
      this.calls.delete(name_);
      this.did({ ...(name !== "a" && { node: name }), end: name_, outcome: outcome.toUpperCase() });
    };
    if (begins) {
      if (on) node.on = on;
      if (!this.#deadlines.has(ms)) this.#deadlines.set(ms, new Deadlines(ms, this.clock));
      const deadlines = this.#deadlines.get(ms);
      const pending = new PendingCall(node.verdict, () => node.verdict.late(pending), ({ outcome }) => end(begins, outcome), this.clock.time);
      pending.written = on !== undefined;
      this.calls.set(begins, { pending, deadlines, on });
      this.#begun.set(begins, pending.begun);
      node.verdict.begin(this.clock.time);
      deadlines.add(pending);
      if (crowded) {
        deadlines.remove(pending);
        node.verdict.crowded(pending);
      }
    } else if (answered) {
      // The answer to a call that has ended is heard, too.
      if (call) end(answered, "decided");
      node.verdict.heard(this.#begun.get(answered), errorOf(kind));
    } else if (cancels) {
      end(cancels, node.verdict.cancelled(call.pending).outcome);
    } else if (connected) {
      node.links[connected - 1].connected();
    } else if (refused || cut) {
      node.links[(refused ?? cut) - 1].ended(refused ? errorOf(kind) : new Error("Connection is closed"));
    } else if (reply) {
      node.questions[reply - 1].answered(errorOf(kind));
    } else if (written) {
      node.questions[written - 1].written();
    }
  }
}

/** What is done and said in a scenario: timers, what happens, and the turns after it, one time after the other. */
function played({ in: happenings, out = [], byhand = [] }, says = []) {
  const [clock, done, left] = [new MovedClock(), [], [...happenings]];
  const did = (what) => done.push({ at_ms: clock.time, ...what });
  const begun = () => new PlayedProcess(clock, did, says, byhand, out.some(({ drop }) => drop));
  let process = begun();
  let standsUntil = 0;
  const lasts = () => left.length > 0 || process.calls.size > 0;
  while (lasts()) {
    clock.time = Math.max(clock.time, standsUntil, Math.min(clock.next(), left[0]?.at_ms ?? Infinity));
    assert.ok(clock.time < Infinity, "a call never ends");
    clock.runTimers();
    while (left[0]?.at_ms <= clock.time) {
      const { stands_still_until_ms: until, forks, ...happening } = left.shift();
      if (until) standsUntil = until;
      else if (forks) process = begun();
      else process.happens(happening);
    }
    clock.runTurns();
  }
  return done;
}

for (const scenario of vectors("verdict", "scenarios")) {
  test(`${scenario.rules.join(" ")} ${scenario.name}`, () => {
    const says = [];
    assert.deepEqual(played(scenario, says), scenario.out);
    assert.deepEqual(says, scenario.says ?? says);
  });
}

const BEFORE = [{ at_ms: 0, begins: "first", deadline_ms: 1000 }, { at_ms: 1, connected: 1 }, { at_ms: 2, reply: 1 }, { at_ms: 3, answered: "first" }];
const BEFORE_DONE = [{ at_ms: 0, connect: 1 }, { at_ms: 1, ask: 1, on: 1 }, { at_ms: 3, end: "first", outcome: "DECIDED" }];

test("F2.3 a server that refuses the next connection answers: its silence ends", () => {
  const happening = [
    ...BEFORE, { at_ms: 1000, begins: "b", deadline_ms: 50 }, { at_ms: 6278, refused: 2, kind: "WRONGPASS" }, { at_ms: 7000, begins: "c", deadline_ms: 50 },
  ];
  assert.deepEqual(played({ in: happening }), [
    ...BEFORE_DONE, { at_ms: 1025, ask: 2, on: 1 }, { at_ms: 1277, end: "b", outcome: "OUTAGE" }, { at_ms: 6277, connect: 2 },
    { at_ms: 7050, end: "c", outcome: "REFUSED" },
  ]);
});

test("F2.5 time in which the process stands still is no time of a handshake", () => {
  const happening = [
    { at_ms: 0, begins: "b", deadline_ms: 50 }, { at_ms: 1, stands_still_until_ms: 2001 }, { at_ms: 2, connected: 1 }, { at_ms: 2240, reply: 1 },
  ];
  assert.deepEqual(played({ in: happening }), [
    { at_ms: 0, connect: 1 }, { at_ms: 2001, ask: 1, on: 1 }, { at_ms: 2240, end: "b", outcome: "OVERLOADED" },
  ]);
  const longer = [{ at_ms: 0, begins: "b", deadline_ms: 50 }, { at_ms: 1, stands_still_until_ms: 2001 }, { at_ms: 2500, connected: 1 }, { at_ms: 2501, reply: 1 }];
  assert.deepEqual(played({ in: longer }).at(-1), { at_ms: 2501, end: "b", outcome: "OVERLOADED" });
});

test("F2.3 a server without room for the connection of the question is up to a process that was too busy to read its calls' answers", () => {
  const happening = [
    ...BEFORE, { at_ms: 2000, cut: 1 }, { at_ms: 2001, refused: 2, kind: "maxclients" }, { at_ms: 4000, begins: "b", deadline_ms: 50 },
    { at_ms: 4000, begins: "c", deadline_ms: 50 }, { at_ms: 4001, stands_still_until_ms: 5100 }, { at_ms: 4002, answered: "c" },
  ];
  assert.deepEqual(played({ in: happening }), [
    ...BEFORE_DONE, { at_ms: 2000, connect: 2 }, { at_ms: 5100, end: "c", outcome: "DECIDED" }, { at_ms: 5100, end: "b", outcome: "OVERLOADED" },
  ]);
});

test("F2.6 a new connection that is answered after a silence replaces that of the calls", () => {
  const happening = [
    ...BEFORE, { at_ms: 1000, begins: "b", deadline_ms: 50, on: "p" }, { at_ms: 6000, begins: "c", deadline_ms: 1000, on: "p" },
    { at_ms: 6280, connected: 2 }, { at_ms: 6281, reply: 3 },
  ];
  assert.deepEqual(played({ in: happening }), [
    ...BEFORE_DONE, { at_ms: 1025, ask: 2, on: 1 }, { at_ms: 1277, end: "b", outcome: "OUTAGE" }, { at_ms: 6277, connect: 2 },
    { at_ms: 6280, ask: 3, on: 2 }, { at_ms: 6281, close: "p" }, { at_ms: 6281, end: "c", outcome: "OVERLOADED" },
  ]);
});

test("F2.10 a check that is lost through the client is silence, no refusal; beside answered calls nothing is said", async () => {
  const [clock, changes, outcomes] = [new MovedClock(), [], []];
  let lost = new Error("Socket closed unexpectedly");
  const path = ownPath({ send: () => Promise.reject(lost) });
  const open = (...events) => path.open(undefined, new NodeQuestion(), ...events);
  const verdict = new NodeVerdict(open, () => {}, ({ verdict, error }) => changes.push([clock.time, verdict, error]), clock, { first: () => 0, again: () => AGAIN_MS });
  const goesOn = async (ms) => {
    clock.time += ms;
    clock.runTimers();
    await new Promise((resolve) => setImmediate(resolve));
    clock.runTurns();
  };
  const again = async () => {
    await goesOn(1);
    verdict.begin(clock.time);
    await goesOn(AGAIN_MS);
  };
  verdict.begin(clock.time);
  verdict.heard(clock.time);
  await goesOn(1);
  assert.deepEqual(changes, []);
  await again();
  assert.deepEqual(changes.splice(0), [[clock.time, "silent", lost]]);
  const call = new PendingCall(verdict, undefined, ({ outcome, error }) => outcomes.push([outcome, error]), clock.time);
  call.half = clock.time;
  verdict.late(call);
  assert.deepEqual(outcomes, [["outage", lost]]);
  await goesOn(1);
  verdict.heard(clock.time);
  assert.deepEqual(changes.splice(0), [[clock.time, "up", undefined]]);
  await again();
  assert.deepEqual(changes, []);
  // The server's own words are a refusal.
  lost = new Error(ERRORS.WRONGPASS);
  verdict.heard(clock.time);
  await again();
  assert.deepEqual(changes.splice(0), [[clock.time, "up", lost]]);
  await again();
  assert.deepEqual(changes, [[clock.time, "refused", lost]]);
});

test("F2.10 an idle minute, after which a silence is forgotten, is no change; the next change tells how long the verdict before lasted", () => {
  const [clock, changes, links] = [new MovedClock(), [], []];
  const open = (connected, ended) => {
    links.push({ connected, ended });
    return { ask: (written) => written(), close() {} };
  };
  const changed = ({ verdict, lastedMs }) => changes.push([clock.time, verdict, lastedMs]);
  const verdict = new NodeVerdict(open, () => {}, changed, clock, { first: () => 0, again: () => AGAIN_MS });
  const goesOn = (until) => {
    while (clock.next() <= until) {
      clock.time = clock.next();
      clock.runTimers();
      clock.runTurns();
    }
    clock.time = until;
  };
  const cancelled = () => verdict.cancelled().outcome;
  verdict.begin(clock.time);
  goesOn(2_000);
  assert.deepEqual([changes.splice(0), cancelled()], [[[1_200, "silent", 1_200]], "outage"]);
  goesOn(100_000);
  assert.deepEqual([clock.next(), changes, cancelled()], [Infinity, [], "overloaded"]);
  // It is still silent.
  verdict.begin(clock.time);
  goesOn(110_000);
  assert.deepEqual([changes, cancelled()], [[], "outage"]);
  verdict.begin(clock.time);
  goesOn(200_000);
  assert.deepEqual([changes, cancelled()], [[], "overloaded"]);
  verdict.begin(clock.time);
  links.at(-1).ended(new Error(ERRORS.WRONGPASS));
  goesOn(300_000);
  assert.deepEqual(changes.splice(0), [[200_000, "refused", 198_800]]);
  verdict.begin(clock.time);
  verdict.heard(clock.time);
  assert.deepEqual(changes, [[300_000, "up", 100_000]]);
});
