import { formatAmount, fromMinorUnits, toMinorUnits } from "remitkit";
import type { Amount, Currency, ListedAmount, Quote } from "remitkit";
import { currentLanguage, currentLocale, t, type Language } from "./messages";

/** Shown in place of an unknown value. */
export const UNKNOWN = "\u2013";
/** The sign of a negative amount; the hyphen that Intl writes is read as a dash. */
const MINUS = "\u2212";

export type Country = { name: string; iso2Code: string; iso3Code?: string };

/** Formats an amount with its currency. */
export function money(amount: Amount | null | undefined): string {
  return amount ? formatAmount(amount, currentLocale()).replace("-", MINUS) : UNKNOWN;
}

/** Formats an amount of a list, where the service sends decimals instead of minor units. */
export function listedMoney(amount: ListedAmount | null | undefined): string {
  const { value, currency } = amount ?? {};
  if (value === undefined || value === null || !currency) return UNKNOWN;
  return money({ value: toMinorUnits(String(value), currency), currency });
}

/** Parses a pickup point's payout range, such as `10 to 1,500.50 USD`, into decimal texts. */
export function parsePayoutRange(description: unknown) {
  const pattern = /^([\d,]+(?:\.\d+)?) to ([\d,]+(?:\.\d+)?) ([A-Z]{3})$/;
  const [, min, max, iso3Code] = pattern.exec(String(description)) ?? [];
  if (!min || !max || !iso3Code) return undefined;
  return { min: min.replaceAll(",", ""), max: max.replaceAll(",", ""), iso3Code };
}

/**
 * Words a payout range in what the recipient gets, in whole units that the pickup point surely pays; in what
 * is sent while there is no quote. Any other text stays as it is.
 */
export function payoutRangeText(description: string, quote: Quote | undefined): string {
  const range = parsePayoutRange(description);
  if (!range) return description;
  const { sendAmount: sent, receiveAmount: received } = quote ?? {};
  const amount = (decimal: string, isUp: boolean) => {
    const currency = { iso3Code: range.iso3Code, decimalPlaces: decimalsIn(decimal, ".") } as Currency;
    if (sent?.currency.iso3Code !== range.iso3Code || !received || BigInt(sent.value) === 0n) {
      return money({ value: toMinorUnits(decimal, currency), currency });
    }
    const unit = 10n ** BigInt(received.currency.decimalPlaces);
    const scaled = BigInt(toMinorUnits(decimal, sent.currency)) * BigInt(received.value);
    const divisor = BigInt(sent.value) * unit;
    const whole = (scaled + (isUp ? divisor - 1n : 0n)) / divisor;
    return money({ value: whole, currency: { ...received.currency, decimalPlaces: 0 } });
  };
  return t("field.range", { min: amount(range.min, true), max: amount(range.max, false) });
}

/** Formats an amount for an input field: grouped digits, no currency. */
export function inputAmount({ value, currency }: Amount): string {
  const format = new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: currency.decimalPlaces });
  return format.format(fromMinorUnits(value, currency) as unknown as number);
}

/** Formats the exchange rate: `1 USD = 17.0605 MXN`. */
export function rateLine(quote: Quote): string {
  if (typeof quote.rate !== "number" || !quote.receiveAmount) return UNKNOWN;
  const rate = new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 7 }).format(quote.rate);
  return `1 ${quote.sendAmount.currency.iso3Code} = ${rate} ${quote.receiveAmount.currency.iso3Code}`;
}

/** Returns the figures that differ between two quotes of the same transfer, as live texts. */
export function quoteChanges(before: Quote, now: Quote) {
  const texts = {
    send: (quote: Quote) => money(quote.sendAmount),
    total: (quote: Quote) => money(quote.totalCost),
    receive: (quote: Quote) => money(quote.receiveAmount),
    rate: rateLine,
  };
  return (Object.keys(texts) as (keyof typeof texts)[])
    .map((figure) => ({ figure, before: () => texts[figure](before), now: () => texts[figure](now) }))
    .filter((change) => change.before() !== change.now());
}

export function countryName({ name, iso2Code }: Country): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: "region" }).of(iso2Code) ?? name;
  } catch {
    return name;
  }
}

/** Countries whose names take an article in a sentence, by language. */
const ARTICLES: Record<Language, Record<string, string>> = {
  en: { the: "AE BS CF DO GB GM KM MH MV NL PH SB SC US" },
  es: { el: "GB", la: "CD CF CG DO", las: "BS KM MH MV SB SC", los: "AE NL US" },
};

/** Returns a country's name as it stands after "in", such as "the United States". */
export function countryInSentence(country: Country): string {
  const articles = Object.entries(ARTICLES[currentLanguage()]);
  const [article] = articles.find(([, codes]) => codes.includes(country.iso2Code)) ?? [];
  return article ? `${article} ${countryName(country)}` : countryName(country);
}

/** Returns a currency's name as it stands after "in", such as "Mexican pesos". */
export function currencyInSentence({ iso3Code, name }: Currency): string {
  const format = { style: "currency", currency: iso3Code, currencyDisplay: "name" } as const;
  const parts = new Intl.NumberFormat(currentLocale(), format).formatToParts(2);
  return parts.find(({ type }) => type === "currency")?.value ?? name;
}

function decimalsIn(text: string, separator: string): number {
  return text.split(separator)[1]?.length ?? 0;
}
