// What a regulated shop must show, in the service's words: before the payment, and with the receipt.

import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const BEFORE = { en: /^The recipient may receive less/, es: /^El destinatario podría recibir menos/ };
const AFTER = { en: /^You can cancel for a full refund/, es: /^Puedes cancelar y recibir todo tu dinero/ };

for (const [language, options] of [["en", {}], ["es", PHONE]]) {
  const name = `disclosures stand before the payment, and the right to cancel on the receipt (${language})`;
  shop.test(name, { language, scripts: [AXE], ...options }, async (checkout, page) => {
    await checkout.toReview();
    const before = page.getByRole("region", { name: checkout.text("review.disclosures") });
    assert.match(await before.locator("p").innerText(), BEFORE[language]);
    assert.equal(await page.getByText(BEFORE[language]).filter({ visible: true }).count(), 1, "said once");
    await assertSound(page, { axe: true });
    await checkout.send();
    await checkout.outcome();
    const after = page.getByRole("region", { name: checkout.text("done.disclaimers") });
    assert.match(await after.locator("p").first().innerText(), AFTER[language]);
    await assertSound(page, { axe: true });
    await page.emulateMedia({ media: "print" });
    assert.equal(await after.isVisible(), true, "printed with the receipt");
  });
}

/** Changes what the service sends with each quote. */
function sendDisclosures(page, disclosures) {
  return page.route(/\/v1\/quote\?/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), disclosures } });
  });
}

shop.test("disclosures of any shape are shown as their texts, and none as nothing", async (checkout, page) => {
  const shown = page.locator("[data-disclosures=quote]");
  await sendDisclosures(page, [{ title: "Taxes", text: "Others may apply." }, 7, null, "", "Second."]);
  await checkout.toReview();
  assert.deepEqual(await shown.locator("p").allInnerTexts(), ["Taxes: Others may apply.", "Second."]);
  await page.unrouteAll();
  await sendDisclosures(page, []);
  await page.goBack();
  await checkout.goOn("review");
  await checkout.readyToSend();
  assert.equal(await shown.isVisible(), false);
});
