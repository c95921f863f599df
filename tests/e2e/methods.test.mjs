import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { MOST_MOVED, moved, takeBudget, watchBudget } from "./support/budget.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { screen, screensOf } from "./support/screens.mjs";
import { shopSuite } from "./support/suite.mjs";
import { walkMethod } from "./support/walk.mjs";

const shop = shopSuite();
// The narrowest and the widest screen, in both languages, light and dark: each method runs on one or all.
const SCREENS = [
  { width: 320, language: "en", colorScheme: "light" },
  { width: 320, language: "es", colorScheme: "dark" },
  { width: 1440, language: "en", colorScheme: "dark" },
  { width: 1440, language: "es", colorScheme: "light" },
];
// What the review says of the way, in the language of each screen.
const METHODS = {
  PUSH_TO_CARD: { en: "Debit card", es: "Tarjeta de débito" },
  BANK_ACCOUNT: { en: "Bank account ending 9719", es: "Cuenta bancaria terminada en 9719" },
  MOBILE_WALLET: { en: "Mobile wallet ending 5678", es: "Billetera móvil terminada en 5678" },
  CASH_PICKUP: { en: "Cash pickup", es: "Efectivo" },
};
const PAID_WITH = { en: "Your Sendero balance (demo money)", es: "Tu saldo en Sendero (dinero de prueba)" };

describe("every transfer method works, accessibly and without layout shifts", () => {
  for (const [at, [method, words]] of Object.entries(METHODS).entries()) {
    const screens = SCREENS.map((screen, own) => ({ ...screen, inChoice: own === at }));
    for (const { width, language, colorScheme } of screensOf(screens)) {
      test(`${method} at ${width} px in ${language}, ${colorScheme}`, async () => {
        await shop.inShop(async (checkout, page) => {
          const shifts = [];
          await walkMethod(checkout, page, method, async (step) => {
            shifts.push(...(await takeBudget(page)).shifts);
            // Filling in by script is not input to the browser: shifts from solved problems would count.
            if (step === "account, filled in") shifts.length = 0;
            assert.ok(moved(shifts) <= MOST_MOVED, `up to “${step}” the page moved by ${moved(shifts)}: ${JSON.stringify(shifts)}`);
            assert.deepEqual(await layoutFaults(page), [], step);
            assert.deepEqual(await axeProblems(page), [], step);
            // To look takes time, and moves what is scrolled: neither is the page's.
            await takeBudget(page);
            if (step === "review") {
              const facts = await page.locator(".fact dd span").allInnerTexts();
              const point = method === "CASH_PICKUP" ? ["Main Square, Corner Pay, Guadalajara"] : [];
              assert.deepEqual(facts.slice(2), [words[language], ...point, PAID_WITH[language]]);
            }
          });
          await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: method });
        }, screen(width, { language, colorScheme, scripts: [AXE, watchBudget] }));
      });
    }
  }
});
