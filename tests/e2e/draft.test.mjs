import assert from "node:assert/strict";
import { transferPosts } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { eventually, hasTexts, hasValue, isAbsent, shows } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

function input(page) {
  return page.locator("[data-field] [part~=control]").evaluateAll((all) => {
    const filled = all.filter(({ value }) => value);
    return Object.fromEntries(filled.map(({ name, value }) => [name, value]));
  });
}

/** Waits until the fields are filled in as before: the options of each dropdown arrive by themselves. */
function isRestored(page, before) {
  return eventually(async () => assert.deepEqual(await input(page), before));
}

shop.test("a reload at the recipient keeps everything typed", { language: "es" }, async (checkout, page) => {
  await checkout.chooseRoute({ country: "GTM", method: "BANK_ACCOUNT" });
  await page.locator("[data-side=receive] input").fill("1500");
  await checkout.priced();
  // settled: the price is there.
  const send = await checkout.line("send").innerText();
  await checkout.goOn("recipient");
  await checkout.fillForm();
  // The options of the city depend on the state.
  await checkout.field("ADDRESS_STATE").selectOption({ index: 1 });
  await checkout.field("ADDRESS_CITY").locator("option:nth-child(2)").waitFor({ state: "attached" });
  await checkout.field("ADDRESS_CITY").selectOption({ index: 2 });
  // A value that was removed again stays removed.
  await checkout.field("EMAIL_ADDRESS").fill("ana@example.com");
  await checkout.field("EMAIL_ADDRESS").press("Tab");
  await checkout.field("EMAIL_ADDRESS").fill("");
  // This field still has the focus.
  await checkout.field("lastName").fill("García Márquez");
  const before = await input(page);
  assert.ok(Object.keys(before).length > 4);
  await page.reload();
  await checkout.step("recipient");
  await checkout.formLoaded();
  await isRestored(page, before);
  await shows(page.locator("[part=prefix]:not([hidden])").first(), "+502");
  await checkout.priced();
  await shows(checkout.line("send"), send);
  await page.goBack();
  await checkout.step("amount");
  await checkout.priced();
  await hasValue(page.locator("[data-side=receive] input"), /^1,500/);
  await hasValue(page.locator("select[name=country]"), "GTM");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await checkout.goOn("account");
});

shop.test("a reload at the card keeps the recipient but no card data", async (checkout, page) => {
  await checkout.toCardForm();
  await checkout.frame.locator("#card-number").fill(GOOD_CARD);
  await checkout.frame.locator("#card-name").fill("Somebody Else");
  await checkout.field("CARD_NICKNAME").fill("Savings");
  await page.reload();
  await checkout.step("recipient");
  const stored = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  assert.match(await stored(), /García/);
  assert.doesNotMatch(await stored(), /4242|Somebody/);
  await checkout.formLoaded();
  await checkout.goOn("account");
  await checkout.cardStatus("ready");
  await hasValue(checkout.field("CARD_NICKNAME"), "Savings");
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await checkout.send();
  await checkout.outcome();
  const draft = () => page.evaluate(() => sessionStorage["shop-draft"]);
  await eventually(async () => assert.equal(await draft(), undefined));
});

shop.test("a reload at the pickup keeps the chosen pickup point", async (checkout, page) => {
  await checkout.toAccount({ method: "CASH_PICKUP" });
  const before = await input(page);
  assert.ok(before.PAYER_LOCATION);
  await page.reload();
  await checkout.step("recipient");
  await checkout.formLoaded();
  await checkout.goOn("account");
  await isRestored(page, before);
  await checkout.goOn("review");
  await checkout.readyToSend();
  await page.reload();
  await checkout.step("recipient");
  await checkout.formLoaded();
  await checkout.lookedUp();
  await isAbsent(page.locator(".notice"), "nothing was sent, so nothing is looked up");
  assert.deepEqual(transferPosts(page), []);
});

shop.test("a new visit to the shop starts from scratch", async (checkout, page) => {
  await checkout.toRecipient();
  await checkout.open();
  await checkout.staysAt("amount");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  assert.deepEqual(await input(page), {});
});

shop.test("a reload drops the draft of an earlier version of the shop", async (checkout, page) => {
  await page.evaluate(() => {
    const draft = JSON.stringify({ step: "recipient", wish: { country: "JPN" }, amount: "15000" });
    addEventListener("pagehide", () => sessionStorage.setItem("shop-draft", draft));
  });
  await page.reload();
  await checkout.priced();
  await hasValue(page.locator("[data-side=send] input"), "200.00");
});

shop.test("details are sent again only if they have changed", async (checkout, page) => {
  const posts = (path) =>
    page.seen.requests.filter(({ method, url }) => method === "POST" && url.endsWith(path)).length;
  const back = async (step) => {
    await page.goBack();
    await checkout.step(step);
    await checkout.formLoaded();
  };
  await checkout.toReview();
  await back("account");
  await checkout.goOn("review");
  assert.deepEqual([posts("/recipients"), posts("/accounts")], [1, 1]);
  await back("account");
  await checkout.field("BANK_ACCOUNT_NUMBER").fill("032180000118359720");
  await checkout.goOn("review");
  assert.deepEqual([posts("/recipients"), posts("/accounts")], [1, 2]);
  await back("account");
  await back("recipient");
  await checkout.field("lastName").fill("Rojas");
  await checkout.goOn("account");
  await checkout.formLoaded();
  await checkout.goOn("review");
  assert.deepEqual([posts("/recipients"), posts("/accounts")], [2, 3]);
  await checkout.send();
  await checkout.outcome();
  const facts = page.locator("[data-fact=recipient] dd, [data-fact=way] dd");
  await hasTexts(facts, ["Ana María Rojas", "Banco Primero, bank account ending 9720"]);
});
