import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, fieldsOf, kit, remitkit } from "./kit.mjs";

const { parseAmount } = remitkit;
const places = (decimalPlaces) => ({ decimalPlaces });

test("an amount is read exactly, as its locale writes it", () => {
  for (const [text, decimals, locale, units] of [
    ["125,50", 2, "de-DE", 12550],
    ["1.250,5", 2, "de-DE", 125050],
    ["1250,50", 2, "es-ES", 125050],
    ["1.250,50", 2, "es-ES", 125050],
    ["1,250.50", 2, "en-US", 125050],
    [" 125.50 ", 2, "es-MX", 12550],
    ["1 250,50", 2, "fr-FR", 125050],
    ["1\u00a0250,50", 2, "fr-FR", 125050],
    ["1'250.50", 2, "de-CH", 125050],
    ["1,25,000", 0, "en-IN", 125000],
    ["१,२५०.५०", 2, "hi-IN-u-nu-deva", 125050],
    ["1.250", 3, "en-US", 1250],
    ["90.071.992.547.409,93", 2, "de-DE", 9007199254740993n],
  ]) {
    assert.equal(parseAmount(text, places(decimals), locale), units, `${text} in ${locale}`);
  }
});

test("ambiguous text and anything but an amount are refused", async () => {
  for (const [text, locale] of [
    ["1,50", "en-US"],
    ["125.50", "de-DE"],
    ["1.2.3", "en-US"],
    ["1,0000", "en-US"],
    [",5", "de-DE"],
    ["-1", "en-US"],
    ["1e3", "en-US"],
    ["", "en-US"],
    ["$5", "en-US"],
    ["0.005", "en-US"],
    [5, "en-US"],
  ]) {
    const error = await errorOf(() => parseAmount(text, places(2), locale));
    assert.deepEqual([error.code, error.option], ["InvalidAmount", "amount"], `${text} in ${locale}`);
  }
  // Intl would look through the last one for minutes.
  for (const locale of ["no locale", ["en-US"], new Array(4_294_967_295)]) {
    const error = await errorOf(() => parseAmount("1", places(2), locale));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", "locale"]);
  }
});

test("a form says which fields are required, given the others", async () => {
  const isRequired = [{ comparisonOperator: "EQUAL_TO", comparisonValues: ["SSN"], fieldId: "ID_TYPE" }];
  const optional = [{ fieldId: "ID_TYPE" }, { fieldId: "ID_NUMBER", dependencies: { isRequired } }].map((field) => ({ ...field, isRequired: false }));
  const { remit } = await kit(() => fieldsOf({ fieldId: "CITY" }, ...optional));
  const form = await remit.recipientAccountFields({ dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" });
  assert.deepEqual(["CITY", "ID_TYPE", "ID_NUMBER"].map((id) => form.isRequired(id)), [true, false, false]);
  assert.equal(form.isRequired("CITY", { CITY: "Puebla" }), true);
  assert.equal(form.isRequired("ID_NUMBER", { ID_TYPE: "SSN", ID_NUMBER: "1" }), true);
  assert.equal(form.isRequired("ID_NUMBER", { ID_TYPE: "TIN" }), false);
  assert.equal((await errorOf(() => form.isRequired("NONE"))).option, "fieldId");
});
