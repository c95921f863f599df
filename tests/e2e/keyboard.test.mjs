import assert from "node:assert/strict";
import { test } from "node:test";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

test("everything can be reached and used by keyboard", async () => {
  await shop.inShop(async (checkout, page) => {
    const focused = () => page.evaluate(() => document.activeElement.name || document.activeElement.id || document.activeElement.className);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "skip");
    const seen = new Set();
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press("Tab");
      seen.add(await focused());
    }
    for (const name of ["profile-button", "country", "method", "amount-send", "amount-receive"]) assert.ok(seen.has(name), name);
    await page.getByLabel("You send", { exact: true }).focus();
    await page.keyboard.press("Enter");
    await checkout.step("recipient");
    assert.equal(await page.evaluate(() => document.activeElement.id), "step-title");
    await page.locator(".skip").press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.equal(await page.locator("html").getAttribute("data-step"), "recipient");
    await page.goBack();
    await checkout.step("amount");
    await page.goForward();
    await checkout.step("recipient");
  });
});

test("errors take the keyboard focus, but not while the customer types", async () => {
  const focused = () => page.evaluate(() => document.activeElement.className || document.activeElement.id);
  let page;
  await shop.inShop(async (checkout, opened) => {
    page = opened;
    // No price: said beside the figures, and the keyboard stays where it is.
    await page.getByLabel("You send", { exact: true }).fill("9900.40");
    await page.locator(".summary .notice.error[role=alert]").waitFor();
    assert.equal(await focused(), "amount-send");
    await checkout.sendAmount("200");
    assert.equal(await page.locator(".summary .notice").count(), 0);
    // No answer to what was pressed: said at the head of the step.
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await page.route(/\/v1\/recipients$/, (route) => route.fulfill({ status: 400, headers: { "access-control-allow-origin": "*" }, json: [{ code: "BusinessOrDataValidationError", message: "It could not be saved." }] }));
    await checkout.goOn();
    await page.locator(".panel .notice.error[role=alert]").waitFor();
    assert.equal(await focused(), "notice error");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.innerText), "Try again");
    await page.unroute(/\/v1\/recipients$/);
    await page.keyboard.press("Enter");
    await checkout.step("account");
  }, { expectErrors: [/status of (4|5)\d\d.*\/v1\//] });
});

test("a screen reader hears each change once", async () => {
  await shop.inShop(async (checkout, page) => {
    const price = page.locator(".summary [role=status]");
    const first = await price.innerText();
    assert.match(first, /They receive .*Total to pay/);
    await checkout.sendAmount("250");
    await page.waitForFunction((before) => document.querySelector(".summary [role=status]").textContent !== before, first);
    // The seconds that a price is held are no news each time.
    assert.equal(await page.locator(".line.held [role=timer]").count(), 1);
    for (const to of ["recipient", "amount"]) {
      await (to === "recipient" ? checkout.goOn(to) : page.locator(".actions button[type=button]").click());
      await checkout.step(to);
      assert.equal(await page.evaluate(() => document.activeElement.id), "step-title");
    }
  });
});
