import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { toCardForm, toReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const WORDS = {
  en: { receive: "They receive", total: "Total to pay", by: "Should arrive by", way: "Mobile wallet ending 5678", more: "Add a purpose or a reference", time: /\d{1,2}:\d\d [AP]M$/ },
  es: { receive: "Recibe", total: "Total a pagar", by: "Debería llegar a más tardar", way: "Billetera móvil terminada en 5678", more: "Agregar un motivo o una referencia", time: /\d{1,2}:\d\d [ap]\.\s?m\.$/ },
};

for (const [language, words] of Object.entries(WORDS)) {
  test(`the review puts price, time and method first, folds extras (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout, { method: "MOBILE_WALLET" });
      await checkout.readyToSend();
      const facts = page.locator(".panel .fact");
      assert.deepEqual((await facts.locator("dt").allInnerTexts()).slice(0, 3), [words.receive, words.total, words.by]);
      const [receive, total, by] = await facts.locator("dd").allInnerTexts();
      assert.equal(receive, await page.locator(".line.receive dd").innerText());
      assert.equal(total, await page.locator(".line.total dd").innerText());
      assert.match(by, words.time);
      assert.ok((await facts.allInnerTexts()).some((fact) => fact.includes(words.way)));
      const more = page.getByText(words.more);
      assert.equal(await page.locator(".field-form").isVisible(), false);
      assert.deepEqual(await layoutFaults(page), []);
      await more.click();
      await page.locator(".field-form").waitFor();
      assert.deepEqual(await layoutFaults(page), []);
      assert.deepEqual(await axeProblems(page), []);
      await checkout.send();
      await checkout.outcome();
      assert.match(await page.locator(".panel .fact").filter({ hasText: words.by }).innerText(), words.time);
    }, { viewport: { width: 320, height: 800 }, scripts: [AXE], locale: language === "es" ? "es-MX" : "en-US" });
  });
}

for (const [locale, way] of [["en-US", "Debit card “Nómina”"], ["es-MX", "Tarjeta de débito “Nómina”"]]) {
  test(`a card appears under the name the customer gave it (${locale})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toCardForm(checkout);
      await page.locator("[data-field=CARD_NICKNAME]").fill("Nómina");
      await checkout.verifyCard(GOOD_CARD);
      await checkout.step("review");
      assert.equal(await page.locator(".fact dd span").nth(2).innerText(), way);
      await checkout.send();
      const { transferId } = await checkout.outcome();
      assert.equal(await page.locator("[data-fact=way] dd").innerText(), way);
      await page.reload();
      assert.equal((await checkout.outcome()).transferId, transferId);
      assert.equal(await page.locator("[data-fact=way] dd").innerText(), way);
    }, { locale });
  });
}
