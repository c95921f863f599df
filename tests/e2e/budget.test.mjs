import assert from "node:assert/strict";
import { longTasks, SDK } from "./support/budget.mjs";
import { shopSuite } from "./support/suite.mjs";
import { visit } from "./support/visit.mjs";

const shop = shopSuite();

for (const method of ["PUSH_TO_CARD", "BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"]) {
  shop.test(`no step of ${method} blocks the page for more than 50 ms`, async (checkout, page) => {
    const long = await longTasks(page, async () => {
      await checkout.open();
      await visit(checkout, page, method, () => {});
    });
    assert.deepEqual(long, []);
  });
}

// A fixed amount of work, as processor time is measured.
const SLOW = `function slow() {
  let sum = 0;
  for (let turn = 0; turn < 4e8; turn += 1) sum += turn % 7;
  globalThis.slow = sum;
}`;
const STARTS = { slow: "setTimeout(slow)", RunMicrotasks: "fetch('/').then(slow)" };
for (const [name, start] of Object.entries(STARTS)) {
  shop.test(`a long task in the SDK's file is found (${name})`, async (checkout, page) => {
    await page.route(SDK, async (route) => {
      if (!route.request().url().endsWith(".js")) return route.continue();
      const reply = await route.fetch();
      return route.fulfill({ response: reply, body: `${await reply.text()};${SLOW}${start};` });
    });
    const long = await longTasks(page, () => checkout.open());
    assert.deepEqual(long.map((task) => task.name), [name]);
  });
}
