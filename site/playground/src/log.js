// Traffic of the reader's own: a log in two forms, and what limits do to it; as ./penstock compare reads and counts.
import { Keys } from "../../engine/keys.js";
import { parseLimit } from "../../../packages/npm/src/text.ts";
import { SpanSum } from "./play.js";

export const MOST_LINES = 200_000;
const FIRST_US = 1e15;
const END_US = 2 ** 52;
// 2020-01-01, where times that count from 0 begin.
const TRACE_US = 1_577_836_800_000_000;
const MOST_UNITS = 1e12;
const LOOKED_AT = 20;
const SHOWN = 3;
const MOST_DENIED = 10;
const SLICE_MS = 12;
const COMBINED = /^(\S+) \S+ [^["]*\[([^\]]+)\] "(?:[^"\\]|\\.)*" (?:\d+|-) (?:\d+|-)(?: |$)/;
// No hour is 24, which Date.parse takes.
const ISO = /^(\d{4}-\d\d-\d\d)[T ]((?!24)\d\d:\d\d:\d\d)(?:\.(\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)?$/i;
const DAY = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):((?!24)\d\d:\d\d:\d\d) ([+-]\d{4})$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const FORMS = "neither CSV with the header time,client or time,client,units, nor nginx's combined form: "
  + "./penstock compare --log FILE --traffic-csv FILE.csv writes such CSV from any log that it reads";

class UnreadableLine extends Error {}

/** Microseconds since 1970 of a time as compare reads it; a time without a zone is of UTC. */
export function micros(text) {
  const us = /^\d{1,20}(\.\d{0,20})?$/.test(text) ? ofNumber(text) : ofDate(text);
  if (Number.isNaN(us)) throw new UnreadableLine(`not a time: ${text}`);
  if (us < FIRST_US || us >= END_US) throw new UnreadableLine(`the time must be from 2001-09-09 to 2112: ${text}`);
  return us;
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, by their size; below 10^9 seconds of a trace. */
function ofNumber(text) {
  const [whole, fraction = ""] = text.replace(/^0+(?=\d)/, "").split(".");
  const isTrace = whole.length < 10;
  const finer = isTrace || whole.length <= 11 ? 0 : whole.length <= 14 ? 3 : whole.length <= 17 ? 6 : 9;
  const digits = whole + fraction.padEnd(6, "0");
  const us = Number(digits.slice(0, whole.length + 6 - finer));
  return isTrace ? TRACE_US + us : us;
}

function ofDate(text) {
  const day = DAY.exec(text);
  if (day) {
    const month = MONTHS.indexOf(day[2]) / 3 + 1;
    text = `${day[3]}-${String(month).padStart(2, "0")}-${day[1]}T${day[4]}${day[5]}`;
  }
  const [, date, time, fraction = "", zone = "Z"] = ISO.exec(text) ?? [];
  if (!date) return NaN;
  const seconds = Date.parse(`${date}T${time}${zone.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2")}`);
  // What is no day of its month would be one of the next.
  const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  return isDay ? seconds * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6)) : NaN;
}

/** An address in one spelling, IPv4 within IPv6 as IPv4; what is none stays as it is. */
export function address(text) {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (four) return four[1];
  if (!/^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*$/i.test(bare)) return bare;
  try {
    return new URL(`http://[${bare}]`).hostname.slice(1, -1);
  } catch {
    return bare;
  }
}

/** The fields of a line of CSV (RFC 4180). */
function fields(line) {
  if (!line.includes('"')) return line.split(",");
  const all = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)];
  if (all.reduce((length, each) => length + each[0].length, 0) !== line.length) throw new UnreadableLine("a quote in the wrong place");
  return all.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}

function unitsOf(text) {
  if (text === "") return 1;
  const units = Number(text);
  if (!(units >= 0 && units <= MOST_UNITS)) throw new UnreadableLine(`the units must be from 0 to 10^12: ${text}`);
  return Math.max(1, Math.ceil(units));
}

/** What reads lines of a form, as `[time, client, units]`; undefined if these are lines of none. */
function readerOf(lines) {
  const header = lines.findIndex((each) => each.trim() !== "");
  const columns = lines[header].replaceAll('"', "").split(",").map((each) => each.trim());
  const [time, client, units] = ["time", "client", "units"].map((name) => columns.indexOf(name));
  if (time >= 0 && client >= 0) {
    return { form: "CSV", skips: header + 1, hasUnits: units >= 0, read(line) {
      const values = fields(line);
      if (values.length !== columns.length) throw new UnreadableLine(`${values.length} fields instead of ${columns.length}`);
      return [values[time].trim(), values[client].trim(), units < 0 ? 1 : unitsOf(values[units].trim())];
    } };
  }
  if (lines.some((line) => COMBINED.test(line))) {
    return { form: "nginx's combined form", skips: 0, read(line) {
      const [, client, at] = COMBINED.exec(line) ?? [];
      if (!client) throw new UnreadableLine("not a line of nginx's combined form");
      return [at, client, 1];
    } };
  }
}

/** Lets the browser work between slices: `await pause()` often. */
export function slicer() {
  const channel = new MessageChannel();
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      channel.port1.onmessage = () => {
        begun = performance.now();
        resolve();
      };
      channel.port2.postMessage(0);
    });
  };
}

async function* linesOf(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest !== "") yield rest;
}

/** Reads a file: its requests in the order of their times, and what could not be read. */
export async function readLog(file, pause = slicer()) {
  const log = { name: file.name, form: "", requests: [], names: [], lines: 0, unreadable: 0, complaints: [], isCut: false };
  const known = new Map();
  let ahead = [];
  let reader;
  const take = (line) => {
    log.lines++;
    if (line.trim() === "" || log.lines <= reader.skips) return;
    try {
      const [time, client, units] = reader.read(line);
      if (client === "" || client === "-") throw new UnreadableLine("no client");
      const [t, name] = [micros(time), address(client)];
      if (!known.has(name)) known.set(name, log.names.push(name) - 1);
      log.requests.push({ t, who: known.get(name), units });
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      if (++log.unreadable <= SHOWN) log.complaints.push(`line ${log.lines}: ${error.message}`);
    }
  };
  const begin = () => {
    if (ahead.every((line) => line.trim() === "")) throw new RangeError(`${file.name} is empty`);
    reader = readerOf(ahead);
    if (!reader) throw new RangeError(`${file.name} is ${FORMS}`);
    Object.assign(log, { form: reader.form, hasUnits: !!reader.hasUnits });
    ahead.forEach(take);
    ahead = [];
  };
  for await (const line of linesOf(file)) {
    if (log.lines - (reader?.skips ?? 0) >= MOST_LINES) {
      log.isCut = true;
      break;
    }
    if (reader) take(line);
    else if (ahead.push(line) >= LOOKED_AT && line.trim() !== "") begin();
    if (log.lines % 256 === 0) await pause();
  }
  if (!reader) begin();
  if (!log.requests.length) throw new RangeError(`no request in ${file.name} can be read: ${log.complaints[0] ?? "it has no line below its header"}`);
  log.requests.sort((one, other) => one.t - other.t);
  return log;
}

/** What one limit does to a log. Each subject has a key, and the server's time is the request's. */
export async function playLog(scripts, text, log, pause = slicer()) {
  const limit = parseLimit(text);
  const server = new Keys();
  const [asked, denied] = [new Uint32Array(log.names.length), new Uint32Array(log.names.length)];
  const most = limit.tiers.map((tier) => ({ length: tier.at(-1), units: 0 }));
  const sums = [];
  let made = 0;
  for (const { t, who, units } of log.requests) {
    server.now = t;
    const reply = scripts.run(limit.script, [`${who}`], [String(units), ...limit.args], server);
    if (reply.err) throw new Error(reply.err);
    asked[who]++;
    if (reply[0]) {
      sums[who] ??= limit.tiers.map((tier) => new SpanSum(tier.at(-1)));
      sums[who].forEach((sum, i) => (most[i].units = Math.max(most[i].units, sum.add(t + reply[3], units))));
    } else denied[who]++;
    if (++made % 64 === 0) {
      server.written.clear();
      await pause();
    }
  }
  const whos = log.names.map((subject, who) => ({ subject, asked: asked[who], denied: denied[who] })).filter((each) => each.denied);
  whos.sort((one, other) => other.denied - one.denied || (one.subject < other.subject ? -1 : 1));
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  return {
    limit, asked: log.requests.length, denied: sum(denied), admitted: log.requests.length - sum(denied), most,
    subjects: log.names.length, everDenied: whos.length, mostDenied: whos.slice(0, MOST_DENIED),
  };
}
