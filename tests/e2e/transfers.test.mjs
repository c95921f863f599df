// The transfers that were made: their course, their receipt, and how they are found again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { passTimeUntil } from "./support/browser.mjs";
import { advanceClock } from "./support/sandbox.mjs";
import {
  caughtUp,
  disappears,
  eventually,
  hasCount,
  hasValue,
  isAbsent,
  shows,
} from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const REFUSALS = { expectErrors: [/Failed to load resource|net::ERR_/] };
/** Longer than a transfer to a card takes. */
const DELIVERY_S = 60;

/** Waits for the stops of the timeline, such as `INITIATED current`. */
function hasStops(page, expected) {
  const read = (items) => items.map(({ dataset, className }) => `${dataset.stop} ${className.split(" ")[1]}`);
  return eventually(async () => assert.deepEqual(await page.locator(".stop").evaluateAll(read), expected));
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
  await hasCount(page.locator(".stop"), 3);
  await shows(page.locator(".stop").last(), "Delivered\nto come");
  const by = page.locator("[data-fact=by]");
  await eventually(async () => assert.ok((await by.innerText()).startsWith(text("delivery.by"))));
  // From here on the page's pauses pass as fast as the test wants.
  await page.clock.install();
  await advanceClock(shop.baseUrl, DELIVERY_S);
  await passTimeUntil(page, () => page.locator(".status-badge[data-status=COMPLETE]").count(), { pauseMs: 50 });
  await hasStops(page, ["INITIATED reached", "PENDING reached", "COMPLETE reached"]);
  await shows(page.locator("h1"), text("done.title.complete"));
  await shows(page.locator(".done > [role=status]"), "Status: Delivered");
  await disappears(by);

  const download = page.waitForEvent("download");
  await checkout.button("done.receipt").click();
  const receipt = await download;
  assert.equal(receipt.suggestedFilename(), `receipt-${confirmationNumber}.pdf`);
  assert.match(await readFile(await receipt.path(), "latin1"), /^%PDF-/);
  const asked = () => page.seen.requests.filter(({ url }) => url.endsWith("/statuses")).length;
  const before = asked();
  assert.ok(before > 0);
  await page.clock.runFor("05:00");
  await caughtUp(page);
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
  await hasStops(page, ["INITIATED reached", "PENDING reached", "FAILED ended"]);
  await shows(page.locator("h1"), checkout.text("done.title.bad"));
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
  // settled: the review has its final price.
  const [total, fee] = await Promise.all(["total", "fee"].map((name) => checkout.line(name).innerText()));
  await checkout.send();
  const { transferId, confirmationNumber } = await checkout.outcome();
  const before = await facts(page);
  await shows(page.locator("[data-fact=fee] dt"), "Comisión de envío");
  const way = "Billetera digital, número terminado en 5678";
  const shown = [before.total, before.fee, before.recipient, before.way];
  assert.deepEqual(shown, [total, fee, "Ana María García", way]);

  // Like a visit on another device, where only the number is known.
  await checkout.outcomeSeen();
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
  await number.and(page.locator(":focus")).waitFor();
  await assertSound(page, { axe: true });
  await number.fill(` ${confirmationNumber.slice(0, 4)} ${confirmationNumber.slice(4)}`);
  await find.click();
  await found.waitFor();
  await eventually(async () => assert.deepEqual(await facts(page), before));
  await assertSound(page, { axe: true });
  await checkout.button("transfers.others").click();
  await page.locator(".transfer").filter({ hasText: confirmationNumber }).click();
  await found.waitFor();

  // The checkout is as it was.
  await checkout.button("profile.back").click();
  await checkout.step("amount");
  await checkout.priced();
  await hasValue(page.locator("[data-side=send] input"), /^321/);
});

for (const language of ["en", "es"]) {
  shop.test(`a transfer names the bank as its review does (${language})`, { ...PHONE, language }, async (checkout, page) => {
    const way = page.locator("[data-fact=way] dd");
    await checkout.toReview();
    // settled: the review has its final price.
    const [, , reviewed] = await page.locator(".panel .facts").last().locator("dd > span").allInnerTexts();
    assert.match(reviewed, /^Banco Primero, .* 9719$/);
    await checkout.send();
    const { confirmationNumber } = await checkout.outcome();
    await shows(way, reviewed);
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
    const parts = [
      ".stepper .step-name",
      ".summary .line:not(.held) dd, .summary > .disclosures",
      ".panel .notices-section",
    ];
    const shown = () => Promise.all(parts.map((part) => page.locator(part).allInnerTexts()));
    await send(checkout);
    const before = await shown();
    assert.ok(before[0].includes(text("steps.account")), before[0].join());
    await page.reload();
    await checkout.outcome();
    await eventually(async () => assert.deepEqual(await shown(), before));

    // What happened on another day has its day.
    await page.route(/\/statuses$/, async (route) => {
      const response = await route.fetch();
      const { statuses } = await response.json();
      const changedDate = new Date(Date.now() + 3 * 86_400_000).toISOString();
      await route.fulfill({ response, json: { statuses: [statuses[0], { status: "Complete", changedDate }] } });
    });
    await page.reload();
    await page.locator(".status-badge[data-status=COMPLETE]").waitFor();
    const times = page.locator(".stop time");
    await shows(times.first(), /^\d+:\d\d:\d\d/);
    const day = language === "en" ? /^\w{3} \d+, \d{4}, \d+:\d\d/ : /^\d+ \w+ \d{4}, \d+:\d\d/;
    await shows(times.last(), day);
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
  await page.clock.install();
  await page.locator("input[name=confirmation]").fill("12345");
  const asked = page.waitForRequest(/limit=100/);
  await checkout.button("transfers.find").click();
  await asked;
  await page.locator(".transfer").first().click();
  await page.locator("[data-transfer]").waitFor();
  await page.context().setOffline(true);
  fail();
  // Longer than the kit tries again, and than the pauses between its attempts.
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await page.clock.runFor(1_000);
    await page.waitForTimeout(20);
  }
  await page.context().setOffline(false);
  // What failed while offline may be reported until then, but the lookup is not.
  await hasCount(page.locator(".notice.error"), 0);
  await checkout.button("transfers.others").click();
  const find = page.locator("button[form=transfers-form]");
  await find.waitFor();
  await isAbsent(find.and(page.locator("[data-busy]")), "the lookup has ended");
});

shop.test("a failed list of transfers loads on reconnecting", REFUSALS, async (checkout, page) => {
  await page.context().setOffline(true);
  await checkout.button("transfers.title").click();
  await page.locator(".panel .notice.error").waitFor();
  await page.context().setOffline(false);
  await page.locator(".transfer, .panel p.muted").first().waitFor();
  await hasCount(page.locator(".notice"), 0);
});
