// Amounts as customers type them: in the notation of their language, with or without the currency.

import { formatAmount, fromMinorUnits, withoutMarks } from "../../money/money.js";
import { parseAmount } from "../../money/parse-amount.js";
import { attempt } from "../control.js";

/** Returns the minor units of what was typed; undefined if that is no amount, or nothing. */
export function unitsOf(text, currency, language) {
  const units = parseDigits(bareOf(text, currency, language), currency, language);
  return units === undefined || BigInt(units) === 0n ? undefined : units;
}

/** Removes a currency's own sign or code, and the spaces by which people group digits. */
export function bareOf(text, currency, language) {
  const { iso3Code } = currency;
  const style = { style: "currency", currency: iso3Code, currencyDisplay: "narrowSymbol" };
  const [own = iso3Code] = signsIn(() => (0).toLocaleString("en", style));
  // Dollars of several countries differ by the letters before their sign.
  const signs = [iso3Code, `(?:${iso3Code[0]}${iso3Code[1]}?)?${own}`];
  signs.push(...signsIn(() => formatAmount({ value: 0, currency }, language)));
  const sign = `(?:${signs.join("|")})`;
  const bare = withoutMarks(text).trim().replace(new RegExp(`^${sign}\\s*|\\s*${sign}$`, "giu"), "");
  return bare.replace(/(\d)\s(?=\d{3}(?!\d))/g, "$1");
}

/** Returns patterns of what an amount of zero has before and after its digits. */
const signsIn = (write) =>
  attempt(() => withoutMarks(write()), "")
    .split(/\p{Nd}(?:.*\p{Nd})?/u)
    .map((sign) => sign.trim().replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
    .filter(Boolean);

/**
 * Converts what was typed to minor units: undefined if that is no amount. While a customer types, it may begin or end
 * with its separator. The other separator, which may be the only one of a phone's keys, is taken where it can only
 * mean decimals.
 */
export function parseDigits(text, currency, language) {
  const whole = text.replace(/^[.,]/, "0$&").replace(/[.,]$/, "");
  const units = attempt(() => parseAmount(whole, currency, language));
  if (units !== undefined) return units;
  const [, decimals] = /^\p{Nd}+[.,](\p{Nd}+)$/u.exec(whole) ?? [];
  const isDecimal = decimals !== undefined && decimals.length <= currency.decimalPlaces;
  return isDecimal ? attempt(() => parseAmount(swapped(whole), currency, language)) : undefined;
}

/** Writes the one separator for the other. */
export const swapped = (text) => text.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));

/** Writes an amount as customers would type it: with all decimals of its currency, or at least as many as given. */
export function typedText({ value, currency }, language, minimumFractionDigits = currency.decimalPlaces) {
  const options = { minimumFractionDigits, maximumFractionDigits: currency.decimalPlaces };
  const plain = fromMinorUnits(value, currency);
  const text = new Intl.NumberFormat(language, options).format(plain);
  // Without grouping where that would be read as another amount.
  return `${unitsOf(text, currency, language)}` === `${value}` ? text : plain;
}
