// Amounts in minor units, with BigInt and Intl alone.

const GREATEST = 2n ** 63n - 1n;
const formats = new Map();

/** Parses a decimal text, such as "125.50", to minor units. */
export function toMinorUnits(text, { decimalPlaces }) {
  const match = /^(\d{1,19})(?:\.(\d+))?$/.exec(text);
  if (!match || (match[2]?.length ?? 0) > decimalPlaces) throw new RangeError("not an amount of this currency");
  const units = BigInt(match[1] + (match[2] ?? "").padEnd(decimalPlaces, "0"));
  if (units > GREATEST) throw new RangeError("too large");
  return units <= Number.MAX_SAFE_INTEGER ? Number(units) : units;
}

/** Formats an amount for a locale. */
export function formatAmount({ value, currency: { iso3Code, decimalPlaces } }, locale) {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw new RangeError("not a whole number");
  const digits = String(value < 0 ? -value : value).padStart(decimalPlaces + 1, "0");
  const point = digits.length - decimalPlaces;
  const decimal = decimalPlaces > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  const key = `${locale} ${iso3Code} ${decimalPlaces}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency: iso3Code,
      minimumFractionDigits: decimalPlaces,
      maximumFractionDigits: decimalPlaces,
    });
    formats.set(key, format);
  }
  return format.format(value < 0 ? `-${decimal}` : decimal);
}
