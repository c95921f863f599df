import assert from "node:assert/strict";
import { disappears, eventually, hasAttribute, hasValue, isHidden } from "./support/shown.mjs";
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
  await checkout.hasFocus("step-title");
  await isHidden(page.locator(".stepper"), "the profile is shown");
  const city = checkout.field("ADDRESS_CITY");
  await hasValue(city, /./);
  // settled: it is filled in.
  const before = await city.inputValue();
  await save(checkout, "profile.unchanged");
  assert.equal(sent(page, "PATCH").length, 0);

  await city.fill("");
  await checkout.goOn();
  await hasAttribute(city, "aria-invalid", "true");
  await city.fill("Macon");
  await save(checkout);
  const bodies = sent(page, "PATCH").map(({ body }) => JSON.parse(body));
  assert.deepEqual(bodies, [{ senderType: "PERSON", fields: [{ id: "ADDRESS_CITY", value: "Macon" }] }]);

  // The transfer is where it was left.
  await checkout.closeProfile("recipient");
  await hasValue(checkout.field("firstName"), "Ana María");
  await checkout.openProfile();
  await hasValue(city, "Macon");
  await city.fill(before);
  await save(checkout);
});

shop.test("masked details are kept, and optional ones can be removed", async (checkout, page) => {
  const field = (id) => checkout.field(id);
  const values = () =>
    page.locator("[data-field] [part~=control]:visible").evaluateAll((all) =>
      Object.fromEntries(all.map(({ name, value }) => [name, value])),
    );
  const hasValues = (expected) => eventually(async () => assert.deepEqual(await values(), expected));
  await checkout.openProfile();
  await field("MIDDLE_NAME").fill("Ruth");
  await field("ID_TYPE").selectOption("SSN");
  await field("ID_NUMBER").fill("123456789");
  await save(checkout);
  await checkout.closeProfile("amount");
  await checkout.openProfile();
  await hasValue(field("ID_NUMBER"), "");
  await hasAttribute(field("ID_NUMBER"), "placeholder", MASKED);
  await field("NICKNAME").fill("Ru");
  await save(checkout);
  assert.doesNotMatch(sent(page, "PATCH").at(-1).body, /\*|•|ID_NUMBER/);
  assert.equal(sent(page, "PUT").length, 0);
  const before = await values();

  // To remove a detail, all of them are sent, so the masked number has to be entered again.
  await field("MIDDLE_NAME").fill("");
  await checkout.goOn();
  await hasAttribute(field("ID_NUMBER"), "aria-invalid", "true");
  await checkout.hasFocus("ID_NUMBER");
  assert.equal(sent(page, "PUT").length, 0);
  await field("ID_NUMBER").fill("123456789");
  await save(checkout);
  await hasValues({ ...before, MIDDLE_NAME: "" });
  await hasAttribute(field("ID_NUMBER"), "placeholder", MASKED);

  // Without the type of identification there is no number.
  await field("ID_TYPE").selectOption("");
  await disappears(field("ID_NUMBER"));
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
  await hasValues({ ...others, MIDDLE_NAME: "", ID_TYPE: "" });
});
