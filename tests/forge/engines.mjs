// One interface for all engines: Playwright drives Chromium, WebDriver the others.

import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { WebDriver } from "../e2e/support/webdriver.mjs";

export const ENGINES = ["chromium", "firefox", "webkit"];

/** @param program Chromium itself, or the driver of another engine */
export function startEngine(engine, program) {
  return engine === "chromium" ? Chromium.start(program) : WebDriver.start(engine, program);
}

/** Chromium with the methods of a WebDriver that are needed here. */
class Chromium {
  #browser;
  #context;
  #page;

  static async start(program) {
    const chromium = new Chromium();
    chromium.#browser = await launch(program);
    chromium.#context = await chromium.#browser.newContext({ locale: "en-US" });
    chromium.#page = await chromium.#context.newPage();
    return chromium;
  }

  stop() {
    return this.#browser.close();
  }

  open(url) {
    return this.#page.goto(url);
  }

  evaluate(script, ...args) {
    return this.#page.evaluate(`(${script})(...${JSON.stringify(args)})`);
  }

  /** Presses keys, by their names. */
  async press(...keys) {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  typeKeys(text) {
    return this.#page.keyboard.type(text);
  }

  back() {
    return this.#page.goBack();
  }

  setSize(width, height) {
    return this.#page.setViewportSize({ width, height });
  }

  screenshot() {
    return this.#page.screenshot();
  }

  async clickToOpen(css) {
    const [opened] = await Promise.all([this.#context.waitForEvent("page"), this.#page.click(css)]);
    return opened;
  }

  async switchTo(page) {
    this.#page = page;
    await page.bringToFront();
  }
}

const PROGRESS_MS = 10_000;
/** The time limit of a run, and what each message adds. */
const LIMIT_MS = 180_000;
const LIMIT_EACH_MS = 150;

/** Runs the page in one engine and returns its report. Failures of the engine are troubles, too. */
export async function runEngine({ engine, program, count, pageUrl, openerUrl, say }) {
  const began = Date.now();
  let report = { forged: {}, accepted: {}, genuine: { said: 0, arrived: 0 }, troubles: [] };
  let browser;
  try {
    browser = await startEngine(engine, program);
    // A window of the card form's origin opens the page, which opens another one.
    await browser.open(`${openerUrl}/opener?open=${encodeURIComponent(pageUrl)}`);
    const page = await browser.clickToOpen("#open");
    await browser.switchTo(page);
    await waitFor(() => browser.evaluate("() => Boolean(globalThis.forge)"));
    await browser.clickToOpen("#popup");
    await browser.switchTo(page);
    await browser.evaluate("(options) => forge.start(options)", { engine, count });
    for (let shown = began; !report.isDone; await sleep(200)) {
      report = await browser.evaluate("() => forge.report()");
      if (Date.now() - began > LIMIT_MS + LIMIT_EACH_MS * count) throw new Error("it was not done in time");
      if (!report.isDone && Date.now() - shown < PROGRESS_MS) continue;
      shown = Date.now();
      const { forged, accepted, genuine } = report;
      say(`${sum(forged)} of ${count} forged, accepted ${sum(accepted)}, genuine ${genuine.arrived}`);
    }
  } catch (error) {
    report.troubles.push(String(error.stack));
  } finally {
    await browser?.stop();
  }
  return { ...report, seconds: Math.round((Date.now() - began) / 100) / 10 };
}

async function waitFor(condition) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    // A window that shows its first, empty document may refuse to be looked into.
    if (await condition().catch(() => false)) return;
  }
  throw new Error("the page did not load");
}

export function sum(counts) {
  return Object.values(counts).reduce((total, value) => total + value, 0);
}
