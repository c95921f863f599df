import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import Decimal from "decimal.js";
import { Chance } from "../../chaos/chance.mjs";
import { errorOf, unpacked } from "./unpacked.mjs";

const VECTORS = JSON.parse(readFileSync(new URL("../../money-vectors.json", import.meta.url), "utf8"));
const { toMinorUnits, fromMinorUnits, formatAmount, isRemitError } = await (await unpacked()).load("index.js");

const places = (decimalPlaces, iso3Code = "USD") => ({ decimalPlaces, iso3Code });

function assertInvalid(error, option) {
  assert.ok(isRemitError(error), String(error));
  assert.deepEqual([error.kind, error.option], ["invalid_request", option]);
  assert.match(error.message, / must be /);
}

test("every vector converts to its minor units or is refused", async () => {
  for (const { text, decimals, minor } of VECTORS.toMinorUnits) {
    if (minor === null) {
      const error = await errorOf(() => toMinorUnits(text, places(decimals)));
      assertInvalid(error, "amount");
      assert.equal(error.code, "InvalidAmount");
    } else {
      const units = toMinorUnits(text, places(decimals));
      assert.equal(String(units), minor, text);
      assert.equal(typeof units, BigInt(minor) <= Number.MAX_SAFE_INTEGER ? "number" : "bigint");
    }
  }
});

test("every vector formats to its text, from numbers and bigints", () => {
  for (const { minor, decimals, text } of VECTORS.fromMinorUnits) {
    assert.equal(fromMinorUnits(BigInt(minor), places(decimals)), text);
    if (Number.isSafeInteger(Number(minor))) {
      assert.equal(fromMinorUnits(Number(minor), places(decimals)), text);
    }
  }
});

const ROWS = 100_000;
const seed = Number(process.env.MONEY_SEED ?? randomInt(2 ** 31));
const ExactDecimal = Decimal.clone({ precision: 60 });

test(`${ROWS} random amounts convert and format as a decimal library says (seed ${seed})`, () => {
  const chance = new Chance(seed, "money");
  const digits = (count) => Array.from({ length: count }, () => chance.between(0, 9)).join("");
  let beyondFloats = 0;
  for (let row = 0; row < ROWS; row += 1) {
    const currency = places(chance.between(0, 8));
    const { decimalPlaces } = currency;
    const whole = digits(chance.between(1, 18 - decimalPlaces));
    const written = chance.between(0, decimalPlaces);
    const text = written > 0 ? `${whole}.${digits(written)}` : whole;
    const minor = toMinorUnits(text, currency);
    const exact = new ExactDecimal(text);
    assert.equal(String(minor), exact.times(new ExactDecimal(10).pow(decimalPlaces)).toFixed(0), text);
    assert.equal(typeof minor, Number.isSafeInteger(Number(minor)) ? "number" : "bigint", text);
    beyondFloats += typeof minor === "bigint" ? 1 : 0;
    const expected = exact.toFixed(decimalPlaces);
    assert.equal(fromMinorUnits(minor, currency), expected, text);
    const grouped = expected.replace(/^\d+/, (units) => units.replace(/\B(?=(\d{3})+$)/g, ","));
    assert.equal(formatAmount({ value: minor, currency }, "en-US"), `$${grouped}`, text);
  }
  assert.ok(beyondFloats > 1000, `only ${beyondFloats} amounts were beyond what a float holds`);
});

test("amounts follow the locale, with the decimals the service gives", () => {
  const shown = (value, currency, locale) => formatAmount({ value, currency }, locale).replace(/\s/g, " ");
  assert.equal(shown(12550, places(2), "en-US"), "$125.50");
  assert.equal(shown(9007199254740993n, places(2), "en-US"), "$90,071,992,547,409.93");
  assert.equal(shown(9223372036854775807n, places(8), "en-US"), "$92,233,720,368.54775807");
  assert.equal(shown(-5, places(2), "en-US"), "-$0.05");
  assert.equal(shown(125000, places(2, "EUR"), "de-DE"), "1.250,00 €");
  assert.equal(shown(1250, places(0, "JPY"), "en-US"), "¥1,250");
  assert.equal(shown(1250, places(3, "KWD"), "en-US"), "KWD 1.250");
  assert.equal(shown(5000, places(2, "COP"), "en-US"), "COP 50.00", "Intl's own default would differ");
  assert.equal(shown(5, places(0, "USD"), "en-US"), "$5", "Intl's own default would differ");
  assert.equal(typeof formatAmount({ value: 1, currency: places(2) }), "string");
});

test("many locales, many currencies: a full cache changes no result", () => {
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 26; i += 1) {
      for (const decimals of [0, 2, 3]) {
        const code = `X${String.fromCharCode(65 + i)}A`;
        assert.match(
          formatAmount({ value: 1000, currency: places(decimals, code) }, "en-US"),
          new RegExp(`^${code}.${fromMinorUnits(1000, places(decimals)).replace(/^1000$/, "1,000")}$`),
        );
      }
    }
  }
});

test("an amount that is not decimal text is refused", async () => {
  for (const text of [
    125.5,
    125n,
    undefined,
    null,
    {},
    ["1"],
    new String("1"),
    Symbol("1"),
    () => "1",
    { toString: () => "1" },
  ]) {
    assertInvalid(await errorOf(() => toMinorUnits(text, places(2))), "amount");
  }
  const digits = "9".repeat(5_000_000);
  assertInvalid(await errorOf(() => toMinorUnits(digits, places(2))), "amount");
});

test("minor units that are not exact integers are refused", async () => {
  for (const value of [
    1.5,
    2 ** 53,
    Number.NaN,
    Infinity,
    "1",
    undefined,
    null,
    {},
    2n ** 63n,
    -(2n ** 63n) - 1n,
    Object(1n),
    { valueOf: () => 1 },
  ]) {
    assertInvalid(await errorOf(() => fromMinorUnits(value, places(2))), "value");
    assertInvalid(await errorOf(() => formatAmount({ value, currency: places(2) })), "value");
  }
});

test("a currency without usable decimals is refused", async () => {
  const thrower = {
    get decimalPlaces() {
      throw new Error("x");
    },
  };
  for (const currency of [places(-1), places(9), places(1.5), places("2"), places(2n), {}]) {
    assertInvalid(await errorOf(() => toMinorUnits("1", currency)), "currency.decimalPlaces");
    assertInvalid(await errorOf(() => fromMinorUnits(1, currency)), "currency.decimalPlaces");
    assertInvalid(await errorOf(() => formatAmount({ value: 1, currency })), "currency.decimalPlaces");
  }
  assertInvalid(await errorOf(() => toMinorUnits("1", thrower)), "currency.decimalPlaces");
  for (const currency of [undefined, null, "USD", 2]) {
    assertInvalid(await errorOf(() => toMinorUnits("1", currency)), "currency");
  }
  for (const amount of [undefined, null, 5, "5"]) {
    assertInvalid(await errorOf(() => formatAmount(amount)), "amount");
  }
  for (const code of ["usd", "US", "USDX", "", undefined, 840, {}]) {
    assertInvalid(
      await errorOf(() => formatAmount({ value: 1, currency: { decimalPlaces: 2, iso3Code: code } })),
      "currency.iso3Code",
    );
  }
  for (const locale of ["not a locale", "x", 7, null, {}, ["en-US"], Symbol("en")]) {
    assertInvalid(await errorOf(() => formatAmount({ value: 1, currency: places(2) }, locale)), "locale");
  }
});
