// Amounts are whole numbers of minor units: a number while that is exact, a bigint beyond 2^53. Nothing here
// passes through a float, or needs the wasm or a browser.

import { invalid } from "../errors/errors.js";
import { isSpanish, languageOf } from "../errors/locale.js";
import { readMember } from "../input/plain.js";

const MAX_DECIMAL_PLACES = 8;
const MAX_UNITS = 2n ** 63n - 1n;
const MAX_DIGITS = String(MAX_UNITS).length;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Converts decimal text such as "125.50" to minor units. */
export function toMinorUnits(text, currency) {
  const places = readDecimalPlaces(currency);
  if (typeof text !== "string") throw invalid("InvalidAmount", "amount", 'decimal text such as "125.50"');
  const plain = withoutMarks(text).replace(SIGN, (sign) => digitOf(sign) ?? ".");
  const [, whole, fraction = ""] = DECIMAL.exec(plain) ?? [];
  if (whole === undefined) {
    const expected = "a decimal number such as 125.50: digits and a point, without sign or grouping";
    throw invalid("InvalidAmount", "amount", expected);
  }
  if (fraction.length > places) {
    throw invalid(
      "InvalidAmount",
      "amount",
      `written with no more than the ${places} decimals of the currency`,
    );
  }
  const digits = (whole + fraction.padEnd(places, "0")).replace(/^0+/, "");
  // Check the length first: converting a megabyte of digits to a bigint takes long.
  const units = digits.length > MAX_DIGITS ? MAX_UNITS + 1n : BigInt(digits);
  if (units > MAX_UNITS) throw invalid("InvalidAmount", "amount", "smaller: it does not fit");
  return units <= Number.MAX_SAFE_INTEGER ? Number(units) : units;
}

// Arabic and full-width writing have decimal points of their own.
const SIGN = /(?!\d)\p{Nd}|[\u066b\uff0e]/gu;
const MARKS = /[\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Removes the invisible marks that pasted texts have. */
export const withoutMarks = (text) => text.replace(MARKS, "");

/** Returns the value of a decimal digit of any script as text; undefined for any other sign. */
export function digitOf(sign) {
  const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
  const code = sign.codePointAt();
  // The ten digits of a script follow one another, in some blocks directly on those of another style.
  let before = 0;
  while (isDigit(code - before)) before += 1;
  return before === 0 ? undefined : String((before - 1) % 10);
}

/** Converts minor units to decimal text with all decimals of the currency. */
export function fromMinorUnits(value, currency) {
  return toDecimal(value, readDecimalPlaces(currency));
}

/** Formats an amount for a locale, with a symbol where customers know it, and otherwise with the code. */
export function formatAmount(amount, locale) {
  const currency = readMember(amount, "currency", "amount");
  const places = readDecimalPlaces(currency);
  const decimal = toDecimal(readMember(amount, "value", "amount"), places);
  const { format, code } = formatOf(locale, readMember(currency, "iso3Code", "currency"), places);
  return format.format(decimal) + code;
}

const isCode = (code) => typeof code === "string" && /^[A-Z]{3}$/.test(code);

/** Returns the number format that `formatAmount` uses for a currency; undefined without its code. */
export function moneyFormatOf(currency, locale) {
  const code = readMember(currency, "iso3Code", "currency");
  return isCode(code) ? formatOf(locale, code, readDecimalPlaces(currency)).format : undefined;
}

// The service's own number, as Intl and ISO 4217 differ from it.
export function readDecimalPlaces(currency) {
  const places = readMember(currency, "decimalPlaces", "currency");
  if (!Number.isInteger(places) || places < 0 || places > MAX_DECIMAL_PLACES) {
    const expected = `a whole number from 0 to ${MAX_DECIMAL_PLACES}`;
    throw invalid("InvalidAmount", "currency.decimalPlaces", expected);
  }
  return places;
}

function toDecimal(value, places) {
  const isExact = typeof value === "bigint" || Number.isSafeInteger(value);
  const units = isExact ? BigInt(value) : MAX_UNITS + 1n;
  if (units > MAX_UNITS || units < -MAX_UNITS - 1n) {
    throw invalid("InvalidAmount", "value", "a whole number of minor units (a bigint beyond 2^53)");
  }
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const point = digits.length - places;
  const fraction = places > 0 ? `.${digits.slice(point)}` : "";
  return (units < 0n ? "-" : "") + digits.slice(0, point) + fraction;
}

// Creating a NumberFormat takes longer than all else here.
const formats = new Map();

function formatOf(locale, iso3Code, places) {
  if (!isCode(iso3Code)) {
    const expected = "an ISO 4217 currency code of 3 uppercase letters such as USD";
    throw invalid("InvalidAmount", "currency.iso3Code", expected);
  }
  const language = languageOf(locale);
  const key = `${language} ${iso3Code} ${places}`;
  let known = formats.get(key);
  if (known === undefined) {
    known = createFormat(language, iso3Code, places);
    if (formats.size >= 50) formats.clear();
    formats.set(key, known);
  }
  return known;
}

// A symbol to which Intl adds letters, such as `MX$`, is its own invention: the code says the same to everyone.
// In Spanish, `$` is the sign of many currencies.
function createFormat(language, currency, places) {
  const decimals = { minimumFractionDigits: places, maximumFractionDigits: places };
  const [usual, narrow] = ["symbol", "narrowSymbol"].map((currencyDisplay) => {
    const format = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay, ...decimals });
    const symbol = format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? currency;
    return { format, symbol };
  });
  const code = `\u00a0${currency}`;
  if (narrow.symbol === "$" && isSpanish(language)) return { format: narrow.format, code };
  const isKnown = usual.symbol === narrow.symbol || !usual.symbol.includes(narrow.symbol);
  if (isKnown && usual.symbol !== currency) return { format: usual.format, code: "" };
  return { format: new Intl.NumberFormat(language, decimals), code };
}
