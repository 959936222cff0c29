// Replays vectors in the engine, in Node.js or a browser: reply or error, bytes, time to live and written keys of each step.
import { Keys } from "./keys.js";

const START_US = 1763712000000000;
const utf8 = (text) => String.fromCharCode(...new TextEncoder().encode(text));
const fromHex = (hex) => hex.replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));
const bytesOf = ({ hex, value }) => (hex === undefined ? utf8(value) : fromHex(hex));

/** Replays a file of vectors, and returns how many steps. `sourceOf` gives the source of a script; `differs` gets each other step. */
export function replay(engine, { script, sequences }, sourceOf, differs) {
  const scripts = new Map();
  const loaded = (name) => scripts.get(name) ?? scripts.set(name, engine.load(sourceOf(name))).get(name);
  let steps = 0;
  for (const sequence of sequences) {
    const server = new Keys();
    server.now = START_US;
    for (const step of sequence.steps) {
      const name = step.script ?? script;
      const found = played(server, step, () => engine.run(loaded(name), step.keys.map(utf8), step.args.map(utf8), server));
      const expected = JSON.stringify(expectedOf(step, found.reply, name));
      const text = JSON.stringify(found);
      if (text !== expected) differs(`${name}, ${sequence.name}: ${step.args}: ${text}, and not ${expected}`);
      steps++;
    }
  }
  return steps;
}

/** The keys of a step with what is stored before or after it: of a reservation all, of another script the first and perhaps a second. */
function keyed(step, when) {
  if (step.script) return Object.entries(step[when] ?? {});
  const pairs = [[step.keys[0] ?? "k", step[when]]];
  if (step.second) pairs.push([step.second.key, step.second[when]]);
  return pairs.filter(([, state]) => state !== undefined);
}

function played(server, step, run) {
  for (const [key, state] of keyed(step, "before")) {
    server.map.delete(utf8(key));
    if (state?.type) server.set(utf8(key), [state.type], null);
    else if (state) server.set(utf8(key), bytesOf(state), state.ttl_ms == null ? null : server.ms + state.ttl_ms);
  }
  server.written.clear();
  const reply = run();
  const stored = keyed(step, "stored").map(([key]) => [server.live(utf8(key))?.value, server.ttl(utf8(key))]);
  // The drop-in counter takes back what it has counted on a foreign value: INCR, then DECR.
  const wrote = server.written.size > 0 && !reply?.err?.startsWith("ERR penstock counter: state");
  return { reply, stored, written: Array.isArray(step.written) ? [...server.written].sort() : wrote };
}

function expectedOf(step, reply, name) {
  const begins = `ERR penstock ${name}: ${step.error} `;
  const isMeant = step.error === "WRONGTYPE" ? reply?.err?.includes(step.error) : `${reply?.err} `.startsWith(begins);
  const stored = keyed(step, "stored").map(([, state]) =>
    state === null ? [undefined, -2] : state.type ? [[state.type], -1] : [bytesOf(state), state.ttl_ms ?? -1]);
  return { reply: step.error === undefined ? step.reply : isMeant ? reply : { err: step.error }, stored, written: step.written };
}
