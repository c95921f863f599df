// Transfers whose page went away before it showed the outcome.

import assert from "node:assert/strict";
import { isTransferPost, passTimeUntil, transferPosts } from "./support/browser.mjs";
import { Checkout } from "./support/checkout.mjs";
import { addTransferFault, advanceClock, recordedOf, recordedTransfers } from "./support/sandbox.mjs";
import { contains, eventually, isAbsent, shows } from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";
import { interrupt, TRANSFERS } from "./support/visit.mjs";

const shop = shopSuite();
const NETWORK = { ...PHONE, expectErrors: [/net::ERR_|status of 50\d/, /status of 400 .*\/v1\/transfers\)/] };
const SPANISH = { ...NETWORK, language: "es" };

/** Breaks the network for the first transfer of a page alone, or for the others alone. */
function breakFirst(page, isBroken) {
  const { quoteHistoryId } = JSON.parse(transferPosts(page)[0].body);
  return page.context().route(TRANSFERS, (route) => {
    const isFirst = `${route.request().url()} ${route.request().postData()}`.includes(quoteHistoryId);
    return isFirst === isBroken ? route.abort("connectionfailed") : route.continue();
  });
}

const reconnect = (page) => page.context().unroute(TRANSFERS);
const made = (checkout) => checkout.earlier.and(checkout.page.locator(".success"));
const idsOf = (transfers) => transfers.map(({ transferId }) => transferId);

shop.test("Send waits until an interrupted transfer is reconciled", SPANISH, async (checkout, page) => {
  const { text, earlier: notice, submit } = checkout;
  await interrupt(checkout, page);
  const titles = [text("earlier.asking.title"), text("unsettled.title")];
  const title = notice.locator(".notice-title");
  await eventually(async () => assert.ok(titles.includes(await title.innerText())));
  await shows(notice, /\$200\.00\sUSD a Ana María García, \d+/);
  await checkout.toCardReview({ amount: "150" });
  await submit.filter({ hasText: text("review.waits") }).waitFor();
  await shows(notice, /Abajo hay otro envío: \$150\.00\sUSD a Ana María García\./);
  // The card changed the price.
  await eventually(async () => {
    const price = await page.locator(".panel .notice.info").innerText();
    assert.ok(price.includes(text("review.notyet.this")) && !price.includes(text("review.notyet")), price);
  });
  await assertSound(page, { axe: true });
  const { length: before } = transferPosts(page);
  await submit.click({ force: true });
  await submit.press("Enter");
  await checkout.hasFocus(/^notice/);
  assert.equal(transferPosts(page).length, before, "Send does not send");

  // Nothing is pressed: on the service's first reply the page resends the transfer.
  const progress = [];
  page.on("response", (reply) => {
    if (reply.request().method() === "GET" && TRANSFERS.test(reply.url())) progress.push(reply.json());
  });
  await reconnect(page);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await made(checkout).filter({ hasText: text("earlier.also") }).waitFor();
  const [first] = await recordedOf(shop.baseUrl, page);
  assert.equal(first.sendAmount.value, 20_000);
  const statuses = (await Promise.all(progress)).map(({ transferRecordStatus }) => transferRecordStatus);
  assert.deepEqual(statuses, ["NotInProgress"]);
  await checkout.button("earlier.also", notice).click();
  const { transferId } = await checkout.outcome();
  const recorded = idsOf(await recordedOf(shop.baseUrl, page));
  assert.deepEqual(recorded.sort(), [first.transferId, transferId].sort());
});

shop.test("what an open transfer names is not changed before its outcome", NETWORK, async (checkout, page) => {
  await interrupt(checkout, page);
  await checkout.chooseRoute({ method: "BANK_ACCOUNT" });
  await checkout.goOn("recipient");
  await page.locator("input[name=saved-recipient]").first().check();
  for (const key of ["saved.edit", "saved.remove"]) {
    await checkout.button(key).click();
    await checkout.hasFocus(/^notice/);
    await isAbsent(page.locator(".panel .notice"), "the notice of the open transfer has the focus");
  }
  await checkout.goOn("account");
  await page.locator("input[name=saved-account]").first().waitFor();
  await checkout.button("saved.edit").click();
  await checkout.hasFocus(/^notice/);
  assert.ok(page.seen.requests.every(({ method }) => method !== "PUT" && method !== "DELETE"));
  await reconnect(page);
  await made(checkout).waitFor();
  await checkout.button("saved.edit").click();
  await checkout.field("BANK_ID").waitFor();
});

shop.test("an interrupted transfer that never arrived frees Send", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await page.context().route(TRANSFERS, (route) => route.abort("connectionfailed"));
  await checkout.send();
  await page.waitForRequest(isTransferPost);
  await page.clock.install();
  await page.reload();
  // This route precedes the other one, which stays so that no POST slips through between the two.
  await page.context().route(TRANSFERS, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  const notice = checkout.earlier;
  await notice.waitFor();
  // A request in flight would take the jump of the clock for a timeout.
  await page.locator("select[name=country]").waitFor({ state: "attached" });
  // A POST may arrive until ten minutes after the price has expired.
  await page.clock.fastForward("30:00");
  await advanceClock(shop.baseUrl, 30 * 60);
  const refused = notice.filter({ hasText: checkout.text("earlier.refused.title") });
  await passTimeUntil(page, () => refused.count(), { seconds: 5 });
  await page.clock.resume();
  await shows(notice, /\$200\.00 to Ana María García, \w+ \d+.*No money was sent\./s);
  await assertSound(page);
  await reconnect(page);
  await checkout.toReview();
  await checkout.send();
  const { transferId } = await checkout.outcome();
  assert.deepEqual(idsOf(await recordedOf(shop.baseUrl, page)), [transferId]);
});

shop.test("the first of two transfers is reported even after a reload", NETWORK, async (checkout, page) => {
  await interrupt(checkout, page);
  await breakFirst(page, true);
  await checkout.toAccount({ amount: "150" });
  const prices = [];
  await page.route(/\/v1\/quote\?/, (route) => prices.push(route));
  await checkout.goOn("review");
  await eventually(() => assert.ok(prices.length > 0));
  await isAbsent(checkout.button("earlier.both"), "the price is not known yet");
  for (const route of prices) await route.continue();
  await page.unroute(/\/v1\/quote\?/);
  await checkout.button("earlier.both").click();
  const { transferId } = await checkout.outcome();
  await page.clock.install();
  await page.reload();
  assert.equal((await checkout.outcome()).transferId, transferId);
  await checkout.earlier.waitFor();
  // An outcome within three seconds would be shown at once.
  await page.clock.runFor(5_000);
  await reconnect(page);
  await passTimeUntil(page, () => made(checkout).count(), { seconds: 5 });
  await page.clock.resume();
  await shows(checkout.earlier, /Your transfer was made\s+\$200\.00 to Ana María García/);
  await checkout.button("action.dismiss").click();
  await page.reload();
  assert.equal((await checkout.outcome()).transferId, transferId);
  await checkout.lookedUp();
  await isAbsent(checkout.earlier, "earlier transfers were looked up");
  assert.equal((await recordedOf(shop.baseUrl, page)).length, 2);
});

shop.test("an earlier transfer is not shown in place of one being sent", NETWORK, async (checkout, page) => {
  await interrupt(checkout, page);
  await checkout.toRecipient({ method: "BANK_ACCOUNT", amount: "150" });
  await checkout.field("firstName").fill("Luis");
  await checkout.goOn("account");
  await checkout.fillForm();
  await checkout.goOn("review");
  await checkout.button("earlier.both").click();
  await breakFirst(page, false);
  await checkout.button("earlier.show", made(checkout)).click();
  await reconnect(page);
  await checkout.outcome();
  await shows(page.locator("[data-fact=recipient] dd"), "Luis García");
  const recorded = await recordedOf(shop.baseUrl, page);
  assert.deepEqual(recorded.map(({ sendAmount }) => sendAmount.value), [20_000, 15_000]);
});

const IN_TWO_TABS = {
  "at once": (tabs) => Promise.all(tabs.map((tab) => tab.goOn())),
  "one after the other": async ([first, second]) => {
    await first.goOn();
    await first.outcome();
    await second.goOn();
  },
};
for (const [when, sendBoth] of Object.entries(IN_TWO_TABS)) {
  shop.test(`two tabs that send the same transfer ${when} make one`, NETWORK, async (checkout, page) => {
    const other = new Checkout(await page.context().newPage(), shop.shopUrl);
    await other.open();
    await Promise.all([checkout.toReview(), other.toReview()]);
    const before = idsOf(await recordedTransfers(shop.baseUrl));
    await addTransferFault(shop.baseUrl, { kind: "latency", when: "during", delayMilliseconds: 1_000 });
    const tabs = [checkout, other];
    await sendBoth(tabs);
    const winner = await Promise.any(tabs.map((tab) => tab.step("done").then(() => tab)));
    const loser = winner === checkout ? other : checkout;
    await made(loser).waitFor();
    await shows(loser.earlier, /\$200\.00 to Ana María García, .*\n.*Below is another transfer: \$200\.00 to Ana/s);
    const { transferId } = await winner.outcome();
    const recorded = idsOf(await recordedTransfers(shop.baseUrl)).filter((id) => !before.includes(id));
    assert.deepEqual(recorded, [transferId]);
    assert.equal((await loser.earlierOutcome()).transferId, transferId);
  });
}

shop.test("Back and Forward around an interrupted transfer send nothing", NETWORK, async (checkout, page) => {
  await interrupt(checkout, page);
  await page.goto("about:blank");
  await page.goBack();
  await checkout.earlier.waitFor();
  await page.goBack().catch(() => {});
  await page.goForward().catch(() => {});
  await page.goto(shop.shopUrl);
  await checkout.earlier.waitFor();
  assert.equal(new Set(transferPosts(page).map(({ body }) => body)).size, 1);
  await reconnect(page);
  await made(checkout).or(page.locator("[data-transfer]")).waitFor();
  assert.equal((await recordedOf(shop.baseUrl, page)).length, 1);
});

const BLOCKED = () => {
  IDBFactory.prototype.open = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
};

shop.test(
  "where nothing is stored the shop says so before the customer sends, and sends",
  { ...PHONE, scripts: [BLOCKED] },
  async (checkout, page) => {
    const told = page.locator("main > .notice.info");
    await contains(told, checkout.text("storage.title"));
    await assertSound(page, { axe: true });
    await checkout.toCardReview();
    await checkout.send();
    const { transferId } = await checkout.outcome();
    assert.deepEqual(idsOf(await recordedOf(shop.baseUrl, page)), [transferId]);
  },
);
