import assert from "node:assert/strict";
import { test } from "node:test";
import { toFilledAccount } from "./support/paths.mjs";
import { transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const SHORT_MS = 4_000;

/** Lets the next `count` prices end soon; gives the ids of all that were handed out. */
async function shortenPrices(page, count) {
  const ids = [];
  await page.route(/\/v1\/quote\?/, async (route) => {
    const response = await route.fetch();
    const quote = await response.json();
    ids.push(quote.quoteHistoryId);
    if (ids.length <= count) quote.expirationDate = new Date(Date.now() + SHORT_MS).toISOString();
    await route.fulfill({ response, json: quote });
  });
  return ids;
}

test("the price's remaining time counts down, then a new price comes", async () => {
  await shop.inShop(async (checkout, page) => {
    const timer = page.locator(".line.held [role=timer]");
    assert.match(await timer.innerText(), /^1[45]:\d\d$/);
    const ids = await shortenPrices(page, 1);
    await checkout.sendAmount("321");
    await timer.filter({ hasText: /^00:0[1-4]$/ }).waitFor();
    await timer.filter({ hasText: /^1[45]:\d\d$/ }).waitFor();
    assert.equal(ids.length, 2);
    assert.equal(await page.getByLabel("You send", { exact: true }).inputValue(), "321");
  });
});

test("a price that expires in the review is renewed and used to send", async () => {
  await shop.inShop(async (checkout, page) => {
    await toFilledAccount(checkout, { method: "CASH_PICKUP" });
    const ids = await shortenPrices(page, 1);
    await checkout.goOn("review");
    await checkout.readyToSend();
    await page.waitForResponse((reply) => reply.url().includes("/v1/quote?"));
    await page.locator(".line.held [role=timer]").filter({ hasText: /^1[45]:/ }).waitFor();
    await checkout.send();
    await checkout.outcome();
    const sent = transferPosts(page)[0];
    assert.equal(JSON.parse(sent.body).quoteHistoryId, ids.at(-1));
    assert.equal(ids.length, 2);
  });
});
