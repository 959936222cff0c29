// What the page does, in each browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { AXE, BROWSERS, PAGE, SITE, drawn, folder, launch, link, ready, results } from "./browser.mjs";

const PICTURES = path.join(import.meta.dirname, "../pictures");
// Of the parts of a picture, each 8 pixels wide and high: smoothing differs between machines. Crosses that are missing are more.
const MOST_DIFFERENT = 0.002;

for (const name of Object.keys(BROWSERS)) {
  describe(name, () => {
    let browser;
    before(async () => (browser = await launch(name)));
    after(() => browser?.close());

    test("a limit that cannot be read is refused in the parser's words, and the others go on", async () => {
      const tab = await ready(browser, "limit=token-bucket:100/1x&limit=fixed-window:2/1s,burst=3&limit=fixed-window:5/1s&traffic=steady");
      const [wrong, window, right] = await results(tab);
      assert.equal(wrong.error, 'limit "token-bucket:100/1x" at 17, "1x": a period must be a number with us, ms, s, m, h or d, such as 1m');
      assert.match(window.error, /a window has no burst/);
      assert.equal(right.granted, 200);
      assert.equal(await tab.$eval(".bad", (each) => each.textContent), wrong.error);
      const title = () => tab.$eval("#reading h2", (each) => each.textContent);
      assert.equal(await title(), "This limit cannot be read");
      await tab.focus(".lane input");
      await tab.keyboard.press("Backspace");
      await tab.keyboard.type("m");
      assert.equal((await results(tab))[0].error, undefined);
      await tab.evaluate(() => (location.hash = "limit=leaky-bucket:5/1s&hold=1s"));
      await tab.waitForFunction(() => document.querySelector("#reading h2").textContent === "This limit cannot be played so");
      assert.deepEqual(tab.complaints, []);
    });

    test("a link holds the state, and says what is wrong in it", async () => {
      const text = "limit=token-bucket:5/1s+100/1m&limit=fixed-window:9/1s&traffic=own&n=200&span=10s&subjects=2&cost=2&denied=told"
        + "&hold=3s&settle=never&used=0&at=0.5*3,1@2,2.25";
      const tab = await ready(browser, text);
      assert.equal(await link(tab), text);
      for (const [wrong, message] of [["n=0", /n=0: must be a whole number from 1 to 2000/], ["span=soon", /span=soon: must be seconds/],
        ["traffic=x", /must be one of steady, edge/], ["at=1;2", /at=1;2: must be seconds, such as/], ["limit=%", /limit=%: must have UTF-8/], ["speed=1", /speed=1: must begin with one of limit=/]]) {
        await tab.evaluate((hash) => (location.hash = hash), wrong);
        await tab.waitForFunction((text) => document.getElementById("wrong").textContent.startsWith(text), {}, wrong);
        assert.match(await tab.$eval("#wrong", (each) => each.textContent), message);
      }
    });

    test("each thing to try gives the figures that its sentence names", async () => {
      const tab = await ready(browser);
      const tried = await tab.evaluate(() => Object.entries(penstock.states.TRIES).flatMap(([pattern, tries]) => tries.map(([sentence], i) => {
        document.querySelector(`#patterns [value=${pattern}]`).click();
        document.querySelectorAll("#tries button")[i].click();
        const all = penstock.results.flatMap(({ granted, denied, most, denials }) => [granted, denied, granted + denied, ...most, ...denials]);
        return { sentence, all, wrong: document.getElementById("wrong").textContent, errors: penstock.results.filter(({ error }) => error).length };
      })));
      assert.equal(tried.length, 18);
      // Numbers that are figures of the result, not of the limits and times.
      const named = (sentence) => [...sentence.matchAll(/(\d+) (?:denials|pass\b|of \d|requests (?:within|still))|(?:window|a sliding one|admits|denies|and|to|from) (\d+)(?=[., ]|$)(?! s\b| after| to\b)/g)]
        .map(([, one, other]) => Number(one ?? other));
      let checked = 0;
      for (const { sentence, all, wrong, errors } of tried) {
        assert.equal(wrong + errors, "0", sentence);
        for (const number of named(sentence)) {
          checked++;
          assert.ok(all.includes(number), `${sentence}: ${number} is not among ${all}`);
        }
      }
      assert.ok(checked >= 20, `${checked} figures`);
    });

    test("every change can be undone, the typing of one limit at once", async () => {
      const tab = await ready(browser);
      const begun = await link(tab);
      await tab.click("#patterns [value=storm]");
      const storm = await link(tab);
      await tab.focus(".lane input");
      await tab.keyboard.type("0");
      await tab.keyboard.type("s");
      assert.match((await results(tab))[0].error, /burst/);
      for (const expected of [storm, begun]) {
        await tab.click("#undo");
        assert.equal(await link(tab), expected);
      }
      assert.ok(await tab.$eval("#undo", (each) => each.disabled));
      assert.equal(await tab.evaluate(() => document.activeElement.id), "time");
      await tab.click("#patterns [value=own]");
      await tab.focus("#time");
      await tab.keyboard.press("Delete");
      await tab.click("#undo");
      assert.equal(await link(tab), begun);
    });

    test("fields, the link and times say what is played", async () => {
      const tab = await ready(browser, "limit=token-bucket:1000/1h&span=10800s");
      assert.equal(await tab.$eval("#late", (each) => each.textContent), "");
      await tab.focus("#time");
      await tab.keyboard.press("End");
      await drawn(tab);
      assert.equal(await tab.$eval("#time", (each) => each.getAttribute("aria-valuetext")), "3:00:00");
      await tab.select("#span", "180000000");
      assert.equal(await tab.$eval("#late", (each) => each.textContent), "199 requests of 200 are later than the time shown.");
      await tab.click("#n", { count: 3 });
      await tab.keyboard.type("9999");
      assert.match(await tab.$eval("#wrong", (each) => each.textContent), /^n=9999/);
      await tab.keyboard.press("Tab");
      assert.equal(await tab.$eval("#n", (each) => each.value), "999");
      const copied = await tab.evaluate(async () => {
        location.hash = "n=abc";
        await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
        let copied;
        Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => (copied = text) } });
        document.getElementById("share").click();
        return copied;
      });
      assert.equal(copied, `${PAGE}#limit=token-bucket:1000/1h&traffic=edge&n=999&span=180s`);
      await tab.evaluate(() => document.getElementById("theme").click());
      const theme = () => tab.evaluate(() => document.documentElement.dataset.theme);
      const chosen = await theme();
      await tab.reload();
      await tab.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
      assert.equal(await theme(), chosen);
      for (let i = 0; i < 5; i++) await tab.click("#add");
      assert.ok(await tab.$eval("#add", (each) => each.disabled));
    });

    test("all commands up to a request are copied, from nothing stored", async () => {
      const tab = await ready(browser, "limit=fixed-window:2/1s&span=10s&subjects=2&at=1,2@2,3");
      const copied = await tab.evaluate(() => {
        const { commandsUpTo, results: [played] } = penstock;
        return commandsUpTo(played, played.calls[1]).split("\n").map((line) => line.replace(/[0-9a-f]{40}/, "SHA1"));
      });
      const [one, other] = [1, 2].map((who) => `penstock:play:{user:${who}}:w1000000`);
      assert.deepEqual(copied, [`DEL ${one}`, `DEL ${other}`, `EVALSHA SHA1 1 ${one} 1 2 1000000 1767225601000000`, `EVALSHA SHA1 1 ${other} 1 2 1000000 1767225602000000`]);
    });

    test("keys move, add, remove and choose", async () => {
      const tab = await ready(browser, "limit=fixed-window:2/1s&limit=fixed-window:3/1s&subjects=2&span=10s&at=1,2");
      await tab.focus("#time");
      const press = async (...keys) => {
        for (const key of keys) await tab.keyboard.press(key);
      };
      await press("Home", "ArrowRight", "ArrowRight", "2", "Enter", "Enter");
      assert.match(await link(tab), /at=0.2\*2@2,1,2$/);
      await press("End", ",", "Delete", "ArrowDown");
      assert.match(await link(tab), /at=0.2\*2@2,1$/);
      await press("Home", ".");
      await tab.waitForFunction(() => document.querySelector("#reading h2").textContent === "Request 2 of 3 of user:2, at 0.2 s: admitted");
      assert.ok(await tab.$eval(".lane:nth-child(2)", (each) => each.classList.contains("chosen")));
      const lines = await tab.$$eval("#lines pre", (all) => all.map((each) => each.textContent));
      assert.match(lines[1], /^EVALSHA [0-9a-f]{40} 1 penstock:play:{user:2}:w1000000 1 3 1000000 1767225600200000$/);
      assert.match(lines[2], /^GET penstock:play:{user:2}:w1000000\n"1767225601200000:2"\n# for another 1 s$/);
      assert.match(lines[3], /^HTTP\/1.1 200 OK\nRateLimit-Policy: "play";q=3;w=1\nRateLimit: "play";r=1;t=1$/);
    });

    test("clicks and drags add requests", async () => {
      const tab = await ready(browser, "limit=fixed-window:2/1s&span=10s&at=");
      const box = await (await tab.$("#requests")).boundingBox();
      await tab.mouse.click(box.x + box.width / 2, box.y + 10);
      assert.match(await link(tab), /at=5$|at=4.99\d+$|at=5.0\d+$/);
      await tab.mouse.move(box.x + 100, box.y + 10);
      await tab.mouse.down();
      await tab.mouse.move(box.x + 200, box.y + 10, { steps: 10 });
      await tab.mouse.up();
      const added = (await results(tab))[0];
      assert.ok(added.granted + added.denied >= 10);
      await tab.click("#undo");
      assert.equal((await results(tab))[0].granted, 1);
    });

    test("a reservation is settled, settled too late, or runs out", async () => {
      const held = (tab, from) => tab.evaluate((t) => penstock.results[0].levels.get(0).findLast(([at]) => at <= t)[2], from);
      const text = "limit=token-bucket:100/1m&span=60s&at=5&cost=40&used=10&hold=";
      const sum = (tab) => tab.$eval(".sum", (each) => each.textContent);
      const settled = await ready(browser, `${text}20s&settle=5s`);
      assert.equal(await sum(settled), "1 admitted · 0 denied · 1 settled · 0 ran out · 0 held");
      assert.deepEqual((await results(settled))[0].settled, [true]);
      assert.deepEqual([await held(settled, 9e6), await held(settled, 11e6)], [0.4, 0]);
      const late = await ready(browser, `${text}20s&settle=40s`);
      assert.deepEqual((await results(late))[0].settled, [false]);
      assert.equal(await sum(late), "1 admitted · 0 denied · 0 settled · 1 ran out · 0 held");
      const never = await ready(browser, `${text}20s&settle=never`);
      assert.deepEqual([await held(never, 24e6), await held(never, 30e6)], [0.4, 0]);
      assert.equal(await sum(await ready(browser, `${text}80s&settle=never`)), "1 admitted · 0 denied · 0 settled · 0 ran out · 1 held");
      const [wrong] = await results(await ready(browser, "limit=leaky-bucket:1/1s&hold=1s"));
      assert.equal(wrong.error, "limit does not support reserve: leaky-bucket:1/1s");
    });

    test("no request leaves the page, and its policy refuses them", async () => {
      const tab = await ready(browser);
      assert.deepEqual(tab.asked.filter((url) => !url.startsWith("data:") && url !== PAGE), []);
      const refused = await tab.evaluate(async () => {
        const told = new Promise((resolve) => addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective)));
        const error = await fetch("https://example.org/").catch((failure) => failure.name);
        return [error, await told];
      });
      assert.deepEqual(refused, ["TypeError", "connect-src"]);
    });

    test("embedded in a sandbox it shows one limit, and passes its state by messages", async () => {
      fs.copyFileSync(path.join(SITE, "embed.js"), path.join(folder, "embed.js"));
      const host = path.join(folder, "host.html");
      fs.writeFileSync(host, `<!doctype html><title>host</title><iframe class="penstock" sandbox="allow-scripts" width="800"
        src="${PAGE}#embed&limit=fixed-window:5/1s&traffic=edge&n=10&span=5s"></iframe><script src="embed.js"></script>`);
      const tab = await browser.newPage();
      await tab.goto(pathToFileURL(host).href);
      await tab.waitForSelector("a.penstock-whole", { timeout: 120_000 });
      const href = () => tab.$eval("a.penstock-whole", (each) => each.href);
      assert.equal(await href(), `${PAGE}#limit=fixed-window:5/1s&traffic=edge&n=10&span=5s`);
      await tab.evaluate(() => frames[0].postMessage({ penstock: "show", state: "limit=fixed-window:6/1s", theme: "dark" }, "*"));
      await tab.waitForFunction(() => document.querySelector("a.penstock-whole").href.includes("6/1s"));
      const inside = tab.frames().find((each) => each !== tab.mainFrame());
      assert.equal(await inside.evaluate(() => getComputedStyle(document.getElementById("log")).display), "none");
      assert.equal(await inside.evaluate(() => document.documentElement.dataset.theme), "dark");
      // Its page explains fixed windows.
      const tries = await inside.$$eval("#tries li", (all) => all.map((each) => each.textContent.slice(0, 30)));
      assert.deepEqual(tries, ["TryCompare the windows: a fixe", "TryHalve limit and window: the"]);
      await inside.evaluate(() => document.querySelector("#tries button").click());
      assert.equal(await inside.evaluate(() => penstock.state.limits.length), 2);
      await inside.click("#undo");
      assert.deepEqual(await inside.evaluate(() => penstock.state.limits), ["fixed-window:6/1s"]);
      assert.ok(await inside.$eval("#keys", (each) => each.checkVisibility()));
      const height = await inside.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
      assert.ok(height > 500, `${height}`);
      await tab.waitForFunction((height) => document.querySelector("iframe").clientHeight === height, {}, height);
    });

    test("axe finds nothing, light and dark, wide and narrow", async () => {
      for (const [theme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
        const tab = await ready(browser, "limit=token-bucket:100/1m,burst=20&limit=leaky-bucket:5/1s&limit=x:1&traffic=edge&cost=3", { width });
        await tab.evaluate((theme) => {
          if (document.documentElement.dataset.theme !== theme) document.getElementById("theme").click();
          penstock.readFile(new File(["time,client\n2025-11-20T12:00:00Z,a\n2025-11-20T12:00:00Z,a\n".replace(/$/, "2025-11-20T12:00:00Z,a\n".repeat(200))], "a.csv"));
        }, theme);
        await tab.waitForSelector("#figures table");
        await tab.evaluate(AXE);
        const found = await tab.evaluate(async () => {
          const { passes, violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
          return { passes: passes.length, wide: document.documentElement.scrollWidth - innerWidth, bad: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)} ${nodes[0].failureSummary}`) };
        });
        assert.deepEqual(found.bad, [], `${theme} ${width}`);
        assert.ok(found.passes > 25 && found.wide <= 0, `${theme} ${width}: ${JSON.stringify(found)}`);
      }
    });

    test("the saved picture of each pattern is the one that is checked in", async () => {
      const tab = await ready(browser);
      const pictures = {};
      const patterns = { steady: "n=400", edge: "n=200", cron: "n=200", storm: "n=60&span=60s&denied=told", random: "n=400&cost=2&hold=30s&settle=5s", own: "at=1*30,30*5,60*90" };
      for (const [pattern, more] of Object.entries(patterns)) {
        const limits = pattern === "random" ? "limit=token-bucket:100/1m" : "limit=token-bucket:100/1m,burst=20&limit=leaky-bucket:100/1m,burst=20";
        await tab.evaluate((hash) => (location.hash = hash), `${limits}&traffic=${pattern}&span=180s&${more}`);
        await tab.waitForFunction((pattern) => penstock.state.traffic === pattern, {}, pattern);
        pictures[pattern] = await tab.evaluate(() => {
          document.documentElement.dataset.theme = "light";
          return penstock.saved().toDataURL();
        });
      }
      const saved = await tab.evaluate(() => new Promise((resolve) => {
        HTMLAnchorElement.prototype.click = function () {
          resolve([this.download, this.protocol]);
        };
        document.getElementById("save").click();
      }));
      assert.deepEqual(saved, ["penstock.png", "blob:"]);
      const difference = (one, other) => tab.evaluate(async (urls, size) => {
        const [a, b] = await Promise.all(urls.map(async (src) => {
          const image = Object.assign(new Image(), { src });
          await image.decode();
          const c = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
          c.drawImage(image, 0, 0);
          const { data, width, height } = c.getImageData(0, 0, image.width, image.height);
          const [wide, means] = [Math.ceil(width / size), new Float64Array(Math.ceil(width / size) * Math.ceil(height / size) * 3)];
          data.forEach((value, i) => {
            const [x, y] = [(i >> 2) % width, Math.floor((i >> 2) / width)];
            if (i % 4 < 3) means[(Math.floor(y / size) * wide + Math.floor(x / size)) * 3 + (i % 4)] += value / size ** 2;
          });
          return means;
        }));
        return a.length === b.length ? a.filter((value, i) => Math.abs(value - b[i]) > 24).length / a.length : 1;
      }, [one, other], 8);
      for (const [pattern, shown] of Object.entries(pictures)) {
        const file = path.join(PICTURES, `${pattern}.png`);
        if (process.env.PLAYGROUND_PICTURES === name) fs.writeFileSync(file, Buffer.from(shown.split(",")[1], "base64"));
        const kept = `data:image/png;base64,${fs.readFileSync(file).toString("base64")}`;
        const part = await difference(shown, kept);
        assert.ok(part <= MOST_DIFFERENT, `${pattern}: ${(100 * part).toFixed(1)} % of the picture differ`);
        const [another] = Object.keys(pictures).filter((each) => each !== pattern);
        assert.ok((await difference(pictures[another], kept)) > 10 * MOST_DIFFERENT, `${pattern} and ${another} look the same`);
      }
    });
  });
}

test("who wants no motion goes from request to request", async () => {
  const browser = await launch("chrome");
  try {
    const tab = await ready(browser, "limit=fixed-window:2/1s&span=10s&at=1,4,7");
    await tab.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    const read = [];
    for (let i = 0; i < 3; i++) {
      await tab.click("#play");
      await drawn(tab);
      read.push(await tab.$eval("#time", (each) => each.getAttribute("aria-valuetext")));
    }
    assert.deepEqual(read, ["1 s", "4 s", "7 s"]);
  } finally {
    await browser.close();
  }
});
