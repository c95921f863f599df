import assert from "node:assert/strict";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { toCardForm, toFilledAccount } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

/** Returns what is filled in, by field. */
function typed(page) {
  return page.locator("[data-field]").evaluateAll((all) => Object.fromEntries(all.filter(({ value }) => value).map((one) => [one.dataset.field, one.value])));
}

/** Waits until as many fields are filled in as before: each dropdown's options come by a request of its own. */
async function assertRestored(page, before) {
  await page.waitForFunction((count) => [...document.querySelectorAll("[data-field]")].filter(({ value }) => value).length === count, Object.keys(before).length);
  assert.deepEqual(await typed(page), before);
}

for (const locale of ["en-US", "es-MX"]) {
  test(`a reload at the recipient keeps everything typed, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await checkout.chooseRoute({ country: "GTM", method: "BANK_ACCOUNT" });
      await page.locator("#amount-receive").fill("1500");
      await checkout.priced();
      const send = await page.locator(".line.send dd").innerText();
      await checkout.goOn("recipient");
      await checkout.fillForm();
      // Choices that others depend on, and their options come from the service.
      await page.locator("[data-field=ADDRESS_STATE]").selectOption({ index: 1 });
      await page.locator("[data-field=ADDRESS_CITY] option:nth-child(2)").waitFor({ state: "attached" });
      await page.locator("[data-field=ADDRESS_CITY]").selectOption({ index: 2 });
      // Typed and not yet left.
      await page.locator("[data-field=lastName]").fill("García Márquez");
      const before = await typed(page);
      assert.ok(Object.keys(before).length > 4);
      await page.reload();
      await checkout.step("recipient");
      await page.locator(".field-form").waitFor();
      await assertRestored(page, before);
      assert.equal(await page.locator(".prefix").first().innerText(), "+502");
      await checkout.priced();
      assert.equal(await page.locator(".line.send dd").innerText(), send);
      await page.goBack();
      await checkout.step("amount");
      await checkout.priced();
      assert.match(await page.locator("#amount-receive").inputValue(), /^1,500/);
      assert.equal(await page.locator("select[name=country]").inputValue(), "GTM");
      await checkout.goOn("recipient");
      await page.locator(".field-form").waitFor();
      await checkout.goOn("account");
    }, { locale });
  });

  test(`a reload at the card keeps the recipient but no card data, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toCardForm(checkout);
      await checkout.frame.locator("#card-number").fill(GOOD_CARD);
      await checkout.frame.locator("#card-name").fill("Somebody Else");
      await page.locator("[data-field=CARD_NICKNAME]").fill("Savings");
      await page.reload();
      await checkout.step("recipient");
      const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
      assert.match(kept, /García/);
      assert.doesNotMatch(kept, /4242|Somebody/);
      await page.locator(".field-form").waitFor();
      await checkout.goOn("account");
      await checkout.waitForEvent("READY");
      assert.equal(await page.locator("[data-field=CARD_NICKNAME]").inputValue(), "Savings");
      await checkout.verifyCard(GOOD_CARD);
      await checkout.step("review");
      await checkout.send();
      await checkout.outcome();
      assert.doesNotMatch(await page.evaluate(() => sessionStorage["shop-draft"] ?? ""), /García/, "what was sent is no draft");
    }, { locale });
  });

  test(`a reload at the pickup keeps the chosen pickup point, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toFilledAccount(checkout, { method: "CASH_PICKUP" });
      const before = await typed(page);
      assert.ok(before.PAYER_LOCATION);
      await page.reload();
      await checkout.step("recipient");
      await page.locator(".field-form").waitFor();
      await checkout.goOn("account");
      await assertRestored(page, before);
      await checkout.goOn("review");
    }, { locale });
  });
}

test("a new visit to the shop starts from scratch", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.open();
    assert.equal(await page.locator("html").getAttribute("data-step"), "amount");
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    assert.deepEqual(await typed(page), {});
  });
});
