import assert from "node:assert/strict";
import { assertStill, takeShifts, watchShifts } from "./support/budget.mjs";
import { passTimeUntil } from "./support/browser.mjs";
import { EXPIRING_CARD, GOOD_CARD, REFUSED_CARD } from "./support/checkout.mjs";
import { caughtUp, hasAttribute, hasCount, hasValue, isHidden, shows } from "./support/shown.mjs";
import { assertSound, CORS, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const FORM = /\/v2\/add-card\//;
const NO_FORM = { ...PHONE, expectErrors: [/net::ERR_|X-Frame-Options|refused to (connect|display)/i] };

/** Counts what a screen reader announces of a live region from now on. */
async function countChanges(region) {
  await region.evaluate((element) => {
    const seen = { childList: true, characterData: true, subtree: true };
    element.changes = 0;
    new MutationObserver(() => (element.changes += 1)).observe(element, seen);
  });
  return () => region.evaluate((element) => element.changes);
}
const formAddress = (page) => page.locator(".card-frame iframe").getAttribute("src");

shop.test("the form alone speaks of a refused card, and another one goes through", async (checkout, page) => {
  await checkout.toCardForm();
  const status = page.locator(".card-status p");
  const spoken = await countChanges(status);
  await checkout.frame.getByRole("button", { name: "Verify card" }).click();
  await checkout.frame.getByText("4 fields need your attention.").waitFor();
  await checkout.verifyCard(REFUSED_CARD);
  await checkout.frame.getByText("This card is invalid or inactive").first().waitFor();
  await shows(status, checkout.text("card.status.ready"));
  await caughtUp(page);
  assert.equal(await spoken(), 0);
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await checkout.send();
  await checkout.outcome();
});

shop.test("an expired session leads to a new form in the same place", async (checkout, page) => {
  await checkout.toCardForm();
  const first = await formAddress(page);
  await checkout.verifyCard(EXPIRING_CARD);
  await checkout.cardStatus("expired");
  await checkout.button("card.renew").click();
  await checkout.cardStatus("ready");
  assert.notEqual(new URL(await formAddress(page)).pathname, new URL(first).pathname);
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

shop.test("a form that never loads is reported, and can be loaded again", NO_FORM, async (checkout, page) => {
  await page.route(FORM, () => {});
  await page.clock.install();
  await checkout.toRecipient();
  await checkout.goOn("account");
  const notice = checkout.notice("error");
  await passTimeUntil(page, () => notice.count());
  await checkout.cardStatus("failed");
  await page.clock.resume();
  await assertSound(page);
  await page.unroute(FORM);
  await checkout.cardStatus("ready");
  await hasCount(notice, 0);
  const first = await formAddress(page);
  await page.getByText(checkout.text("card.help")).click();
  await checkout.button("card.reload").click();
  await page.waitForFunction((before) => document.querySelector(".card-frame iframe").src !== before, first);
});

const BLOCKED = { ...NO_FORM, language: "es" };
shop.test("the load of an error page does not count as ready", BLOCKED, async (checkout, page) => {
  const headers = { "x-frame-options": "DENY" };
  await page.route(FORM, (route) => route.fulfill({ status: 200, headers, body: "" }));
  await checkout.toCardForm();
  const { text } = checkout;
  await shows(page.locator(".card-status"), text("card.status.ready"));
  await isHidden(checkout.button("card.reload"), "the form counts as ready");
  await isHidden(page.locator(".card-status button"), "the form counts as ready");
  await page.unroute(FORM);
  await page.getByText(text("card.help")).click();
  await checkout.button("card.reload").press("Enter");
  // The pressed button is folded away.
  await page.locator(".card-status:focus-within").waitFor();
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

shop.test("a form that does not load leaves other ways and a retry", BLOCKED, async (checkout, page) => {
  await page.route(FORM, (route) => route.abort("connectionrefused"));
  await checkout.toRecipient();
  await checkout.goOn("account");
  // The browser's error page has loaded: nobody but the customer can tell it from the form.
  const notice = checkout.notice("warning");
  await notice.waitFor();
  await shows(notice.locator(".notice-title"), checkout.text("card.doubt.title"));
  await checkout.button("card.otherway", notice).press("Enter");
  await checkout.step("amount");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await checkout.goOn("account");
  await notice.waitFor();
  await page.unroute(FORM);
  await checkout.button("action.again", notice).click();
  await notice.waitFor({ state: "detached" });
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

shop.test("a form whose server seems unreachable stays usable", NO_FORM, async (checkout, page) => {
  // A content blocker that stops requests by script, and not frames.
  await page.route(FORM, (route) => (route.request().method() === "HEAD" ? route.abort() : route.continue()));
  await checkout.toCardForm();
  await checkout.notice("warning").filter({ hasText: checkout.text("card.doubt.title") }).waitFor();
  await assertSound(page);
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

shop.test("a form kept out by a lost connection opens on reconnecting", NO_FORM, async (checkout, page) => {
  await checkout.toRecipient();
  await page.route(FORM, async (route) => {
    await page.context().setOffline(true);
    await route.abort("internetdisconnected");
  });
  await checkout.goOn("account");
  await checkout.notice("warning").filter({ hasText: checkout.text("card.failed.offline") }).waitFor();
  await page.unroute(FORM);
  await page.context().setOffline(false);
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

const WATCHED = { ...PHONE, scripts: [watchShifts], expectErrors: [/status of 400 .*\/accounts/] };
shop.test("an account refused after verification shifts nothing", WATCHED, async (checkout, page) => {
  await checkout.toCardForm();
  const code = "BillingAndDestinationCurrencyCodeDiscrepancyError";
  await page.route(/\/accounts$/, async (route) => {
    // Later than what browsers attribute to the click.
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.fulfill({ status: 400, headers: CORS, json: [{ code, message: "Another currency." }] });
  });
  await takeShifts(page);
  await checkout.verifyCard(GOOD_CARD);
  const notice = checkout.notice("error");
  await notice.waitFor();
  assertStill(await takeShifts(page), code);
  await assertSound(page);
  await page.unroute(/\/accounts$/);
  await checkout.button("card.another", notice).click();
  await checkout.cardStatus("ready");
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

const SPANISH_PHONE = { ...PHONE, language: "es", isMobile: true, hasTouch: true };
shop.test("changing the language keeps the card form's input", SPANISH_PHONE, async (checkout, page) => {
  await checkout.toCardForm();
  const number = checkout.frame.locator("#card-number");
  await number.fill("4242");
  const language = (name) => page.locator(`[data-language=${name}]`);
  const notice = checkout.notice("info");
  await language("en").click();
  await notice.filter({ hasText: "The card form is still in Spanish" }).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await caughtUp(page);
  await hasValue(number, "4242");
  await assertSound(page);
  await language("es").click();
  await notice.waitFor({ state: "detached" });
  await language("en").click();
  await notice.getByRole("button", { name: "Clear it and show it in English" }).press("Enter");
  await checkout.frame.locator("html[lang=en]").waitFor();
  await hasCount(notice, 0);
  await page.locator(".card-status:focus-within").waitFor();
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
});

shop.test("an unused card form follows the language, and all input is kept", async (checkout, page) => {
  const about = page.locator(".step-head p");
  await checkout.toRecipient({ country: "USA" });
  await page.locator("[data-language=es]").click();
  await shows(page.locator("h1"), "¿Quién recibe el dinero?");
  await hasAttribute(page.locator("html"), "lang", "es-MX");
  await hasValue(checkout.field("firstName"), "Ana María");
  await checkout.goOn("account");
  await checkout.cardStatus("ready");
  await hasAttribute(checkout.frame.locator("html"), "lang", "es-MX");
  await shows(about, /una de débito en dólares estadounidenses\./);
  await page.locator("[data-language=en]").click();
  await shows(about, /a debit card in US dollars\./);
  await checkout.frame.locator("html[lang=en]").waitFor();
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await shows(page.locator("h1"), checkout.text("review.title"));
});

shop.test("a card appears under the customer's name for it", { language: "es" }, async (checkout, page) => {
  const label = "Tarjeta de débito “Nómina”";
  await checkout.toCardForm();
  await checkout.field("CARD_NICKNAME").fill("Nómina");
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await shows(page.locator(".fact dd span").nth(2), label);
  await checkout.send();
  const { transferId } = await checkout.outcome();
  const way = page.locator("[data-fact=way] dd");
  await shows(way, label);
  await page.reload();
  assert.equal((await checkout.outcome()).transferId, transferId);
  await shows(way, label);
});
