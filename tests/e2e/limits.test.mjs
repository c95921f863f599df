import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutFaults } from "./support/geometry.mjs";
import { toFilledAccount } from "./support/paths.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NARROW = { viewport: { width: 320, height: 800 } };
const WORDS = {
  en: {
    range: /^From \$1\.00 to \$10,000\.00 in one transfer\.$/,
    most: /^Enter \$10,000\.00 or less/,
    least: /^Enter \$1\.00 or more\.$/,
    none: /No pickup point here pays out \$900\.00 at once/,
  },
  es: {
    range: /^De .*1\.00 a .*10,000\.00 por envío\.$/,
    most: /^Ingresa .*10,000\.00 o menos/,
    least: /^Ingresa .*1\.00 o más\.$/,
    none: /Aquí ningún punto entrega .*900\.00 de una vez/,
  },
};

const problem = (page) => page.locator(".amount-pair .field-note.problem");

for (const [language, words] of Object.entries(WORDS)) {
  const options = { ...NARROW, locale: language === "es" ? "es-MX" : "en-US" };

  test(`limits are stated, and amounts beyond them get no price (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      assert.match(await page.locator(".limits").innerText(), words.range);
      const send = page.locator("#amount-send");
      for (const [typed, said] of [["99999999999999", words.most], ["10000.01", words.most], ["0.99", words.least]]) {
        await send.fill(typed);
        await problem(page).waitFor();
        assert.match(await problem(page).innerText(), said);
        assert.doesNotMatch(await page.locator(".line.total dd").innerText(), /\d/);
        await checkout.goOn();
        assert.equal(await page.locator("html").getAttribute("data-step"), "amount");
        assert.equal(await page.evaluate(() => document.activeElement.id), "amount-send");
      }
      assert.deepEqual(await layoutFaults(page), []);
      await page.locator("#amount-receive").fill("250000");
      await problem(page).waitFor();
      assert.match(await problem(page).innerText(), words.most);
      await checkout.goOn();
      assert.equal(await page.locator("html").getAttribute("data-step"), "amount");
      await send.fill("10000");
      await checkout.priced();
      await checkout.goOn("recipient");
    }, options);
  });

  test(`pickup points that cannot pay out the amount are left out (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await checkout.chooseRoute({ country: "MEX", method: "CASH_PICKUP" });
      await page.locator("#amount-send").fill("900");
      await checkout.priced();
      await checkout.goOn("recipient");
      await checkout.fillForm();
      await checkout.goOn("account");
      const choose = async (id, index) => {
        const control = page.locator(`[data-field=${id}]`);
        await control.locator("option:nth-child(2)").waitFor({ state: "attached" });
        await control.selectOption({ index });
      };
      await choose("PAYER_STATE_PROVINCE", 1);
      await choose("PAYER_CITY", 1);
      await choose("PAYER", 1);
      const point = page.locator("[data-field=PAYER_LOCATION]");
      await point.locator("option:nth-child(2)").waitFor({ state: "attached" });
      assert.deepEqual(await point.locator("option").evaluateAll((all) => all.map((option) => option.disabled)), [false, true, true]);
      assert.match(await page.locator(".field", { has: point }).innerText(), words.none);
      assert.deepEqual(await layoutFaults(page), []);
      await choose("PAYER", 2);
      await choose("PAYER_LOCATION", 1);
      await checkout.goOn("review");
      await checkout.readyToSend();
      assert.match((await page.locator(".facts").allInnerTexts()).join(" "), /Main Square, Market Cash, Guadalajara/);
      await checkout.send();
      await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: "CASH_PICKUP" });
    }, options);
  });
}

test("what a pickup point pays out is written as the language writes amounts", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.route(/\/locations$/, async (route) => {
      const response = await route.fetch();
      const points = await response.json();
      await route.fulfill({ response, json: points.map((point) => ({ ...point, description: "1 to 2,500.50 USD" })) });
    });
    await toFilledAccount(checkout, { method: "CASH_PICKUP" });
    const [, point] = await page.locator("[data-field=PAYER_LOCATION] option").allTextContents();
    assert.match(point.replaceAll("\u00a0", " "), /\(de USD 1 a USD 2,500\.50\)$/);
  }, { locale: "es-MX" });
});
