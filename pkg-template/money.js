// Amounts are whole numbers of minor units: a number while that is exact, a bigint beyond 2^53.
// Nothing here passes through a float, and nothing needs the wasm or a browser.

import { invalid } from "./errors.js";
import { readMember } from "./plain.js";

const MOST_DECIMAL_PLACES = 8;
const GREATEST = 2n ** 63n - 1n;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;
const MOST_DIGITS = String(GREATEST).length;

/** What a person typed, such as "125.50", in minor units. */
export function toMinorUnits(text, currency) {
  const places = readDecimalPlaces(currency);
  if (typeof text !== "string") {
    throw invalid("InvalidAmount", "amount", 'decimal text such as "125.50"');
  }
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) {
    throw invalid(
      "InvalidAmount",
      "amount",
      "a decimal number such as 125.50: digits and a point, without sign or grouping",
    );
  }
  if (fraction.length > places) {
    throw invalid(
      "InvalidAmount",
      "amount",
      `written with no more than the ${places} decimals of the currency`,
    );
  }
  const digits = (whole + fraction.padEnd(places, "0")).replace(/^0+/, "");
  // By length first: to make a bigint of a megabyte of digits takes its time.
  const units = digits.length > MOST_DIGITS ? GREATEST + 1n : BigInt(digits);
  if (units > GREATEST) {
    throw invalid("InvalidAmount", "amount", "smaller: it does not fit");
  }
  return units <= Number.MAX_SAFE_INTEGER ? Number(units) : units;
}

/** Minor units as decimal text with all decimals of the currency. */
export function fromMinorUnits(value, currency) {
  return toDecimal(value, readDecimalPlaces(currency));
}

/** An amount as a person of the locale writes it. */
export function formatAmount(amount, locale) {
  const currency = readMember(amount, "currency", "amount");
  const places = readDecimalPlaces(currency);
  const decimal = toDecimal(readMember(amount, "value", "amount"), places);
  return formatOf(locale, readMember(currency, "iso3Code", "currency"), places).format(decimal);
}

// The service's own count, never a table's: Intl and ISO 4217 differ from it.
function readDecimalPlaces(currency) {
  const places = readMember(currency, "decimalPlaces", "currency");
  if (!Number.isInteger(places) || places < 0 || places > MOST_DECIMAL_PLACES) {
    throw invalid(
      "InvalidAmount",
      "currency.decimalPlaces",
      `a whole number from 0 to ${MOST_DECIMAL_PLACES}`,
    );
  }
  return places;
}

function toDecimal(value, places) {
  const exact = typeof value === "bigint" || Number.isSafeInteger(value);
  const units = exact ? BigInt(value) : GREATEST + 1n;
  if (units > GREATEST || units < -GREATEST - 1n) {
    throw invalid("InvalidAmount", "value", "a whole number of minor units (a bigint beyond 2^53)");
  }
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const point = digits.length - places;
  const fraction = places > 0 ? `.${digits.slice(point)}` : "";
  return (units < 0n ? "-" : "") + digits.slice(0, point) + fraction;
}

// Making a NumberFormat takes longer than everything else here.
const formats = new Map();

/** Intl takes a list of languages too, and one of billions would keep the page from going on. */
export function checkLocale(locale) {
  if (locale !== undefined && typeof locale !== "string") {
    throw invalid("InvalidRequest", "locale", "a language tag such as en-US");
  }
}

function formatOf(locale, iso3Code, places) {
  checkLocale(locale);
  if (typeof iso3Code !== "string" || !/^[A-Z]{3}$/.test(iso3Code)) {
    throw invalid(
      "InvalidAmount",
      "currency.iso3Code",
      "an ISO 4217 currency code of 3 uppercase letters such as USD",
    );
  }
  const key = `${locale} ${iso3Code} ${places}`;
  let format = formats.get(key);
  if (format === undefined) {
    try {
      format = new Intl.NumberFormat(locale, {
        style: "currency",
        currency: iso3Code,
        minimumFractionDigits: places,
        maximumFractionDigits: places,
      });
    } catch (cause) {
      throw invalid("InvalidRequest", "locale", "a language tag such as en-US", { cause });
    }
    if (formats.size >= 50) {
      formats.clear();
    }
    formats.set(key, format);
  }
  return format;
}
