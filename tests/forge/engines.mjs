// The engines, driven alike. Playwright drives Chromium; WebDriver the others.

import { launch } from "../e2e/support/browser.mjs";
import { WebDriver } from "../e2e/support/webdriver.mjs";

export const ENGINES = ["chromium", "firefox", "webkit"];

/** @param program Chromium itself, or the driver of the other engine */
export async function startEngine(engine, program, { trustsAll = true } = {}) {
  return engine === "chromium" ? Chromium.start(program, trustsAll) : WebDriver.start(engine, program, trustsAll);
}

/** Chromium with what the test needs of a WebDriver. */
class Chromium {
  #browser;
  #context;
  #page;

  static async start(program, trustsAll) {
    const chromium = new Chromium();
    chromium.#browser = await launch(program);
    chromium.#context = await chromium.#browser.newContext({ ignoreHTTPSErrors: trustsAll, locale: "en-US" });
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

  async windows() {
    return this.#context.pages();
  }

  async clickToOpen(css) {
    const [opened] = await Promise.all([this.#context.waitForEvent("page"), this.#page.click(css)]);
    return opened;
  }

  async switchTo(page) {
    this.#page = page;
    await page.bringToFront();
  }

  inFrame(css, work) {
    const frame = this.#page.frameLocator(css);
    return work({
      fill: (within, text) => frame.locator(within).fill(text),
      click: (within) => frame.locator(within).click(),
    });
  }
}
