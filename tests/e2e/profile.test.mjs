import assert from "node:assert/strict";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const MASKED = "•••••6789";

/** Submits the form, and waits for the message with this key. */
async function save(checkout, key = "profile.saved") {
  await checkout.goOn();
  await checkout.page.locator(".panel .notice").filter({ hasText: checkout.text(key) }).waitFor();
}

const sent = (page, method) => page.seen.requests.filter((request) => request.method === method);

shop.test("customers can edit details mid-transfer, and only changes are sent", async (checkout, page) => {
  await checkout.goOn("recipient");
  await checkout.fillForm();
  await checkout.openProfile();
  assert.equal(await checkout.focused(), "step-title");
  assert.equal(await page.locator(".stepper").isVisible(), false);
  const city = checkout.field("ADDRESS_CITY");
  const before = await city.inputValue();
  assert.notEqual(before, "");
  await save(checkout, "profile.unchanged");
  assert.equal(sent(page, "PATCH").length, 0);

  await city.fill("");
  await checkout.goOn();
  assert.equal(await city.getAttribute("aria-invalid"), "true");
  await city.fill("Macon");
  await save(checkout);
  const bodies = sent(page, "PATCH").map(({ body }) => JSON.parse(body));
  assert.deepEqual(bodies, [{ senderType: "PERSON", fields: [{ id: "ADDRESS_CITY", value: "Macon" }] }]);

  // The transfer is where it was left.
  await checkout.closeProfile("recipient");
  assert.equal(await checkout.field("firstName").inputValue(), "Ana María");
  await checkout.openProfile();
  assert.equal(await city.inputValue(), "Macon");
  await city.fill(before);
  await save(checkout);
});

shop.test("masked details are kept, and optional ones can be removed", async (checkout, page) => {
  const field = (id) => checkout.field(id);
  const values = () =>
    page.locator("[data-field] [part~=control]:visible").evaluateAll((all) =>
      Object.fromEntries(all.map(({ name, value }) => [name, value])),
    );
  await checkout.openProfile();
  await field("MIDDLE_NAME").fill("Ruth");
  await field("ID_TYPE").selectOption("SSN");
  await field("ID_NUMBER").fill("123456789");
  await save(checkout);
  await checkout.closeProfile("amount");
  await checkout.openProfile();
  assert.equal(await field("ID_NUMBER").inputValue(), "");
  assert.equal(await field("ID_NUMBER").getAttribute("placeholder"), MASKED);
  await field("NICKNAME").fill("Ru");
  await save(checkout);
  assert.doesNotMatch(sent(page, "PATCH").at(-1).body, /\*|•|ID_NUMBER/);
  assert.equal(sent(page, "PUT").length, 0);
  const before = await values();

  // To remove a detail, all of them are sent, so the masked number has to be entered again.
  await field("MIDDLE_NAME").fill("");
  await checkout.goOn();
  assert.equal(await field("ID_NUMBER").getAttribute("aria-invalid"), "true");
  assert.equal(await checkout.focused(), "ID_NUMBER");
  assert.equal(sent(page, "PUT").length, 0);
  await field("ID_NUMBER").fill("123456789");
  await save(checkout);
  assert.deepEqual(await values(), { ...before, MIDDLE_NAME: "" });
  assert.equal(await field("ID_NUMBER").getAttribute("placeholder"), MASKED);

  // Without the type of identification there is no number.
  await field("ID_TYPE").selectOption("");
  assert.equal(await field("ID_NUMBER").isVisible(), false);
  await save(checkout);
  assert.equal(sent(page, "PUT").length, 2);
  const { senderType, fields } = JSON.parse(sent(page, "PUT").at(-1).body);
  assert.equal(senderType, "PERSON");
  assert.ok(fields.every(({ value }) => value !== "" && value !== null));
  const removed = ["MIDDLE_NAME", "ID_TYPE", "ID_NUMBER"];
  assert.ok(!fields.some(({ id }) => removed.includes(id)));
  await checkout.closeProfile("amount");
  await checkout.openProfile();
  const { ID_NUMBER: _, ...others } = before;
  assert.deepEqual(await values(), { ...others, MIDDLE_NAME: "", ID_TYPE: "" });
});
