// Recipients and accounts of earlier transfers, and sending again.

import assert from "node:assert/strict";
import { transferPosts } from "./support/browser.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { assertSound, CORS, PHONE, shopSuite } from "./support/suite.mjs";
import { AXE } from "./support/axe.mjs";
import {
  contains,
  disappears,
  hasAttribute,
  hasCount,
  hasValue,
  isAbsent,
  isChecked,
  isHidden,
  shows,
} from "./support/shown.mjs";

const shop = shopSuite();
const REFUSALS = { expectErrors: [/Failed to load resource|net::ERR_/] };

const posts = (page) => page.seen.requests.filter(({ method }) => method === "POST" || method === "PUT");
const saved = (page) => page.locator("input[name=saved-recipient]:not([value=new])");
const accounts = (page) => page.locator("input[name=saved-account]:not([value=new])");

/** Sends a first transfer and opens the shop again. Returns its request. */
async function sendFirst(checkout, route) {
  await checkout.toReview(route);
  await checkout.send();
  await checkout.outcome();
  await checkout.button("done.another").click();
  await checkout.priced();
  return lastRequest(checkout.page);
}

const lastRequest = (page) => JSON.parse(transferPosts(page).at(-1).body);

/** Asserts that the last transfer goes where the `first` one went. */
async function assertSameAccount(checkout, first) {
  const outcome = await checkout.outcome();
  const last = lastRequest(checkout.page);
  assert.deepEqual([last.recipientId, last.recipientAccountId], [first.recipientId, first.recipientAccountId]);
  await assertRecorded(shop.baseUrl, outcome, { quoteHistoryId: last.quoteHistoryId });
}

for (const [language, options] of [["en", {}], ["es", PHONE]]) {
  const name = `a saved recipient and account lead to the review without input (${language})`;
  shop.test(name, { language, scripts: [AXE], ...options }, async (checkout, page) => {
    const first = await sendFirst(checkout);
    await checkout.goOn("recipient");
    await checkout.formLoaded();
    // Nobody is chosen by itself.
    await isChecked(page.locator("input[name=saved-recipient][value=new]"));
    const group = page.getByRole("group", { name: checkout.text("recipient.saved") });
    await assertSound(page, { axe: true });
    const before = posts(page).length;
    await group.getByRole("radio", { name: "Ana María García" }).first().check();
    await disappears(page.locator(".field-form"));
    await assertSound(page, { axe: true });
    await checkout.goOn("account");
    await accounts(page).first().waitFor();
    await isChecked(accounts(page).first());
    const tile = page.locator(".tile").filter({ has: accounts(page).first() });
    await shows(tile, /, .*9719/);
    await assertSound(page, { axe: true });
    await checkout.goOn("review");
    await checkout.readyToSend();
    await contains(page.locator(".panel .facts").last(), "Ana María García", "9719");
    await checkout.send();
    await assertSameAccount(checkout, first);
    assert.equal(posts(page).length - before, 1, "only the transfer is posted");
  });

  const again = `a transfer is sent again at today's price (${language})`;
  shop.test(again, { language }, async (checkout, page) => {
    const first = await sendFirst(checkout, { amount: "137" });
    await checkout.button("transfers.title").click();
    await page.locator(".transfer").first().click();
    await checkout.button("transfers.again").focus();
    await page.keyboard.press("Enter");
    await checkout.step("review");
    await checkout.readyToSend();
    const { length } = transferPosts(page);
    assert.equal(length, 1, "nothing is sent before the customer has seen the price");
    await shows(checkout.line("send"), /137/);
    await checkout.send();
    await assertSameAccount(checkout, first);
    assert.notEqual(lastRequest(page).quoteHistoryId, first.quoteHistoryId);
    // The history leads to no step of the transfer that was sent, once the customer has seen the outcome.
    await checkout.outcomeSeen();
    await page.goBack();
    await checkout.step("amount");
  });
}

shop.test("the keyboard alone chooses a saved recipient and a new account", async (checkout, page) => {
  await sendFirst(checkout);
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await saved(page).first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await checkout.step("account");
  await accounts(page).first().focus();
  await page.keyboard.press("ArrowUp");
  await isChecked(page.locator("input[name=saved-account][value=new]"));
  await checkout.formLoaded();
  await checkout.fillForm();
  await checkout.goOn("review");
  await checkout.readyToSend();
  await page.goBack();
  await checkout.step("account");
  await accounts(page).nth(1).waitFor();
  await isChecked(accounts(page).first(), "the new account is kept");
});

shop.test("a saved card needs no card form, and another card has one", async (checkout, page) => {
  await checkout.toCardReview();
  await page.goBack();
  await checkout.step("account");
  await page.goBack();
  await checkout.step("recipient");
  await saved(page).first().check();
  await checkout.goOn("account");
  await accounts(page).first().waitFor();
  await isAbsent(page.locator(".card-frame iframe"), "the saved card is offered");
  await page.locator("input[name=saved-account][value=new]").check();
  await checkout.cardStatus("ready");
  await disappears(checkout.submit);
  await accounts(page).first().check();
  await hasCount(page.locator(".card-frame iframe"), 0);
  await checkout.goOn("review");
  await checkout.readyToSend();
  await checkout.send();
  await checkout.outcome();
});

shop.test("details that another way to receive needs are asked for once", async (checkout, page) => {
  await sendFirst(checkout);
  await checkout.chooseRoute({ method: "CASH_PICKUP" });
  for (const isFirst of [true, false]) {
    await checkout.goOn("recipient");
    await saved(page).first().check();
    await checkout.goOn(isFirst ? undefined : "account");
    if (!isFirst) break;
    await checkout.notice("info").filter({ hasText: "Ana María García" }).waitFor();
    await hasValue(checkout.field("firstName"), "Ana María");
    await checkout.fillForm();
    await checkout.goOn("account");
    const [put] = page.seen.requests.filter(({ method }) => method === "PUT");
    const ids = JSON.parse(put.body).fields.map(({ id }) => id);
    assert.ok(ids.includes("PHONE_NUMBER") && ids.includes("ADDRESS_LINE_1"), ids.join());
    await page.goBack();
    await checkout.step("recipient");
    await page.goBack();
    await checkout.step("amount");
    await checkout.priced();
  }
});

for (const language of ["en", "es"]) {
  const name = `a saved recipient can be changed, and removed once that is confirmed (${language})`;
  shop.test(name, { language, scripts: [AXE], ...PHONE }, async (checkout, page) => {
    const { recipientId } = await sendFirst(checkout);
    const sent = (method) => page.seen.requests.filter((one) => one.method === method);
    await checkout.goOn("recipient");
    await checkout.formLoaded();
    await page.locator(`input[name=saved-recipient][value="${recipientId}"]`).check();
    await checkout.button("saved.edit").press("Enter");
    await checkout.formLoaded();
    await hasValue(checkout.field("firstName"), "Ana María");
    await checkout.hasFocus("firstName");
    await checkout.field("lastName").fill("Rojas");
    await assertSound(page, { axe: true });
    await checkout.goOn("account");
    const [put] = sent("PUT");
    assert.ok(put.url.endsWith(recipientId));
    assert.equal(JSON.parse(put.body).fields.find(({ id }) => id === "lastName").value, "Rojas");

    await page.goBack();
    await checkout.step("recipient");
    await page.locator(`input[name=saved-recipient][value="${recipientId}"]:checked`).waitFor();
    const remove = checkout.button("saved.remove");
    await remove.press("Enter");
    const notice = checkout.notice("warning").filter({ hasText: "Ana María Rojas" });
    await assertSound(page, { axe: true });
    await checkout.button("saved.remove.keep", notice).press("Enter");
    await hasCount(notice, 0);
    assert.equal(sent("DELETE").length, 0);
    await remove.press("Enter");
    await checkout.button("saved.remove.yes", notice).press("Enter");
    await checkout.notice("success").filter({ hasText: "Ana María Rojas" }).waitFor();
    assert.deepEqual(sent("DELETE").map(({ url }) => url.endsWith(recipientId)), [true]);
    await hasCount(page.locator(`input[value="${recipientId}"]`), 0);
  });
}

const sentBy = (page, method) => page.seen.requests.filter((one) => one.method === method);

shop.test("what is chosen while fields load counts, and the button works afterwards", {}, async (checkout, page) => {
  await sendFirst(checkout);
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await checkout.fillForm();
  await checkout.goOn("account");
  await page.goBack();
  await checkout.step("recipient");
  await saved(page).nth(1).waitFor();
  // settled: saved recipients are listed at once.
  const [one, other] = await saved(page).evaluateAll((tiles) => tiles.map(({ value }) => value));
  let release;
  const hold = () => {
    const held = new Promise((resolve) => (release = resolve));
    return page.route(/recipient-fields/, async (route) => {
      await held;
      await route.continue();
    });
  };

  await hold();
  await page.locator(`input[value="${one}"]`).check();
  await checkout.button("saved.edit").click();
  await page.locator(`input[value="${other}"]`).check();
  release();
  await checkout.submit.waitFor();
  await isHidden(page.locator(".field-form"), "another one was chosen before its fields were there");
  await checkout.goOn("account");
  await page.unroute(/recipient-fields/);
  assert.equal(sentBy(page, "PUT").length, 0);
  await page.goBack();
  await checkout.step("recipient");
  await page.locator(`input[value="${other}"]:checked`).waitFor();

  await page.locator(`input[value="${one}"]`).check();
  await hold();
  await checkout.button("saved.remove").click();
  const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
  await checkout.button("saved.remove.yes", checkout.notice("warning")).click();
  await removed;
  await page.locator(`input[value="${other}"]`).check();
  await checkout.button("saved.edit").click();
  release();
  await checkout.formLoaded();
  await checkout.field("lastName").fill("Rojas");
  await checkout.goOn("account");
  assert.deepEqual(sentBy(page, "PUT").map(({ url }) => url.endsWith(other)), [true]);
});

for (const language of ["en", "es"]) {
  const name = `a saved account can be changed, and removed once that is confirmed (${language})`;
  shop.test(name, { language, scripts: [AXE], ...PHONE }, async (checkout, page) => {
    const { recipientId, recipientAccountId } = await sendFirst(checkout);
    const { text } = checkout;
    await checkout.goOn("recipient");
    await page.locator(`input[value="${recipientId}"]`).check();
    await checkout.goOn("account");
    await accounts(page).first().waitFor();
    await checkout.button("saved.edit").press("Enter");
    const number = checkout.field("BANK_ACCOUNT_NUMBER");
    await number.waitFor();
    await checkout.hasFocus("BANK_ID");
    await hasValue(checkout.field("BANK_ID"), /./);
    // The service shows only a part of the number, and takes only the whole record.
    await hasAttribute(number, "placeholder", /^•+9719$/);
    await assertSound(page, { axe: true });
    await checkout.goOn();
    await hasAttribute(number, "aria-invalid", "true");
    await checkout.hasFocus("BANK_ACCOUNT_NUMBER");
    const again = language === "es" ? /^CLABE: .*de nuevo/ : /^CLABE: please enter it again/;
    await page.locator("[data-field=BANK_ACCOUNT_NUMBER] [part=problem]", { hasText: again }).waitFor();
    assert.equal(sentBy(page, "PUT").length, 0);
    await number.fill("032180000118359720");
    await checkout.goOn("review");
    await checkout.readyToSend();
    const [put, ...others] = sentBy(page, "PUT");
    assert.equal(others.length, 0);
    assert.match(put.url, new RegExp(`/${recipientId}/accounts/${recipientAccountId}$`));
    assert.equal(JSON.parse(put.body).fields.find(({ id }) => id === "BANK_ACCOUNT_NUMBER").value, "032180000118359720");
    await shows(page.locator(".panel .facts").last(), /Banco Primero, .* 9720/);

    await page.goBack();
    await checkout.step("account");
    await accounts(page).first().waitFor();
    await hasCount(accounts(page), 1, "it is the same account");
    const notice = checkout.notice("warning").filter({ hasText: "9720" });
    const remove = checkout.button("saved.remove");
    await remove.press("Enter");
    await assertSound(page, { axe: true });
    await contains(notice, text("account.remove.text"));
    await checkout.button("saved.remove.keep", notice).press("Enter");
    assert.equal(sentBy(page, "DELETE").length, 0);
    await remove.press("Enter");
    await checkout.button("saved.remove.yes", notice).press("Enter");
    await checkout.notice("success").filter({ hasText: "9720" }).waitFor();
    assert.deepEqual(sentBy(page, "DELETE").map(({ url }) => url.endsWith(recipientAccountId)), [true]);
    await hasCount(accounts(page), 0);
    await checkout.fillForm();
    await checkout.goOn("review");
    await checkout.readyToSend();
    await checkout.send();
    await checkout.outcome();
    assert.notEqual(lastRequest(page).recipientAccountId, recipientAccountId);
  });
}

for (const [language, method, id, typed] of [
  ["es", "MOBILE_WALLET", "PHONE_NUMBER", "5587654321"],
  ["en", "PUSH_TO_CARD", "CARD_NICKNAME", "Everyday"],
]) {
  shop.test(`a saved ${method} keeps what is not changed (${language})`, { language }, async (checkout, page) => {
    if (method === "PUSH_TO_CARD") await checkout.toCardReview();
    else await checkout.toReview({ method });
    const isPost = ({ method, url }) => method === "POST" && url.endsWith("/accounts");
    const before = JSON.parse(page.seen.requests.find(isPost).body).fields;
    for (const step of ["account", "recipient"]) {
      await page.goBack();
      await checkout.step(step);
    }
    await saved(page).first().check();
    await checkout.goOn("account");
    await accounts(page).first().waitFor();
    await checkout.button("saved.edit").click();
    await checkout.field(id).waitFor();
    await isAbsent(page.locator(".card-frame iframe"), "the card's fields are there");
    await checkout.field(id).fill(typed);
    await checkout.goOn("review");
    await checkout.readyToSend();
    const after = JSON.parse(sentBy(page, "PUT")[0].body).fields;
    const unchanged = (fields) => fields.filter((field) => field.id !== id);
    assert.deepEqual(unchanged(after), unchanged(before));
    assert.match(JSON.stringify(after), new RegExp(typed));
    await shows(page.locator(".panel .facts").last(), /4321|Everyday/);
    await checkout.send();
    await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: method });
  });
}

shop.test("a customer goes on without the list of recipients", REFUSALS, async (checkout, page) => {
  await page.route(/\/v1\/recipients(\?|$)/, (route) => {
    return route.request().method() === "GET" ? route.abort("connectionrefused") : route.continue();
  });
  await checkout.toRecipient({ method: "BANK_ACCOUNT" });
  await isAbsent(saved(page), "the form of a new recipient is filled in");
  await checkout.goOn("account");
  await checkout.fillForm();
  await checkout.goOn("review");
  await checkout.readyToSend();
});

shop.test("what can't be sent again is said, and leads on", REFUSALS, async (checkout, page) => {
  await sendFirst(checkout);
  await checkout.button("transfers.title").click();
  await page.locator(".transfer").first().click();
  await page.route(/\/accounts$/, (route) => route.fulfill({ headers: CORS, json: { accounts: [] } }));
  await checkout.button("transfers.again").click();
  // Without its account, the transfer needs another.
  await checkout.step("account");
  await checkout.formLoaded();
  await checkout.openProfile();
  await checkout.closeProfile("account");
  await page.goto(`${shop.shopUrl}/`);
  await checkout.priced();
  await checkout.button("transfers.title").click();
  await page.locator(".transfer").first().click();
  await checkout.button("transfers.again").waitFor();
  await page.route(/\/v1\/corridors/, async (route) => {
    const response = await route.fetch();
    const corridors = await response.json();
    const json = corridors.filter(({ transferMethod }) => transferMethod !== "BANK_ACCOUNT");
    await route.fulfill({ response, json });
  });
  await checkout.button("transfers.again").click();
  await checkout.notice("error").filter({ hasText: checkout.text("transfers.again.gone.title") }).waitFor();
  await checkout.button("done.another", checkout.notice("error")).click();
  await checkout.step("amount");
});

shop.test("four recipients are in sight, and all on request", async (checkout, page) => {
  await page.route(/\/v1\/recipients(\?|$)/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const recipients = Array.from({ length: 7 }, (_, at) => ({
      recipientId: `00000000-0000-4000-8000-00000000000${at}`,
      recipientType: "PERSON",
      firstName: "Rosa",
      lastName: `Núñez ${at}`,
      createdAt: `2026-0${at + 1}-01T00:00:00Z`,
      fields: [],
    }));
    await route.fulfill({ headers: CORS, json: { recipients } });
  });
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await hasCount(saved(page), 4);
  await page.getByRole("button", { name: "Show all 7" }).press("Enter");
  await hasCount(saved(page), 7);
  const focused = page.locator("label:focus-within");
  await shows(focused, /^Rosa Núñez 2/, "the newest come first, and the focus goes to the first new one");
  await assertSound(page);
});
