// Visits the pages of a built site in a browser, served and from the disk: node site/visit.mjs FOLDER BROWSER=EXECUTABLE...
// No page asks anything of another host or logs an error; tabs, search and the embedded playground work. BROWSER is chrome or firefox.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const puppeteer = createRequire(new URL("playground/", import.meta.url))("puppeteer-core");
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml", png: "image/png" };
const [folder, ...browsers] = process.argv.slice(2);
const root = resolve(folder);
const version = readdirSync(root).find((name) => statSync(join(root, name)).isDirectory());
const pages = readdirSync(join(root, version), { recursive: true }).filter((file) => file.endsWith(".html") && file !== "404.html").sort();

/** Serves the folder, and notes what is asked for and not there. */
function serve(missing) {
  return createServer(({ url }, response) => {
    const path = decodeURIComponent(new URL(url, "http://host").pathname);
    try {
      const body = readFileSync(join(root, path));
      response.setHeader("content-type", TYPES[extname(path).slice(1)] ?? "text/plain").end(body);
    } catch {
      missing.push(`there is no ${path}`);
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
}

/** A tab that notes what it asks of others and which errors it logs. */
async function opened(browser, origin) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  page.setDefaultTimeout(120_000);
  const faults = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url())) faults.push(`asks for ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  return { page, faults };
}

/** Searches, in a shadow tree. Keys that are pressed while it is drawn are lost, so the text is put in until it finds something. */
async function search(page, text) {
  await page.click(".md-search__button");
  const input = await page.waitForSelector(">>> input[role=combobox]");
  for (let tries = 0; tries < 30 && !(await page.$(`>>> a[role=option][href*="${text}"]`)); tries++) {
    await input.evaluate((field, text) => {
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    }, text);
    await sleep(1_000);
  }
  assert.ok(await page.$(`>>> a[role=option][href*="${text}"]`), `the search does not find ${text}`);
}

async function tried(page, base, name) {
  await page.goto(`${base}index.html`);
  for (const value of name === "chrome" ? ["dark", "light", "dark"] : []) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    await page.reload();
    assert.equal(await page.$eval("body", (body) => body.dataset.mdColorScheme), { dark: "slate", light: "default" }[value]);
  }
  const tabs = await page.$$(".language-tabs [role=tab]");
  assert.equal(tabs.length, 5);
  const shown = () => page.$$eval(".language-tabs [role=tabpanel]:not([hidden])", (panels) => panels.map((panel) => panel.ariaLabel));
  await tabs[3].click();
  assert.deepEqual(await shown(), ["Go"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await shown(), ["Rust"]);
  const frame = await page.waitForSelector("iframe.penstock");
  await frame.scrollIntoView();
  // The frame tells its page how high it is, and which state it shows.
  await page.waitForSelector("a.penstock-whole");
  await search(page, "reservations");
}

for (const [, name, executablePath] of browsers.map((text) => text.match(/^(\w+)=(.+)$/))) {
  const missing = [];
  const server = serve(missing);
  await once(server, "listening");
  const args = name === "chrome" ? ["--no-sandbox"] : [];
  const browser = await puppeteer.launch({ browser: name, executablePath, protocol: "webDriverBiDi", args });
  try {
    for (const origin of [`http://127.0.0.1:${server.address().port}/`, `${pathToFileURL(root)}/`]) {
      const base = `${origin}${version}/`;
      const { page, faults } = await opened(browser, origin);
      await tried(page, base, name);
      assert.equal(Boolean(await page.$(".from-disk")), origin.startsWith("file:"));
      for (const file of pages) {
        await page.goto(base + file);
        assert.ok(await page.$("h1"), `${file} has no heading`);
      }
      assert.deepEqual([...faults, ...missing], []);
      console.log(`${name}, ${origin.split(":")[0]}: ${pages.length} pages, nothing from elsewhere, no errors`);
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
}
