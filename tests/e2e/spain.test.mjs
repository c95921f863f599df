// Spanish as Spain says it. Mexico's words are in every other test in Spanish.

import assert from "node:assert/strict";
import { GOOD_CARD } from "./support/checkout.mjs";
import { eventually, hasAttribute, isAbsent, shows } from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const SPAIN = { ...PHONE, language: "es", locale: "es-ES" };
/** What Mexico says, and Spain does not. */
const MEXICO = /\b(ingres[ae]\w*|montos?|retiro|giro|prepagada|comprobantes?|celular|al reverso)\b|licencia de conducir/i;

async function assertSpain(page, ...words) {
  await hasAttribute(page.locator("html"), "lang", "es-ES");
  const body = page.locator("body");
  await eventually(async () => {
    const text = await body.innerText();
    for (const word of words) assert.match(text, word);
    assert.doesNotMatch(text, MEXICO);
  });
  await assertSound(page);
}

shop.test("the amount and the pickup are Spain's", SPAIN, async (checkout, page) => {
  await page.locator("[data-side=send] input").fill("");
  await checkout.goOn();
  await assertSpain(page, /Falta la cantidad\./, /Importe/);
  await checkout.sendAmount("200");
  await checkout.toAccount({ method: "CASH_PICKUP" });
  await assertSpain(page, /Recogida/);
  await page.locator("[data-language=en]").click();
  await page.locator("[data-language=es]").click();
  await assertSpain(page, /Recogida/);
});

shop.test("a refused amount is put in Spain's words", { ...SPAIN, expectErrors: [/status of 400/] }, async (checkout, page) => {
  const json = [{ code: "InvalidAmount", message: "The amount is not valid." }];
  await page.route(/\/v1\/recipients$/, (route) => {
    const headers = { "access-control-allow-origin": "*" };
    return route.request().method() === "POST" ? route.fulfill({ status: 400, headers, json }) : route.continue();
  });
  await checkout.toRecipient();
  await checkout.goOn();
  await checkout.notice("error").waitFor();
  await assertSpain(page, /Escribe una cantidad válida\./);
});

shop.test("the fields of the service are Spain's", SPAIN, async (checkout, page) => {
  await checkout.openProfile();
  const license = checkout.field("ID_TYPE").locator("option").filter({ hasText: /^Permiso de conducir$/ });
  await license.waitFor({ state: "attached" });
  await assertSpain(page);
  await checkout.closeProfile("amount");
  await checkout.chooseRoute({ country: "MEX", method: "BANK_ACCOUNT" });
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await page.locator("input[value=BUSINESS]").check();
  await page.locator("[data-field] label").filter({ hasText: /^Actividad$/ }).first().waitFor();
  await assertSpain(page);
});

shop.test("the card and the receipt are Spain's", SPAIN, async (checkout, page) => {
  await checkout.toCardForm();
  await assertSpain(page, /No se aceptan de crédito ni de prepago\./);
  const form = checkout.frame.locator("body");
  await shows(form, /de prepago/);
  await checkout.frame.locator("#card-number").fill(GOOD_CARD);
  await checkout.frame.getByText("3 dígitos en el reverso").waitFor();
  await isAbsent(form.filter({ hasText: /prepagad|al reverso/ }), "the form says Spain's words");
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await checkout.readyToSend();
  await assertSpain(page);
  await checkout.send();
  await checkout.outcome();
  await assertSpain(page, /Justificante PDF/);
});
