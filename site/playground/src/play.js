// Plays requests through a limit's script, on a server in memory whose clock is set.
import { Keys } from "../../engine/keys.js";
import { CallId, EntryLimit } from "../../../packages/npm/src/entries.ts";
import { key as keyOf, several } from "../../../packages/npm/src/protocol.ts";
import { ReservationPlan } from "../../../packages/npm/src/reservation-plan.ts";
import { RESERVE, SETTLE } from "../../../packages/npm/src/scripts.ts";
import { parseLimit } from "../../../packages/npm/src/text.ts";

/** When the time line begins: 2026-01-01T00:00:00Z. */
export const BEGIN_US = 1767225600_000000;
export const MOST_CALLS = 3000;
const SAMPLES = 260;
const MOST_RESETS = 100;
// Of what happens at the same time.
const RANKS = ["peek", "settle", "again", "request"];

/** The scripts in the engine: each is loaded once. */
export class LoadedScripts {
  #ids = new Map();
  constructor(engine) {
    this.engine = engine;
  }
  run({ sha1, source }, keys, args, server) {
    if (!this.#ids.has(sha1)) this.#ids.set(sha1, this.engine.load(source));
    return this.engine.run(this.#ids.get(sha1), keys, args, server);
  }
}

/** The longest period of the first limit that can be read. */
export function firstPeriod(texts) {
  for (const text of texts) {
    try {
      return Math.max(...parseLimit(text).tiers.map((tier) => tier.at(-1)));
    } catch {
      // The next one may be a limit.
    }
  }
  return 60e6;
}

const subject = (who) => `user:${who + 1}`;

/** Requests that are charged at once. */
function charges(limit, { cost, calls }) {
  const asked = calls > 1 ? several(calls, cost) : String(cost);
  const key = (who) => keyOf("play", subject(who), limit);
  const command = (who, units) => ({ script: limit.script, keys: [key(who)], args: [units, ...limit.args] });
  const read = ([granted, most, remaining, wait, reset, tier]) => ({ granted, limit: most, remaining, wait, reset, tier, held: 0 });
  return { take: (who) => command(who, asked), peek: (who) => command(who, "0"), read, calls };
}

/** Requests that hold units until they are settled or run out. */
function reservations(limit, { cost, hold, used }) {
  const entry = EntryLimit.of("play", limit).reserve(cost);
  const peek = entry.args.with(2, "0");
  let made = 0;
  const planOf = (who, id) => new ReservationPlan(new CallId(id), subject(who), [entry]);
  const read = ([allowed, wait, , , most, remaining, held, reset, tier]) => ({ granted: allowed, limit: most, remaining, wait, reset, tier, held });
  return {
    take(who) {
      const plan = planOf(who, `call-${++made}`);
      return { script: RESERVE, keys: plan.keys, args: plan.reserve(hold), plan };
    },
    peek: (who) => ({ script: RESERVE, keys: [entry.key(subject(who))], args: ["0", "0", ...peek] }),
    settle: (plan) => ({ script: SETTLE, keys: plan.holding, args: plan.settle(0, [used]) }),
    read, calls: 1,
  };
}

/** What answers a call as shown, on a server with the scripts: the commands of its subjects up to it, from nothing stored. */
export function commandsUpTo({ sent }, call) {
  const commands = sent.slice(0, sent.indexOf(call) + 1);
  const keys = new Set(commands.flatMap(({ command }) => command.keys));
  return [...[...keys].map((key) => `DEL ${key}`), ...commands.map(({ command, t }) => wordsOf(command, t).join(" "))].join("\n");
}

/** A command as words for a server, with the time: any server in the same state answers it the same. */
export function wordsOf({ script, keys, args }, t) {
  const timed = script === RESERVE || script === SETTLE ? args.with(1, String(BEGIN_US + t)) : [...args, String(BEGIN_US + t)];
  return ["EVALSHA", script.sha1, String(keys.length), ...keys, ...timed];
}

/** What happens, in the order of times. */
class EventQueue {
  #events;
  constructor(events) {
    this.#events = events.sort((one, other) => this.#order(one, other));
    this.at = 0;
  }
  #order(one, other) {
    return one.t - other.t || RANKS.indexOf(one.kind) - RANKS.indexOf(other.kind);
  }
  add(event) {
    let i = this.#events.length;
    while (i > this.at && this.#order(this.#events[i - 1], event) > 0) i--;
    this.#events.splice(i, 0, event);
  }
  next() {
    return this.#events[this.at++];
  }
}

/** The most units that passed in any span of a length, of one subject: `add` gives those of the span that ends then. */
export class SpanSum {
  #times = [];
  #first = 0;
  #sum = 0;
  constructor(length) {
    this.length = length;
  }
  add(t, units) {
    for (; this.#first < this.#times.length && this.#times[this.#first][0] <= t - this.length; this.#first++) this.#sum -= this.#times[this.#first][1];
    if (this.#first > 1000) this.#times.splice(0, this.#first), (this.#first = 0);
    this.#times.push([t, units]);
    return (this.#sum += units);
  }
}

/** Plays requests through one limit. The level between them is drawn by peeks of the same script. */
export function play(scripts, text, requests, state) {
  let limit, way;
  try {
    limit = parseLimit(text);
    way = state.hold ? reservations(limit, state) : charges(limit, state);
  } catch (error) {
    return { text, error: error.message, isRead: limit !== undefined };
  }
  const server = new Keys();
  const played = {
    text, limit, calls: [], settled: [], sent: [], levels: new Map(), runs: 0, isCapped: false, granted: 0, denied: 0,
    most: limit.tiers.map(() => 0), denials: limit.tiers.map(() => 0), asked: way.calls, isReserving: state.hold > 0,
  };
  const run = (command, t) => {
    server.now = BEGIN_US + t;
    played.runs++;
    const reply = scripts.run(command.script, command.keys, command.args, server);
    if (reply.err) throw new Error(reply.err);
    return reply;
  };
  const whos = [...new Set(requests.map(({ who }) => who)).add(0)].sort();
  whos.forEach((who) => played.levels.set(who, []));
  const look = (who, t) => point(who, t, way.read(run(way.peek(who), t)));
  const point = (who, t, { remaining, held, limit: most }) => played.levels.get(who).push([t, remaining / most, held / most, held]);
  const events = requests.map(({ t, who }) => ({ t, kind: "request", who, first: t }));
  for (const who of whos) for (let i = 0; i <= SAMPLES; i++) events.push({ t: Math.floor((i * state.span) / SAMPLES), kind: "peek", who });
  const queue = new EventQueue(events);
  const resets = new Set();
  const peekAround = (who, t) => {
    if (t > state.span || resets.has(t) || resets.size >= MOST_RESETS) return;
    resets.add(t);
    for (const each of [t - 1, t]) queue.add({ t: each, kind: "peek", who });
  };
  const sums = new Map(whos.map((who) => [who, limit.tiers.map((tier) => new SpanSum(tier.at(-1)))]));
  try {
    for (let event = queue.next(); event; event = queue.next()) {
      const { t, kind, who } = event;
      if (kind === "peek") {
        look(who, t);
        continue;
      }
      if (kind === "settle") {
        const command = way.settle(event.plan);
        look(who, t);
        const reply = run(command, t);
        const settled = { t, who, done: event.plan.settled(reply), command, reply, call: event.call };
        played.settled.push(settled);
        played.sent.push(settled);
        look(who, t);
        continue;
      }
      if (played.calls.length >= MOST_CALLS) {
        played.isCapped = true;
        continue;
      }
      if (t - (played.levels.get(who).at(-1)?.[0] ?? -1) > state.span / 1000) look(who, t);
      const command = way.take(who);
      const reply = run(command, t);
      const answer = way.read(reply);
      const call = { t, first: event.first, who, command, reply, answer, stored: server.live(command.keys[0])?.value ?? null, ttlMs: server.ttl(command.keys[0]) };
      played.calls.push(call);
      played.sent.push(call);
      point(who, t, answer);
      played.granted += answer.granted;
      played.denied += way.calls - answer.granted;
      if (answer.granted) sums.get(who).forEach((sum, i) => (played.most[i] = Math.max(played.most[i], sum.add(t + answer.wait, answer.granted * state.cost))));
      else played.denials[answer.tier - 1]++;
      if (limit.script.refill !== "evenly") peekAround(who, t + answer.reset);
      if (state.hold && answer.granted) {
        peekAround(who, t + state.hold);
        if (state.settle >= 0 && t + state.settle <= state.span) queue.add({ t: t + state.settle, kind: "settle", who, plan: command.plan, call });
      }
      const again = t + (state.denied === "told" ? answer.wait : 1e6);
      if (!answer.granted && answer.wait >= 0 && state.denied !== "goes" && again <= state.span) queue.add({ t: again, kind: "again", who, first: event.first });
    }
  } catch (error) {
    return { text, error: error.message, isRead: true };
  }
  played.held = [...played.levels.values()].reduce((sum, points) => sum + points.at(-1)[3], 0) / state.cost;
  return played;
}
