import { after, before, beforeEach } from "node:test";
import assert from "node:assert/strict";
import { launch, openPage } from "./browser.mjs";
import { Checkout } from "./checkout.mjs";
import { readEnvironment } from "./environment.mjs";
import { resetSandbox } from "./sandbox.mjs";
import { nameTest, reportCardEvents } from "./traffic.mjs";

/**
 * Opens one browser for the tests of a file and returns how to open the shop in it. The sandbox records tests
 * that run in parallel as one, under the name `label`.
 */
export function shopSuite({ label } = {}) {
  const { SHOP_URL, CHROMIUM, SANDBOX_BASE_URL, SANDBOX_CARD_URL } = readEnvironment(
    "SHOP_URL",
    "CHROMIUM",
    "SANDBOX_BASE_URL",
    "SANDBOX_CARD_URL",
  );
  let browser;
  before(async () => {
    // A file before this one may have moved the sandbox's clock, or left a fault.
    await resetSandbox(SANDBOX_BASE_URL);
    browser = await launch(CHROMIUM);
  });
  beforeEach((context) => nameTest(SANDBOX_BASE_URL, label ?? context.name));
  after(() => browser?.close());

  /** Opens a page, runs `work` with it, and demands that it stayed clean but for what `work` brings about. */
  async function onPage(work, { expectViolations = [], ...options } = {}) {
    const page = await openPage(browser, options);
    const events = await reportCardEvents(page, { baseUrl: SANDBOX_BASE_URL, cardUrl: SANDBOX_CARD_URL });
    try {
      await work(page);
      const violations = page.seen.violations.filter((text) => !expectViolations.some((pattern) => pattern.test(text)));
      assert.deepEqual(page.seen.errors, [], "errors on the console");
      assert.deepEqual(violations, [], "violations of the content security policy");
      await events.settled();
    } finally {
      await page.context().close();
    }
  }

  return {
    shopUrl: SHOP_URL,
    baseUrl: SANDBOX_BASE_URL,
    cardUrl: SANDBOX_CARD_URL,
    onPage,

    /** Opens the shop and runs `work` with its Checkout, as `onPage` does. */
    inShop(work, options) {
      return onPage(async (page) => {
        const checkout = new Checkout(page, SHOP_URL);
        await checkout.open();
        await work(checkout, page);
      }, options);
    },
  };
}
