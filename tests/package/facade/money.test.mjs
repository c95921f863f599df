import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import Decimal from "decimal.js";
import { Chance } from "../../chaos/chance.mjs";
import { assertRefused, errorOf, unpacked } from "./unpacked.mjs";

const VECTORS = JSON.parse(await readFile(join(import.meta.dirname, "../../money-vectors.json"), "utf8"));
const { load } = await unpacked();
const { formatAmount, fromMinorUnits, parseAmount, toMinorUnits } = await load("index.js");
const { unitsOf } = await load("fields/amount/typed-amount.js");

const places = (decimalPlaces, iso3Code = "USD") => ({ decimalPlaces, iso3Code });

test("every vector converts to its minor units or is refused", async () => {
  for (const { text, decimals, minor } of VECTORS.toMinorUnits) {
    const convert = () => toMinorUnits(text, places(decimals));
    if (minor === null) {
      await assertRefused(convert, [[text, "amount"]], "InvalidAmount");
    } else {
      const units = convert();
      assert.equal(String(units), minor, text);
      assert.equal(typeof units, BigInt(minor) <= Number.MAX_SAFE_INTEGER ? "number" : "bigint");
    }
  }
  for (const text of VECTORS.notAmounts) {
    await assertRefused(() => toMinorUnits(text, places(2)), [[text, "amount"]], "InvalidAmount");
  }
});

test("every vector formats to its text, from numbers and bigints", () => {
  for (const { minor, decimals, text } of VECTORS.fromMinorUnits) {
    const values = Number.isSafeInteger(Number(minor)) ? [BigInt(minor), Number(minor)] : [BigInt(minor)];
    for (const value of values) assert.equal(fromMinorUnits(value, places(decimals)), text);
  }
});

const ROWS = 50_000;
const seed = Number(process.env.MONEY_SEED ?? randomInt(2 ** 31));
const ExactDecimal = Decimal.clone({ precision: 60 });

test(`${ROWS} random amounts convert and format as a decimal library says (seed ${seed})`, () => {
  const chance = new Chance(seed, "money");
  const digits = (count) => Array.from({ length: count }, () => chance.between(0, 9)).join("");
  let bigints = 0;
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
    bigints += typeof minor === "bigint" ? 1 : 0;
    const expected = exact.toFixed(decimalPlaces);
    assert.equal(fromMinorUnits(minor, currency), expected, text);
    const grouped = expected.replace(/^\d+/, (units) => units.replace(/\B(?=(\d{3})+$)/g, ","));
    assert.equal(formatAmount({ value: minor, currency }, "en-US"), `$${grouped}`, text);
  }
  assert.ok(bigints > ROWS / 100, `only ${bigints} amounts beyond 2^53`);
});

test("amounts follow the locale, with the decimals the service gives", () => {
  for (const [value, currency, locale, shown] of [
    [12550, places(2), "en-US", "$125.50"],
    [9007199254740993n, places(2), "en-US", "$90,071,992,547,409.93"],
    [9223372036854775807n, places(8), "en-US", "$92,233,720,368.54775807"],
    [-5, places(2), "en-US", "-$0.05"],
    [125000, places(2, "EUR"), "de-DE", "1.250,00 €"],
    [1250, places(0, "JPY"), "en-US", "¥1,250"],
    [1250, places(3, "KWD"), "en-US", "1.250 KWD"],
    // A symbol with letters that Intl adds tells customers less than the code.
    [-365306, places(2, "MXN"), "en-US", "-3,653.06 MXN"],
    [365306, places(2, "MXN"), "de-DE", "3.653,06 MXN"],
    [365306, places(2, "BRL"), "pt-BR", "R$ 3.653,06"],
    [365306, places(2, "SEK"), "sv-SE", "3 653,06 kr"],
    // In Spanish, the dollar sign names no currency.
    [365306, places(2, "MXN"), "es-MX", "$3,653.06 MXN"],
    [365306, places(2, "USD"), "es-MX", "$3,653.06 USD"],
    [365306, places(2, "EUR"), "es-ES", "3653,06 €"],
    // Intl has other decimals for these.
    [5000, places(2, "COP"), "en-US", "50.00 COP"],
    [5, places(0, "USD"), "en-US", "$5"],
  ]) {
    assert.equal(formatAmount({ value, currency }, locale).replace(/\s/g, " "), shown);
  }
  assert.equal(typeof formatAmount({ value: 1, currency: places(2) }), "string");
});

test("many locales, many currencies: a full cache changes no result", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const letter of letters) {
    for (const [decimals, number] of [[0, "1,000"], [2, "10.00"], [3, "1.000"]]) {
      const shown = formatAmount({ value: 1000, currency: places(decimals, `X${letter}A`) }, "en-US");
      assert.equal(shown.replace(/\s/g, " "), `${number} X${letter}A`);
    }
  }
});

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
    // Digits of any script, in any locale, and marks that no one sees.
    ["１２５", 2, "en-US", 12500],
    ["１２５．５０", 2, "ja-JP", 12550],
    ["１，２５０．５０", 2, "en-US", 125050],
    ["1，250", 2, "zh-CN", 125000],
    ["１．２５０，５", 2, "de-DE", 125050],
    ["१२५", 2, "hi-IN", 12500],
    ["१,२५,०००", 0, "en-IN", 125000],
    ["١٢٥", 2, "en-US", 12500],
    ["١٬٢٥٠٫٥٠", 2, "ar-EG", 125050],
    ["١٬٢٥٠٫٥٠", 2, "en-US", 125050],
    ["١٬٢٥٠٫٥٠", 2, "de-DE", 125050],
    ["١٢٥.٥", 2, "ar-AE", 12550],
    ["۱۲۵٫۵", 2, "fa-IR", 12550],
    ["1,250.50", 2, "fa-IR-u-nu-latn", 125050],
    ["\u200f١٢٥\u200e", 2, "ar-EG", 12500],
    ["\u2066 1,250\u2069", 2, "en-US", 125000],
  ]) {
    assert.equal(parseAmount(text, places(decimals), locale), units, `${text} in ${locale}`);
  }
});

test("ambiguous text and anything but an amount are refused", async () => {
  const texts = {
    "en-US": ["1,50", "1.2.3", "1,0000", "-1", "1e3", "", "$5", "0.005", 5, "１，５０", "１٫２٫５", "1²", "½", "一"],
    "de-DE": ["125.50", ",5", "١٫٢٥٠", "１２５．５０"],
  };
  for (const [locale, wrong] of Object.entries(texts)) {
    const parse = (text) => parseAmount(text, places(2), locale);
    await assertRefused(parse, wrong.map((text) => [text, "amount"]), "InvalidAmount");
  }
  const converted = [["1"], new String("1"), Symbol("1"), { toString: () => "1" }];
  const others = [125.5, 125n, undefined, null, {}, "9".repeat(5_000_000)];
  const rows = [...converted, ...others].map((text) => [text, "amount"]);
  await assertRefused((text) => toMinorUnits(text, places(2)), rows, "InvalidAmount");
});

/** Returns the locales of the engine: each language in each region, and in each script. */
function allLocales() {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const codes = [...pairs, ...pairs.flatMap((pair) => letters.map((third) => pair + third))];
  const languages = new Set(
    Intl.NumberFormat.supportedLocalesOf(codes).map((tag) => new Intl.Locale(tag).language),
  );
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const regions = pairs.map((pair) => pair.toUpperCase()).filter((code) => names.of(code));
  const subtags = [
    {},
    ...[...regions, "001", "150", "419"].map((region) => ({ region })),
    ...["Arab", "Cyrl", "Deva", "Hans", "Hant", "Latn", "Tfng", "Vaii"].map((script) => ({ script })),
  ];
  const localeOf = (tag) => new Intl.NumberFormat(tag).resolvedOptions().locale;
  const all = [...languages].flatMap((language) => subtags.map((more) => localeOf(new Intl.Locale(language, more))));
  return [...new Set(all)];
}

test("what formatAmount writes is read back in every locale, with the currency's sign and without", () => {
  const locales = allLocales();
  assert.ok(locales.length > 500 && locales.includes("de-AT"), `${locales.length} locales`);
  const currencies = [places(0, "JPY"), places(2, "EUR"), places(2, "CHF"), places(3, "KWD")];
  const amounts = currencies.flatMap((currency) => [5, 125050, 1234567890].map((value) => ({ value, currency })));
  for (const locale of locales) {
    for (const { value, currency } of amounts) {
      const shown = formatAmount({ value, currency }, locale);
      const [figures] = /\p{Nd}(?:.*\p{Nd})?/u.exec(shown);
      const read = [shown, figures].map((text) => parseAmount(text, currency, locale));
      assert.deepEqual(read, [value, value], `${shown} in ${locale}`);
      assert.equal(unitsOf(shown, currency, locale), value, `${shown} in ${locale}, typed`);
    }
  }
});

test("where money is written unlike numbers, both are read, and what could be either is a number or refused", async () => {
  for (const [text, currency, locale, units] of [
    ["1.250,50", places(2, "EUR"), "de-AT", 125050],
    ["1 250,50", places(2, "EUR"), "de-AT", 125050],
    ["1.25", places(2, "EUR"), "de-AT", 125],
    ["1.250", places(0, "JPY"), "de-AT", 1250],
    ["1,250.5", places(2, "EUR"), "en-DE", 125050],
    ["1.250,5", places(2, "EUR"), "en-DE", 125050],
    ["1.250", places(2, "EUR"), "en-DE", 125000],
    ["1,25", places(2, "EUR"), "en-DE", 125],
    ["1.250", places(3, "EUR"), "en-DE", 1250000],
    ["€1.250", places(3, "EUR"), "en-DE", 1250],
    ["1,250.50", places(2, "EUR"), "en-CH", 125050],
    ["1’250.50", places(2, "EUR"), "en-CH", 125050],
    // Without a code, or with one that is none, amounts are written as numbers.
    ["1.250,50", { decimalPlaces: 2 }, "de-DE", 125050],
    ["1.250,50", places(2, "eur"), "de-DE", 125050],
  ]) {
    assert.equal(parseAmount(text, currency, locale), units, `${text} in ${locale}`);
  }
  const texts = {
    "en-DE": ["1,250", "1,250,50", "1.25.50", "0.250,5"],
    "de-AT": ["1.250", "1,250.50"],
    "en-CH": ["1,50", "1'50"],
    "de-DE": ["0.500"],
    "en-US": ["-€5.00", "€5", "$5.00", "€5.00 EUR", "5.00 €"],
  };
  for (const [locale, wrong] of Object.entries(texts)) {
    const parse = (text) => parseAmount(text, places(2, "EUR"), locale);
    await assertRefused(parse, wrong.map((text) => [text, "amount"]), "InvalidAmount");
  }
});

/** Asserts for rows of `[argument, option]` that the call is refused and names the option. */
async function assertNamed(call, rows) {
  for (const [argument, option] of rows) {
    const error = await errorOf(() => call(argument));
    assert.deepEqual([error.kind, error.option], ["invalid_request", option]);
    assert.match(error.message, / must be /);
  }
}
const usd = places(2);

test("unusable minor units, currencies and amounts are refused", async () => {
  const values = [1.5, 2 ** 53, Number.NaN, 2n ** 63n, -(2n ** 63n) - 1n, "1", null, Object(1n)];
  const rows = values.map((value) => [value, "value"]);
  await assertNamed((value) => fromMinorUnits(value, usd), rows);
  await assertNamed((value) => formatAmount({ value, currency: usd }), rows);
  const throwing = Object.defineProperty({}, "decimalPlaces", { get: () => assert.fail("in the page") });
  const decimals = [places(-1), places(9), places(1.5), places("2"), places(2n), throwing];
  const currencies = [
    ...decimals.map((currency) => [currency, "currency.decimalPlaces"]),
    ...[undefined, null, "USD"].map((currency) => [currency, "currency"]),
  ];
  await assertNamed((currency) => toMinorUnits("1", currency), currencies);
  await assertNamed((currency) => fromMinorUnits(1, currency), currencies);
  await assertNamed((currency) => formatAmount({ value: 1, currency }), currencies);
  await assertNamed(formatAmount, [undefined, 5].map((amount) => [amount, "amount"]));
  const codes = ["usd", "USDX", null].map((code) => [code, "currency.iso3Code"]);
  await assertNamed((code) => formatAmount({ value: 1, currency: places(2, code) }), codes);
});
