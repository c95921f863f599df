import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { assertRecorded, labelTest } from "./support/sandbox.mjs";
import { readEnvironment } from "./support/suite.mjs";
import { WebDriver } from "./support/webdriver.mjs";
import { WebDriverCheckout } from "./support/webdriver-checkout.mjs";

const env = readEnvironment("SHOP_URL", "SANDBOX_BASE_URL", "OUTPUT_DIR");
const DRIVERS = { firefox: process.env.FIREFOX_DRIVER, webkit: process.env.WEBKIT_DRIVER };

for (const [engine, driver] of Object.entries(DRIVERS)) {
  const skip = driver ? false : `no ${engine}: ${engine.toUpperCase()}_DRIVER names no driver`;
  test(`a customer sends money to a card in ${engine}`, { skip }, async (context) => {
    await labelTest(env.SANDBOX_BASE_URL, context.name);
    const folder = join(env.OUTPUT_DIR, engine);
    await mkdir(folder, { recursive: true });
    const browser = await WebDriver.start(engine, driver);
    let pictures = 0;
    const picture = async (name) => {
      pictures += 1;
      await writeFile(join(folder, `${pictures}-${name}.png`), await browser.screenshot());
    };
    try {
      await browser.setSize(1280, 1000);
      const checkout = new WebDriverCheckout(browser, env.SHOP_URL);
      await checkout.open();
      await checkout.chooseRoute("MEX", "PUSH_TO_CARD");
      await picture("amount");
      await checkout.goOn("recipient");
      await checkout.fillForm();
      await picture("recipient");
      await checkout.goOn("account");
      await checkout.waitForEvent("READY");
      await checkout.verifyCard(GOOD_CARD);
      await picture("card");
      await checkout.step("review");
      await checkout.fillForm();
      await picture("review");
      await checkout.goOn("done");
      await picture("receipt");
      const outcome = await checkout.outcome();
      await assertRecorded(env.SANDBOX_BASE_URL, outcome, { transferMethod: "PUSH_TO_CARD" });
      assert.match(outcome.status, /^(INITIATED|PENDING|COMPLETE)$/);
      assert.deepEqual(await checkout.seen(), [], "errors and policy violations");
    } catch (error) {
      await picture("failed").catch(() => {});
      throw error;
    } finally {
      await browser.stop();
    }
  });
}
