import assert from "node:assert/strict";
import { test } from "node:test";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

test("customers correct their details in the middle of a transfer, and only what they changed is sent", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.openProfile();
    assert.equal(await page.evaluate(() => document.activeElement.id), "step-title");
    const city = page.locator("[data-field=ADDRESS_CITY]");
    const before = await city.inputValue();
    assert.notEqual(before, "");
    const patched = () => page.seen.requests.filter(({ method }) => method === "PATCH");

    await checkout.goOn();
    await page.locator(".notice.info").filter({ hasText: "Nothing was changed." }).waitFor();
    assert.equal(patched().length, 0);

    await city.fill("");
    await checkout.goOn();
    assert.equal(await city.getAttribute("aria-invalid"), "true");
    await page.locator("[data-field=EMAIL_ADDRESS]").fill("");
    await city.fill("Macon");
    await checkout.goOn();
    const email = page.locator("[data-field=EMAIL_ADDRESS]");
    assert.match(await page.locator(`#${await email.getAttribute("aria-describedby")}`).innerText(), /not left empty/);
    await email.fill("sender@example.com");
    await checkout.goOn();
    await page.locator(".notice.success").filter({ hasText: "Your details are saved." }).waitFor();
    assert.deepEqual(patched().map(({ body }) => JSON.parse(body)), [{ senderType: "PERSON", fields: [{ id: "ADDRESS_CITY", value: "Macon" }] }]);

    // The transfer is where it was left, and the details are as they were saved.
    await checkout.closeProfile("recipient");
    assert.equal(await page.locator("[data-field=firstName]").inputValue(), "Ana María");
    await checkout.openProfile();
    assert.equal(await city.inputValue(), "Macon");
    await city.fill(before);
    await checkout.goOn();
    await page.locator(".notice.success").waitFor();
  });
});

test("a number that the service shows in part only is kept unless it is replaced", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.openProfile();
    await page.locator("[data-field=ID_TYPE]").selectOption("SSN");
    const number = page.locator("[data-field=ID_NUMBER]");
    if ((await number.getAttribute("placeholder")) === null) await number.fill("123456789");
    await checkout.goOn();
    await page.locator(".notice").waitFor();
    await checkout.closeProfile("amount");
    await checkout.openProfile();
    assert.equal(await number.inputValue(), "");
    assert.equal(await number.getAttribute("placeholder"), "•••••6789");
    await page.locator("[data-field=MIDDLE_NAME]").fill("Ruth");
    await checkout.goOn();
    await page.locator(".notice").waitFor();
    const last = page.seen.requests.findLast(({ method }) => method === "PATCH");
    assert.doesNotMatch(last?.body ?? "", /\*|•/);
  });
});
