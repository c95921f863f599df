import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { toReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const WORDS = {
  en: { open: "Your transfers", find: "Look it up", unknown: "You have no transfer with this number.", missing: "Confirmation number is missing.", way: "Mobile wallet ending 5678", others: "Show other transfers", back: "Back to the transfer", fee: "Transfer fee" },
  es: { open: "Tus envíos", find: "Consultar", unknown: "No tienes ningún envío con este número.", missing: "Número de confirmación", way: "Billetera móvil terminada en 5678", others: "Ver otros envíos", back: "Volver al envío", fee: "Comisión de envío" },
};

/** Returns what is shown of a transfer, by name; without its arrival, which goes once it is delivered. */
function facts(page) {
  return page.locator(".panel [data-fact]:not([data-fact=by])").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.fact, one.querySelector("dd").innerText])));
}

for (const [language, words] of Object.entries(WORDS)) {
  test(`a transfer is found by its number and in the recent list (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout, { method: "MOBILE_WALLET" });
      const total = await page.locator(".line.total dd").innerText();
      const fee = await page.locator(".line.fee dd").first().innerText();
      await checkout.send();
      const { transferId, confirmationNumber } = await checkout.outcome();
      const told = await facts(page);
      assert.equal(await page.locator("[data-fact=fee] dt").innerText(), words.fee);
      assert.deepEqual([told.total, told.fee, told.recipient, told.way], [total, fee, "Ana María García", words.way]);

      // As another visit, on another device: nothing but the number is known.
      await page.waitForFunction(() => JSON.parse(localStorage.getItem("shop-sent")).every(({ isShown }) => isShown));
      await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
      await checkout.open();
      await page.locator("#amount-send").fill("321");
      await checkout.priced();
      await page.getByRole("button", { name: words.open }).click();
      await checkout.step("transfers");
      const number = page.locator("input[name=confirmation]");
      const find = page.getByRole("button", { name: words.find });
      await page.locator(".transfer").first().waitFor();
      assert.deepEqual([await layoutFaults(page), await axeProblems(page)], [[], []]);
      await find.click();
      await page.locator(".field-note.problem").filter({ hasText: words.missing }).waitFor();
      await number.fill("12345");
      await number.press("Enter");
      await page.locator(".field-note.problem").filter({ hasText: words.unknown }).waitFor();
      assert.equal(await number.evaluate((input) => input === document.activeElement), true);
      assert.deepEqual([await layoutFaults(page), await axeProblems(page)], [[], []]);
      await number.fill(` ${confirmationNumber.slice(0, 4)} ${confirmationNumber.slice(4)}`);
      await find.click();
      await page.locator("[data-transfer]").filter({ hasText: transferId }).waitFor();
      assert.deepEqual(await facts(page), told);
      assert.deepEqual([await layoutFaults(page), await axeProblems(page)], [[], []]);
      await page.getByRole("button", { name: words.others }).click();
      await page.locator(".transfer").filter({ hasText: confirmationNumber }).click();
      await page.locator("[data-transfer]").filter({ hasText: transferId }).waitFor();

      // The checkout beside it is as it was.
      await page.getByRole("button", { name: words.back }).click();
      await checkout.step("amount");
      await checkout.priced();
      assert.match(await page.locator("#amount-send").inputValue(), /^321/);
    }, { viewport: { width: 320, height: 800 }, scripts: [AXE], locale: language === "es" ? "es-MX" : "en-US" });
  });
}

test("a failed list of transfers loads once the connection is back", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Your transfers" }).click();
    await page.locator(".panel .notice.error").waitFor();
    await page.context().setOffline(false);
    await page.locator(".transfer, .panel p.muted").first().waitFor();
    assert.equal(await page.locator(".notice").count(), 0);
  }, { expectErrors: [/net::ERR_/] });
});
