// What a regulated shop must show, in the service's words: before the payment, and with the receipt.

import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { hasCount, hasTexts, isHidden, isShown, shows } from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const BEFORE = { en: /^The recipient may receive less/, es: /^El destinatario podría recibir menos/ };
const AFTER = { en: /^You can cancel for a full refund/, es: /^Puedes cancelar y recibir todo tu dinero/ };

for (const [language, options] of [["en", {}], ["es", PHONE]]) {
  const name = `disclosures stand before the payment, and the right to cancel on the receipt (${language})`;
  shop.test(name, { language, scripts: [AXE], ...options }, async (checkout, page) => {
    await checkout.toReview();
    const before = page.getByRole("region", { name: checkout.text("review.disclosures") });
    await shows(before.locator("p"), BEFORE[language]);
    await hasCount(page.getByText(BEFORE[language]).filter({ visible: true }), 1, "said once");
    await assertSound(page, { axe: true });
    await checkout.send();
    await checkout.outcome();
    const after = page.getByRole("region", { name: checkout.text("done.disclaimers") });
    await shows(after.locator("p").first(), AFTER[language]);
    await assertSound(page, { axe: true });
    await page.emulateMedia({ media: "print" });
    await isShown(after, "printed with the receipt");
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
  await hasTexts(shown.locator("p"), ["Taxes: Others may apply.", "Second."]);
  await page.unrouteAll();
  await sendDisclosures(page, []);
  await page.goBack();
  await checkout.goOn("review");
  await checkout.readyToSend();
  await isHidden(shown, "the final price is there");
});
