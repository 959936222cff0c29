// The page: what is shown, and what hands and keys do.
import { open } from "../../engine/lua51.js";
import WASM from "../../engine/engine.wasm";
import { RateLimitHeaders } from "../../../packages/npm/src/http.ts";
import { Decision } from "../../../packages/npm/src/protocol.ts";
import * as drawing from "./draw.js";
import { MOST_LINES, playLog, readLog, slicer } from "./log.js";
import { LoadedScripts, MOST_CALLS, commandsUpTo, firstPeriod, play, wordsOf } from "./play.js";
import * as states from "./state.js";
import { bytesText, clockText, count, lengthText, many } from "./words.js";

const PLAY_MS = 8000;
const MOST_UNDONE = 200;
const MEANINGS = ["granted", "the limit, in units", "remaining, in units", "wait, in µs", "reset, in µs", "the tier that decided"];
const RESERVED = ["allowed", "wait, in µs", "the entry that denies", "repeated", "the limit, in units", "remaining, in units", "held, in units",
  "reset, in µs", "the tier that decided"];
const FIELDS = ["n", "subjects", "cost", "calls", "denied", "hold", "settle", "used"];

const $ = (id) => document.getElementById(id);
const isEmbedded = /(^#|&)embed(&|$)/.test(location.hash);
// The page around it explains one algorithm.
const explained = isEmbedded ? /limit=[\w-]+:/.exec(location.hash)?.[0] : undefined;
let [state, requests, results, undone] = [states.FIRST, [], [], []];
let scripts, log, figures, lastSource;
const view = { cursor: 0, lane: 0, who: 0, until: Infinity };

function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  for (const name of Object.keys(props)) if (name.startsWith("aria-") || name === "role") element.setAttribute(name, props[name]);
  element.append(...children);
  return element;
}

function makeButton(textContent, onclick, label = textContent) {
  return make("button", { textContent, onclick, "aria-label": label });
}

// ---- Changes

/** Takes a new state. What one source changes without another between is undone at once. */
function take(next, source) {
  if (source === undefined || source !== lastSource) undone = [...undone.slice(-MOST_UNDONE), state];
  lastSource = source;
  set(next);
}

function set(next) {
  state = next;
  complain("");
  compute();
}

/** Takes what a text such as `n=400&cost=3` changes, or says what is wrong in it. */
function takeText(text, source, from = state) {
  try {
    take(states.changed(from, text), source);
  } catch (error) {
    complain(error.message);
  }
}

/** Takes what a sentence to try changes; what the sentence does not name is as at first. */
function tryOut(change) {
  takeText(change, undefined, { ...states.FIRST, limits: state.limits, traffic: state.traffic, own: state.own });
}

function undo() {
  lastSource = undefined;
  if (undone.length) set(undone.pop());
}

function complain(message) {
  $("wrong").textContent = message;
  $("wrong").hidden = !message;
}

function compute() {
  const begun = performance.now();
  requests = states.requestsOf(state, firstPeriod(state.limits));
  results = state.limits.map((text) => play(scripts, text, requests, state));
  const took = performance.now() - begun;
  view.cursor = Math.min(view.cursor, state.span);
  view.lane = Math.min(view.lane, results.length - 1);
  const runs = results.reduce((sum, each) => sum + (each.runs ?? 0), 0);
  const shas = new Map(results.filter((each) => each.limit).map(({ limit: { script } }) => [script.name, script.sha1.slice(0, 10)]));
  $("foot").textContent = `${count(runs)} script calls in ${took.toFixed(0)} ms. The level between requests is a peek (cost 0) by the same script. `
    + `SHA1s, as Redis names them: ${[...shas].map((each) => each.join(" ")).join(", ")}.`;
  if (!isEmbedded) history.replaceState(history.state, "", `#${states.linkText(state)}`);
  show();
  if (isEmbedded) tellParent();
}

/** A page that embeds this one makes a link of the state, and needs the height. */
function tellParent() {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ penstock: "state", state: states.linkText(state), height: Math.ceil(height) }, "*");
}

// ---- What is shown

function show() {
  const box = $("lanes");
  while (box.children.length > results.length) box.lastElementChild.remove();
  while (box.children.length < results.length) box.append(makeLane(box.children.length));
  results.forEach((played, i) => {
    const [top, bad, canvas] = box.children[i].children;
    const [input, sum] = top.children;
    if (input.value.trim() !== played.text) input.value = played.text;
    input.setAttribute("aria-invalid", String(!!played.error));
    bad.textContent = played.error ?? "";
    bad.hidden = !played.error;
    canvas.hidden = sum.hidden = !!played.error;
    if (played.error) return;
    sum.textContent = drawing.summary(played) + (played.isCapped ? ` · stopped at ${count(MOST_CALLS)} requests` : "");
    canvas.setAttribute("aria-label", `${played.text}: ${sum.textContent}`);
  });
  for (const button of $("patterns").children) button.setAttribute("aria-pressed", String(button.value === state.traffic));
  if ($("tries").dataset.of !== state.traffic) {
    $("tries").dataset.of = state.traffic;
    const keeps = ([, change]) => !explained || !change.includes("limit=") || change.includes(explained);
    $("tries").replaceChildren(...states.TRIES[state.traffic].filter(keeps).map(([sentence, change]) => (
      make("li", {}, makeButton("Try", () => tryOut(change), `Try: ${sentence}`), make("span", { textContent: sentence })))));
  }
  const isOwn = state.traffic === "own";
  const seconds = { hold: state.hold / 1e6, settle: state.settle < 0 ? "" : state.settle / 1e6 };
  const shown = { ...state, ...seconds, n: isOwn ? state.own.length : state.n };
  for (const id of FIELDS) if (document.activeElement !== $(id)) $(id).value = shown[id];
  $("n").disabled = isOwn;
  $("calls").disabled = state.hold > 0;
  $("way").value = state.hold ? "reserve" : "charge";
  for (const each of document.querySelectorAll(".reserving")) each.hidden = !state.hold;
  if (!undone.length && document.activeElement === $("undo")) $("time").focus({ preventScroll: true });
  $("undo").disabled = !undone.length;
  $("add").disabled = $("example").disabled = state.limits.length >= states.MOST_LIMITS;
  const late = shown.n - requests.length;
  $("late").textContent = late ? `${many(late, "request")} of ${count(shown.n)} ${late === 1 ? "is" : "are"} later than the time shown.` : "";
  const spans = $("span");
  if (![...spans.options].some((each) => Number(each.value) === state.span)) spans.append(makeOption(state.span, lengthText(state.span)));
  spans.value = String(state.span);
  paint();
}

const makeOption = (value, textContent) => make("option", { value, textContent });

function makeLane(i) {
  const input = make("input", { type: "text", spellcheck: false, autocomplete: "off", "aria-label": `Limit ${i + 1}` });
  input.oninput = () => take({ ...state, limits: state.limits.with(i, input.value.trim()) }, `limit ${i}`);
  input.onfocus = () => choose({ lane: i });
  const remove = makeButton("✕", () => state.limits.length > 1 && take({ ...state, limits: state.limits.toSpliced(i, 1) }), `Remove limit ${i + 1}`);
  remove.className = "x";
  const canvas = make("canvas", { role: "img" });
  canvas.onpointermove = canvas.onpointerdown = ({ offsetX }) => {
    const at = drawing.timeAt(offsetX, canvas.clientWidth, state.span);
    const near = nearest(results[i], at);
    const isNear = near && Math.abs(drawing.xOf(near.t, canvas.clientWidth, state.span) - offsetX) < 9;
    choose({ lane: i, cursor: isNear ? near.t : at, who: isNear ? near.who : view.who });
  };
  const top = make("div", { className: "top" }, input, make("span", { className: "sum" }), remove);
  return make("div", { className: "lane" }, top, make("p", { className: "bad" }), canvas);
}

function nearest(played, at) {
  let best;
  for (const call of played?.calls ?? []) if (!best || Math.abs(call.t - at) <= Math.abs(best.t - at)) best = call;
  return best;
}

function choose(change) {
  Object.assign(view, change);
  paint();
}

let queued = 0;
function paint() {
  queued ||= requestAnimationFrame(() => {
    queued = 0;
    draw();
  });
}

function draw() {
  const [color, shown] = [drawing.colors(), { ...view, span: state.span }];
  const line = drawing.context($("requests"), drawing.LINE_HEIGHT);
  drawing.drawRequests(line.c, line.w, requests, shown, color);
  results.forEach((played, i) => {
    const element = $("lanes").children[i];
    element.classList.toggle("chosen", i === view.lane);
    if (played.error) return;
    const { c, w } = drawing.context(element.lastElementChild, drawing.LANE_HEIGHT);
    drawing.drawLane(c, w, played, { ...shown, chosen: i === view.lane ? nearest(played, view.cursor) : undefined }, color);
  });
  $("time").setAttribute("aria-valuemax", String(state.span / 1e6));
  $("time").setAttribute("aria-valuenow", String(view.cursor / 1e6));
  $("time").setAttribute("aria-valuetext", clockText(view.cursor, state.span) + (state.subjects > 1 ? `, subject ${view.who + 1}` : ""));
  showOne();
}

// ---- One request

function showOne() {
  const played = results[view.lane];
  const call = nearest(played, view.cursor);
  if (!call) {
    const [title, text] = played?.error ? [`This limit cannot be ${played.isRead ? "played so" : "read"}`, played.error] : ["No request yet", "Click on the line above, or choose a pattern."];
    $("reading").replaceChildren(make("h2", { textContent: title }), make("p", { className: "bad", textContent: text }));
    return $("lines").replaceChildren();
  }
  const { answer, command, stored, ttlMs } = call;
  const verdict = !answer.granted ? "denied" : answer.granted < played.asked ? `${answer.granted} of ${played.asked} calls admitted` : "admitted";
  const list = make("dl");
  const [meanings, times] = played.isReserving ? [RESERVED, [1, 7]] : [MEANINGS, [3, 4]];
  call.reply.forEach((number, i) => list.append(
    make("dt", { textContent: `${i + 1})` }), make("dd", { className: "n", textContent: number }),
    make("dd", { textContent: meanings[i] + (times.includes(i) ? `: ${lengthText(number)}` : "") })));
  const who = state.subjects > 1 ? ` of user:${call.who + 1}` : "";
  const title = `Request ${played.calls.indexOf(call) + 1} of ${played.calls.length}${who}, at ${clockText(call.t, state.span)}: `;
  $("reading").replaceChildren(make("h2", {}, title, make("span", { className: answer.granted ? "yes" : "no", textContent: verdict })),
    make("div", { textContent: advice(call) }), list, ...settlement(played, call));
  const value = stored === null ? "(nil)" : `${bytesText(stored)}\n# for another ${lengthText(ttlMs * 1000)}`;
  const before = played.sent.indexOf(call);
  const all = makeButton("Copy all up to this one", ({ target }) => copy(commandsUpTo(played, call), target));
  const texts = {
    "For redis-cli: the scripts, once": "./penstock scripts load --redis redis://127.0.0.1:6379",
    [before ? `The same answer, after the ${many(before, "command")} before it` : "The same answer, with nothing stored"]: wordsOf(command, call.t).join(" "),
    "What the server keeps": `GET ${command.keys[0]}\n${value}`,
    "What an HTTP client reads": http(played, answer),
  };
  $("lines").replaceChildren(...Object.entries(texts).flatMap(([textContent, text]) => [make("h3", { textContent }), copyable(text)]));
  $("lines").children[3].after(all);
}

function advice({ answer: { granted, wait }, first, t }) {
  const came = first < t ? ` (first at ${clockText(first, state.span)})` : "";
  if (granted) return (wait > 0 ? `go ahead in ${lengthText(wait)}` : "go ahead now") + came;
  return (wait < 0 ? "no wait helps: the cost is above the limit" : `come back in ${lengthText(wait)}, not a microsecond earlier`) + came;
}

function settlement(played, call) {
  if (!played.isReserving || !call.answer.granted) return [];
  const settled = played.settled.find((each) => each.call === call);
  if (!settled) return [make("p", { textContent: "Not settled in the time shown: it runs out, and its units are charged." })];
  const outcome = settled.done ? `${count(state.used)} used, the rest is free` : "too late, it had run out and was charged";
  const textContent = `Settled at ${clockText(settled.t, state.span)}: ${outcome}.`;
  return [make("p", { textContent }), copyable(wordsOf(settled.command, settled.t).join(" "))];
}

function http({ limit }, { granted, limit: most, remaining, wait, reset, tier }) {
  const decision = new Decision(granted, most, remaining, wait, reset, tier);
  const status = granted ? "200 OK" : `${RateLimitHeaders.status(decision)} Too Many Requests`;
  const fields = new RateLimitHeaders("play", limit).fields(decision);
  return [`HTTP/1.1 ${status}`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join("\n");
}

function copyable(text) {
  return make("div", { className: "pre" }, make("pre", { textContent: text }), makeButton("Copy", ({ target }) => copy(text, target)));
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // From a disk or in a frame there is no clipboard to write to.
    const area = make("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1200);
}

// ---- Traffic of one's own

let reads = 0;
async function readFile(file) {
  const read = ++reads;
  $("progress").textContent = `Reading ${file.name} ...`;
  $("figures").replaceChildren();
  try {
    const found = await readLog(file, slicer());
    if (read !== reads) return;
    log = found;
    await playAll();
  } catch (error) {
    $("progress").textContent = error.message;
  }
}

/** Plays the log through the limits that can be read; ends early if another begins. */
async function playAll() {
  const read = ++reads;
  const { name, requests: all, names, form, isCut, unreadable, complaints } = log;
  const bad = unreadable ? ` ${many(unreadable, "line")} cannot be read: ${complaints.join("; ")}.` : "";
  const cut = isCut ? ` Only its first ${count(MOST_LINES)} lines are played: ./penstock compare plays all.` : "";
  const rough = all.every(({ t }) => t % 1e6 === 0) ? " The log has whole seconds only: limits shorter than about ten seconds look stricter than they are." : "";
  let about = `${name}, ${form}: ${many(all.length, "request")} of ${many(names.length, "subject")}.${cut}${bad}${rough}`;
  const found = [];
  for (const text of state.limits) {
    $("progress").textContent = `${about} Playing ${text} ...`;
    try {
      found.push(await playLog(scripts, text, log, slicer()));
    } catch (error) {
      about += ` Left out: ${error.message}.`;
    }
    if (read !== reads) return;
  }
  figures = found;
  $("progress").textContent = about;
  showFigures();
}

function makeTable(label, titles, rows) {
  const cell = (content) => make("td", {}, content);
  const head = make("tr", {}, ...titles.map((textContent) => make("th", { textContent, scope: "col" })));
  return make("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": label },
    make("table", {}, head, ...rows.map((cells) => make("tr", {}, ...cells.map(cell)))));
}

function showFigures() {
  const summary = makeTable("Figures", ["limit", "admitted", "denied", "subjects denied", "most of one subject"], figures.map((each) => (
    [each.limit.text, count(each.admitted), count(each.denied), `${count(each.everDenied)} of ${count(each.subjects)}`,
      each.most.map(({ length, units }) => `${count(units)} in any ${lengthText(length)}`).join(", ")])));
  const denied = figures.filter((each) => each.denied).map(({ limit: { text }, mostDenied }) => makeTable(`Most denied by ${text}`,
    [`most denied by ${text}`, "requests", "denied"], mostDenied.map((each) => [each.subject, count(each.asked), count(each.denied)])));
  const command = ["./penstock compare --log FILE", ...(log.hasUnits ? ["--cost field:units"] : []), ...figures.map(({ limit }) => `--limit ${limit.text}`)];
  const shown = figures.length ? [summary, ...denied, make("h3", { textContent: "The same figures on a Redis" }), copyable(command.join(" "))] : [];
  $("figures").replaceChildren(makeButton("Play it with the limits above", playAll), ...shown);
}

// ---- Hands and keys

/** Changes the requests of one's own, which begin as those that are shown. */
function change(edit, source) {
  const own = state.traffic === "own" ? [...state.own] : requests.map(({ t, who }) => [t, who]);
  if (edit(own) === undefined) return undefined;
  own.sort(([one], [other]) => one - other);
  if (own.length > states.MOST_REQUESTS) return complain(`There are at most ${count(states.MOST_REQUESTS)} requests.`);
  take({ ...state, traffic: "own", own }, source);
}

const add = (source) => change((own) => own.push([view.cursor, view.who]), source);
const remove = () => change((own) => {
  const far = ([t]) => Math.abs(t - view.cursor);
  return own[0] && own.splice(own.reduce((best, each, i) => (far(each) < far(own[best]) ? i : best), 0), 1);
});

function keyed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = Math.max(1, Math.round(state.span / (event.shiftKey ? 2000 : 100)));
  const times = [...new Set((results[view.lane]?.calls ?? requests).map(({ t }) => t))];
  const to = (t) => () => choose({ cursor: Math.min(state.span, Math.max(0, t ?? view.cursor)) });
  const lane = (i) => () => choose({ lane: Math.min(results.length - 1, Math.max(0, i)) });
  const acts = {
    ArrowLeft: to(view.cursor - step), ArrowRight: to(view.cursor + step), Home: to(0), End: to(state.span),
    ArrowUp: lane(view.lane - 1), ArrowDown: lane(view.lane + 1),
    ",": to(times.findLast((t) => t < view.cursor)), ".": to(times.find((t) => t > view.cursor)),
    Enter: () => add(), " ": () => add(), Delete: remove, Backspace: remove, p: playing, P: playing,
  };
  for (let who = 0; who < state.subjects; who++) acts[who + 1] = () => choose({ who });
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
}

let frame = 0;
function playing() {
  // Whoever wants no motion goes from request to request.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const next = requests.find(({ t }) => t > view.cursor && view.until < Infinity) ?? requests[0];
    return next && choose({ cursor: next.t, until: next === requests.at(-1) ? Infinity : next.t });
  }
  const end = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    $("play").textContent = "▶ Play";
  };
  if (frame) return end();
  const from = view.until < state.span ? view.until : 0;
  const [begun, length] = [performance.now(), PLAY_MS * (1 - from / state.span)];
  $("play").textContent = "❚❚ Pause";
  const step = (now) => {
    const part = Math.min(1, Math.max(0, (now - begun) / length));
    const until = from + (state.span - from) * part;
    Object.assign(view, { until: part < 1 ? until : Infinity, cursor: Math.round(until) });
    if (part < 1) frame = requestAnimationFrame(step);
    else end();
    draw();
  };
  frame = requestAnimationFrame(step);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  paint();
}

/** Connects what is there from the beginning. */
function begin() {
  document.documentElement.classList.toggle("embed", isEmbedded);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.onchange = () => setTheme(dark.matches ? "dark" : "light");
  if (history.state?.theme) setTheme(history.state.theme);
  else dark.onchange();
  if (isEmbedded) $("play").before($("undo"));
  $("patterns").append(...Object.entries(states.PATTERNS).map(([value, text]) => {
    const begins = `traffic=${value}&${states.BEGINS[value] ?? ""}`;
    return Object.assign(makeButton(text, () => takeText(begins, undefined, { ...state, denied: "goes" })), { value });
  }));
  $("span").append(...states.SPANS_US.map((us) => makeOption(us, lengthText(us))));
  $("example").append(makeOption("", "an example ..."), ...states.EXAMPLES.map((each) => makeOption(each, each)));
  const addLimit = (text) => text && state.limits.length < states.MOST_LIMITS && take({ ...state, limits: [...state.limits, text] });
  $("example").onchange = () => {
    addLimit($("example").value);
    $("example").value = "";
  };
  $("add").onclick = () => {
    addLimit(state.limits.at(-1));
    $("lanes").lastElementChild.querySelector("input").focus();
  };
  for (const id of FIELDS) {
    $(id).oninput = () => takeText(`${id}=${$(id).value || (id === "settle" ? "never" : "")}`, id);
    $(id).onblur = show;
  }
  $("span").onchange = () => take({ ...state, span: Number($("span").value) });
  $("way").onchange = () => take({ ...state, calls: 1, hold: $("way").value === "reserve" ? 30e6 : 0, settle: 5e6 });
  $("undo").onclick = undo;
  $("theme").onclick = () => {
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    // A reload keeps it.
    history.replaceState({ theme: document.documentElement.dataset.theme }, "");
  };
  $("share").onclick = () => copy(`${location.href.split("#")[0]}#${states.linkText(state)}`, $("share"));
  $("save").onclick = () => saved().toBlob((blob) => {
    const href = URL.createObjectURL(blob);
    make("a", { href, download: "penstock.png" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  });
  $("play").onclick = playing;
  $("time").onkeydown = keyed;
  addEventListener("keydown", (event) => {
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target.matches("input")) return;
    event.preventDefault();
    undo();
  });
  addEventListener("resize", paint);
  addEventListener("hashchange", () => {
    if (!isEmbedded && location.hash.slice(1) !== states.linkText(state)) takeText(location.hash.slice(1), undefined, states.FIRST);
  });
  addEventListener("message", ({ source, data }) => {
    if (!isEmbedded || source !== parent || data?.penstock !== "show") return;
    if (["light", "dark"].includes(data.theme)) setTheme(data.theme);
    if (typeof data.state === "string") takeText(data.state, undefined, states.FIRST);
  });
  drags($("requests"));
  if (isEmbedded) new ResizeObserver(tellParent).observe(document.body);
  else drops($("log").classList);
}

function drags(line) {
  let lastX;
  const at = ({ offsetX }) => choose({ cursor: drawing.timeAt(offsetX, line.clientWidth, state.span) });
  line.onpointerdown = (event) => {
    lastX = event.offsetX;
    lastSource = undefined;
    line.setPointerCapture(event.pointerId);
    $("time").focus({ preventScroll: true });
    at(event);
    add("drag");
  };
  line.onpointermove = (event) => {
    at(event);
    if (lastX === undefined || Math.abs(event.offsetX - lastX) < 5) return;
    lastX = event.offsetX;
    add("drag");
  };
  line.onpointerup = line.onpointercancel = () => (lastX = undefined);
}

function drops(classes) {
  const take = (files) => files[0] && readFile(files[0]);
  $("file").onchange = () => take($("file").files);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classes.add("over");
  });
  addEventListener("dragleave", () => classes.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    classes.remove("over");
    take(event.dataTransfer.files);
  });
}

function saved() {
  return drawing.picture(`${states.PATTERNS[state.traffic]}: ${many(requests.length, "request")} in ${lengthText(state.span)}`, requests, results, state.span);
}

async function start() {
  const packed = Uint8Array.from(atob(WASM), (c) => c.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  scripts = new LoadedScripts(await open(await new Response(unpacked).arrayBuffer()));
  begin();
  let wrong = "";
  try {
    state = states.changed(states.FIRST, location.hash.slice(1));
  } catch (error) {
    wrong = error.message;
  }
  compute();
  complain(wrong);
  const first = results[0].calls?.find(({ answer }) => !answer.granted) ?? results[0].calls?.[0];
  choose({ cursor: first?.t ?? 0 });
  // For tests, and for the curious.
  globalThis.penstock = { scripts, commandsUpTo, play, readFile, saved, states, wordsOf };
  for (const [name, get] of Object.entries({ state: () => state, results: () => results, figures: () => figures })) {
    Object.defineProperty(penstock, name, { get });
  }
  performance.mark("ready");
}

start().catch((error) => complain(`The engine does not run: ${error.message}. A page's policy must allow 'wasm-unsafe-eval'.`));
