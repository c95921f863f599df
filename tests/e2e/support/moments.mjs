// The moments at which customers read most closely: failures, delays and resumed transfers, with pictures.

import { openPage } from "./browser.mjs";
import { Checkout } from "./checkout.mjs";
import { layoutFaults } from "./geometry.mjs";
import { addFault, forgetFaults } from "./sandbox.mjs";
import { toCardForm, toReview } from "./paths.mjs";

const SCREENS = [{ width: 320, height: 640 }, { width: 1280, height: 900 }];
const TRANSFERS = /\/v1\/transfers(\/progress\/.*)?$/;
const MINUTES_AHEAD = 20 * 60_000;

/** By the name of the picture; `options` are those of the page. */
const MOMENTS = {
  "interrupted-en": { run: interrupted },
  "interrupted-es": { run: interrupted, options: { locale: "es-MX" } },
  "card-form-missing": {
    async run({ checkout, page, baseUrl }) {
      await addFault(baseUrl, { kind: "drop", when: "before", path: "/v2/add-card/*", count: 20 });
      await checkout.chooseRoute();
      await checkout.goOn("recipient");
      await checkout.fillForm();
      await checkout.goOn("account");
      await page.locator(".card-room .notice").waitFor();
    },
  },
  "card-form-in-another-language": {
    async run({ checkout, page }) {
      await toCardForm(checkout);
      await checkout.frame.locator("#card-name").fill("Ana");
      await page.locator("[data-language=es]").click();
      await page.locator(".card-entry .notice.info").waitFor();
    },
  },
  "offline-at-send-en": { run: offlineAtSend },
  "offline-at-send-es": { run: offlineAtSend, options: { locale: "es-MX", colorScheme: "dark" } },
  "offline-price": {
    async run({ checkout, page }) {
      await page.context().setOffline(true);
      await page.locator("#amount-send").fill("321");
      await checkout.notice("error").or(checkout.notice("info")).first().waitFor();
    },
  },
  "limit-at-the-amount": {
    async run({ page }) {
      await page.locator(".limits").filter({ hasText: /\d/ }).waitFor();
      await page.locator("#amount-send").fill("99999999999999");
      await page.locator(".field-note.problem").waitFor();
    },
  },
  "amount-of-another-locale": {
    async run({ page }) {
      await page.locator("#amount-send").fill("1,5");
      await page.locator(".field-note.problem").waitFor();
    },
  },
  "price-that-moved": {
    async run({ checkout, page }) {
      await toReview(checkout, { amount: "9900.30" });
      await checkout.send();
      await page.locator(".panel .notice").waitFor();
      await checkout.readyToSend();
    },
  },
  "review-wallet": { run: ({ checkout }) => toReview(checkout, { method: "MOBILE_WALLET" }).then(() => checkout.readyToSend()), options: { locale: "es-MX" } },
  "field-problems": {
    async run({ checkout, page }) {
      await checkout.goOn("recipient");
      await page.locator(".field-form").waitFor();
      await page.locator("[data-field=EMAIL_ADDRESS]").fill("ana@");
      await checkout.goOn();
      await page.locator("[aria-invalid=true]").first().waitFor();
    },
  },
  "draft-after-a-reload": {
    async run({ checkout, page }) {
      await checkout.goOn("recipient");
      await checkout.fillForm();
      await page.reload();
      await checkout.step("recipient");
      await page.locator(".field-form").waitFor();
    },
  },
  "device-ahead": {
    opens: ({ page }) => page.clock.install({ time: Date.now() + MINUTES_AHEAD }),
    run: ({ page }) => page.locator(".line.held").filter({ hasText: /1[45]:\d\d/ }).waitFor(),
  },
  "forced-colours": { run: () => {}, options: { forcedColors: "active" } },
  "found-again": {
    async run({ checkout, page }) {
      await toReview(checkout);
      await checkout.send();
      const { confirmationNumber } = await checkout.outcome();
      await page.locator("#open-transfers").click();
      await page.locator("input[name=confirmation]").fill(confirmationNumber);
      await page.locator(".transfer").first().waitFor();
    },
  },
};

async function interrupted({ checkout, page }) {
  await toReview(checkout);
  await page.context().route(TRANSFERS, (route) => route.abort("connectionfailed"));
  await checkout.send();
  await page.waitForRequest((request) => request.method() === "POST" && TRANSFERS.test(request.url()));
  await page.reload();
  await page.locator("main > .notice-slot .notice").waitFor();
  await checkout.priced();
  await toReview(checkout, { amount: "150" });
  // Both are offered once the price is there.
  await page.locator("main > .notice-slot .notice button").first().waitFor();
}

async function offlineAtSend({ checkout, page }) {
  await toReview(checkout);
  await checkout.readyToSend();
  await page.context().setOffline(true);
  await checkout.send();
  await checkout.notice("error").waitFor();
}

/** Takes a picture of each moment at each width, to `pictureOf(name, width)`; fails on a faulty layout. */
export async function takeMoments({ browser, shopUrl, baseUrl, pictureOf }) {
  for (const [name, { run, opens, options = {} }] of Object.entries(MOMENTS)) {
    const page = await openPage(browser, { viewport: SCREENS[0], isMobile: true, ...options });
    try {
      const checkout = new Checkout(page, shopUrl);
      await opens?.({ page });
      await checkout.open();
      await run({ checkout, page, baseUrl });
      for (const viewport of SCREENS) {
        await page.setViewportSize(viewport);
        await page.evaluate(() => scrollTo(0, 0));
        await page.waitForTimeout(150);
        await page.screenshot({ path: pictureOf(name, viewport.width), fullPage: true });
        const faults = await layoutFaults(page);
        if (faults.length > 0) throw new Error(`at ${viewport.width} px:\n${faults.join("\n")}`);
      }
    } catch (error) {
      throw new Error(`The moment “${name}”: ${error.message}`, { cause: error });
    } finally {
      await page.context().close();
      await forgetFaults(baseUrl);
    }
  }
  return Object.keys(MOMENTS).length;
}
