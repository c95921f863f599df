// Drives a whole checkout to a card and takes pictures of each step at each width, of the workbench, of the
// field explorer, and of important moments. The last line of its output is {"transferId","confirmationNumber"}.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "./support/browser.mjs";
import { Checkout } from "./support/checkout.mjs";
import { CHROMIUM, demo, OUTPUT_DIR, stopDemo } from "./support/demo.mjs";
import { takeMoments, takePicture } from "./support/moments.mjs";
import { pictureStrip } from "./support/picture-strip.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { assertSound } from "./support/suite.mjs";
import { visit } from "./support/visit.mjs";
import { Workbench } from "./support/workbench.mjs";

const SCREENS = [
  { width: 320, height: 900 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const PICTURED = ["amount", "recipient, filled in", "card", "review", "done"];
/** The size of a step in the strip of each width. */
const IN_STRIP = {
  320: { width: 320, height: 900 },
  768: { width: 420, height: 600 },
  1440: { width: 480, height: 380, margin: 0.11 },
};
const BENCH_VIEWPORT = { width: 1360, height: 1000 };
const THEME = {
  primary: "#6b2fb3",
  primaryLight: "#f3ecfb",
  text: "#241a33",
  inputLine: "#8a7f9c",
  icon: "#6b5f80",
  buttonColor: "#6b2fb3",
  buttonRadius: "24px",
};
/** The error of the workbench's scenario. */
const REFUSED = /^Failed to load resource: .* 400 .*\/v1\/transfers\)$/;

async function run() {
  const { shopUrl, baseUrl } = demo;
  await mkdir(join(OUTPUT_DIR, "moments"), { recursive: true });
  const browser = await launch(CHROMIUM);
  try {
    // As on a phone, no room is reserved for a scroll bar.
    const options = { viewport: SCREENS.at(-1), isMobile: true, expectErrors: [REFUSED] };
    const page = await openPage(browser, options);
    const checkout = new Checkout(page, shopUrl);
    await checkout.open();
    await visit(checkout, page, "PUSH_TO_CARD", async (step) => {
      for (const viewport of SCREENS) {
        await takePicture(page, viewport, stepPicture(step, viewport.width));
      }
    });
    const { transferId, confirmationNumber } = await checkout.outcome();
    for (const { width } of SCREENS) {
      const pictures = PICTURED.map((step) => stepPicture(step, width));
      await pictureStrip(browser, pictures, join(OUTPUT_DIR, `steps-${width}.png`), IN_STRIP[width]);
    }

    await takeWorkbench(page, shopUrl, join(OUTPUT_DIR, "workbench.png"));
    await takeFields(page, shopUrl, join(OUTPUT_DIR, "fields.png"));
    await takeMoments({ browser, shopUrl, baseUrl, pictureOf: stepPicture });

    const problems = [...page.seen.errors, ...page.seen.violations];
    if (problems.length > 0) throw new Error(`The page reported:\n${problems.join("\n")}`);
    await assertRecorded(baseUrl, { transferId, confirmationNumber }, {});
    return { transferId, confirmationNumber };
  } finally {
    await browser.close();
    await stopDemo();
  }
}

/** Returns the path of a picture; the strips consist of the `PICTURED` steps, the others are moments. */
function stepPicture(step, width) {
  const moment = `${step.replace(/\W+/g, "-")}-${width}.png`;
  if (!PICTURED.includes(step)) return join(OUTPUT_DIR, "moments", moment);
  return join(OUTPUT_DIR, `${PICTURED.indexOf(step) + 1}-${step.split(",")[0]}-${width}.png`);
}

async function takeWorkbench(page, shopUrl, path) {
  await page.setViewportSize(BENCH_VIEWPORT);
  const bench = new Workbench(page, shopUrl);
  await bench.open();
  await page.locator(".parameter-group > summary").click();
  for (const [name, value] of Object.entries(THEME)) await page.locator(`input[name=${name}]`).fill(value);
  await bench.addressWith("buttonRadius");
  await bench.formStatus("ready");
  await bench.run("transfer QuoteAmountChanged");
  await bench.frame.locator("#verify").waitFor();
  await page.evaluate(() => document.querySelector(".outcome-view").scrollIntoView());
  await page.waitForTimeout(150);
  await page.screenshot({ path });
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    await assertSound(page, { message: `the workbench at ${viewport.width} px` });
  }
}

async function takeFields(page, shopUrl, path) {
  await page.setViewportSize(BENCH_VIEWPORT);
  await page.goto(`${shopUrl}/fields.html?kind=recipientAccount&country=IND`);
  await page.waitForFunction(() => document.querySelector("remit-fields")?.definition);
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await page.waitForFunction(() => document.querySelector("remit-fields").problems.length === 0);
  await page.screenshot({ path });
}

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  console.error(`demo check: ${error.message}`);
  process.exitCode = 1;
}
