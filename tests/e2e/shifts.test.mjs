import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MOST_MOVED, moved, takeBudget, watchBudget } from "./support/budget.mjs";
import { GOOD_CARD, REFUSED_CARD } from "./support/checkout.mjs";
import { toReview } from "./support/paths.mjs";
import { isTransferPost } from "./support/requests.mjs";
import { screen } from "./support/screens.mjs";
import { shopSuite } from "./support/suite.mjs";
import { walk } from "./support/walk.mjs";

const STILL = "nothing moves by itself, however slow the service";
const shop = shopSuite({ label: STILL });

/** Slow enough that what comes back is no longer put down to the click before it. */
function slowDown(page) {
  return page.route(/\/(v1|sandbox)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {});
  });
}

describe(STILL, { concurrency: 2 }, () => {
  for (const width of [1280, 360]) {
    test(`at ${width} px`, async () => {
      await shop.inShop(async (checkout, page) => {
        await slowDown(page);
        await checkout.open();
        const all = [];
        await walk(checkout, page, async (step) => {
          const { shifts } = await takeBudget(page);
          // Filling in by script is not input to the browser: shifts from solved problems would count.
          if (step === "recipient, filled in") return;
          all.push(...shifts.filter(({ hadRecentInput }) => !hadRecentInput).map((shift) => ({ step, ...shift })));
          assert.ok(moved(all) <= MOST_MOVED, `the page moved by ${moved(all)}: ${JSON.stringify(all)}`);
        });
      }, screen(width, { scripts: [watchBudget] }));
    });

    test(`at ${width} px, through refusals, price changes and reloads`, async () => {
      await shop.inShop(async (checkout, page) => {
        await slowDown(page);
        const still = async (what, most = MOST_MOVED) => {
          const { shifts } = await takeBudget(page);
          assert.ok(moved(shifts) <= most, `${what}: the page moved by ${moved(shifts)}: ${JSON.stringify(shifts)}`);
        };
        const send = page.getByLabel("You send", { exact: true });
        await takeBudget(page);
        await send.fill("9900.40");
        await checkout.notice("error").waitFor();
        await still("no price");
        await checkout.sendAmount("9900.30");
        await still("a price again");

        await toReview(checkout);
        await checkout.send();
        await page.locator(".notice").waitFor();
        await checkout.readyToSend();
        await still("the price has changed");
        assert.equal(await page.evaluate(() => document.activeElement.className), "notice warning", "who pressed Send is led to it");

        await backToReview(checkout, page, "9900.01");
        await checkout.goOn();
        await checkout.notice("error").waitFor();
        await still("a limit is reached");

        await backToReview(checkout, page, "100");
        const sent = page.waitForRequest(isTransferPost);
        await checkout.goOn();
        await sent;
        await page.reload();
        const show = page.locator(".notice").getByRole("button", { name: "Show the transfer" });
        await show.or(page.locator("[data-transfer]")).first().waitFor();
        // Whose it is the service is asked first, and its notice is as high as its words.
        await still("an interrupted transfer", 2 * MOST_MOVED);
        if ((await show.count()) > 0) await show.click();
        await checkout.outcome();
        await still("its outcome");
        await page.reload();
        await checkout.outcome();
        await still("a transfer that was made");
      }, screen(width, { scripts: [watchBudget], expectErrors: [/status of (4|5)\d\d.*\/v1\//] }));
    });
  }
});

test(`${STILL}: a card form at 320 px in es`, async () => {
  await shop.inShop(async (checkout, page) => {
    await slowDown(page);
    await checkout.chooseRoute({ country: "MEX", method: "PUSH_TO_CARD" });
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    await checkout.fillForm();
    await takeBudget(page);
    await checkout.goOn("account");
    const still = async (event) => {
      await checkout.waitForEvent(event);
      const { shifts } = await takeBudget(page);
      assert.ok(moved(shifts) <= MOST_MOVED, `${event}: the page moved by ${moved(shifts)}: ${JSON.stringify(shifts)}`);
      const { width } = await page.locator(".card-status p").boundingBox();
      assert.ok(width > 200, `${event}: its text is ${width} px wide`);
    };
    await still("READY");
    await checkout.verifyCard(REFUSED_CARD);
    await still("CARD_VALIDATION_STOP_FAIL");
    await checkout.verifyCard(GOOD_CARD);
    await still("CARD_VALIDATION_STOP_SUCCESS");
  }, screen(320, { language: "es", scripts: [watchBudget] }));
});

/** From the review to another amount, and there again with what was entered before. */
async function backToReview(checkout, page, amount) {
  await page.locator(".fact .link").nth(1).click();
  await checkout.step("amount");
  await checkout.sendAmount(amount);
  await checkout.goOn("recipient");
  await page.locator(".field-form").waitFor();
  await checkout.goOn("account");
  // The banks are still on their way; the one that was chosen counts.
  await page.locator(".field-form").waitFor();
  await checkout.goOn("review");
  await checkout.readyToSend();
}

test("nothing moves while the customer types, even just after a key", async () => {
  await shop.inShop(async (checkout, page) => {
    await takeBudget(page);
    const still = async (what) => {
      const { shifts } = await takeBudget(page);
      assert.ok(moved(shifts, { all: true }) <= MOST_MOVED, `${what} moved the page: ${JSON.stringify(shifts)}`);
    };
    const send = page.getByLabel("You send", { exact: true });
    for (const amount of ["1", "12345.67", "abc", "", "250"]) {
      await send.fill("");
      await send.pressSequentially(amount, { delay: 20 });
      await page.locator(".summary[aria-busy=false]").waitFor();
      await still(`typing “${amount}”`);
    }
    await page.getByLabel("They receive", { exact: true }).fill("4000");
    await checkout.priced();
    await still("the amount received");
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    await takeBudget(page);
    await checkout.fillForm();
    await still("filling in the recipient");
  }, screen(360, { scripts: [watchBudget] }));
});

test("a long wait is explained, offers the way back and moves nothing", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.route(/\/v1\/(corridors|recipient-fields)/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await route.continue().catch(() => {});
    });
    await page.goto(shop.shopUrl);
    const late = page.locator(".skeleton-late");
    await late.filter({ hasText: "longer than usual" }).waitFor();
    await checkout.priced();
    await checkout.goOn("recipient");
    await late.getByRole("button", { name: "Back" }).click();
    await checkout.step("amount");
    await checkout.goOn("recipient");
    await late.filter({ hasText: "longer than usual" }).waitFor();
    await page.locator(".field-form").waitFor();
    const { shifts } = await takeBudget(page);
    assert.ok(moved(shifts) <= MOST_MOVED, JSON.stringify(shifts));
  }, screen(320, { scripts: [watchBudget] }));
});
