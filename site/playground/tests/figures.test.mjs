// The page's figures of logs beside those of ./penstock compare.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { BROWSERS, REPOSITORY, folder, launch, ready } from "./browser.mjs";

const JAR = path.join(REPOSITORY, "tools/cli/target/penstock.jar");
const LIMITS = ["token-bucket:60/1m,burst=10", "leaky-bucket:2/1s+50/1m", "sliding-window:40/1m"];
const open = {};
before(async () => {
  for (const name of Object.keys(BROWSERS)) open[name] = await launch(name);
});
after(() => Promise.all(Object.values(open).map((each) => each.close())));

/** A log of uneven clients as CSV and in nginx's combined form, with lines that cannot be read. */
function logs(count) {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const [csv, combined] = [["time,client,units"], []];
  for (let i = 0, us = 1763640000e6; i < count; i++) {
    us += Math.floor(random() * 90_000);
    const client = i % 11 === 0 ? "2001:DB8::17" : `192.0.2.${Math.floor(random() ** 3 * 200)}`;
    // Every seventh line comes late.
    const at = i % 7 === 0 ? us - 900_000 : us;
    csv.push(`${at},${i % 13 === 0 ? `"${client}"` : client},${i % 5 === 0 ? "" : 1 + (i % 3)}`);
    const date = new Date(at / 1000).toUTCString();
    const [, day, month, year, time] = /, (\d\d) (\w+) (\d+) ([\d:]+)/.exec(date);
    combined.push(`${client} - ${i % 3 ? "-" : "some one"} [${day}/${month}/${year}:${time} +0000] "GET /a?\\"b\\" HTTP/1.1" 200 ${i} "-" "agent (x; [y])"`);
  }
  csv.splice(100, 0, "soon,unseen,1", "1763640000000000,192.0.2.1", "2025-11-20T24:00:00Z,192.0.2.1,1", "");
  combined.splice(100, 0, "192.0.2.1 - - broken", combined[9].replace(/:\d\d:\d\d:\d\d /, ":24:00:00 "), "");
  const write = (name, lines) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  };
  return [[write("traffic.csv", csv), ["--cost", "field:units"]], [write("access.log", combined), []]];
}

async function figures(tab, file) {
  await (await tab.$("#file")).uploadFile(file);
  await tab.waitForSelector("#figures table");
  return tab.evaluate(() => penstock.figures.map(({ limit, admitted, denied, subjects, everDenied, most, mostDenied }) => ({
    limit: limit.text, admitted, denied, subjects: { count: subjects, ever_denied: everDenied, most_denied: mostDenied },
    most: most.map(({ units }) => units),
  })));
}

test("a log gives the figures of ./penstock compare, to the last request", async () => {
  assert.ok(fs.existsSync(JAR), `build ${JAR}: mvn -q package -DskipTests`);
  for (const [file, options] of logs(4_000)) {
    const report = `${file}.report`;
    const limits = LIMITS.flatMap((each) => ["--limit", each]);
    execFileSync("java", ["-jar", JAR, "compare", "--log", file, ...options, ...limits, "--out", report], { stdio: ["ignore", "ignore", "inherit"] });
    const { measured: [{ read, played }] } = JSON.parse(fs.readFileSync(path.join(report, "compare.json"), "utf8"));
    const expected = played.limits.map(({ limit, admitted, denied, subjects, most_in_any_length }) => ({
      limit, admitted, denied, subjects: { count: subjects.count, ever_denied: subjects.ever_denied, most_denied: subjects.most_denied }, most: most_in_any_length.map((each) => each.most_units),
    }));
    assert.ok(expected.every(({ denied }) => denied > 50));
    for (const browser of Object.values(open)) {
      const tab = await ready(browser, LIMITS.map((each) => `limit=${each}`).join("&"));
      assert.deepEqual(await figures(tab, file), expected);
      const about = await tab.$eval("#progress", (each) => each.textContent);
      assert.match(about, new RegExp(`4,000 requests of 200 subjects. ${read.unreadable} lines? cannot be read: line 101: `));
      const command = ["./penstock compare --log FILE", ...options, ...limits].join(" ");
      assert.equal(await tab.$eval("#figures pre", (each) => each.textContent), command);
    }
  }
});

test("a file is dropped, the page goes on meanwhile, lines beyond the most are left out, and another form is refused", async () => {
  for (const browser of Object.values(open)) {
    const tab = await ready(browser, "limit=fixed-window:5/1s");
    const frames = await tab.evaluate(async () => {
      const line = "1763640000,a\n";
      const files = new DataTransfer();
      files.items.add(new File(["time,client\n", line.repeat(200_001)], "long.csv"));
      let frames = 0;
      const count = () => document.querySelector("#figures table") || (frames++, requestAnimationFrame(count));
      requestAnimationFrame(count);
      dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
      return new Promise((resolve) => new MutationObserver(() => document.querySelector("#figures table") && resolve(frames)).observe(document.getElementById("figures"), { childList: true }));
    });
    assert.ok(frames > 10, `${frames} frames`);
    const about = await tab.$eval("#progress", (each) => each.textContent);
    assert.match(about, /^long\.csv, CSV: 200,000 requests of 1 subject\. Only its first 200,000 lines are played: \.\/penstock compare plays all\. The log has whole seconds only: /);
    const read = (text) => tab.evaluate(async (text) => {
      await penstock.readFile(new File([text], "x"));
      return [document.getElementById("progress").textContent, document.querySelectorAll("#figures table").length];
    }, text);
    const line = "1763640000.5,a\n";
    for (const text of ['{"time": 1}\n', `Time,Client\n${line}`]) assert.match((await read(text))[0], /^x is neither CSV with the header time,client/);
    for (const text of [`\ufefftime,client\r\n${line}`, `\n"time", client \n${line}`]) assert.deepEqual(await read(text), ["x, CSV: 1 request of 1 subject.", 1]);
    assert.deepEqual(await read("\n\n"), ["x is empty", 0]);
    // A log is charged at once, whatever is played above.
    await tab.evaluate(() => (location.hash = "limit=leaky-bucket:5/1s&limit=garbage&hold=30s"));
    await tab.waitForFunction(() => penstock.state.hold);
    const [said, tables] = await read(`time,client\n${line}`);
    assert.match(said, /^x, CSV: 1 request of 1 subject\. Left out: limit "garbage"/);
    assert.deepEqual([tables, await tab.$eval("#figures td", (each) => each.textContent)], [1, "leaky-bucket:5/1s"]);
    await tab.evaluate(() => (location.hash = "limit=garbage"));
    await tab.waitForFunction(() => penstock.state.limits[0] === "garbage");
    assert.equal((await read(`time,client\n${line}`))[1], 0);
  }
});
