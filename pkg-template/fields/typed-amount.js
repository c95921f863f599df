// Amounts as customers type them: in the notation of their language, with or without the currency.

import { fromMinorUnits } from "../money.js";
import { parseAmount } from "../parse-amount.js";

/** Returns the minor units of what was typed; undefined if that is no amount, or nothing. */
export function unitsOf(text, currency, language) {
  const units = parseDigits(bareOf(text, currency), currency, language);
  return units === undefined || BigInt(units) === 0n ? undefined : units;
}

/** Removes a currency's sign or code, and the spaces by which people group digits. */
export function bareOf(text, { iso3Code }) {
  const sign = `(?:${iso3Code}|[A-Z]{0,3}\\p{Sc})`;
  const bare = text.trim().replace(new RegExp(`^${sign}\\s*|\\s*${sign}$`, "giu"), "");
  return bare.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "");
}

/** While a customer types, an amount may begin or end with its separator. */
export function parseDigits(text, currency, language) {
  const whole = text.replace(/^[.,]/, "0$&").replace(/[.,]$/, "");
  try {
    return parseAmount(whole, currency, language);
  } catch {
    return undefined;
  }
}

export function typedText({ value, currency }, language) {
  const { decimalPlaces: places } = currency;
  const options = { minimumFractionDigits: places, maximumFractionDigits: places };
  const plain = fromMinorUnits(value, currency);
  const text = new Intl.NumberFormat(language, options).format(plain);
  // Without grouping where that would be read as another amount.
  return `${unitsOf(text, currency, language)}` === `${value}` ? text : plain;
}
