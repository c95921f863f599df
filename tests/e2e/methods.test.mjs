import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { assertStill, takeBudget, watchBudget } from "./support/budget.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { assertSound, PHONE, screen, screensOf, shopSuite } from "./support/suite.mjs";
import { visitMethod } from "./support/visit.mjs";

const shop = shopSuite();
/** Each method runs on one of these screens, or on all. */
const SCREENS = [
  { width: 320, language: "en", colorScheme: "light" },
  { width: 320, language: "es", colorScheme: "dark" },
  { width: 1440, language: "en", colorScheme: "dark" },
  { width: 1440, language: "es", colorScheme: "light" },
];
/** What the review says about the method, in the language of its screen. */
const METHODS = {
  PUSH_TO_CARD: { en: "Debit card", es: "Tarjeta de débito" },
  BANK_ACCOUNT: { en: "Bank account ending 9719", es: "Cuenta bancaria terminada en 9719" },
  MOBILE_WALLET: { en: "Mobile wallet ending 5678", es: "Billetera móvil terminada en 5678" },
  CASH_PICKUP: { en: "Cash pickup", es: "Efectivo" },
};

for (const [at, [method, labels]] of Object.entries(METHODS).entries()) {
  const rows = SCREENS.map((row, index) => ({ ...row, inChoice: index === at }));
  for (const { width, language, colorScheme } of screensOf(rows)) {
    const options = screen(width, { language, colorScheme, scripts: [AXE, watchBudget] });
    shop.test(`${method} at ${width} px in ${language}, ${colorScheme}`, options, async (checkout, page) => {
      const shifts = [];
      await visitMethod(checkout, page, method, async (step) => {
        shifts.push(...(await takeBudget(page)).shifts);
        // Problems that scripted input solves shift the page, but browsers don't see that as input.
        if (step === "account, filled in") shifts.length = 0;
        assertStill(shifts, step);
        await assertSound(page, { axe: true, message: step });
        // The checks themselves scroll.
        await takeBudget(page);
        if (step === "review") await assertReview(checkout, page, method, labels[language]);
      });
      await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: method });
    });
  }
}

/** Asserts that the review has the same price as the summary, and each fact. */
async function assertReview({ text, submit }, page, method, label) {
  const facts = page.locator(".panel .fact");
  const prices = ["summary.receive", "summary.total", "delivery.by"].map((key) => text(key));
  assert.deepEqual((await facts.locator("dt").allInnerTexts()).slice(0, 3), prices);
  const [receive, total, by] = await facts.locator("dd").allInnerTexts();
  const summary = (name) => page.locator(`.line.${name} dd`).innerText();
  assert.deepEqual([receive, total], [await summary("receive"), await summary("total")]);
  assert.match(by, /\d/);
  assert.equal(await submit.innerText(), text("review.send", { total }));
  const country = text("review.country") === "País" ? "México" : "Mexico";
  const point = method === "CASH_PICKUP" ? ["Main Square, Corner Pay, Guadalajara"] : [];
  const expected = ["Ana María García", country, label, ...point, text("review.pay.balance")];
  assert.deepEqual(await page.locator(".fact dd span").allInnerTexts(), expected);
}

const SPANISH = { ...PHONE, language: "es", scripts: [AXE] };
shop.test("the review folds what is optional", SPANISH, async (checkout, page) => {
  await checkout.toReview();
  const fields = page.locator(".field-form");
  assert.equal(await fields.isVisible(), false);
  await page.getByText(checkout.text("review.more")).click();
  await fields.waitFor();
  await assertSound(page, { axe: true });
  // As a source of funds, SAVINGS is no account.
  const sources = await checkout.field("SOURCE_OF_FUNDS").locator("option").allTextContents();
  assert.ok(sources.includes("Ahorros"), sources.join());
});

shop.test("a card appears under the customer's name for it", { language: "es" }, async (checkout, page) => {
  const label = "Tarjeta de débito “Nómina”";
  await checkout.toCardForm();
  await checkout.field("CARD_NICKNAME").fill("Nómina");
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  assert.equal(await page.locator(".fact dd span").nth(2).innerText(), label);
  await checkout.send();
  const { transferId } = await checkout.outcome();
  const way = page.locator("[data-fact=way] dd");
  assert.equal(await way.innerText(), label);
  await page.reload();
  assert.equal((await checkout.outcome()).transferId, transferId);
  assert.equal(await way.innerText(), label);
});
