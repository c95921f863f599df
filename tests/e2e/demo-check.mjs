// Drives the whole checkout to a card once, with a picture of each step, and says which transfer came of it.
// The last line it prints is {"transferId","confirmationNumber"}; it exits with 1 and a reason otherwise.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "./support/browser.mjs";
import { Checkout, GOOD_CARD } from "./support/checkout.mjs";
import { readEnvironment } from "./support/environment.mjs";
import { recordedTransfer } from "./support/sandbox.mjs";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 780 };

async function run() {
  const env = readEnvironment("SHOP_URL", "CHROMIUM", "SANDBOX_BASE_URL", "OUTPUT_DIR");
  await mkdir(env.OUTPUT_DIR, { recursive: true });
  const browser = await launch(env.CHROMIUM);
  try {
    const page = await openPage(browser, { viewport: WIDE });
    const checkout = new Checkout(page, env.SHOP_URL);
    let number = 0;
    const picture = async (name) => {
      number += 1;
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport);
        // The frame lays itself out in its own process.
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(env.OUTPUT_DIR, `${number}-${name}-${viewport.width}.png`), fullPage: true });
      }
    };

    await checkout.open();
    await checkout.chooseRoute({ country: "MEX", method: "PUSH_TO_CARD" });
    await picture("amount");
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await picture("recipient");
    await checkout.goOn("account");
    await checkout.waitForEvent("READY");
    await checkout.frame.locator("#verify").waitFor();
    await picture("card");
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
    await checkout.readyToSend();
    await picture("review");
    await checkout.send();
    const { transferId, confirmationNumber } = await checkout.outcome();
    await picture("done");

    const problems = [...page.seen.errors, ...page.seen.violations];
    if (problems.length > 0) throw new Error(`The page reported:\n${problems.join("\n")}`);
    if (!(await recordedTransfer(env.SANDBOX_BASE_URL, transferId))) {
      throw new Error(`The shop shows transfer ${transferId}, but the sandbox's database does not have it.`);
    }
    return { transferId, confirmationNumber };
  } finally {
    await browser.close();
  }
}

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  console.error(`demo check: ${error.message}`);
  process.exitCode = 1;
}
