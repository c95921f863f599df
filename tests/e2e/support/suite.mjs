import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { axeProblems } from "./axe.mjs";
import { launch, openPage } from "./browser.mjs";
import { Checkout } from "./checkout.mjs";
import { CHROMIUM, demo, stopDemo } from "./demo.mjs";
import { layoutFaults } from "./geometry.mjs";
import { labelTest, recordCardEvents, resetSandbox } from "./sandbox.mjs";
import { LOCALES } from "./texts.mjs";

const ON_EACH_SCREEN = Boolean(process.env.ON_EACH_SCREEN);
/** Narrower screens are phones. */
const PHONE_WIDTH = 700;
export const PHONE = { viewport: { width: 320, height: 800 } };
/** A reply that the browser lets a page of another origin read. */
export const CORS = { "access-control-allow-origin": "*" };

/** Returns the rows marked `inChoice`, or all of them in `cargo xtask test screens`. */
export function screensOf(rows) {
  return ON_EACH_SCREEN ? rows : rows.filter(({ inChoice }) => inChoice);
}

export function screen(width, options) {
  const isPhone = width < PHONE_WIDTH;
  return { viewport: { width, height: 800 }, isMobile: isPhone, hasTouch: isPhone, ...options };
}

/** Asserts that nothing overlaps, overflows or is cut off, and with `axe` that axe finds nothing. */
export async function assertSound(page, { axe = false, message } = {}) {
  assert.deepEqual(await layoutFaults(page), [], message);
  if (axe) assert.deepEqual(await axeProblems(page), [], message);
}

export function shopSuite() {
  const { shopUrl, baseUrl, cardUrl } = demo;
  let browser;
  before(async () => {
    browser = await launch(CHROMIUM);
  });
  // No test finds the records, faults or time of another one.
  beforeEach(async (context) => {
    await resetSandbox(baseUrl);
    await labelTest(baseUrl, context.name);
  });
  after(async () => {
    await browser?.close();
    await stopDemo();
  });

  /** Runs `work` with a page, and asserts that it had no errors and no policy violations. */
  async function onPage({ language = "en", expectViolations = [], ...options }, work) {
    const page = await openPage(browser, { locale: LOCALES[language], ...options });
    const events = await recordCardEvents(page, { baseUrl, cardUrl });
    try {
      await work(page);
      const isExpected = (text) => expectViolations.some((pattern) => pattern.test(text));
      assert.deepEqual(page.seen.errors, [], "errors on the console");
      assert.deepEqual(page.seen.violations.filter((text) => !isExpected(text)), [], "policy violations");
      await events.settled();
    } finally {
      await page.context().close();
    }
  }

  /** Opens the shop and runs `work` with its Checkout. */
  function inShop(options, work) {
    return onPage(options, async (page) => {
      const checkout = new Checkout(page, shopUrl, options.language);
      await checkout.open();
      await work(checkout, page);
    });
  }

  /** Makes a function that registers a test: its name, the options of its page, and its work. */
  const registered = (run) => (name, ...rest) => {
    const [options, work] = rest.length > 1 ? rest : [{}, rest[0]];
    test(name, (context) => run(options, (...args) => work(...args, context)));
  };
  return {
    shopUrl,
    baseUrl,
    cardUrl,
    inShop,
    test: registered(inShop),
    pageTest: registered(onPage),
  };
}
