// The transfers that were made: their course, their receipt, and how they are found again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { advanceClock } from "./support/sandbox.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const REFUSALS = { expectErrors: [/Failed to load resource|net::ERR_/] };
/** Longer than a transfer to a card takes. */
const DELIVERY_S = 60;

/** Returns the stops of the timeline, such as `INITIATED current`. */
function stops(page) {
  return page.locator(".stop").evaluateAll((items) => {
    return items.map(({ dataset, className }) => `${dataset.stop} ${className.split(" ")[1]}`);
  });
}

async function send(checkout, route) {
  await checkout.toReview(route);
  await checkout.send();
  return checkout.outcome();
}

shop.test("a transfer is followed until it arrives, and its receipt saved", async (checkout, page) => {
  const { text } = checkout;
  await checkout.toCardReview();
  await checkout.send();
  const { confirmationNumber } = await checkout.outcome();
  assert.equal((await stops(page)).length, 3);
  assert.equal(await page.locator(".stop").last().innerText(), "Delivered\nto come");
  const by = page.locator("[data-fact=by]");
  assert.ok((await by.innerText()).startsWith(text("delivery.by")));
  await advanceClock(shop.baseUrl, DELIVERY_S);
  await page.locator(".status-badge[data-status=COMPLETE]").waitFor();
  assert.deepEqual(await stops(page), ["INITIATED reached", "PENDING reached", "COMPLETE reached"]);
  assert.equal(await page.locator("h1").innerText(), text("done.title.complete"));
  assert.equal(await page.locator(".done > [role=status]").innerText(), "Status: Delivered");
  assert.equal(await by.isVisible(), false);

  const download = page.waitForEvent("download");
  await checkout.button("done.receipt").click();
  const receipt = await download;
  assert.equal(receipt.suggestedFilename(), `receipt-${confirmationNumber}.pdf`);
  assert.match(await readFile(await receipt.path(), "latin1"), /^%PDF-/);
  const asked = () => page.seen.requests.filter(({ url }) => url.endsWith("/statuses")).length;
  const before = asked();
  // Longer than the pauses between two requests at first.
  await page.waitForTimeout(2_500);
  assert.equal(asked(), before, "a final status is not polled");
});

shop.test("a failed transfer is shown as such, without a receipt", REFUSALS, async (checkout, page) => {
  await page.route(/\/statuses$/, async (route) => {
    const response = await route.fetch();
    const { statuses } = await response.json();
    const later = ["Pending", "Failed"].map((status) => ({ status, changedDate: new Date().toISOString() }));
    await route.fulfill({ response, json: { statuses: [statuses[0], ...later] } });
  });
  // The service reviews an amount like this first, so there is no receipt yet.
  await send(checkout, { amount: "2600" });
  await page.locator(".status-badge[data-status=FAILED]").waitFor();
  assert.deepEqual(await stops(page), ["INITIATED reached", "PENDING reached", "FAILED ended"]);
  assert.equal(await page.locator("h1").innerText(), checkout.text("done.title.bad"));
  await checkout.button("done.receipt").click();
  await checkout.notice("error").waitFor();
});

shop.test("a failed request is reported, with a way to ask again", REFUSALS, async (checkout, page) => {
  await page.route(/\/statuses$|\/receipt$/, (route) => route.abort("connectionrefused"));
  await send(checkout);
  const notice = checkout.notice("error");
  await checkout.button("done.check", notice).waitFor();
  await checkout.button("done.receipt").click();
  const retry = checkout.button("action.again", notice);
  await retry.waitFor();
  await page.unroute(/\/statuses$|\/receipt$/);
  const download = page.waitForEvent("download");
  await retry.click();
  await download;
  await notice.waitFor({ state: "detached" });
});

/** Returns the facts about a transfer, except its arrival, which goes once it is delivered. */
function facts(page) {
  return page.locator(".panel [data-fact]:not([data-fact=by])").evaluateAll((all) => {
    return Object.fromEntries(all.map((row) => [row.dataset.fact, row.querySelector("dd").innerText]));
  });
}

const SPANISH = { ...PHONE, language: "es" };
shop.test("a transfer is found by its number and in the recent list", SPANISH, async (checkout, page) => {
  const { text } = checkout;
  await checkout.toReview({ method: "MOBILE_WALLET" });
  const [total, fee] = [await checkout.line("total"), await checkout.line("fee")];
  await checkout.send();
  const { transferId, confirmationNumber } = await checkout.outcome();
  const before = await facts(page);
  assert.equal(await page.locator("[data-fact=fee] dt").innerText(), "Comisión de envío");
  const way = "Billetera digital, número terminado en 5678";
  const shown = [before.total, before.fee, before.recipient, before.way];
  assert.deepEqual(shown, [total, fee, "Ana María García", way]);

  // Like a visit on another device, where only the number is known.
  await page.waitForFunction(() => JSON.parse(localStorage["shop-sent"]).every(({ isShown }) => isShown));
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await checkout.open();
  await checkout.sendAmount("321");
  await checkout.button("transfers.title").click();
  await checkout.step("transfers");
  const number = page.locator("input[name=confirmation]");
  const find = checkout.button("transfers.find");
  const problem = page.locator(".field-note.problem");
  const found = page.locator("[data-transfer]").filter({ hasText: transferId });
  await page.locator(".transfer").first().waitFor();
  await assertSound(page, { axe: true });
  await find.click();
  await problem.filter({ hasText: text("done.confirmation") }).waitFor();
  await number.fill("12345");
  await number.press("Enter");
  await problem.filter({ hasText: text("transfers.unknown") }).waitFor();
  assert.ok(await number.evaluate((input) => input === document.activeElement));
  await assertSound(page, { axe: true });
  await number.fill(` ${confirmationNumber.slice(0, 4)} ${confirmationNumber.slice(4)}`);
  await find.click();
  await found.waitFor();
  assert.deepEqual(await facts(page), before);
  await assertSound(page, { axe: true });
  await checkout.button("transfers.others").click();
  await page.locator(".transfer").filter({ hasText: confirmationNumber }).click();
  await found.waitFor();

  // The checkout is as it was.
  await checkout.button("profile.back").click();
  await checkout.step("amount");
  await checkout.priced();
  assert.match(await page.locator("[data-side=send] input").inputValue(), /^321/);
});

for (const language of ["en", "es"]) {
  shop.test(`a transfer names the bank as its review does (${language})`, { ...PHONE, language }, async (checkout, page) => {
    const way = page.locator("[data-fact=way] dd");
    await checkout.toReview();
    const [, , reviewed] = await page.locator(".panel .facts").last().locator("dd > span").allInnerTexts();
    assert.match(reviewed, /^Banco Primero, .* 9719$/);
    await checkout.send();
    const { confirmationNumber } = await checkout.outcome();
    assert.equal(await way.innerText(), reviewed);
    // Another browser knows only what the service does, which is the bank's id.
    await page.evaluate(() => localStorage.clear());
    await checkout.open();
    await checkout.button("transfers.title").click();
    await page.locator(".transfer").filter({ hasText: confirmationNumber }).click();
    await way.filter({ hasText: reviewed }).waitFor();
    await assertSound(page);
  });
}

for (const language of ["en", "es"]) {
  const name = `a reload of the outcome keeps its steps and its language (${language})`;
  shop.test(name, { ...REFUSALS, language }, async (checkout, page) => {
    const { text } = checkout;
    const shown = async () => [
      await page.locator(".stepper .step-name").allInnerTexts(),
      await page.locator(".summary .line:not(.held) dd, .summary > .disclosures").allInnerTexts(),
      await page.locator(".panel .notices-section").allInnerTexts(),
    ];
    await send(checkout);
    const before = await shown();
    assert.ok(before[0].includes(text("steps.account")), before[0].join());
    await page.reload();
    await checkout.outcome();
    assert.deepEqual(await shown(), before);

    // What happened on another day has its day.
    await page.route(/\/statuses$/, async (route) => {
      const response = await route.fetch();
      const { statuses } = await response.json();
      const changedDate = new Date(Date.now() + 3 * 86_400_000).toISOString();
      await route.fulfill({ response, json: { statuses: [statuses[0], { status: "Complete", changedDate }] } });
    });
    await page.reload();
    await page.locator(".status-badge[data-status=COMPLETE]").waitFor();
    const [first, last] = await page.locator(".stop time").allInnerTexts();
    assert.match(first, /^\d+:\d\d:\d\d/);
    assert.match(last, language === "en" ? /^\w{3} \d+, \d{4}, \d+:\d\d/ : /^\d+ \w+ \d{4}, \d+:\d\d/);
    await assertSound(page);
  });
}

shop.test("a lookup that fails after a transfer was opened leaves no problem there", REFUSALS, async (checkout, page) => {
  await send(checkout, { method: "MOBILE_WALLET" });
  await page.reload();
  await checkout.outcome();
  await checkout.button("transfers.title").click();
  let fail;
  const failed = new Promise((resolve) => (fail = resolve));
  await page.route(/transfers\?.*limit=100/, (route) => failed.then(() => route.abort()));
  await page.locator("input[name=confirmation]").fill("12345");
  const asked = page.waitForRequest(/limit=100/);
  await checkout.button("transfers.find").click();
  await asked;
  await page.locator(".transfer").first().click();
  await page.locator("[data-transfer]").waitFor();
  await page.context().setOffline(true);
  fail();
  // Longer than the kit tries again.
  await page.waitForTimeout(6_000);
  await page.context().setOffline(false);
  await page.waitForFunction(() => document.querySelector(".notice.error") === null);
});

shop.test("a failed list of transfers loads on reconnecting", REFUSALS, async (checkout, page) => {
  await page.context().setOffline(true);
  await checkout.button("transfers.title").click();
  await page.locator(".panel .notice.error").waitFor();
  await page.context().setOffline(false);
  await page.locator(".transfer, .panel p.muted").first().waitFor();
  assert.equal(await page.locator(".notice").count(), 0);
});
