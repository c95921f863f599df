import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { readEnvironment } from "./support/environment.mjs";
import { recordedTransfer } from "./support/sandbox.mjs";
import { nameTest } from "./support/traffic.mjs";
import { WebDriver } from "./support/webdriver.mjs";
import { WebDriverCheckout } from "./support/webdriver-checkout.mjs";

const { SHOP_URL, SANDBOX_BASE_URL, OUTPUT_DIR } = readEnvironment("SHOP_URL", "SANDBOX_BASE_URL", "OUTPUT_DIR");

for (const [engine, driver] of Object.entries({ firefox: process.env.FIREFOX_DRIVER, webkit: process.env.WEBKIT_DRIVER })) {
  const skip = driver ? false : `${engine.toUpperCase()}_DRIVER names no driver: the engine is not there`;
  test(`a customer sends money to a card in ${engine}`, { skip }, async (context) => {
    await nameTest(SANDBOX_BASE_URL, context.name);
    const folder = join(OUTPUT_DIR, engine);
    await mkdir(folder, { recursive: true });
    const browser = await WebDriver.start(engine, driver);
    let pictures = 0;
    const picture = async (name) => {
      pictures += 1;
      await writeFile(join(folder, `${pictures}-${name}.png`), await browser.screenshot());
    };
    try {
      await browser.setSize(1280, 1000);
      const checkout = new WebDriverCheckout(browser, SHOP_URL);
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
      await checkout.readyToGoOn();
      await checkout.fillForm();
      await picture("review");
      await checkout.goOn("done");
      await picture("receipt");
      const outcome = await checkout.outcome();
      const transfer = await recordedTransfer(SANDBOX_BASE_URL, outcome.transferId);
      assert.ok(transfer, `transfer ${outcome.transferId} is not in the sandbox's database`);
      assert.equal(String(transfer.confirmationNumber), outcome.confirmationNumber);
      assert.equal(transfer.transferMethod, "PUSH_TO_CARD");
      assert.match(outcome.status, /^(INITIATED|PENDING|COMPLETE)$/);
      assert.deepEqual(await checkout.seen(), [], "what the page complained about");
    } catch (error) {
      await picture("failed").catch(() => {});
      throw error;
    } finally {
      await browser.stop();
    }
  });
}
