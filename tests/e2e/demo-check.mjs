// Drives the whole checkout to a card once, takes a picture of each step at each width, of the workbench and
// of each important moment, and says which transfer was made. The last line it prints is
// {"transferId","confirmationNumber"}; it exits with 1 and a reason otherwise.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "./support/browser.mjs";
import { Checkout, GOOD_CARD } from "./support/checkout.mjs";
import { readEnvironment } from "./support/environment.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { takeMoments } from "./support/moments.mjs";
import { pictureStrip } from "./support/picture-strip.mjs";
import { recordedTransfer } from "./support/sandbox.mjs";
import { Workbench } from "./support/workbench.mjs";

const SCREENS = [
  { width: 320, height: 640 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
/** What is seen of the workbench at once, and a theme to be seen in it. */
const BENCH = { width: 1360, height: 1000 };
const THEME = { primary: "#6b2fb3", primaryLight: "#f3ecfb", text: "#241a33", inputLine: "#8a7f9c", icon: "#6b5f80", buttonColor: "#6b2fb3", buttonRadius: "24px" };
/** What the workbench brings about; the checkout, which must come to a transfer, cannot. */
const REFUSED = /^Failed to load resource: .* 400 .*\/v1\/transfers\)$/;
/** How wide and high a step is in the strip of all steps at a width. */
const IN_STRIP = { 320: { width: 320, height: 900 }, 768: { width: 420, height: 600 }, 1440: { width: 480, height: 380, margin: 0.11 } };

async function run() {
  const env = readEnvironment("SHOP_URL", "CHROMIUM", "SANDBOX_BASE_URL", "OUTPUT_DIR");
  await mkdir(env.OUTPUT_DIR, { recursive: true });
  const browser = await launch(env.CHROMIUM);
  try {
    // As on a phone no room is held for a scroll bar.
    const page = await openPage(browser, { viewport: SCREENS.at(-1), isMobile: true, expectErrors: [REFUSED] });
    const checkout = new Checkout(page, env.SHOP_URL);
    const steps = [];
    const file = (step, width) => join(env.OUTPUT_DIR, `${steps.indexOf(step) + 1}-${step}-${width}.png`);
    const picture = async (step) => {
      steps.push(step);
      for (const viewport of SCREENS) {
        await page.setViewportSize(viewport);
        await page.evaluate(() => scrollTo(0, 0));
        // The frame lays itself out in its own process.
        await page.waitForTimeout(150);
        await page.screenshot({ path: file(step, viewport.width), fullPage: true });
        await mustBeSound(`the step “${step}”`, viewport);
      }
    };
    const mustBeSound = async (what, { width }) => {
      const faults = await layoutFaults(page);
      if (faults.length > 0) throw new Error(`At ${width} px ${what} is broken:\n${faults.join("\n")}`);
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
    await checkout.fillForm();
    await picture("review");
    await checkout.goOn();
    const { transferId, confirmationNumber } = await checkout.outcome();
    await picture("done");
    for (const { width } of SCREENS) {
      const pictures = steps.map((step) => file(step, width));
      await pictureStrip(browser, pictures, join(env.OUTPUT_DIR, `steps-${width}.png`), IN_STRIP[width]);
    }

    await page.setViewportSize(BENCH);
    const bench = new Workbench(page, env.SHOP_URL);
    await bench.open();
    for (const [name, value] of Object.entries(THEME)) await page.locator(`input[name=${name}]`).fill(value);
    await page.waitForFunction(() => document.querySelector(".card-frame iframe").src.includes("buttonRadius"));
    await page.locator(".card-status[data-status=ready]").waitFor();
    await bench.run("transfer QuoteAmountChanged");
    await bench.frame.locator("#verify").waitFor();
    await page.evaluate(() => document.querySelector(".outcome-view").scrollIntoView());
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(env.OUTPUT_DIR, "workbench.png") });
    for (const viewport of SCREENS) {
      await page.setViewportSize(viewport);
      await mustBeSound("the workbench", viewport);
    }

    const moments = join(env.OUTPUT_DIR, "moments");
    await mkdir(moments, { recursive: true });
    const pictureOf = (name, width) => join(moments, `${name}-${width}.png`);
    await takeMoments({ browser, shopUrl: env.SHOP_URL, baseUrl: env.SANDBOX_BASE_URL, pictureOf });

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
