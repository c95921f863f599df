import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";
import { busyCalls, longScripts, SDK, takeBudget, watchBudget } from "./support/budget.mjs";
import { shopSuite } from "./support/suite.mjs";
import { visitMethod, visitSteps } from "./support/visit.mjs";

const shop = shopSuite();
const WATCHED = { scripts: [watchBudget] };
const OWN_FILES = /\/assets\/[^/]+\.(js|wasm)/;

/**
 * Makes a checkout by each transfer method. Returns the SDK's tasks over 50 ms. No call into a file of the
 * shop may take as much processor time.
 */
async function measure(checkout, page) {
  const scripts = [];
  const busy = await busyCalls(page, OWN_FILES, async () => {
    await checkout.open();
    const look = async () => scripts.push(...(await takeBudget(page)).scripts);
    await visitSteps(checkout, page, look);
    for (const method of ["BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"]) {
      await page.locator(".actions .primary").click();
      await visitMethod(checkout, page, method, look);
    }
  });
  assert.deepEqual(busy, [], "by processor time");
  return longScripts(scripts, SDK);
}

shop.test("the SDK blocks no step for more than 50 ms", WATCHED, async (checkout, page, context) => {
  const long = await measure(checkout, page);
  if (long.length === 0) return;
  // An overloaded machine makes any task long; a task that is long by itself is long again.
  context.diagnostic(`measuring again, at a load of ${loadavg()[0].toFixed(1)}: ${JSON.stringify(long)}`);
  const invokers = new Set(long.map(({ invoker }) => invoker));
  const again = (await measure(checkout, page)).filter(({ invoker }) => invokers.has(invoker));
  if (loadavg()[0] <= availableParallelism()) assert.deepEqual(again, [], "by elapsed time, twice");
  else context.diagnostic(`overloaded: only processor time was judged: ${JSON.stringify(again)}`);
});

shop.test("both measures find a long task in the SDK's file", WATCHED, async (checkout, page) => {
  // A fixed amount of work, as processor time is measured too.
  const task = `;setTimeout(function slow() {
    let sum = 0;
    for (let turn = 0; turn < 4e8; turn += 1) sum += turn % 7;
    globalThis.slow = sum;
  }, 0);`;
  await page.route(SDK, async (route) => {
    if (!route.request().url().endsWith(".js")) return route.continue();
    const reply = await route.fetch();
    return route.fulfill({ response: reply, body: (await reply.text()) + task });
  });
  const busy = await busyCalls(page, SDK, () => checkout.open());
  const { scripts } = await takeBudget(page);
  assert.deepEqual(busy.map(({ name }) => name), ["slow"]);
  assert.ok(longScripts(scripts, SDK).length >= 1, JSON.stringify(scripts));
});
