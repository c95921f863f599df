// Each step of the checkout: its layout, what axe and a screen reader find, and that it does not move.

import assert from "node:assert/strict";
import { readingFaults } from "./support/axe.mjs";
import { assertStill, delayReplies, takeShifts, watchShifts } from "./support/budget.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { hasAttribute, hasTexts, isHidden, shows } from "./support/shown.mjs";
import { assertSound, PHONE, screen, screensOf, shopSuite } from "./support/suite.mjs";
import { visit } from "./support/visit.mjs";

const shop = shopSuite();

function applyStyle(page, text) {
  return page.evaluate((css) => {
    // The page's policy allows no inline styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, text);
}

const SCREENS = [
  { width: 320, language: "en", colorScheme: "light", reducedMotion: "reduce" },
  { width: 320, language: "es", colorScheme: "dark", reducedMotion: "no-preference" },
  { width: 375, language: "en", colorScheme: "dark", reducedMotion: "no-preference" },
  { width: 768, language: "es", colorScheme: "light", reducedMotion: "reduce" },
  { width: 1440, language: "en", colorScheme: "dark", reducedMotion: "reduce" },
  { width: 1440, language: "es", colorScheme: "light", reducedMotion: "no-preference" },
];
/** The screens that each method is always tested on, and what the review says about it. */
const METHODS = {
  PUSH_TO_CARD: { choice: [1], en: "Debit card", es: "Tarjeta de débito" },
  BANK_ACCOUNT: { choice: [4], en: "Banco Primero, bank account ending 9719", es: "Banco Primero, cuenta bancaria terminada en 9719" },
  MOBILE_WALLET: { choice: [0], en: "Mobile wallet, number ending 5678", es: "Billetera digital, número terminado en 5678" },
  CASH_PICKUP: { choice: [3], en: "Cash pickup", es: "Efectivo" },
};

for (const [method, { choice, ...labels }] of Object.entries(METHODS)) {
  const rows = SCREENS.map((row, at) => ({ ...row, inChoice: choice.includes(at) }));
  for (const { width, inChoice: _, ...look } of screensOf(rows)) {
    const { language, colorScheme } = look;
    const options = screen(width, { ...look, scripts: [watchShifts] });
    shop.test(`${method} at ${width} px in ${language}, ${colorScheme}`, options, async (checkout, page) => {
      await hasAttribute(page.locator("html"), "lang", new RegExp(`^${language}`));
      await delayReplies(page);
      await checkout.open();
      const shifts = [];
      await visit(checkout, page, method, async (step) => {
        const latest = await takeShifts(page);
        // Problems that scripted input solves shift the page, but browsers don't see that as input.
        if (!step.endsWith("filled in")) shifts.push(...latest);
        assertStill(shifts, step);
        await assertSound(page, { axe: true, message: step });
        assert.deepEqual(await readingFaults(page), [], step);
        // The checks themselves scroll.
        await takeShifts(page);
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
  // settled: the review has its final price.
  assert.deepEqual((await facts.locator("dt").allInnerTexts()).slice(0, 3), prices);
  // settled: as above.
  const [receive, total, by] = await facts.locator("dd").allInnerTexts();
  const summary = (name) => page.locator(`.line.${name} dd`).innerText();
  assert.deepEqual([receive, total], [await summary("receive"), await summary("total")]);
  assert.match(by, /\d/);
  await shows(submit, text("review.send", { total }));
  const country = text("review.country") === "País" ? "México" : "Mexico";
  const point = method === "CASH_PICKUP" ? ["Plaza Principal, Tiendas La Esquina, Guadalajara"] : [];
  const expected = ["Ana María García", country, label, ...point, text("review.pay.balance")];
  await hasTexts(page.locator(".fact dd span"), expected);
}

const SPANISH = { ...PHONE, language: "es" };
shop.test("the review folds what is optional", SPANISH, async (checkout, page) => {
  await checkout.toReview();
  const fields = page.locator(".field-form");
  await isHidden(fields, "the review has its final price");
  await page.getByText(checkout.text("review.more")).click();
  await fields.waitFor();
  await assertSound(page, { axe: true });
  // As a source of funds, SAVINGS is no account.
  const savings = checkout.field("SOURCE_OF_FUNDS").locator("option").filter({ hasText: /^Ahorros$/ });
  await savings.waitFor({ state: "attached" });
});

/** Text spacing that readers may set, as WCAG 1.4.12 has it. */
const SPACED =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }";

shop.test("wider text fits on a phone", screen(320, { language: "es" }), async (checkout, page) => {
  await applyStyle(page, SPACED);
  await visit(checkout, page, "PUSH_TO_CARD", async (step) => {
    const faults = await layoutFaults(page);
    // The text of an input scrolls.
    assert.deepEqual(faults.filter((fault) => !/px for a text of/.test(fault)), [], step);
  });
});

/** Styles that each break the first step in one way, with the fault to be found. */
const BROKEN = {
  ".panel { width: 130vw }": /wide on a screen of|reaches beyond the screen/,
  ".actions { margin-top: -10rem }": /overlaps/,
  ".summary h2 { margin-bottom: -1.5rem }": /texts of .* overlap/,
  ".actions .button { flex: none; width: 2rem; padding: 0; overflow: hidden; white-space: nowrap }":
    /“Continue” is cut off by/,
  ".actions .button { height: 0.5rem; min-height: 0; padding: 0; line-height: 3rem }": /spills out of/,
  ".actions .button { min-height: 2.5rem }": /low for a button/,
  ".actions .button { flex: none; width: 3.75rem; overflow-wrap: anywhere }": /its words in \d lines/,
  ".site-tool { min-height: 0; height: 1.25rem; padding-block: 0; line-height: 1 }": /too small to be hit/,
  "[part=method-list] { display: flex; flex-direction: column-reverse }": /follows .* and stands before it/,
  "remit-amount [part=box] { flex-wrap: nowrap; } [part=currency] { width: 70% }": /has \d+ px for a text of/,
  ".line.receive dd { max-width: 3rem; overflow-wrap: anywhere }": /is broken in the middle/,
};

shop.test("the layout check finds every deliberate fault", PHONE, async (_, page) => {
  for (const [css, pattern] of Object.entries(BROKEN)) {
    await applyStyle(page, css);
    const faults = await layoutFaults(page);
    assert.ok(faults.some((fault) => pattern.test(fault)), `${css}: ${JSON.stringify(faults)}`);
  }
  await applyStyle(page, "");
  await assertSound(page);
});
