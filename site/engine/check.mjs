// Replays all vectors in the engine: node site/engine/check.mjs
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { open } from "./lua51.js";
import { replay } from "./replay.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path, encoding) => readFileSync(new URL(path, ROOT), encoding);
const NAMES = ["fixed-window", "sliding-window", "token-bucket", "leaky-bucket", "interval-bucket", "reservation",
  ...readdirSync(new URL("lua/vectors/drop-in", ROOT)).map((file) => `drop-in/${file.replace(".json", "")}`)];

/** The minified scripts as the Node package has them, found by the SHA1s in lua/manifest.json. */
export function scripts() {
  const bySha1 = new Map();
  for (const [literal] of read("packages/npm/src/scripts.ts", "utf8").matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    bySha1.set(createHash("sha1").update(JSON.parse(literal)).digest("hex"), JSON.parse(literal));
  }
  const manifest = JSON.parse(read("lua/manifest.json", "utf8"));
  const all = Object.entries(Object.assign({}, manifest.scripts, ...Object.values(manifest.groups)));
  return Object.fromEntries(all.map(([name, { sha1 }]) => [name, bySha1.get(sha1)]));
}

/** The files of vectors that have sequences of calls. */
export function vectors() {
  return NAMES.map((name) => {
    const file = JSON.parse(read(`lua/vectors/${name}.json`, "utf8"));
    return { script: name.replace("drop-in/", ""), sequences: file.sequences };
  });
}

const engine = await open(read("site/engine/engine.wasm"));
const sources = scripts();
const different = [];
const steps = vectors().reduce((sum, file) => sum + replay(engine, file, (name) => sources[name], (text) => different.push(text)), 0);
different.slice(0, 20).forEach((text) => console.error(text));
console.log(`${steps - different.length} of ${steps} steps of the vectors are equal in the engine`);
process.exitCode = different.length || steps < 6_900 ? 1 : 0;
