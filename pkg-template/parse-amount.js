import { invalid } from "./errors.js";
import { checkLocale, toMinorUnits } from "./money.js";

/** What a person of the locale has typed, such as "1.250,50", in minor units. */
export function parseAmount(text, currency, locale) {
  if (typeof text !== "string") {
    return toMinorUnits(text, currency);
  }
  const { digits, group, decimal, example } = writingOf(locale);
  const signs = Array.from(text.trim(), (sign) => digits.get(sign) ?? plainSign(sign));
  const [whole, ...fraction] = signs.join("").split(decimal);
  const [first, ...groups] = whole.split(group);
  const last = groups.pop();
  // Groups of any other size are rather decimals, written as elsewhere: "1,50" would be 150.
  const isGrouped =
    last === undefined || (/^\d{1,3}$/.test(first) && groups.every((part) => /^\d{2,3}$/.test(part)) && /^\d{3}$/.test(last));
  if (!isGrouped || fraction.length > 1) {
    throw invalid("InvalidAmount", "amount", `written as in ${example}, without a sign`);
  }
  return toMinorUnits([[first, ...groups, last].join(""), ...fraction].join("."), currency);
}

function writingOf(locale) {
  checkLocale(locale);
  let format;
  try {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  } catch (cause) {
    throw invalid("InvalidRequest", "locale", "a language tag such as en-US", { cause });
  }
  const parts = format.formatToParts(1234567.5);
  const sign = (name) => plainSign(parts.find(({ type }) => type === name)?.value ?? "");
  const ten = Array.from(new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)).reverse();
  const digits = new Map(ten.map((digit, value) => [digit, String(value)]));
  return { digits, group: sign("group") || ",", decimal: sign("decimal") || ".", example: format.format(1234567.5) };
}

// Of the blanks and apostrophes that languages have between groups, people type the one on their keyboard.
function plainSign(sign) {
  return sign.replace(/\s/g, " ").replace(/[’ʼ]/g, "'");
}
