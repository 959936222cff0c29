// Limits as text; docs/limits.md has the grammar.
import { LONGEST_US, Limit, MOST_TIERS, MOST_UNITS, PERIODS_US } from "./protocol.js";
import { SCRIPTS } from "./scripts.js";

const NUMBER = /^[0-9]+(?:_[0-9]+)*$/;
const PERIOD = /^([0-9]+(?:_[0-9]+)*)?([a-z]+)$/;
const BURST = ",burst=";
const LONGEST_EXCERPT = 40;
const LONGEST_MEANT = 200;
// A sign, a fraction or a grouped number would be misread.
const NO_HINT = /[^a-z0-9_\s/:;+,=-]|[0-9_][.,][0-9_]|-[0-9]/;
const PER = new Set(["/", "per", "every", "each", "in", "a", "an"]);
const IDLE = new Set("r req reqs request requests call calls hit hits and rate".split(" "));
const UNIT_WORDS = {
  us: "us",
  ms: "ms msec millisecond milliseconds",
  s: "s sec secs second seconds",
  m: "m min mins minute minutes",
  h: "h hr hrs hour hours",
  d: "d day days week weeks",
};

/**
 * Parses a limit such as `token-bucket:100/1m,burst=20` or `fixed-window:10/1s+100/1m`; the limit's `text` is the inverse. An invalid text
 * throws a RangeError with the position (an index from 0), the offending words, and the rule. If the text is in another common notation,
 * such as `100/minute`, the error also suggests the equivalent text.
 */
export function parseLimit(text: string): Limit {
  if (typeof text !== "string") {
    throw new TypeError(`limit must be a string, such as token-bucket:100/1m: ${String(text)}`);
  }
  const wrong = (at: number, words: string, rule: string, cause?: unknown) => {
    const excerpt = words.length > LONGEST_EXCERPT ? `${words.slice(0, LONGEST_EXCERPT)}...` : words;
    const hint = meantBy(text);
    return new RangeError(`limit "${text}" at ${at}, "${excerpt}": ${rule}${hint && `; did you mean "${hint}"?`}`, { cause });
  };
  const unitsOf = (name: string, at: number, number: string) => {
    const units = NUMBER.test(number) ? valueOf(number) : 0;
    if (units >= 1 && units <= MOST_UNITS) return units;
    throw wrong(at, number, `${name} must be a whole number from 1 to ${MOST_UNITS}`);
  };
  const tierOf = (start: number, tier: string, holdsBurst: boolean) => {
    const slash = tier.indexOf("/");
    if (slash < 0) throw wrong(start, tier, "a tier must be UNITS/PERIOD, such as 100/1m");
    const units = unitsOf("units", start, tier.slice(0, slash));
    const comma = tier.indexOf(",", slash);
    const period = tier.slice(slash + 1, comma < 0 ? undefined : comma);
    const [, number = "1", unit = ""] = PERIOD.exec(period) ?? [];
    const length = Object.hasOwn(PERIODS_US, unit) && PERIODS_US[unit];
    if (!length) throw wrong(start + slash + 1, period, "a period must be a number with us, ms, s, m, h or d, such as 1m");
    const us = valueOf(number) * length;
    if (us < 1 || us > LONGEST_US) throw wrong(start + slash + 1, period, "a period must be from 1us to 366d");
    if (comma < 0) return holdsBurst ? [units, units, us] : [units, us];
    const burst = tier.slice(comma);
    if (!holdsBurst) throw wrong(start + comma, burst, "a window has no burst");
    if (!burst.startsWith(BURST)) throw wrong(start + comma, burst, "only ,burst=N may follow the period");
    return [unitsOf("burst", start + comma + BURST.length, burst.slice(BURST.length)), units, us];
  };

  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const script = SCRIPTS.find((each) => each.name === name);
  if (!script) {
    throw wrong(0, name, `a limit must begin with one of ${SCRIPTS.map((each) => each.name).join(", ")}, and a colon`);
  }
  if (colon < 0) throw wrong(text.length, "", `a colon must follow, as in ${name}:100/1m`);
  const tiers: number[][] = [];
  let at = colon + 1;
  for (const part of text.slice(at).split("+")) {
    if (tiers.length === MOST_TIERS) throw wrong(at, part, `a limit has at most ${MOST_TIERS} tiers`);
    const tier = tierOf(at, part, script.tier.length === 3);
    try {
      new Limit(script, [tier]);
    } catch (error) {
      throw wrong(at, part, (error as Error).message, error);
    }
    tiers.push(tier);
    at += part.length + 1;
  }
  return new Limit(script, tiers);
}

/** Returns the valid text closest to the invalid one; empty if there is none. */
function meantBy(text: string): string {
  const lower = text.toLowerCase();
  if (text.length > LONGEST_MEANT || NO_HINT.test(lower)) return "";
  let words: string[] = lower.match(/[a-z]+|[0-9][0-9_]*|\//g) ?? [];
  let kind = words.slice(0, 2).join("-");
  const named = SCRIPTS.some((script) => script.name === kind);
  if (named) words = words.slice(2);
  const nginx = !named && words.includes("r");
  const tiers: string[] = [];
  let [units, count, per, before] = [0, 0, false, ""];
  for (const word of words) {
    const number = NUMBER.test(word) ? valueOf(word) : 0;
    const [unit = ""] = Object.entries(UNIT_WORDS).find(([, known]) => known.split(" ").includes(word)) ?? [];
    if (before === "burst" && tiers.length && number) tiers.push(`${tiers.pop()}${BURST}${number + Number(nginx)}`);
    else if (number && !units) units = number;
    else if (number && per && !count) count = number;
    else if (PER.has(word) && units && !per) per = true;
    else if (unit && per) {
      tiers.push(`${units}/${(count || 1) * (word.startsWith("week") ? 7 : 1)}${unit}`);
      [units, count, per] = [0, 0, false];
    } else if (word !== "burst" && !IDLE.has(word) && !(nginx && word === "nodelay")) return "";
    before = word;
  }
  if (!tiers.length || units || before === "burst") return "";
  const bursts = tiers.some((tier) => tier.includes(BURST));
  if (nginx && !bursts) tiers.push(`${tiers.pop()}${BURST}1`);
  const delays = nginx && bursts && !words.includes("nodelay");
  if (!named) kind = delays ? "leaky-bucket" : nginx || bursts ? "token-bucket" : "fixed-window";
  const meant = `${kind}:${tiers.join("+")}`;
  try {
    return meant !== text && parseLimit(meant) ? meant : "";
  } catch {
    return "";
  }
}

/** Converts a number; one with too many digits exceeds every bound. */
function valueOf(number: string): number {
  return Number(number.replaceAll("_", ""));
}
