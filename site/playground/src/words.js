// Numbers and times as people read them.

export const count = (n) => n.toLocaleString("en-US");
export const many = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** A length of time, exact to five digits: `118.18 ms`, `1 min 30 s`; -1 is for ever. */
export function lengthText(us) {
  if (us < 0) return "never";
  if (us < 1e3) return us === 0 ? "0 s" : `${us} µs`;
  if (us < 1e6) return `${+(us / 1e3).toPrecision(5)} ms`;
  if (us < 60e6) return `${+(us / 1e6).toPrecision(5)} s`;
  const [unit, name, less, lessName] = us < 3600e6 ? [60e6, "min", 1e6, "s"] : us < 86400e6 ? [3600e6, "h", 60e6, "min"] : [86400e6, "d", 3600e6, "h"];
  const rest = +((us % unit) / less).toFixed(2);
  return `${Math.floor(us / unit)} ${name}${rest ? ` ${rest} ${lessName}` : ""}`;
}

/** A time of the time line. */
export function clockText(us, span) {
  if (span < 120e6) return `${+(us / 1e6).toFixed(6)} s`;
  const [ms, two] = [Math.round(us / 1e3), (n) => String(Math.floor(n)).padStart(2, "0")];
  const [hours, minutes, seconds] = [Math.floor(ms / 3600e3), (ms / 60e3) % 60, ((ms % 60e3) / 1e3).toFixed(3).padStart(6, "0")];
  return hours ? `${hours}:${two(minutes)}:${seconds.replace(".000", "")}` : `${Math.floor(minutes)}:${seconds}`;
}

/** The mark of a time below the line. */
export function tickText(us, span) {
  if (us === 0) return "0";
  if (span >= 6 * 3600e6) return `${+(us / 3600e6).toFixed(2)} h`;
  return clockText(us, span).replace(".000", "");
}

/** Bytes, a character each, as redis-cli prints them. */
export function bytesText(text) {
  const escaped = text.replace(/["\\]/g, "\\$&");
  return `"${escaped.replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}"`;
}
