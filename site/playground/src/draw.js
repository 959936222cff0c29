// Draws the time line, the limits, and the picture that can be saved.
import { count, lengthText, tickText } from "./words.js";

export const LINE_HEIGHT = 46;
export const LANE_HEIGHT = 92;
const [PAD, TOP, BASE] = [14, 6, 58];
const [PICTURE_WIDTH, PICTURE_MARGIN, PICTURE_TITLE] = [1000, 20, 26];
const STEPS_US = [1e3, 5e3, 1e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 10e6, 15e6, 30e6, 60e6, 120e6, 300e6, 600e6, 1800e6, 3600e6, 7200e6, 21600e6, 43200e6, 86400e6];

/** The page's colours, as it is shown now. */
export function colors() {
  const style = getComputedStyle(document.documentElement);
  const names = ["card", "ink", "soft", "line", "lane", "yes", "level", "no", "later", "focus"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export const xOf = (t, w, span) => PAD + ((w - 2 * PAD) * t) / span;
export const timeAt = (x, w, span) => Math.min(span, Math.max(0, Math.round(((x - PAD) / (w - 2 * PAD)) * span)));

/** A canvas as wide as its place, sharp on its screen. */
export function context(canvas, height) {
  const [w, scale] = [canvas.clientWidth || canvas.parentElement.clientWidth, devicePixelRatio || 1];
  const [width, tall] = [Math.round(w * scale), Math.round(height * scale)];
  if (canvas.width !== width || canvas.height !== tall) Object.assign(canvas, { width, height: tall });
  canvas.style.height = `${height}px`;
  const c = canvas.getContext("2d");
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.clearRect(0, 0, w, height);
  return { c, w };
}

function fill(c, color, x, y, w, h) {
  c.fillStyle = color;
  c.fillRect(x, y, w, h);
}

/** Strokes lines, each a list of points. */
function stroke(c, color, width, ...lines) {
  Object.assign(c, { strokeStyle: color, lineWidth: width }).beginPath();
  for (const points of lines) points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.stroke();
}

function circle(c, color, width, x, y, radius) {
  Object.assign(c, { strokeStyle: color, lineWidth: width }).beginPath();
  c.arc(x, y, radius, 0, 7);
  c.stroke();
}

function ticks(w, span) {
  const rough = span / Math.max(3, Math.floor(w / 110));
  const step = STEPS_US.find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step);
}

function drawCursor(c, h, w, { span, cursor, until }, color) {
  if (cursor !== undefined) fill(c, color.focus, xOf(cursor, w, span) - 0.5, 0, 1, h);
  if (until < span) fill(c, color.ink, xOf(until, w, span) - 1, 0, 2, h);
}

export function drawRequests(c, w, requests, view, color) {
  Object.assign(c, { font: "11px system-ui, sans-serif", textBaseline: "bottom" });
  for (const t of ticks(w, view.span)) {
    const x = xOf(t, w, view.span);
    fill(c, color.soft, x, 27, 1, 4);
    c.textAlign = x < 24 ? "left" : x > w - 24 ? "right" : "center";
    c.fillText(tickText(t, view.span), x, 45);
  }
  fill(c, color.line, PAD, 27, w - 2 * PAD, 1);
  const columns = new Map();
  for (const { t } of requests) {
    const x = Math.round(xOf(t, w, view.span));
    columns.set(x, (columns.get(x) ?? 0) + 1);
  }
  const most = Math.max(1, ...columns.values());
  for (const [x, k] of columns) fill(c, color.ink, x - 0.75, 21 - (17 * k) / most, 1.5, 5 + (17 * k) / most);
  drawCursor(c, LINE_HEIGHT, w, view, color);
}

/** A limit: the level of the chosen subject filled, of others a line; an admitted request is a bar, its turn a short one, a denied one a cross below. */
export function drawLane(c, w, played, view, color) {
  const x = (t) => xOf(t, w, view.span);
  fill(c, color.lane, 0, 0, w, LANE_HEIGHT);
  for (const t of ticks(w, view.span)) fill(c, color.line, x(t), 0, 1, LANE_HEIGHT);
  for (const [who, points] of played.levels) drawLevel(c, points.filter(([t]) => t <= view.until), x, who === view.who, color);
  fill(c, color.soft, PAD, BASE, w - 2 * PAD, 1);
  const crossed = new Set();
  for (const { t, answer } of played.calls.filter((each) => each.t <= view.until)) {
    const at = Math.round(x(t));
    if (answer.granted) fill(c, color.yes, at - 0.75, BASE + 4, 1.5, 10);
    if (answer.granted && answer.wait > 0) fill(c, color.later, Math.round(x(t + answer.wait)) - 0.5, BASE + 8, 1, 6);
    if (answer.granted === played.asked || crossed.has(at)) continue;
    crossed.add(at);
    stroke(c, color.no, 1.3, [[at - 2.5, BASE + 19], [at + 2.5, BASE + 24]], [[at + 2.5, BASE + 19], [at - 2.5, BASE + 24]]);
  }
  // A settlement is a ring, with a line through it if the reservation had run out before.
  for (const { t, done } of played.settled.filter((each) => each.t <= view.until)) {
    circle(c, done ? color.yes : color.no, 1.2, x(t), BASE + 30, 2.5);
    if (!done) stroke(c, color.no, 1.2, [[x(t) - 4, BASE + 30], [x(t) + 4, BASE + 30]]);
  }
  if (view.chosen) circle(c, color.focus, 1.5, x(view.chosen.t), BASE + (view.chosen.answer.granted ? 9 : 21.5), 6.5);
  drawCursor(c, LANE_HEIGHT, w, view, color);
}

/** What remains, and above it, hatched, what is held. */
function drawLevel(c, points, x, isFilled, color) {
  if (!points.length) return;
  const y = (part) => BASE - (BASE - TOP) * Math.min(1, Math.max(0, part));
  const remains = points.map(([t, left]) => [x(t), y(left)]);
  const [first, last] = [remains[0][0], remains.at(-1)[0]];
  const area = (...corners) => {
    c.beginPath();
    corners.forEach((corner, i) => (i ? c.lineTo(...corner) : c.moveTo(...corner)));
    c.closePath();
  };
  if (isFilled) {
    area(...remains, [last, BASE], [first, BASE]);
    c.fillStyle = color.level;
    c.fill();
  }
  if (isFilled && points.some(([, , held]) => held > 0)) {
    c.save();
    area(...points.map(([t, left, held]) => [x(t), y(left + held)]), ...remains.toReversed());
    c.clip();
    for (let at = first - BASE; at < last; at += 6) stroke(c, color.later, 1, [[at, BASE], [at + BASE, 0]]);
    c.restore();
  }
  stroke(c, isFilled ? color.yes : color.soft, isFilled ? 1.5 : 0.75, remains);
}

/** The picture of a comparison: the requests, and each limit with its figures. */
export function picture(title, requests, all, span) {
  const [color, view, w] = [colors(), { span, until: Infinity, who: 0 }, PICTURE_WIDTH - 2 * PICTURE_MARGIN];
  const height = 2 * PICTURE_MARGIN + PICTURE_TITLE + LINE_HEIGHT + 8 + all.length * (PICTURE_TITLE + LANE_HEIGHT + 10);
  const canvas = Object.assign(document.createElement("canvas"), { width: PICTURE_WIDTH, height });
  const c = canvas.getContext("2d");
  fill(c, color.card, 0, 0, PICTURE_WIDTH, height);
  c.translate(PICTURE_MARGIN, PICTURE_MARGIN);
  const write = (text, font) => {
    Object.assign(c, { font, fillStyle: color.ink, textAlign: "left", textBaseline: "top" }).fillText(text, 0, 0, w);
    c.translate(0, PICTURE_TITLE);
  };
  write(title, "bold 15px system-ui, sans-serif");
  drawRequests(c, w, requests, view, color);
  c.translate(0, LINE_HEIGHT + 8);
  for (const each of all) {
    write(`${each.text}    ${each.error ?? summary(each)}`, "13px ui-monospace, monospace");
    if (!each.error) drawLane(c, w, each, view, color);
    c.translate(0, LANE_HEIGHT + 10);
  }
  return canvas;
}

/** The figures of a limit in one line. */
export function summary({ limit: { tiers }, granted, denied, denials, most, settled, held, isReserving }) {
  const done = settled.filter((each) => each.done).length;
  const parts = [`${count(granted)} admitted`, `${count(denied)} denied`];
  if (isReserving) parts.push(`${count(done)} settled`, `${count(granted - done - held)} ran out`, `${count(held)} held`);
  else parts.push(`most in any ${tiers.map((tier, i) => `${lengthText(tier.at(-1))}: ${count(most[i])}`).join(", in any ")}`);
  if (tiers.length > 1) parts.push(`denied by ${tiers.map((_, i) => `tier ${i + 1}: ${count(denials[i])}`).join(", ")}`);
  return parts.join(" · ");
}
