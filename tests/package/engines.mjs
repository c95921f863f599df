// Tests of pages that run in each engine that is there, with one browser for all tests of a file.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ENGINES, startEngine } from "../forge/engines.mjs";

const PROGRAMS = {
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
};
/** Waits as long as a page may need on a machine that does much else. */
const WAIT_MS = 30_000;

const started = new Map();
after(() => Promise.all([...started.values()].map(async (driver) => (await driver).stop())));

/** Tests `run` in each engine: it gets the test's context and an `EnginePage`. */
export function engineTest(name, run, { timeout = 240_000 } = {}) {
  for (const engine of ENGINES) {
    const program = PROGRAMS[engine];
    const skip = program ? false : `${engine} is not there`;
    test(`${name} (${engine})`, { skip, timeout }, async (t) => {
      if (!started.has(engine)) started.set(engine, startEngine(engine, program));
      await run(t, new EnginePage(engine, await started.get(engine)));
    });
  }
}

/** A page in an engine. Scripts are expressions of the page. */
class EnginePage {
  #driver;

  constructor(engine, driver) {
    this.engine = engine;
    this.#driver = driver;
  }

  /** Opens an address, and waits for a condition of the page. */
  async open(url, condition = "true") {
    await this.#driver.open(url);
    await this.until(condition);
  }

  back() {
    return this.#driver.back();
  }

  evaluate(expression) {
    return this.#driver.evaluate(`() => (${expression})`);
  }

  async until(condition) {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(25)) {
      // A page that is being left may refuse to be looked into.
      if (await this.evaluate(`Boolean(${condition})`).catch(() => false)) return;
    }
    assert.fail(`never: ${condition}`);
  }

  press(...keys) {
    return this.#driver.press(...keys);
  }

  typeKeys(text) {
    return this.#driver.typeKeys(text);
  }

  /** Enters a text where the focus is, as a paste or an input method does. */
  insert(text) {
    return this.evaluate(`document.execCommand("insertText", false, ${JSON.stringify(text)})`);
  }
}
