// What is played, and the link that holds it: limit=...&traffic=edge&n=200&span=180s
export const MOST_LIMITS = 6;
export const MOST_REQUESTS = 2000;
export const MOST_SUBJECTS = 5;
const LONGEST_US = 366 * 86400e6;

export const PATTERNS = {
  steady: "steady", edge: "two bursts at an edge", cron: "cron", storm: "retry storm", random: "random", own: "my own",
};
export const EXAMPLES = [
  "token-bucket:100/1m,burst=20", "fixed-window:100/1m", "sliding-window:100/1m", "leaky-bucket:100/1m,burst=20", "interval-bucket:100/1m",
  "token-bucket:5/1s+100/1m",
];
export const SPANS_US = [1, 5, 10, 30, 60, 120, 180, 300, 600, 3600, 10800, 86400, 172800].map((seconds) => seconds * 1e6);

/** Times are in microseconds; `hold` 0: requests are charged at once; `settle` -1: never. `own` is of pairs: time and subject. */
export const FIRST = {
  limits: ["token-bucket:100/1m,burst=20", "fixed-window:100/1m", "sliding-window:100/1m"],
  traffic: "edge", n: 200, span: 180e6, subjects: 1, cost: 1, calls: 1, denied: "goes", hold: 0, settle: -1, used: 1, own: [],
};

/** What a pattern begins with. */
export const BEGINS = { storm: "n=60&span=60s&denied=told", own: "at=" };

/** Three things to try for each pattern: a sentence, and the one thing that it changes. */
export const TRIES = {
  steady: [
    ["Send twice as many, 133 a minute: the bucket admits 319 of 400, the window 300. Read how long the first denied one waits.",
      "limit=token-bucket:100/1m,burst=20&limit=fixed-window:100/1m&n=400&span=180s"],
    ["Let each cost 3 units: of the same 200 requests 106 pass.", "limit=token-bucket:100/1m,burst=20&n=200&span=180s&cost=3"],
    ["Share four times as many among 4 subjects: each has a key, and so the whole limit for itself.", "n=800&subjects=4"],
  ],
  edge: [
    ["Compare the windows: a fixed one passes 199 requests within a minute under a limit of 100, a sliding one 108.",
      "limit=fixed-window:100/1m&limit=sliding-window:100/1m&n=200&span=180s"],
    ["Halve limit and window: the rate is the same, and 99 requests still pass within 30 s, around the edge.", "limit=fixed-window:50/30s&n=100&span=180s"],
    ["Give a token bucket a burst of 100 instead of 20: what passes in a minute grows from 39 to 119.",
      "limit=token-bucket:100/1m,burst=20&limit=token-bucket:100/1m&n=200&span=180s"],
  ],
  cron: [
    ["Put a leaky bucket beside a token bucket: both admit 120 of 200, but its calls go ahead one after another.",
      "limit=token-bucket:100/1m,burst=20&limit=leaky-bucket:100/1m,burst=20&n=200&span=180s"],
    ["Ask for 6 calls in each request: as many are granted as there is room for, 120 of 360, some requests in part.",
      "limit=token-bucket:100/1m,burst=20&n=60&span=180s&calls=6"],
    ["Let the denied ones come back when told: all 200 pass in the end, after 574 denials by the bucket and 1 by the window.",
      "limit=token-bucket:100/1m,burst=20&limit=sliding-window:100/1m&n=200&span=180s&denied=told"],
  ],
  storm: [
    ["All wait exactly, and for the same unit: 796 denials. With room for all in its queue (burst=60) a leaky bucket denies 0.",
      "limit=leaky-bucket:100/1m,burst=20&limit=leaky-bucket:100/1m,burst=60&n=60&span=60s&denied=told"],
    ["Let them ask each second instead: 476 denials, and none comes at the moment when its unit is there.",
      "limit=leaky-bucket:100/1m,burst=20&n=60&span=60s&denied=second"],
    ["Refill in batches of 20 at the same rate: who waits exactly comes with the batch, and there are 60 denials.",
      "limit=interval-bucket:20/12s&n=60&span=60s&denied=told"],
  ],
  random: [
    ["Put the same limit with a burst of 5 beside it: the rate is the same, and 3 that come close together are denied.",
      "limit=token-bucket:100/1m,burst=20&limit=token-bucket:100/1m,burst=5&n=200&span=180s"],
    ["Add a tier that never decides: 5 a second are 300 a minute, so all 147 denials are by tier 1.", "limit=token-bucket:5/1s+1000/1m&n=1000&span=180s"],
    ["Reserve 3 units for 30 s and settle 1 after 5 s: all 200 pass, and what is held (hatched) comes back. Charged 3 at once, 68 are denied.",
      "limit=token-bucket:100/1m&n=200&span=180s&cost=3&hold=30s&settle=5s&used=1"],
  ],
  own: [
    ["Click on the time line, or press Enter on it; drag for many. Of these 24 a bucket of 10 admits 14.", "limit=token-bucket:10/10s&span=10s&at=1*20,2,3,4,5"],
    ["Read a cross: the request at 0.999999 s is a microsecond early and denied, the one at 1 s passes; 3 of 5 do.",
      "limit=fixed-window:2/1s&span=5s&at=0,0.1,0.2,0.999999,1"],
    ["Press 2, then Enter, to add a request of another subject: it has a limit for itself, so 10 pass.", "limit=fixed-window:5/1s&span=5s&subjects=2&at=0*5,0*5@2"],
  ],
};

function whole(name, text, least, most) {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`${name}=${text}: must be a whole number from ${least} to ${most}`);
}

function time(name, text, least, most = LONGEST_US) {
  const us = Math.round(Number(text.replace(/s$/, "")) * 1e6);
  if (text !== "" && us >= least && us <= most) return us;
  throw new RangeError(`${name}=${text}: must be seconds from ${least / 1e6} to ${most / 1e6}, such as 30s`);
}

function oneOf(name, text, known) {
  if (known.includes(text)) return text;
  throw new RangeError(`${name}=${text}: must be one of ${known.join(", ")}`);
}

/** Times of one's own: `1*20,2.5@2` is 20 requests at 1 s, and one of subject 2 at 2.5 s. */
function ownTimes(text) {
  const all = [];
  for (const each of text === "" ? [] : text.split(",")) {
    const [, at, times = "1", who = "1"] = /^([\d.]+)(?:\*(\d+))?(?:@(\d+))?$/.exec(each) ?? [];
    if (at === undefined) throw new RangeError(`at=${each}: must be seconds, such as 1.5, 1.5*20 or 1.5@2`);
    const request = [time("at", at, 0), whole("at", who, 1, MOST_SUBJECTS) - 1];
    for (let i = whole("at", times, 1, MOST_REQUESTS); i > 0; i--) all.push(request);
  }
  if (all.length > MOST_REQUESTS) throw new RangeError(`at: must be at most ${MOST_REQUESTS} requests: ${all.length}`);
  return all.sort(([one], [other]) => one - other);
}

const FIELDS = {
  traffic: (text) => ({ traffic: oneOf("traffic", text, Object.keys(PATTERNS)) }),
  n: (text) => ({ n: whole("n", text, 1, MOST_REQUESTS) }),
  span: (text) => ({ span: time("span", text, 1000) }),
  subjects: (text) => ({ subjects: whole("subjects", text, 1, MOST_SUBJECTS) }),
  cost: (text) => ({ cost: whole("cost", text, 1, 1e12) }),
  calls: (text) => ({ calls: whole("calls", text, 1, 1e6) }),
  denied: (text) => ({ denied: oneOf("denied", text, ["goes", "told", "second"]) }),
  hold: (text) => ({ hold: text === "0" ? 0 : time("hold", text, 1000) }),
  settle: (text) => ({ settle: text === "never" ? -1 : time("settle", text, 0) }),
  used: (text) => ({ used: whole("used", text, 0, 1e12) }),
  at: (text) => ({ traffic: "own", own: ownTimes(text) }),
};

function decoded(part, text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError(`${part}: must have UTF-8 in two hexadecimal digits after each %`);
  }
}

/** The state with what a text such as `n=400&cost=3` changes; a RangeError names what is wrong. */
export function changed(state, text) {
  const next = { ...state };
  const limits = [];
  for (const part of text.split("&").filter((each) => each !== "" && each !== "embed")) {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, at), decoded(part, part.slice(at + 1))];
    if (name === "limit") limits.push(value);
    else if (Object.hasOwn(FIELDS, name)) Object.assign(next, FIELDS[name](value));
    else throw new RangeError(`${part}: must begin with one of limit=, ${Object.keys(FIELDS).join("=, ")}=`);
  }
  if (limits.length > MOST_LIMITS) throw new RangeError(`limit: must be given at most ${MOST_LIMITS} times: ${limits.length}`);
  return limits.length ? { ...next, limits } : next;
}

/** The text of a link from which `changed(FIRST, text)` makes the same state. */
export function linkText(state) {
  const parts = state.limits.map((each) => `limit=${each.replace(/[%&#\s]/g, encodeURIComponent)}`);
  parts.push(`traffic=${state.traffic}`, `n=${state.n}`, `span=${state.span / 1e6}s`);
  for (const name of ["subjects", "cost", "calls", "denied"]) if (state[name] !== FIRST[name]) parts.push(`${name}=${state[name]}`);
  if (state.hold) parts.push(`hold=${state.hold / 1e6}s`, `settle=${state.settle < 0 ? "never" : `${state.settle / 1e6}s`}`, `used=${state.used}`);
  if (state.traffic === "own") parts.push(`at=${runs(state.own)}`);
  return parts.join("&");
}

function runs(own) {
  const texts = [];
  for (let i = 0, j; i < own.length; i = j) {
    const [at, who] = own[i];
    for (j = i + 1; j < own.length && own[j][0] === at && own[j][1] === who; ) j++;
    texts.push(`${at / 1e6}${j - i > 1 ? `*${j - i}` : ""}${who ? `@${who + 1}` : ""}`);
  }
  return texts.join(",");
}

/** The requests of a state in their order, `{t, who}`; an edge is that of `period`. */
export function requestsOf({ traffic, n, span, subjects, own }, period) {
  if (traffic === "own") return own.filter(([t]) => t <= span).map(([t, who]) => ({ t, who }));
  const times = [];
  const spread = (k, from, to) => {
    for (let i = 0; i < k; i++) times.push(Math.round(from + ((to - from) * i) / k));
  };
  if (traffic === "steady") spread(n, 0, span);
  if (traffic === "edge") {
    const before = (n - 1) >> 1;
    times.push(0);
    spread(before, period * 0.9, period * 0.985);
    spread(n - 1 - before, period * 1.015, period * 1.1);
  }
  if (traffic === "cron") for (let i = 0; i < n; i++) times.push(Math.round((span * (Math.floor((i * 6) / n) + 0.25)) / 6));
  if (traffic === "storm") spread(n, 0, Math.min(span / 50, 1e6));
  const random = randomFrom(42);
  if (traffic === "random") for (let i = 0; i < n; i++) times.push(Math.floor(random() * span));
  const all = times.filter((t) => t <= span).sort((one, other) => one - other);
  return all.map((t, i) => ({ t, who: traffic === "random" ? Math.floor(random() * subjects) : i % subjects }));
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
