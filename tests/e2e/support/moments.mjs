// Pictures of the moments at which customers read most closely: failures, delays and resumed transfers.

import { openPage } from "./browser.mjs";
import { Checkout } from "./checkout.mjs";
import { addFault, clearFaults } from "./sandbox.mjs";
import { assertSound } from "./suite.mjs";
import { LOCALES } from "./texts.mjs";
import { interrupt } from "./visit.mjs";

const SCREENS = [{ width: 320, height: 640 }, { width: 1280, height: 900 }];
const MINUTES_AHEAD = 20 * 60_000;

/** The moments by the name of their picture, with the options of their page. */
const MOMENTS = {
  "interrupted-en": { run: interrupted },
  "interrupted-es": { run: interrupted, language: "es" },
  "card-form-missing": {
    async run(checkout, page, baseUrl) {
      await addFault(baseUrl, { kind: "drop", when: "before", path: "/v2/add-card/*", count: 20 });
      await checkout.toRecipient({ method: "PUSH_TO_CARD" });
      await checkout.goOn("account");
      await page.locator(".card-entry .notice").first().waitFor();
    },
  },
  "card-form-in-another-language": {
    async run(checkout, page) {
      await checkout.toCardForm();
      await checkout.frame.locator("#card-name").fill("Ana");
      await page.locator("[data-language=es]").click();
      await page.locator(".card-entry .notice.info").waitFor();
    },
  },
  "offline-at-send-en": { run: offlineAtSend },
  "offline-at-send-es": { run: offlineAtSend, language: "es", colorScheme: "dark" },
  "offline-price": {
    async run(checkout, page) {
      await page.context().setOffline(true);
      await page.locator("[data-side=send] input").fill("321");
      await page.locator(".summary .notice").waitFor();
    },
  },
  "limit-at-the-amount": {
    async run(_, page) {
      // The limits are known, but shown only near them.
      await page.locator("remit-amount [part=hint]").filter({ hasText: /\d/ }).waitFor({ state: "attached" });
      await page.locator("[data-side=send] input").fill("99999999999999");
      await page.locator("remit-amount [part=problem]:not([hidden])").waitFor();
    },
  },
  "amount-of-another-locale": {
    async run(_, page) {
      await page.locator("[data-side=send] input").fill("1.234,5");
      await page.locator("remit-amount [part=problem]:not([hidden])").waitFor();
    },
  },
  "price-that-moved": {
    async run(checkout, page) {
      await checkout.toReview({ amount: "9900.30" });
      await checkout.send();
      await page.locator(".panel .notice").waitFor();
      await checkout.readyToSend();
    },
  },
  "review-wallet": { run: (checkout) => checkout.toReview({ method: "MOBILE_WALLET" }), language: "es" },
  "draft-after-a-reload": {
    async run(checkout, page) {
      await checkout.toRecipient();
      await page.reload();
      await checkout.step("recipient");
      await checkout.formLoaded();
    },
  },
  "device-ahead": {
    opens: (page) => page.clock.install({ time: Date.now() + MINUTES_AHEAD }),
    run: (_, page) => page.locator(".line.held").filter({ hasText: /1[45]:\d\d/ }).waitFor(),
  },
  "forced-colors": { run() {}, forcedColors: "active" },
  "found-again": {
    async run(checkout, page) {
      await checkout.toReview();
      await checkout.send();
      const { confirmationNumber } = await checkout.outcome();
      await page.locator("#open-transfers").click();
      await page.locator("input[name=confirmation]").fill(confirmationNumber);
      await page.locator(".transfer").first().waitFor();
    },
  },
};

async function interrupted(checkout, page) {
  await interrupt(checkout, page);
  await checkout.toAccount({ amount: "150" });
  await checkout.goOn("review");
  // Sending both is offered once the price is there.
  await checkout.earlier.locator("button").first().waitFor();
}

async function offlineAtSend(checkout, page) {
  await checkout.toReview();
  await page.context().setOffline(true);
  await checkout.send();
  await checkout.notice("error").waitFor();
}

/** Takes a picture of each moment at each width, to `pictureOf(name, width)`. Throws on a layout fault. */
export async function takeMoments({ browser, shopUrl, baseUrl, pictureOf }) {
  for (const [name, { run, opens, language = "en", ...options }] of Object.entries(MOMENTS)) {
    const locale = LOCALES[language];
    const page = await openPage(browser, { viewport: SCREENS[0], isMobile: true, locale, ...options });
    try {
      const checkout = new Checkout(page, shopUrl, language);
      await opens?.(page);
      await checkout.open();
      await run(checkout, page, baseUrl);
      for (const viewport of SCREENS) await takePicture(page, viewport, pictureOf(name, viewport.width));
    } catch (error) {
      throw new Error(`The moment “${name}”: ${error.message}`, { cause: error });
    } finally {
      await page.context().close();
      await clearFaults(baseUrl);
    }
  }
}

/** Takes a picture of a whole page. Throws on a layout fault. */
export async function takePicture(page, viewport, path) {
  await page.setViewportSize(viewport);
  await page.evaluate(() => scrollTo(0, 0));
  // The frame of the card form renders in another process.
  await page.waitForTimeout(150);
  await page.screenshot({ path, fullPage: true });
  await assertSound(page, { message: `${path}: a layout fault` });
}
