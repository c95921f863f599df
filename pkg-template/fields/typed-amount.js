// Amounts as customers type them: in the notation of their language, without a currency.

import { fromMinorUnits } from "../money.js";
import { parseAmount } from "../parse-amount.js";

/** Returns the minor units of what was typed; undefined if that is no amount. */
export function unitsOf(text, currency, language) {
  try {
    return parseAmount(text, currency, language);
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
