import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const SCREENS = [
  { width: 320, language: "en" },
  { width: 1440, language: "es" },
];
// What the review says of the way, in the language of each screen.
const METHODS = {
  PUSH_TO_CARD: { en: "Debit card", es: "Tarjeta de débito" },
  BANK_ACCOUNT: { en: "Bank account ending 9719", es: "Cuenta bancaria terminada en 9719" },
  MOBILE_WALLET: { en: "Mobile wallet", es: "Billetera móvil" },
  CASH_PICKUP: { en: "Cash pickup", es: "Efectivo" },
};

describe("money arrives by every transfer method", () => {
  for (const [method, words] of Object.entries(METHODS)) {
    for (const { width, language } of SCREENS) {
      test(`${method} at ${width} px in ${language}`, async () => {
        const narrow = width < 700;
        const options = { viewport: { width, height: 800 }, isMobile: narrow, hasTouch: narrow, locale: language === "es" ? "es-MX" : "en-US" };
        await shop.inShop(async (checkout, page) => {
          const sound = async (step) => assert.deepEqual(await layoutFaults(page), [], step);
          await checkout.chooseRoute({ country: "MEX", method });
          await checkout.goOn("recipient");
          await checkout.fillForm();
          await sound("recipient");
          if (method !== "CASH_PICKUP") {
            await checkout.goOn("account");
            await enterAccount(checkout, method, sound);
          } else await checkout.goOn("review");
          await checkout.step("review");
          await checkout.readyToSend();
          assert.equal(await page.locator(".fact dd span").last().innerText(), words[language]);
          await checkout.fillForm();
          await sound("review");
          await checkout.goOn();
          const outcome = await checkout.outcome();
          await sound("done");
          await assertRecorded(shop.baseUrl, outcome, { transferMethod: method });
        }, options);
      });
    }
  }
});

async function enterAccount(checkout, method, sound) {
  if (method === "PUSH_TO_CARD") {
    await checkout.waitForEvent("READY");
    await checkout.verifyCard(GOOD_CARD);
    return;
  }
  await checkout.fillForm();
  await sound("account");
  await checkout.goOn();
}
