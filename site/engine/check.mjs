// Holds the engine against the vectors and against real servers:
//   node site/engine/check.mjs [--browser chrome=EXECUTABLE] [--browser firefox=EXECUTABLE] [--server EXECUTABLE]... [--seed NUMBER]
// All vectors are replayed in Node.js, and in each browser; 10,000 random calls give the same replies and bytes on each server.
// puppeteer-core is that of site/playground, once it is built.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Keys } from "./keys.js";
import { decode, open } from "./lua51.js";
import { randomCalls } from "./random.mjs";
import { replay } from "./replay.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path, encoding) => readFileSync(new URL(path, ROOT), encoding);
const CALLS = 10_000;
const PAGE = "<!doctype html><title>engine</title>";

const PACKAGED = read("packages/npm/src/scripts.ts", "utf8");

/** The scripts of one limit: name, names of a tier's numbers, and whether units can be reserved, as the Node package has them. */
function kinds() {
  const fields = (text) => [...text.matchAll(/^ {2}(name|tier|holds): (.*),$/gm)].map(([, name, value]) => [name, JSON.parse(value)]);
  const scripts = [...PACKAGED.matchAll(/: Script = \{\n(.*?)^\};$/gms)].map(([, text]) => Object.fromEntries(fields(text)));
  return scripts.filter(({ tier }) => tier.length);
}

/** The minified scripts as the Node package has them, found by the SHA1s in lua/manifest.json. */
function scripts() {
  const bySha1 = new Map();
  for (const [literal] of PACKAGED.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    const source = JSON.parse(literal);
    bySha1.set(createHash("sha1").update(source).digest("hex"), source);
  }
  const { scripts, groups } = JSON.parse(read("lua/manifest.json", "utf8"));
  const all = Object.entries(Object.assign({}, scripts, ...Object.values(groups)));
  return Object.fromEntries(all.map(([name, { sha1 }]) => [name, bySha1.get(sha1)]));
}

/** The files of vectors that have steps with keys. */
function vectors() {
  const files = readdirSync(new URL("lua/vectors", ROOT), { recursive: true }).filter((file) => file.endsWith(".json"));
  return files.map((file) => JSON.parse(read(`lua/vectors/${file}`, "utf8"))).filter(({ sequences }) => sequences?.[0].steps[0].keys);
}

/** Replays the vectors; this function is also sent to the browsers as text. */
async function replayed(open, replay, wasm, files, sources) {
  const engine = await open(wasm);
  const different = [];
  const steps = files.reduce((sum, file) => sum + replay(engine, file, (name) => sources[name], (text) => different.push(text)), 0);
  return { steps, different };
}

async function inBrowser(browser, executablePath, files, sources) {
  const puppeteer = createRequire(new URL("site/playground/", ROOT))("puppeteer-core");
  const types = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };
  const server = createServer(({ url }, response) => {
    const type = types[url.split(".").pop()];
    response.setHeader("content-type", type ?? "text/html");
    response.end(type ? read(`site/engine${url}`) : PAGE);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${server.address().port}`;
  const args = browser === "chrome" ? ["--no-sandbox"] : [];
  const launched = await puppeteer.launch({ browser, executablePath, protocol: "webDriverBiDi", args });
  try {
    const page = await launched.newPage();
    await page.goto(`${origin}/`);
    return await page.evaluate(async (body, files, sources) => {
      const [{ open }, { replay }] = await Promise.all([import("/lua51.js"), import("/replay.mjs")]);
      const wasm = await (await fetch("/engine.wasm")).arrayBuffer();
      return new Function(`return ${body}`)()(open, replay, wasm, files, sources);
    }, String(replayed), files, sources);
  } finally {
    await launched.close();
    server.close();
  }
}

/** What a real server answers to calls, each followed by GETs of its keys. */
async function onServer(executable, sources, calls) {
  const folder = mkdtempSync(`${tmpdir()}/engine-`);
  const path = `${folder}/socket`;
  const process = spawn(executable, ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"], { stdio: "ignore" });
  try {
    for (let tries = 0; !existsSync(path); tries++) {
      if (tries > 600) throw new Error(`${executable} does not start`);
      await sleep(50);
    }
    const commands = Object.values(sources).map((source) => ["SCRIPT", "LOAD", source]);
    for (const { script, keys, args } of calls) {
      const sha1 = createHash("sha1").update(sources[script]).digest("hex");
      commands.push(["EVALSHA", sha1, String(keys.length), ...keys, ...args], ...keys.map((key) => ["GET", key]));
    }
    const request = commands.map((words) => `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`).join("");
    const socket = connect(path);
    socket.end(Buffer.from(request, "latin1"));
    const chunks = [];
    for await (const chunk of socket) chunks.push(chunk);
    return decode(`*${commands.length}\r\n${Buffer.concat(chunks).toString("latin1")}`).slice(Object.keys(sources).length);
  } finally {
    process.kill();
    rmSync(folder, { recursive: true });
  }
}

/** What the engine answers to the same. */
function inEngine(engine, sources, calls) {
  const loaded = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, engine.load(source)]));
  const server = new Keys();
  server.now = calls[0].nowUs;
  return calls.flatMap(({ script, keys, args }) => {
    const reply = engine.run(loaded[script], keys, args, server);
    return [reply, ...keys.map((key) => server.live(key)?.value ?? null)];
  });
}

const several = { type: "string", multiple: true, default: [] };
const { values: options } = parseArgs({ options: { browser: several, server: several, seed: { type: "string" } } });
const [files, sources, wasm] = [vectors(), scripts(), read("site/engine/engine.wasm")];
const places = { "Node.js": () => replayed(open, replay, wasm, files, sources) };
for (const [, name, executable] of options.browser.map((text) => text.match(/^(\w+)=(.+)$/))) {
  places[name] = () => inBrowser(name, executable, files, sources);
}
let failed = false;
for (const [place, play] of Object.entries(places)) {
  const { steps, different } = await play();
  different.slice(0, 20).forEach((text) => console.error(text));
  console.log(`${place}: ${steps - different.length} of ${steps} steps of the vectors are equal`);
  failed ||= different.length > 0 || steps < 7_000;
}
if (options.server.length) {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const calls = randomCalls(seed, CALLS, kinds());
  const expected = inEngine(await open(wasm), sources, calls).map((reply) => JSON.stringify(reply));
  for (const executable of options.server) {
    const found = (await onServer(executable, sources, calls)).map((reply) => JSON.stringify(reply));
    const different = expected.flatMap((reply, at) => (reply === found[at] ? [] : [`${reply} in the engine, ${found[at]} on the server`]));
    different.slice(0, 5).forEach((text) => console.error(text));
    console.log(`${executable}: ${CALLS} random calls, seed ${seed}: ${expected.length - different.length} of ${expected.length} replies and values are equal`);
    failed ||= different.length > 0 || found.length !== expected.length;
  }
}
process.exitCode = failed ? 1 : 0;
