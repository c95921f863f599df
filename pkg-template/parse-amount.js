import { invalid, translated } from "./errors.js";
import { languageOf } from "./locale.js";
import { digitOf, toMinorUnits, withoutMarks } from "./money.js";

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
  const { digits, group, decimal, example } = notationOf(locale);
  // Arabic separators mean the same in every locale.
  const separators = { "\u066c": group, "\u066b": decimal };
  const plain = (sign) => digits.get(sign) ?? digitOf(sign) ?? separators[sign] ?? plainSign(sign);
  const signs = [...withoutMarks(text).trim()].map(plain);
  const [whole, ...fraction] = signs.join("").split(decimal);
  const [first, ...groups] = whole.split(group);
  const last = groups.pop();
  // Groups of another size are probably another locale's decimals: "1,50" must not become 150.
  const isGrouped =
    last === undefined ||
    (/^\d{1,3}$/.test(first) && groups.every((part) => /^\d{2,3}$/.test(part)) && /^\d{3}$/.test(last));
  if (!isGrouped || fraction.length > 1) {
    throw invalid("InvalidAmount", "amount", `written as in ${example}, without a sign`);
  }
  return toMinorUnits([[first, ...groups, last].join(""), ...fraction].join("."), currency);
}

function notationOf(locale) {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  const parts = format.formatToParts(1234567.5);
  const sign = (name) => plainSign(parts.find(({ type }) => type === name)?.value ?? "");
  const ten = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse();
  const digits = new Map(ten.map((digit, value) => [digit, String(value)]));
  const example = format.format(1234567.5);
  return { digits, group: sign("group") || ",", decimal: sign("decimal") || ".", example };
}

// People type the space, the apostrophe and the width of their keyboard, whichever the locale has.
function plainSign(sign) {
  return sign.replace(/\s/g, " ").replace(/[’ʼ＇]/g, "'").replace("，", ",").replace("．", ".");
}
