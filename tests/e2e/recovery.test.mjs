import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Checkout } from "./support/checkout.mjs";
import { passTimeUntil } from "./support/clock.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { addFault, forgetFaults, recordedOf, recordedTransfers } from "./support/sandbox.mjs";
import { toReview } from "./support/paths.mjs";
import { isTransferPost, transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NETWORK = {
  // The messages of this file are the longest, so they are looked at on the narrowest screen.
  viewport: { width: 320, height: 800 },
  expectErrors: [
    /net::ERR_|status of 50\d/,
    // A browser itself repeats a POST whose connection broke; the service then says that it has it already.
    /status of 400 .*\/v1\/transfers\)/,
  ],
};
const PROGRESS = /\/v1\/transfers\/progress\//;

afterEach(() => forgetFaults(shop.baseUrl));

/** Demands that the shown transfer is the only one, and that each POST of it was the same. */
async function mustBeMadeOnce(checkout, page) {
  const { transferId } = await checkout.outcome();
  const recorded = await recordedOf(shop.baseUrl, page);
  assert.deepEqual(recorded.map((transfer) => transfer.transferId), [transferId]);
  assert.equal(new Set(transferPosts(page).map(({ body }) => body)).size, 1, "whatever was sent again was the same, byte by byte");
}

test("recovers a transfer whose reply was lost, without a second one", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await addFault(shop.baseUrl, { kind: "drop", when: "after", method: "POST", path: "/v1/transfers" });
    await checkout.send();
    await mustBeMadeOnce(checkout, page);
    assert.match(await page.locator(".panel .done").innerText(), /the transfer was made once/);
  }, NETWORK);
});

// What becomes of the POST that a reload falls into, and what the next page finds.
for (const [what, fault] of Object.entries({
  "while the service works on it": { kind: "latency", when: "during", delayMilliseconds: 1_500 },
  "whose answer was lost": { kind: "drop", when: "after" },
  "that was lost on the way": { kind: "drop", when: "before", count: 3 },
  "whose connection broke as it was recorded": { kind: "drop", when: "commit" },
  "whose answer was cut off": { kind: "truncate", when: "after" },
  "that was answered with 503 though it was made": { kind: "status", when: "after" },
})) {
  test(`a transfer ${what}, interrupted by two reloads, is made once`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout);
      await addFault(shop.baseUrl, { method: "POST", path: "/v1/transfers", ...fault });
      // The page that is left learns nothing more, however long the machine takes to leave it.
      let left = false;
      await page.route(PROGRESS, (route) => (left ? route.continue() : undefined));
      const sent = page.waitForRequest(isTransferPost);
      await checkout.send();
      await sent;
      page.once("framenavigated", () => (left = true));
      await page.reload();
      // And once more, in the middle of asking; by then it may be known.
      await page.waitForFunction(() => document.querySelector("main > .notice-slot .notice, [data-transfer]"));
      await page.reload();
      const show = page.locator(".notice").getByRole("button", { name: "Show the transfer" });
      await show.or(page.locator("[data-transfer]")).first().waitFor();
      if ((await show.count()) > 0) await show.click();
      await mustBeMadeOnce(checkout, page);
    }, NETWORK);
  });
}

test("a reload at the outcome shows it again, but not in the next checkout", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    // So a browser does it that has begun to reload.
    await page.evaluate(() => {
      history.pushState = () => {};
    });
    await checkout.send();
    const { transferId } = await checkout.outcome();
    await page.reload();
    assert.equal((await checkout.outcome()).transferId, transferId);
    await page.getByRole("button", { name: "Send another transfer" }).click();
    await checkout.step("amount");
    await page.reload();
    await checkout.step("amount");
    assert.equal(await page.locator("[data-transfer]").count(), 0);
  });
});

test("a tab closed at the outcome leaves it for the next tab to show", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    // Before the last page can have been seen.
    await page.evaluate(() => {
      const { documentElement: root } = document;
      new MutationObserver(() => root.dataset.step === "done" && location.replace("about:blank")).observe(root, { attributes: true });
    });
    await checkout.send();
    await page.waitForURL("about:blank");
    const next = await page.context().newPage();
    await next.goto(shop.shopUrl);
    const [transfer] = await recordedOf(shop.baseUrl, page);
    assert.equal((await new Checkout(next, shop.shopUrl).outcome()).transferId, transfer.transferId);
  }, NETWORK);
});

test("Back that arrives with the outcome leaves it in sight", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await page.evaluate(() => {
      const { documentElement: root } = document;
      new MutationObserver(() => root.dataset.step === "done" && history.back()).observe(root, { attributes: true, attributeFilter: ["data-step"] });
    });
    await checkout.send();
    const { transferId } = await checkout.outcome();
    await page.waitForTimeout(1_000);
    assert.equal((await checkout.outcome()).transferId, transferId);
    // Seen by then, it is left as ever.
    await page.goBack();
    await checkout.step("amount");
  }, NETWORK);
});

test("a transfer found while the service is away gets its number later", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await addFault(shop.baseUrl, { method: "POST", path: "/v1/transfers", kind: "latency", when: "during", delayMilliseconds: 1_500 });
    await checkout.send();
    const next = await page.context().newPage();
    // What the other tab has learnt is in the journal, and no more than that it was made.
    const away = /\/v1\/transfers\//;
    // Its last status is known, after which the page asks for no other.
    const last = { headers: { "access-control-allow-origin": "*" }, json: { statuses: [{ status: "Complete", changedDate: new Date().toISOString() }] } };
    await next.route(away, (route) => (route.request().url().endsWith("/statuses") ? route.fulfill(last) : route.abort("connectionrefused")));
    await next.goto(shop.shopUrl);
    await next.getByRole("button", { name: "Show the transfer" }).click();
    const number = next.locator("[data-confirmation]");
    await number.filter({ hasText: "–" }).waitFor();
    await next.unroute(away);
    const { confirmationNumber } = await checkout.outcome();
    await number.filter({ hasText: confirmationNumber }).waitFor();
    assert.match(await next.locator("[data-fact=receive]").innerText(), /\d/);
  }, NETWORK);
});

test("a reload before sending sends nothing and looks nothing up", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await page.reload();
    await checkout.step("recipient");
    assert.equal(await page.locator(".notice").count(), 0);
    assert.deepEqual(transferPosts(page), []);
  }, NETWORK);
});

test("the page stays and keeps asking while the outcome is unknown", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await addFault(shop.baseUrl, { kind: "drop", when: "after", method: "POST", path: "/v1/transfers" });
    await page.route(PROGRESS, (route) => route.abort("connectionfailed"));
    // The SDK asks for half a minute; the page's clock is moved on instead of waiting.
    await page.clock.install();
    await checkout.send();
    const notice = page.locator(".notice.warning").filter({ hasText: "We don’t know yet" });
    await passTimeUntil(page, () => notice.count());
    assert.equal(await notice.count(), 1);
    assert.deepEqual(await layoutFaults(page), []);

    await page.goBack();
    assert.equal(await page.locator("html").getAttribute("data-step"), "review");
    await page.locator(".actions button[type=submit]").dispatchEvent("click");
    await page.locator(".fact .link").first().dispatchEvent("click");
    await page.locator(".step button").first().dispatchEvent("click");
    assert.equal(await page.locator("html").getAttribute("data-step"), "review");

    await page.unroute(PROGRESS);
    await notice.getByRole("button", { name: "Check now" }).click();
    await passTimeUntil(page, () => page.locator("html[data-step=done]").count(), { pauseMs: 50 });
    await mustBeMadeOnce(checkout, page);
  }, NETWORK);
});

test("other tabs resume a closed tab's transfer and agree on its outcome", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await addFault(shop.baseUrl, { kind: "drop", when: "before", method: "POST", path: "/v1/transfers", count: 100 });
    const sent = page.waitForRequest(isTransferPost);
    await checkout.send();
    const { quoteHistoryId } = JSON.parse((await sent).postData());
    const context = page.context();
    const tabs = [await context.newPage(), await context.newPage()];
    await page.close();
    // Neither learns it before both have asked: what one has shown, the other says nothing of.
    await context.route(PROGRESS, (route) => route.abort("connectionfailed"));
    await forgetFaults(shop.baseUrl);
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.goto(shop.shopUrl);
        await tab.locator("main > .notice-slot .notice").waitFor();
      }),
    );
    await context.unroute(PROGRESS);
    const outcomes = await Promise.all(
      tabs.map(async (tab) => {
        const show = tab.locator(".notice").getByRole("button", { name: "Show the transfer" });
        await show.or(tab.locator("[data-transfer]")).first().waitFor();
        if ((await show.count()) > 0) await show.click();
        return new Checkout(tab, shop.shopUrl).outcome();
      }),
    );
    assert.equal(outcomes[0].transferId, outcomes[1].transferId);
    const recorded = await recordedTransfers(shop.baseUrl);
    const mine = recorded.filter((transfer) => transfer.quoteHistoryId === quoteHistoryId);
    assert.deepEqual(mine.map((transfer) => transfer.transferId), [outcomes[0].transferId]);
  }, NETWORK);
});
