import assert from "node:assert/strict";
import { test } from "node:test";
import { passTimeUntil } from "./support/clock.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { toCardReview, toReview } from "./support/paths.mjs";
import { resetSandbox, setLifetimes } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NARROW = { viewport: { width: 320, height: 800 } };
const WORDS = {
  en: { lower: "The price is lower now", more: "They get more now", account: /depends on the card or account you just entered/, ended: /The price you saw had expired/, nothing: /Nothing has been sent yet\./ },
  es: { lower: "El precio bajó", more: "Ahora recibe más", account: /depende de la tarjeta o la cuenta que acabas de ingresar/, ended: /ya no estaba vigente/, nothing: /Aún no se ha enviado nada\./ },
};

/** Has the service's next quotes pay out so much more. */
async function payMore(page, more) {
  await page.route(/\/v1\/quote\?/, async (route) => {
    const response = await route.fetch();
    const quote = await response.json();
    quote.receiveAmount.value += more;
    await route.fulfill({ response, json: quote });
  });
}

for (const [language, words] of Object.entries(WORDS)) {
  const locale = language === "es" ? "es-MX" : "en-US";

  test(`a price that changes with the card is explained (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toCardReview(checkout);
      const notice = page.locator(".panel .notice.info");
      await notice.waitFor();
      assert.equal(await notice.locator(".notice-title").innerText(), words.lower);
      for (const pattern of [words.account, words.nothing]) assert.match(await notice.innerText(), pattern);
      assert.deepEqual(await layoutFaults(page), []);
    }, { ...NARROW, locale });
  });

  test(`a price that expired is explained, with who gains (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout);
      await checkout.readyToSend();
      await payMore(page, 1_234);
      await page.clock.install();
      await page.clock.fastForward("16:00");
      const notice = page.locator(".panel .notice.success");
      await passTimeUntil(page, () => notice.count(), { pauseMs: 50 });
      assert.equal(await notice.locator(".notice-title").innerText(), words.more);
      for (const pattern of [words.ended, words.nothing]) assert.match(await notice.innerText(), pattern);
    }, { ...NARROW, locale });
  });
}

for (const [what, minutes] of [["ahead of the service's", 20], ["behind the service's", -20]]) {
  test(`the price's remaining time is right on a device whose clock is ${what}`, async () => {
    await shop.onPage(async (page) => {
      await page.clock.install({ time: Date.now() + minutes * 60_000 });
      await page.clock.resume();
      await page.goto(shop.shopUrl);
      await page.locator(".line.held [role=timer]").filter({ hasText: /^1[45]:\d\d$/ }).waitFor();
      // By when it arrives too: thirty minutes from now, whatever the device takes for now.
      const arrives = await page.locator(".line dd.sentence").innerText();
      const away = (new Date(`${arrives.replace(/,(?=[^,]*$)/, ` ${new Date().getFullYear()}`)}`) - Date.now()) / 60_000;
      assert.ok(Math.abs(away - 30) < 3, `${arrives} is ${away} minutes away`);
    });
  });
}

test("a price that holds for more than an hour says so in hours", async () => {
  await setLifetimes(shop.baseUrl, { quoteSeconds: 7_200 });
  try {
    await shop.onPage(async (page) => {
      await page.goto(shop.shopUrl);
      await page.locator(".line.held [role=timer]").filter({ hasText: /^01:59:\d\d$/ }).waitFor();
    });
  } finally {
    await resetSandbox(shop.baseUrl);
  }
});
