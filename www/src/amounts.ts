import { formatAmount, fromMinorUnits, parseAmount, toMinorUnits, type Amount, type Currency, type ListedAmount, type MinorUnits, type Quote } from "remitkit";
import { currentLanguage, currentLocale, t } from "./messages";

/** Stands where a figure is not known. */
export const ABSENT = "\u2013";

/** Returns an amount with its currency, in Spanish with the code, as many currencies use "$". */
export function money(amount: Amount | null | undefined): string {
  if (!amount) return ABSENT;
  if (currentLanguage() === "en") return formatAmount(amount, currentLocale());
  const { value, currency } = amount;
  const { iso3Code, decimalPlaces: places } = currency;
  const format = { style: "currency", currency: iso3Code, currencyDisplay: "code", minimumFractionDigits: places, maximumFractionDigits: places } as const;
  // Decimal text is written exactly; a number might not be.
  return new Intl.NumberFormat(currentLocale(), format).format(fromMinorUnits(value, currency) as unknown as number);
}

/** An amount of a list, which is decimal there. */
export function listedMoney(amount: ListedAmount | null | undefined): string {
  const { value, currency } = amount ?? {};
  if (value === undefined || value === null || !currency) return ABSENT;
  return money({ value: toMinorUnits(String(value), currency), currency });
}

/** What a pickup point pays out, of words like `10 to 1,500.50 USD`; the amounts as decimal text. */
export function paysOut(description: unknown): { least: string; most: string; iso3Code: string } | undefined {
  const [, least, most, iso3Code] = /^([\d,]+(?:\.\d+)?) to ([\d,]+(?:\.\d+)?) ([A-Z]{3})$/.exec(String(description)) ?? [];
  return least && most && iso3Code ? { least: least.replaceAll(",", ""), most: most.replaceAll(",", ""), iso3Code } : undefined;
}

/** The same in the shop's language; other words stay as they came. */
export function rangeText(sent: string): string {
  const range = paysOut(sent);
  if (!range) return sent;
  const amount = (decimal: string) => {
    const currency = { iso3Code: range.iso3Code, decimalPlaces: placesOf(decimal, ".") } as Currency;
    return money({ value: toMinorUnits(decimal, currency), currency });
  };
  return t("field.range", { least: amount(range.least), most: amount(range.most) });
}

/** An amount for an input field: grouped digits, no currency. */
export function digits(value: MinorUnits, currency: Currency): string {
  return written(fromMinorUnits(value, currency));
}

export type AmountReading =
  | { value: MinorUnits }
  | { problem: "empty" | "decimals" | "invalid" }
  /** The decimals are written with the mark of another locale; `meant` is what the locale would write. */
  | { problem: "mark"; meant: string };

/** Which mark the locale puts before decimals, and which between groups of digits. */
export function decimalMark(): "." | "," {
  return new Intl.NumberFormat(currentLocale()).format(1.5).includes(",") ? "," : ".";
}

/** Parses typed text, with or without the currency's sign or code, grouped as in the locale or by spaces. */
export function readAmount(typed: string, currency: Currency): AmountReading {
  const bare = typed.replace(/\s/g, "").replace(new RegExp(`^(${currency.iso3Code}|[A-Z]{0,3}\\p{Sc})|(${currency.iso3Code}|[A-Z]{0,3}\\p{Sc})$`, "giu"), "");
  if (bare === "") return { problem: "empty" };
  const mark = decimalMark();
  const places = Math.max(currency.decimalPlaces, placesOf(bare, mark));
  const value = parse(bare, mark, places, currentLocale());
  if (value === undefined) {
    const other = mark === "." ? "," : ".";
    const decimalPlaces = placesOf(bare, other);
    const meant = decimalPlaces > 0 ? parse(bare, other, decimalPlaces, other === "." ? "en-US" : "de-DE") : undefined;
    return meant === undefined ? { problem: "invalid" } : { problem: "mark", meant: written(fromMinorUnits(meant, { decimalPlaces })) };
  }
  if (places > currency.decimalPlaces) return { problem: "decimals" };
  return BigInt(value) === 0n ? { problem: "empty" } : { value };
}

function placesOf(text: string, mark: string): number {
  return text.split(mark)[1]?.length ?? 0;
}

// While one types, an amount may begin or end with its mark.
function parse(text: string, mark: string, decimalPlaces: number, locale: string): MinorUnits | undefined {
  const whole = text.endsWith(mark) ? text.slice(0, -1) : text.startsWith(mark) ? `0${text}` : text;
  try {
    return parseAmount(whole, { decimalPlaces }, locale);
  } catch {
    return undefined;
  }
}

// Decimal text as the locale writes it.
function written(decimal: string): string {
  const places = placesOf(decimal, ".");
  return new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: places }).format(decimal as unknown as number);
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
