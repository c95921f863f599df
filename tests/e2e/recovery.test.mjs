// Transfers whose reply was lost, and pages that are closed or reloaded around the outcome.

import assert from "node:assert/strict";
import { holdTransferPosts, isTransferPost, passTimeUntil, transferPosts } from "./support/browser.mjs";
import { Checkout } from "./support/checkout.mjs";
import { addTransferFault, clearFaults, recordedOf, recordedTransfers } from "./support/sandbox.mjs";
import { contains, hasCount, isAbsent, shows } from "./support/shown.mjs";
import { assertSound, CORS, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
// Browsers repeat a POST whose connection broke, which the service then refuses as a duplicate.
const NETWORK = { ...PHONE, expectErrors: [/net::ERR_|status of 50\d/, /status of 400 .*\/v1\/transfers\)/] };
const PROGRESS = /\/v1\/transfers\/progress\//;

/** Asserts that the shown transfer is the only one, and that every POST of it had the same bytes. */
async function assertMadeOnce(checkout, page) {
  const { transferId } = await checkout.earlierOutcome();
  const recorded = await recordedOf(shop.baseUrl, page);
  assert.deepEqual(recorded.map((transfer) => transfer.transferId), [transferId]);
  assert.equal(new Set(transferPosts(page).map(({ body }) => body)).size, 1, "every POST has the same bytes");
}

/** Runs a function in the page whenever it reaches the last step. */
function onDone(page, react) {
  return page.evaluate(`{
    const { documentElement: root } = document;
    const react = () => root.dataset.step === "done" && (${react})();
    new MutationObserver(react).observe(root, { attributes: true, attributeFilter: ["data-step"] });
  }`);
}

shop.test("a transfer whose reply was lost is recovered, and sent once", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await addTransferFault(shop.baseUrl, { kind: "drop", when: "after" });
  await checkout.send();
  await assertMadeOnce(checkout, page);
  await contains(page.locator(".panel .done"), checkout.text("done.recovered"));
});

/** What happens to the POST that a reload interrupts. */
const FAULTS = {
  "is being processed": { kind: "latency", when: "during", delayMilliseconds: 1_000 },
  "lost its reply": { kind: "drop", when: "after" },
  "was lost": { kind: "drop", when: "before", count: 3 },
  "lost its connection at the commit": { kind: "drop", when: "commit" },
  "got a truncated reply": { kind: "truncate", when: "after" },
  "got a 503 after the commit": { kind: "status", when: "after" },
};
for (const [what, fault] of Object.entries(FAULTS)) {
  shop.test(`a transfer that ${what} is made once, despite two reloads`, NETWORK, async (checkout, page) => {
    await checkout.toReview();
    await addTransferFault(shop.baseUrl, fault);
    // The page that is left learns nothing more, however long the browser takes to leave it.
    let hasLeft = false;
    await page.route(PROGRESS, (route) => (hasLeft ? route.continue() : undefined));
    const sent = page.waitForRequest(isTransferPost);
    await checkout.send();
    await sent;
    page.once("framenavigated", () => (hasLeft = true));
    await page.reload();
    await checkout.earlier.or(page.locator("[data-transfer]")).first().waitFor();
    await page.reload();
    await assertMadeOnce(checkout, page);
  });
}

shop.test("a reload shows the outcome again, but not in the next checkout", async (checkout, page) => {
  await checkout.toReview();
  // A reload that coincides with the outcome leaves no history entry.
  await page.evaluate(() => (history.pushState = () => {}));
  await checkout.send();
  const { transferId } = await checkout.outcome();
  await page.reload();
  assert.equal((await checkout.outcome()).transferId, transferId);
  await checkout.lookedUp();
  await isAbsent(page.locator(".notice"), "earlier transfers were looked up");
  await checkout.button("done.another").click();
  await checkout.priced();
  await page.reload();
  await checkout.priced();
  await checkout.lookedUp();
  await checkout.staysAt("amount");
  await isAbsent(page.locator(".notice, [data-transfer]"), "earlier transfers were looked up");
});

shop.test("a tab closed at the outcome leaves it to the next tab", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  // Before the customer can have seen it.
  await onDone(page, () => location.replace("about:blank"));
  await checkout.send();
  await page.waitForURL("about:blank");
  const next = new Checkout(await page.context().newPage(), shop.shopUrl);
  await next.page.goto(shop.shopUrl);
  const [transfer] = await recordedOf(shop.baseUrl, page);
  assert.equal((await next.outcome()).transferId, transfer.transferId);
});

shop.test("Back that arrives with the outcome leaves it in sight", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await onDone(page, () => history.back());
  await checkout.send();
  const { transferId } = await checkout.outcome();
  // Once seen, it can be left.
  await checkout.outcomeSeen();
  assert.equal((await checkout.outcome()).transferId, transferId);
  await page.goBack();
  await checkout.step("amount");
});

shop.test("a transfer found during an outage gets its number later", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  // A transfer that is made before the other tab has looked is no longer in the journal.
  const release = await holdTransferPosts(page);
  const sent = page.waitForRequest(isTransferPost);
  await checkout.send();
  await sent;
  // The other tab learns from the journal only that the transfer was made.
  const next = await page.context().newPage();
  const away = /\/v1\/transfers\//;
  const statuses = [{ status: "Complete", changedDate: new Date().toISOString() }];
  await next.route(away, (route) => {
    const isStatuses = route.request().url().endsWith("/statuses");
    return isStatuses ? route.fulfill({ headers: CORS, json: { statuses } }) : route.abort();
  });
  await next.goto(shop.shopUrl);
  const other = new Checkout(next, shop.shopUrl);
  await other.earlier.waitFor();
  release();
  await other.earlierOutcome();
  const number = next.locator("[data-confirmation]");
  await number.filter({ hasText: "–" }).waitFor();
  await next.unroute(away);
  const { confirmationNumber } = await checkout.outcome();
  await number.filter({ hasText: confirmationNumber }).waitFor();
  await shows(next.locator("[data-fact=receive]"), /\d/);
});

shop.test("the page stays and keeps asking while the outcome is unknown", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await addTransferFault(shop.baseUrl, { kind: "drop", when: "after" });
  await page.route(PROGRESS, (route) => route.abort("connectionfailed"));
  await page.clock.install();
  await checkout.send();
  const notice = page.locator(".notice.warning").filter({ hasText: checkout.text("unsettled.title") });
  await passTimeUntil(page, () => notice.count());
  await hasCount(notice, 1);
  await assertSound(page);
  await hasCount(page.locator(".fact .link:enabled, .field-form:not([inert])"), 0);

  await page.goBack();
  await checkout.hasState("review");
  await checkout.staysAt("review");
  for (const control of [checkout.submit, page.locator(".fact .link"), page.locator(".step button")]) {
    await control.first().dispatchEvent("click");
  }
  await checkout.staysAt("review");

  // The price expires meanwhile, but it is what was sent.
  const prices = () => page.seen.requests.filter(({ url }) => url.includes("/v1/quote?")).length;
  const before = prices();
  await page.clock.fastForward("16:00");
  await page.locator(".line.held").filter({ hasText: "00:00" }).waitFor();
  assert.equal(prices(), before, "a price is not renewed while it is sent");

  const asked = page.waitForRequest(PROGRESS);
  await checkout.button("unsettled.ask", notice).click();
  await asked;
  await page.unroute(PROGRESS);
  await passTimeUntil(page, () => page.locator("html[data-step=done]").count(), { pauseMs: 50 });
  await assertMadeOnce(checkout, page);
});

shop.test("other tabs resume a closed tab's transfer and agree on it", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await addTransferFault(shop.baseUrl, { kind: "drop", when: "before", count: 100 });
  const sent = page.waitForRequest(isTransferPost);
  await checkout.send();
  const { quoteHistoryId } = JSON.parse((await sent).postData());
  const context = page.context();
  const pages = [await context.newPage(), await context.newPage()];
  const tabs = pages.map((tab) => new Checkout(tab, shop.shopUrl));
  await page.close();
  // Both ask before either learns the outcome: what one has shown, the other does not mention.
  await context.route(PROGRESS, (route) => route.abort("connectionfailed"));
  await clearFaults(shop.baseUrl);
  for (const tab of tabs) {
    await tab.page.goto(shop.shopUrl);
    await tab.earlier.waitFor();
  }
  await context.unroute(PROGRESS);
  const [first, second] = await Promise.all(tabs.map((tab) => tab.earlierOutcome()));
  assert.equal(first.transferId, second.transferId);
  const all = await recordedTransfers(shop.baseUrl);
  const recorded = all.filter((one) => one.quoteHistoryId === quoteHistoryId);
  assert.deepEqual(recorded.map(({ transferId }) => transferId), [first.transferId]);
});
