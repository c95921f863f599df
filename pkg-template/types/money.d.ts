import type { Currency } from "./records.js";

/**
 * A whole number of minor units, such as cents. In a reply it is a `number` up to 2^53 and a `bigint` beyond,
 * so it is always exact. A request takes either. From 2^63 on an amount is refused. `toMinorUnits` makes one of
 * decimal text, `parseAmount` of what a customer typed.
 */
export type MinorUnits = number | bigint;

/**
 * Converts decimal text to minor units: `toMinorUnits("125.50", usd)` is `12550`.
 *
 * Accepts digits of any script and at most one decimal point with digits on both sides (`"125"`, `"0.5"`,
 * `"١٢٥٫٥"`); no sign, grouping, exponent or blank, and no more decimals than the currency has. Invisible
 * marks, such as those of right-to-left text, are ignored.
 *
 * @returns a `number` up to 2^53, a `bigint` beyond.
 * @throws {RemitError} `InvalidAmount`, saying what is expected.
 */
export function toMinorUnits(text: string, currency: Pick<Currency, "decimalPlaces">): MinorUnits;

/**
 * Converts what a customer typed to minor units: `parseAmount("1.250,50", eur, "de-DE")` is `125050`, exactly.
 *
 * Accepts the locale's decimal separator, its grouping, India's (`"12,34,567"`) or none, and digits of any
 * script, also full-width (`"１，２５０"`). Invisible marks are ignored. Groups of another size are refused, as
 * `"1,50"` in `"en-US"`, which was probably meant as a decimal.
 *
 * Some locales write money unlike numbers, as `"€1,250.50"` and `"1.250,50"` in `"en-DE"`. With the currency's
 * code both are accepted, and so is exactly what `formatAmount` writes. Where the two differ, the notation of
 * numbers counts; for a currency without decimals, that of money.
 *
 * @param locale a language, in any spelling; the page's by default, and for what names no language.
 * @returns a `number` up to 2^53, a `bigint` beyond.
 * @throws {RemitError} `InvalidAmount`, whose `userMessage` is in the locale if that is English or Spanish.
 */
export function parseAmount(
  text: string, currency: Pick<Currency, "decimalPlaces"> & Partial<Pick<Currency, "iso3Code">>, locale?: string,
): MinorUnits;

/**
 * Converts minor units to decimal text with all decimals of the currency: `fromMinorUnits(12550, usd)` is
 * `"125.50"`.
 *
 * @throws {RemitError} `InvalidAmount` if the value is not an exact whole number.
 */
export function fromMinorUnits(value: MinorUnits, currency: Pick<Currency, "decimalPlaces">): string;

/**
 * Formats an amount for a locale, exactly and with the service's number of decimals:
 * `formatAmount(quote.sendAmount, "en-US")` is `"$125.50"`. The code follows where the locale has no symbol of its
 * own, as in `"3,653.06 MXN"`, and in Spanish, where `$` is the sign of many currencies: `"$125.50 USD"`.
 *
 * @param locale a language, in any spelling; the page's by default, and for what names no language.
 * @throws {RemitError} `InvalidAmount` or `InvalidRequest`, naming what is wrong.
 */
export function formatAmount(
  amount: { value: MinorUnits; currency: Pick<Currency, "iso3Code" | "decimalPlaces"> }, locale?: string,
): string;
