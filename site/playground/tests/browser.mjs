// The browsers in which the page is tested, and what the tests need of them.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const puppeteer = require("puppeteer-core");
export const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
/** Where site/playground/test has built the page. */
export const SITE = process.env.PLAYGROUND_SITE;
export const PAGE = pathToFileURL(path.join(SITE, "playground.html")).href;
export const REPOSITORY = path.resolve(import.meta.dirname, "../../..");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "playground-"));

/** The path of each browser, by its name. */
export const BROWSERS = { chrome: process.env.PLAYGROUND_CHROMIUM, firefox: process.env.PLAYGROUND_FIREFOX };

export function launch(browser) {
  const args = browser === "chrome" ? ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] : [];
  return puppeteer.launch({ browser, protocol: browser === "chrome" ? "cdp" : "webDriverBiDi", executablePath: BROWSERS[browser], args, headless: true, protocolTimeout: 300_000 });
}

/** Waits until what the page queued for its next frame is shown. */
export const drawn = (tab) => tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** A tab in which the playground is ready and drawn; `complaints` of the page and its console fail the test. */
export async function ready(browser, state = "", { width = 1280, url = PAGE } = {}) {
  const tab = await browser.newPage();
  tab.complaints = [];
  tab.asked = [];
  tab.on("pageerror", (error) => tab.complaints.push(error.message));
  tab.on("console", (message) => message.type() === "error" && tab.complaints.push(message.text()));
  tab.on("request", (request) => tab.asked.push(request.url()));
  tab.setDefaultTimeout(120_000);
  await tab.setViewport({ width, height: 900 });
  await tab.goto(`${url}${state && `#${state}`}`);
  await tab.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  await drawn(tab);
  return tab;
}

export const results = (tab) => tab.evaluate(() => penstock.results.map(({ text, error, granted, denied, denials, most, settled }) => (
  { text, error, granted, denied, denials, most, settled: settled?.map(({ done }) => done) })));
export const link = (tab) => tab.evaluate(() => location.hash.slice(1));
