import { invalid, translated } from "../errors/errors.js";
import { languageOf } from "../errors/locale.js";
import { digitOf, formatAmount, moneyFormatOf, readDecimalPlaces, toMinorUnits, withoutMarks } from "./money.js";

/** Converts what a customer of a locale typed, such as "1.250,50", to minor units. */
export function parseAmount(text, currency, locale) {
  const language = languageOf(locale);
  try {
    return parse(text, currency, language);
  } catch (error) {
    throw translated(error, undefined, language);
  }
}

function parse(text, currency, locale) {
  if (typeof text !== "string") return toMinorUnits(text, currency);
  const places = readDecimalPlaces(currency);
  const numbers = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  // Some locales write money unlike numbers: English in Germany has `€1,250.50` and `1.250,50`.
  const formats = [numbers, moneyFormatOf(currency, locale) ?? numbers];
  const digits = digitsOf(locale);
  const [number, money] = formats.map((format) => notationOf(format, digits));
  const typed = withoutMarks(text).trim();
  const [asNumber, asMoney] = [decimalOf(typed, number), decimalOf(typed, money)];
  // Without decimals, a fraction in one notation can only be a group of the other. Else numbers precede.
  const isGroup = places === 0 && asNumber?.includes(".") && asMoney !== undefined;
  const decimal = isGroup ? asMoney : (asNumber ?? asMoney);
  if (decimal !== undefined) return toMinorUnits(decimal, currency);
  const value = writtenValue(typed, money, currency, locale);
  if (value !== undefined) return value;
  throw invalid("InvalidAmount", "amount", `written as in ${numbers.format(1234567.5)}, without a sign`);
}

/** Returns the minor units of exactly what `formatAmount` writes, with the sign or code of the currency. */
function writtenValue(typed, money, currency, locale) {
  const [figures] = /\p{Nd}(?:.*\p{Nd})?/u.exec(typed) ?? [];
  const decimal = figures === undefined || figures === typed ? undefined : decimalOf(figures, money);
  if (decimal === undefined) return undefined;
  const value = toMinorUnits(decimal, currency);
  return plainText(formatAmount({ value, currency }, locale)) === plainText(typed) ? value : undefined;
}

/** Returns the decimal text of a number in a notation; undefined for what is none. */
function decimalOf(text, { digits, group, groupSize, decimal }) {
  // Arabic separators mean the same in every locale.
  const separators = { "\u066c": group, "\u066b": decimal };
  const plain = (sign) => digits.get(sign) ?? digitOf(sign) ?? separators[sign] ?? plainSign(sign);
  const [whole, ...fraction] = [...text].map(plain).join("").split(decimal);
  const [first, ...groups] = whole.split(group);
  const last = groups.pop();
  // Groups of another size are probably another locale's decimals: "1,50" must not become 150.
  const isGrouped =
    last === undefined ||
    (/^[1-9]\d{0,2}$/.test(first) && groups.every((part) => /^\d{2,3}$/.test(part)) && last.length === groupSize);
  const number = [[first, ...groups, last].join(""), ...fraction].join(".");
  return isGrouped && /^\d+(\.\d+)?$/.test(number) ? number : undefined;
}

function digitsOf(locale) {
  const ten = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse();
  return new Map(ten.map((digit, value) => [digit, String(value)]));
}

function notationOf(format, digits) {
  const parts = format.formatToParts(1234567.5);
  const sign = (name) => plainSign(parts.find(({ type }) => type === name)?.value ?? "");
  const group = sign("group") || ",";
  const [{ value: lastGroup }] = parts.filter(({ type }) => type === "integer").slice(-1);
  return {
    digits,
    group,
    groupSize: [...lastGroup].length,
    // The format of a currency without decimals tells none: any but the group's.
    decimal: sign("decimal") || (group === "." ? "," : "."),
  };
}

const plainText = (text) => [...withoutMarks(text).trim()].map(plainSign).join("");

// People type the space, the apostrophe and the width of their keyboard, whichever the locale has.
function plainSign(sign) {
  return sign.replace(/\s/g, " ").replace(/[’ʼ＇]/g, "'").replace("，", ",").replace("．", ".");
}
