import assert from "node:assert/strict";
import { test } from "node:test";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

test("customers can edit details mid-transfer, and only changes are sent", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.openProfile();
    assert.equal(await page.evaluate(() => document.activeElement.id), "step-title");
    assert.equal(await page.locator(".stepper").isVisible(), false, "the details are no step");
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
    await city.fill("Macon");
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

test("a number the service shows only in part is kept unless replaced", async () => {
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

test("optional details can be removed without losing any others", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.openProfile();
    const field = (id) => page.locator(`[data-field=${id}]`);
    const saved = async () => {
      await checkout.goOn();
      await page.locator(".notice.success").filter({ hasText: "Your details are saved." }).waitFor();
    };
    const values = () => page.locator("[data-field]:visible").evaluateAll((controls) => Object.fromEntries(controls.map(({ dataset, value }) => [dataset.field, value])));
    const put = () => page.seen.requests.filter(({ method }) => method === "PUT");

    await field("MIDDLE_NAME").fill("Ruth");
    await field("ID_TYPE").selectOption("SSN");
    await field("ID_NUMBER").fill("123456789");
    await saved();
    assert.equal(put().length, 0);
    const before = await values();

    // The number is shown in part only, so it is asked for where all is saved anew.
    await field("MIDDLE_NAME").fill("");
    await checkout.goOn();
    assert.equal(await field("ID_NUMBER").getAttribute("aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.field), "ID_NUMBER");
    assert.equal(put().length, 0);
    await field("ID_NUMBER").fill("123456789");
    await saved();
    assert.deepEqual(await values(), { ...before, MIDDLE_NAME: "" });
    assert.equal(await field("ID_NUMBER").getAttribute("placeholder"), "•••••6789");

    // Without the identification its number is no longer asked for, and goes with it.
    await field("ID_TYPE").selectOption("");
    assert.equal(await field("ID_NUMBER").isVisible(), false);
    await saved();
    assert.equal(put().length, 2);
    const sent = JSON.parse(put().at(-1).body);
    assert.equal(sent.senderType, "PERSON");
    assert.ok(sent.fields.every(({ value }) => value !== "" && value !== null));
    for (const id of ["MIDDLE_NAME", "ID_TYPE", "ID_NUMBER"]) assert.ok(!sent.fields.some((one) => one.id === id), id);

    await checkout.closeProfile("amount");
    await checkout.openProfile();
    const { ID_NUMBER: _, ...others } = before;
    assert.deepEqual(await values(), { ...others, MIDDLE_NAME: "", ID_TYPE: "" });
  });
});
