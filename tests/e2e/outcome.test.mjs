import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { toCardReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const FOLLOWED = "the course of a transfer is followed to its end";
const shop = shopSuite({ label: FOLLOWED });
// What the service answers while it is made to fail.
const REFUSALS = { expectErrors: [/Failed to load resource/] };

async function sendToCard(checkout, amount) {
  if (amount) await checkout.sendAmount(amount);
  await toCardReview(checkout);
  await checkout.send();
  return checkout.outcome();
}

/** The stops of the timeline with their states, as `INITIATED current`. */
function stops(page) {
  return page.locator(".stop").evaluateAll((items) => items.map((item) => `${item.dataset.stop} ${item.className.split(" ")[1]}`));
}

// A card's money is there after twelve seconds, so both wait for it at once.
describe(FOLLOWED, { concurrency: 2 }, () => {
  test("when it arrives, and the receipt can be saved", async () => {
    await shop.inShop(async (checkout, page) => {
      const { confirmationNumber } = await sendToCard(checkout);
      assert.equal((await stops(page)).length, 3);
      assert.equal(await page.locator(".stop").last().innerText(), "Delivered\nto come");
      const by = page.locator("[data-fact=by]");
      assert.match(await by.innerText(), /^Should arrive by/);
      await page.locator(".status-badge[data-status=COMPLETE]").waitFor({ timeout: 40_000 });
      assert.deepEqual(await stops(page), ["INITIATED reached", "PENDING reached", "COMPLETE reached"]);
      assert.equal(await page.locator("h1").innerText(), "Your transfer has arrived");
      assert.equal(await page.locator(".done > [role=status]").innerText(), "Status: Delivered");
      assert.equal(await by.isVisible(), false);
      const asked = () => page.seen.requests.filter(({ url }) => url.endsWith("/statuses")).length;
      const before = asked();

      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download the receipt" }).click();
      const receipt = await download;
      assert.equal(receipt.suggestedFilename(), `receipt-${confirmationNumber}.pdf`);
      assert.match(await readFile(await receipt.path(), "latin1"), /^%PDF-/);
      await page.waitForTimeout(3_000);
      assert.equal(asked(), before, "nothing is asked any more once it is final");
    });
  });

  test("when it fails, without a receipt", async () => {
    await shop.inShop(async (checkout, page) => {
      await page.route(/\/statuses$/, async (route) => {
        const response = await route.fetch();
        const { statuses } = await response.json();
        const later = ["Pending", "Failed"].map((status) => ({ status, changedDate: new Date().toISOString() }));
        await route.fulfill({ response, json: { statuses: [...statuses.slice(0, 1), ...later] } });
      });
      // So much is looked at by the service first, so there is no receipt yet either.
      await sendToCard(checkout, "2600");
      await page.locator(".status-badge[data-status=FAILED]").waitFor();
      assert.deepEqual(await stops(page), ["INITIATED reached", "PENDING reached", "FAILED ended"]);
      assert.equal(await page.locator("h1").innerText(), "Your transfer was not delivered");
      await page.getByRole("button", { name: "Download the receipt" }).click();
      await checkout.notice("error").waitFor();
    }, REFUSALS);
  });

  test("a failed request is reported, with a way to ask again", async () => {
    await shop.inShop(async (checkout, page) => {
      await page.route(/\/statuses$|\/receipt$/, (route) => route.abort("connectionrefused"));
      await sendToCard(checkout);
      const notice = checkout.notice("error");
      await notice.getByRole("button", { name: "Check again" }).waitFor({ timeout: 40_000 });
      await page.getByRole("button", { name: "Download the receipt" }).click();
      await notice.getByRole("button", { name: "Try again" }).waitFor({ timeout: 40_000 });
      await page.unroute(/\/statuses$|\/receipt$/);
      const download = page.waitForEvent("download");
      await notice.getByRole("button", { name: "Try again" }).click();
      await download;
      await notice.waitFor({ state: "detached" });
    }, REFUSALS);
  });
});
