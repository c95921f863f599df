import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REPLIES } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, fieldsOf, ID, kit, load } from "./kit.mjs";

const VECTORS = JSON.parse(await readFile(join(import.meta.dirname, "../../field-form-vectors.json"), "utf8"));

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
      [{ NOTE: Symbol("a") }, "NOTE"],
      [{ PHONE: { number: "5512345678", extension: 1n } }, "PHONE.extension"],
      [{ PHONE: { number: "5512345678", extension: "\ud800" } }, "PHONE.extension"],
    ]);
  }
});

test("an accent that is typed apart from its letter is part of it", async () => {
  const name = { fieldId: "NAME", isRequired: true, fieldType: "TEXT", regex: "^[A-Za-z\\u00C0-\\u1EFF ]+$", maxLength: 10 };
  const { form } = await formOf([name, { fieldId: "CITY", isRequired: true, fieldType: "TEXT" }]);
  const values = { NAME: "Nguye\u0302\u0303n Vy", CITY: "Me\u0301rida" };
  assert.deepEqual([form.check(values), form.warnings(values)], [[], []]);
  assert.deepEqual(form.toFields(values), [{ id: "NAME", value: "Nguyễn Vy" }, { id: "CITY", value: "Mérida" }]);
});

test("only values are joined with their accents: no id, and no escape", async () => {
  const CITY = "Me\u0301rida";
  const { form } = await formOf([{ fieldId: CITY, isRequired: true, fieldType: "TEXT" }]);
  // In JSON the line break before the mark is a backslash and an `n`.
  const values = { [CITY]: 'a "\\":\n\u0303e\u0301' };
  assert.deepEqual(form.check(values), []);
  assert.deepEqual(form.toFields(values), [{ id: CITY, value: 'a "\\":\n\u0303\u00e9' }]);
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
  assert.deepEqual(form.valuesOf({ fields: [{ id: { toString: 7 }, value: "of no name" }] }), {});
  await assertRefused((record) => form.valuesOf(record), [
    [undefined, "record"],
    ["Ana", "record"],
    ...[{}, 0, "", false].map((fields) => [{ fields }, "record.fields"]),
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

const TYPED = [
  { fieldId: "BANK_ACCOUNT_NUMBER", name: "CLABE", regex: "^[0-9]{18}$", minLength: 18, maxLength: 18 },
  { fieldId: "IBAN", regex: "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", maxLength: 34, isRequired: false },
  { fieldId: "PHONE", fieldType: "PHONE_NUMBER", regex: "^[0-9]{7,15}$", isRequired: false },
  { fieldId: "BIRTH", fieldType: "DATE", isRequired: false },
];
const mexican = (number) => ({ number, countryIso3Code: "MEX", countryPhoneCode: "52" });

test("values are taken as people type them, and sent as the service accepts them", async () => {
  const { form } = await formOf(TYPED);
  const clabe = "032180000118359719";
  for (const [values, sent] of [
    [{ BANK_ACCOUNT_NUMBER: "0321 8000 0118 3597 19" }, { BANK_ACCOUNT_NUMBER: clabe }],
    [{ BANK_ACCOUNT_NUMBER: "٠٣٢١٨٠٠٠٠١١٨٣٥٩٧١٩\u200f" }, { BANK_ACCOUNT_NUMBER: clabe }],
    [{ BANK_ACCOUNT_NUMBER: "０３２１８００００１１８３５９７１９" }, { BANK_ACCOUNT_NUMBER: clabe }],
    [{ IBAN: "es91 2100-0418 4502 0005 1332" }, { IBAN: "ES9121000418450200051332" }],
    [{ BIRTH: "१९९०-०५-१७" }, { BIRTH: "1990-05-17" }],
    ...[
      "55 1234 5678", "+52 55 1234 5678", "(55) 1234-5678", "55\u00a01234\u202f5678", "0445512345678", "01 55 1234 5678",
      "52 1 55 1234 5678", "+52 1 (55) 1234-5678", "٥٥١٢٣٤٥٦٧٨",
    ].map((number) => [{ PHONE: mexican(number) }, { PHONE: mexican("5512345678") }]),
  ]) {
    const all = { BANK_ACCOUNT_NUMBER: clabe, ...values };
    assert.deepEqual(form.check(all), [], JSON.stringify(values));
    const fields = form.toFields(all);
    const expected = Object.entries({ BANK_ACCOUNT_NUMBER: clabe, ...sent }).map(([id, value]) => ({ id, value }));
    assert.deepEqual(fields, expected);
    assert.deepEqual(form.warnings(all), []);
  }
  const wrong = { BANK_ACCOUNT_NUMBER: "0321 8000 0118", PHONE: mexican("+1 912 555 0142"), BIRTH: "17.5.1990" };
  assert.deepEqual(codesOf(form.check(wrong)), [
    ["BANK_ACCOUNT_NUMBER", "ValueRegexFailure"],
    ["PHONE", "ValueRegexFailure"],
    ["BIRTH", "ValueRegexFailure"],
  ]);
});

test("what may be mistyped is a warning, in the customer's language, and can be sent", async () => {
  const { remit } = await kit(({ path }) => (path.endsWith("-fields") ? fieldsOf(...TYPED) : undefined), {
    locale: "es-MX",
  });
  const form = await remit.recipientAccountFields(OPERATIONS.recipientAccountFields.sample());
  const values = { BANK_ACCOUNT_NUMBER: "032180000118359710", PHONE: mexican("55-1234-567") };
  assert.deepEqual(form.check(values), []);
  const shown = form.warnings(values).map(({ code, message, label }) => [code, /^Revisa/.test(message), label]);
  assert.deepEqual(shown, [
    ["CheckDigitMismatch", true, "CLABE"],
    ["UnusualPhoneNumber", true, undefined],
  ]);
  assert.deepEqual(form.toFields(values).map(({ value }) => value.number ?? value), [
    "032180000118359710", "551234567",
  ]);
  await assertRefused((given) => form.warnings(given), [[[], "values"]]);
});

test("a form knows what depends on a field", async () => {
  const { form } = await formOf(VECTORS.fields);
  for (const [id, dependents] of Object.entries(VECTORS.dependents)) {
    assert.deepEqual(form.dependents(id), dependents, id);
  }
  await assertRefused((given) => form.dependents(given), [[7, "fieldId"]]);
});

test("a form knows which fields its values require", async () => {
  const condition = { comparisonOperator: "EQUAL_TO", comparisonValues: ["SSN"], fieldId: "ID_TYPE" };
  const dependencies = { isRequired: [condition] };
  const optional = { isRequired: false, visibility: "SHOW_AND_OPTIONAL" };
  const { form, remit } = await formOf([
    { fieldId: "ID_TYPE", ...optional },
    { fieldId: "NUMBER", ...optional, dependencies },
    { fieldId: "CITY", isRequired: true },
  ]);
  for (const [id, values, isRequired] of [
    ["CITY", undefined, true],
    ["CITY", { CITY: Symbol("its own does not matter") }, true],
    ["ID_TYPE", {}, false],
    ["NUMBER", {}, false],
    ["NUMBER", { ID_TYPE: "TIN" }, false],
    ["NUMBER", { ID_TYPE: "SSN ", NUMBER: "1" }, true],
  ]) {
    assert.equal(form.isRequired(id, values), isRequired, `${id} ${Object.keys(values ?? {})}`);
  }
  await assertRefused((id) => form.isRequired(id), [[7, "fieldId"], ["none", "fieldId"]]);
  await assertRefused((values) => form.isRequired("CITY", values), [
    [7, "values"], [{ NUMBER: Number.NaN }, "NUMBER"],
  ]);
  await remit.destroy();
  assert.equal((await errorOf(() => form.isRequired("CITY"))).code, "Destroyed");
});

test("known fields have two ids", async () => {
  const { lettersOf } = await load("input/letters-of.js");
  for (const [one, other, isSame] of VECTORS.sameField) {
    assert.equal(lettersOf(one) === lettersOf(other), isSame, `${one} ${other}`);
  }
});

test("a phone number without a calling code gets its country's", async () => {
  const { form } = await formOf([{ fieldId: "PHONE", fieldType: "PHONE_NUMBER" }]);
  const codeOf = (phone) => form.toFields({ PHONE: { number: "0", ...phone } })[0].value.countryPhoneCode;
  const codes = ["MEX", "GBR", "USA", "XXX", ""].map((countryIso3Code) => codeOf({ countryIso3Code }));
  assert.deepEqual(codes, ["52", "44", "1", undefined, undefined]);
  assert.equal(codeOf({ countryIso3Code: "MEX", countryPhoneCode: "+1" }), "+1");
});
