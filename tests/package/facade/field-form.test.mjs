import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REPLIES } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, fieldsOf, ID, kit } from "./kit.mjs";

const METHODS = ["senderFields", "recipientFields", "recipientAccountFields", "transferFields"];

/** A kit whose service asks for these fields, and the form of them. */
async function formOf(fields, method = "recipientAccountFields") {
  const { remit } = await kit(({ path }) => (path.endsWith("-fields") ? fieldsOf(...fields) : undefined));
  return { remit, form: await remit[method](OPERATIONS[method].sample()) };
}

const codesOf = (problems) => problems.map(({ fieldId, code }) => [fieldId, code]);

test("each form holds its fields, checks values, packs them and fetches choices", async () => {
  const { remit, requests } = await kit();
  for (const name of METHODS) {
    const { path, sample } = OPERATIONS[name];
    const asksForCard = name === "recipientAccountFields";
    const form = await remit[name](sample());
    assert.equal(requests.at(-1).path, path);
    const reply = JSON.parse(asksForCard ? REPLIES.accountFields : REPLIES.fields);
    assert.deepEqual([form.fieldSets, form.requiresCard], [reply.fieldSets, asksForCard]);
    assert.deepEqual(codesOf(form.check({ NOTE: "<" }))[0], ["NOTE", "ValueRegexFailure"]);
    assert.deepEqual(form.toFields({ NOTE: "a" }), [{ id: "NOTE", value: "a" }]);
    assert.deepEqual(await form.options("LIST", { NOTE: "a b" }), JSON.parse(REPLIES.choices));
    assert.deepEqual([requests.at(-1).path, requests.at(-1).query], ["/v1/choices", { of: "a b" }]);
    await assertRefused((given) => form.options(given), [[7, "fieldId"]]);
    await assertRefused((given) => form.toFields(given), [[[Number.NaN], "[0]"]]);
    await assertRefused((given) => form.check(given), [
      [[], "values"],
      [new Date(0), "values"],
      [{ NOTE: "a", NO_FIELD: Number.NaN }, "NO_FIELD"],
      [{ PHONE: { number: "5512345678", extension: 1n } }, "PHONE.extension"],
      [{ PHONE: { number: "5512345678", extension: "\ud800" } }, "PHONE.extension"],
    ]);
  }
});

test("a fetched record converts to the values its form takes", async () => {
  const ids = ["FIRST_NAME", "lastName", "CITY", "PHONE", "NOTE", "__proto__"];
  const typeOf = (fieldId) => (fieldId === "PHONE" ? "PHONE_NUMBER" : "TEXT");
  const fields = ids.map((fieldId) => ({ fieldId, isRequired: false, fieldType: typeOf(fieldId) }));
  const { form } = await formOf(fields, "recipientFields");
  const PHONE = { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" };
  const values = form.valuesOf({
    recipientId: ID,
    recipientType: "PERSON",
    firstName: "Ana",
    lastName: "Old",
    CITY: "not a field of the record",
    fields: [
      { id: "lastName", name: "Last name", type: "TEXT", value: "Rojas" },
      { id: "CITY", name: "City", type: "TEXT", value: "Puebla" },
      { id: "PHONE", type: "PHONE_NUMBER", value: PHONE },
      { id: "NOTE", value: null },
      { id: "__proto__", value: "own" },
      { id: "NO_LONGER_A_FIELD", value: "1" },
    ],
  });
  const expected = [["FIRST_NAME", "Ana"], ["lastName", "Rojas"], ["CITY", "Puebla"], ["PHONE", PHONE]];
  assert.deepEqual(Object.entries(values), [...expected, ["__proto__", "own"]]);
  assert.deepEqual([form.check(values), form.toFields(values).length], [[], 5]);
  assert.deepEqual(form.valuesOf({ companyName: "Any", fields: null }), {});
  assert.deepEqual(form.valuesOf({ fields: [null, 7, { value: "of nothing" }] }), {});
  await assertRefused((record) => form.valuesOf(record), [
    [undefined, "record"],
    ["Ana", "record"],
    [{ fields: {} }, "record.fields"],
    [{ fields: [{ id: "CITY", value: 1n }] }, "fields[0].value"],
  ]);
});

test("problems name their field, whoever fetched the fields", async () => {
  const city = { fieldId: "CITY", name: "City", label: "Town or city" };
  const fields = [city, { fieldId: "ZIP", name: "Postcode", label: "" }, { fieldId: "X" }];
  const refused = [{ code: "ValueRegexFailure", message: "Odd", fieldId: "ZIP" }];
  const { remit } = await kit(
    ({ path, method }) => {
      if (path.endsWith("-fields")) return fieldsOf(...fields);
      return method === "POST" ? Response.json(refused, { status: 400 }) : undefined;
    },
    { messages: { MissingRequiredField: "Fehlt." } },
  );
  const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
  const labels = { CITY: "Town or city", ZIP: "Postcode", X: undefined };
  const missing = Object.entries(labels).map(([fieldId, label]) => [fieldId, "Fehlt.", label]);
  const shown = (problems) => problems.map(({ fieldId, message, label }) => [fieldId, message, label]);
  const { problems } = await errorOf(remit.createRecipientAccount(ID, query));
  assert.deepEqual(shown(problems), missing);
  const form = await remit.recipientAccountFields(query);
  assert.deepEqual(shown(form.check({})), missing);
  assert.equal("label" in form.check({}).at(-1), false);
  const values = form.toFields({ CITY: "a", ZIP: "b", X: "c" });
  const refusal = await errorOf(remit.createRecipientAccount(ID, { ...query, fields: values }));
  assert.deepEqual(refusal.problems, [{ ...refused[0], label: "Postcode" }]);
});

test("a pattern with Unicode letters accepts the names that it was written for", async () => {
  const { form } = await formOf([{ fieldId: "HOLDER", regex: "^[\\p{L}' -]{1,40}$", maxLength: 40 }]);
  for (const HOLDER of ["Ana", "José", "Nguyễn Thị", "D'Arcy"]) assert.deepEqual(form.check({ HOLDER }), []);
  assert.deepEqual(codesOf(form.check({ HOLDER: "Ana1" })), [["HOLDER", "ValueRegexFailure"]]);
});
