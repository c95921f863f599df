// Drives a whole checkout to a card and takes pictures of each step at each width, of the workbench, and of
// important moments. The last line of its output is {"transferId","confirmationNumber"}.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "./support/browser.mjs";
import { Checkout } from "./support/checkout.mjs";
import { takeMoments, takePicture } from "./support/moments.mjs";
import { pictureStrip } from "./support/picture-strip.mjs";
import { recordedTransfer } from "./support/sandbox.mjs";
import { assertSound, readEnvironment } from "./support/suite.mjs";
import { visit } from "./support/visit.mjs";
import { Workbench } from "./support/workbench.mjs";

const SCREENS = [
  { width: 320, height: 640 },
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
  const env = readEnvironment("SHOP_URL", "CHROMIUM", "SANDBOX_BASE_URL", "OUTPUT_DIR");
  const { SHOP_URL: shopUrl, SANDBOX_BASE_URL: baseUrl, OUTPUT_DIR: output } = env;
  await mkdir(join(output, "moments"), { recursive: true });
  const browser = await launch(env.CHROMIUM);
  try {
    // As on a phone, no room is reserved for a scroll bar.
    const options = { viewport: SCREENS.at(-1), isMobile: true, expectErrors: [REFUSED] };
    const page = await openPage(browser, options);
    const checkout = new Checkout(page, shopUrl);
    await checkout.open();
    await visit(checkout, page, "PUSH_TO_CARD", async (step) => {
      for (const viewport of SCREENS) {
        await takePicture(page, viewport, stepPicture(output, step, viewport.width));
      }
    });
    const { transferId, confirmationNumber } = await checkout.outcome();
    for (const { width } of SCREENS) {
      const pictures = PICTURED.map((step) => stepPicture(output, step, width));
      await pictureStrip(browser, pictures, join(output, `steps-${width}.png`), IN_STRIP[width]);
    }

    await takeWorkbench(page, shopUrl, join(output, "workbench.png"));
    const pictureOf = (name, width) => stepPicture(output, name, width);
    await takeMoments({ browser, shopUrl, baseUrl, pictureOf });

    const problems = [...page.seen.errors, ...page.seen.violations];
    if (problems.length > 0) throw new Error(`The page reported:\n${problems.join("\n")}`);
    if (!(await recordedTransfer(baseUrl, transferId))) {
      throw new Error(`The shop shows transfer ${transferId}, but the sandbox's database does not have it.`);
    }
    return { transferId, confirmationNumber };
  } finally {
    await browser.close();
  }
}

/** Returns the path of a picture; the strips consist of the `PICTURED` steps, the others are moments. */
function stepPicture(output, step, width) {
  if (!PICTURED.includes(step)) return join(output, "moments", `${step.replace(/\W+/g, "-")}-${width}.png`);
  return join(output, `${PICTURED.indexOf(step) + 1}-${step.split(",")[0]}-${width}.png`);
}

async function takeWorkbench(page, shopUrl, path) {
  await page.setViewportSize(BENCH_VIEWPORT);
  const bench = new Workbench(page, shopUrl);
  await bench.open();
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

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  console.error(`demo check: ${error.message}`);
  process.exitCode = 1;
}
