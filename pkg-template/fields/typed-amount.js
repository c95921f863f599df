// Amounts as customers type them: in the notation of their language, with or without the currency.

import { fromMinorUnits } from "../money.js";
import { parseAmount } from "../parse-amount.js";
import { attempt } from "./control.js";

/** Returns the minor units of what was typed; undefined if that is no amount, or nothing. */
export function unitsOf(text, currency, language) {
  const units = parseDigits(bareOf(text, currency), currency, language);
  return units === undefined || BigInt(units) === 0n ? undefined : units;
}

/** Removes a currency's own sign or code, and the spaces by which people group digits. */
export function bareOf(text, { iso3Code }) {
  const style = { style: "currency", currency: iso3Code, currencyDisplay: "narrowSymbol" };
  const own = attempt(() => (0).toLocaleString("en", style).replace(/[\d.\s]+/, "").replace("$", "\\$&"), iso3Code);
  // Dollars of several countries differ by the letters before their sign.
  const sign = `(?:${iso3Code}|(?:${iso3Code[0]}${iso3Code[1]}?)?${own})`;
  const bare = text.trim().replace(new RegExp(`^${sign}\\s*|\\s*${sign}$`, "giu"), "");
  return bare.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "");
}

/** While a customer types, an amount may begin or end with its separator. */
export function parseDigits(text, currency, language) {
  const whole = text.replace(/^[.,]/, "0$&").replace(/[.,]$/, "");
  return attempt(() => parseAmount(whole, currency, language));
}

/** Writes an amount as customers would type it: with all decimals of its currency, or at least as many as given. */
export function typedText({ value, currency }, language, minimumFractionDigits = currency.decimalPlaces) {
  const options = { minimumFractionDigits, maximumFractionDigits: currency.decimalPlaces };
  const plain = fromMinorUnits(value, currency);
  const text = new Intl.NumberFormat(language, options).format(plain);
  // Without grouping where that would be read as another amount.
  return `${unitsOf(text, currency, language)}` === `${value}` ? text : plain;
}
