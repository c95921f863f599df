import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";
import { test } from "node:test";
import { longScripts, SDK, takeBudget, watchBudget } from "./support/budget.mjs";
import { shopSuite } from "./support/suite.mjs";
import { walk } from "./support/walk.mjs";

const shop = shopSuite();
const OWN_SCRIPTS = /\/assets\/[^/]+\.(js|wasm)/;

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
