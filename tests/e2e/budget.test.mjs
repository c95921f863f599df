import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";
import { describe, test } from "node:test";
import { longScripts, moved, SDK, takeBudget, watchBudget } from "./support/budget.mjs";
import { shopSuite } from "./support/suite.mjs";
import { walk } from "./support/walk.mjs";

const shop = shopSuite();
const MOST_MOVED = 0.02;
const OWN_SCRIPTS = /\/assets\/[^/]+\.(js|wasm)/;

describe("nothing moves by itself, however slow the service", { concurrency: 2 }, () => {
  for (const viewport of [{ width: 1280, height: 900 }, { width: 360, height: 800 }]) {
    test(`at ${viewport.width} px`, async () => {
      const narrow = viewport.width < 700;
      await shop.inShop(async (checkout, page) => {
        // Slow enough that what comes back is no longer put down to the click before it.
        await page.route(/\/(v1|sandbox)\//, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          await route.continue().catch(() => {});
        });
        await checkout.open();
        const all = [];
        await walk(checkout, page, async (step) => {
          const { shifts } = await takeBudget(page);
          all.push(...shifts.filter(({ hadRecentInput }) => !hadRecentInput).map((shift) => ({ step, ...shift })));
          assert.ok(moved(all) <= MOST_MOVED, `the page moved by ${moved(all)}: ${JSON.stringify(all)}`);
        });
      }, { viewport, isMobile: narrow, hasTouch: narrow, scripts: [watchBudget] });
    });
  }
});

test("nothing moves while one types, not even just after a key", async () => {
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
  }, { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true, scripts: [watchBudget] });
});

/** The pieces of script over 50 ms in a whole checkout. */
async function longScriptsOfCheckout() {
  let found;
  await shop.inShop(async (checkout, page) => {
    const frames = [];
    await walk(checkout, page, async () => frames.push(...(await takeBudget(page)).frames));
    found = { sdk: longScripts(frames, SDK), own: longScripts(frames, OWN_SCRIPTS) };
  }, { scripts: [watchBudget] });
  return found;
}

test("no task of the SDK or of the shop holds a step up for more than 50 ms", async (context) => {
  let found = await longScriptsOfCheckout();
  if (found.own.length > 0) {
    // A machine with more to do than it has cores makes any task long; a task that is long by itself is so again.
    const reason = `load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
    context.diagnostic(`measured again (${reason}) after ${JSON.stringify(found.own)}`);
    const before = new Set(found.own.map(({ invoker }) => invoker));
    const again = await longScriptsOfCheckout();
    const still = (scripts) => scripts.filter(({ invoker }) => before.has(invoker));
    found = { sdk: still(again.sdk), own: still(again.own) };
  }
  assert.deepEqual(found.sdk, [], "in the SDK");
  assert.deepEqual(found.own, [], "in the shop");
});

test("a long task in the SDK's file is found, and put down to it", async () => {
  const hold = ";setTimeout(function held() { const end = performance.now() + 120; while (performance.now() < end); }, 0);";
  let rewritten = 0;
  await shop.inShop(async (checkout, page) => {
    await page.route(SDK, async (route) => {
      if (!route.request().url().endsWith(".js")) return route.continue();
      rewritten += 1;
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: `${await reply.text()}${hold}` });
    });
    await checkout.open();
    const { frames } = await takeBudget(page);
    assert.equal(rewritten, 1, "the SDK is one file");
    assert.equal(longScripts(frames, SDK).length, 1, JSON.stringify(frames));
  }, { scripts: [watchBudget] });
});
