import { formatAmount, fromMinorUnits, toMinorUnits, type Amount, type Currency, type MinorUnits, type Quote } from "remitkit";
import { currentLanguage, currentLocale } from "./messages";

/** Stands where a figure is not known. */
export const ABSENT = "\u2013";

/** An amount with its currency, as people write it. */
export function money(amount: Amount | null | undefined): string {
  return amount ? formatAmount(amount, currentLocale()) : ABSENT;
}

/** An amount for an input field: grouped digits, no currency. */
export function digits(value: MinorUnits, currency: Currency): string {
  const [whole = "", fraction] = fromMinorUnits(value, currency).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export type AmountReading = { value: MinorUnits } | { problem: "empty" | "decimals" | "invalid" };

/** Reads what was typed. Groups may be marked with commas or spaces, as both of the shop's languages do. */
export function readAmount(typed: string, currency: Currency): AmountReading {
  let plain = typed.replace(/\s/g, "");
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)) plain = plain.replaceAll(",", "");
  plain = plain.replace(/\.$/, "").replace(/^\./, "0.");
  if (plain === "") return { problem: "empty" };
  const parts = /^\d+(?:\.(\d+))?$/.exec(plain);
  if (!parts) return { problem: "invalid" };
  if ((parts[1]?.length ?? 0) > currency.decimalPlaces) return { problem: "decimals" };
  try {
    const value = toMinorUnits(plain, currency);
    return BigInt(value) === 0n ? { problem: "empty" } : { value };
  } catch {
    return { problem: "invalid" };
  }
}

/** The exchange rate in words: `1 USD = 17.0605 MXN`. */
export function rateLine(quote: Quote): string {
  if (typeof quote.rate !== "number" || !quote.receiveAmount) return ABSENT;
  const rate = new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 7 }).format(quote.rate);
  return `1 ${quote.sendAmount.currency.iso3Code} = ${rate} ${quote.receiveAmount.currency.iso3Code}`;
}

/** What changed between two quotes of the same transfer, each as the text before and now. */
export function differences(before: Quote, now: Quote): { what: "send" | "receive" | "total" | "rate"; before: string; now: string }[] {
  const pairs = [
    { what: "send" as const, before: money(before.sendAmount), now: money(now.sendAmount) },
    { what: "total" as const, before: money(before.totalCost), now: money(now.totalCost) },
    { what: "receive" as const, before: money(before.receiveAmount), now: money(now.receiveAmount) },
    { what: "rate" as const, before: rateLine(before), now: rateLine(now) },
  ];
  return pairs.filter((pair) => pair.before !== pair.now);
}

/** The name of a country in the shop's language. */
export function countryName(country: { name: string; iso2Code: string }): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: "region" }).of(country.iso2Code) ?? country.name;
  } catch {
    return country.name;
  }
}

/** The name of a currency in the shop's language. */
export function currencyName(currency: Currency): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: "currency" }).of(currency.iso3Code) ?? currency.name;
  } catch {
    return currency.name;
  }
}

// Countries whose English names take the article in a sentence.
const WITH_ARTICLE = /^(United|Philippines|Dominican|Netherlands|Bahamas|Gambia|Maldives|Marshall|Solomon|Comoros|Seychelles|Central African|Czech Republic|Congo)/;

/** The name of a country as it stands after "in". */
export function countryInWords(country: { name: string; iso2Code: string }): string {
  const name = countryName(country);
  return currentLanguage() === "en" && WITH_ARTICLE.test(name) ? `the ${name}` : name;
}

/** A currency as it stands after "in", such as "Mexican pesos". */
export function currencyInWords(currency: Currency): string {
  const parts = new Intl.NumberFormat(currentLocale(), { style: "currency", currency: currency.iso3Code, currencyDisplay: "name" }).formatToParts(2);
  return parts.find(({ type }) => type === "currency")?.value ?? currency.name;
}
