import { formatAmount, fromMinorUnits, toMinorUnits } from "remitkit";
import type { Amount, Country, Currency, ListedAmount, Quote } from "remitkit";
import { feeOf } from "./agreed_price";
import { currentLocale, t } from "./messages";

export const UNKNOWN = "\u2013";
/** The sign of a negative amount; the hyphen that Intl writes is read as a dash. */
const MINUS = "\u2212";

export function money(amount: Amount | null | undefined): string {
  return amount ? formatAmount(amount, currentLocale()).replace("-", MINUS) : UNKNOWN;
}

/** Formats an amount of a list, where the service sends decimals instead of minor units. */
export function listedMoney(amount: ListedAmount | null | undefined): string {
  const { value, currency } = amount ?? {};
  if (value === undefined || value === null || !currency) return UNKNOWN;
  return money({ value: toMinorUnits(String(value), currency), currency });
}

/**
 * Reads a pickup point's payout range, such as `10 to 1,500.50 USD`: whether it covers what is sent, and how it
 * reads in what the recipient gets, in whole units that the pickup point surely pays. It stays in its own
 * currency if that is not sent. Any other text stays as it is, and covers everything.
 */
export function payoutRange(description: string, quote: Quote | undefined): { text: string; isCovering: boolean } {
  const pattern = /^([\d,]+(?:\.\d+)?) to ([\d,]+(?:\.\d+)?) ([A-Z]{3})$/;
  const parts = pattern.exec(description)?.slice(1) ?? [];
  const [min, max, iso3Code] = parts.map((part) => part.replaceAll(",", ""));
  if (!min || !max || !iso3Code) return { text: description, isCovering: true };
  const { sendAmount: sent, receiveAmount: received } = quote ?? {};
  const isSent = sent?.currency.iso3Code === iso3Code && BigInt(sent.value) > 0n;
  const units = (decimal: string) => BigInt(toMinorUnits(decimal, sent?.currency ?? { decimalPlaces: 0 }));
  const amount = (decimal: string, isUp: boolean) => {
    if (!isSent || !received) {
      const currency = { iso3Code, decimalPlaces: decimal.split(".")[1]?.length ?? 0 } as Currency;
      return money({ value: toMinorUnits(decimal, currency), currency });
    }
    const scaled = units(decimal) * BigInt(received.value);
    const divisor = BigInt(sent.value) * 10n ** BigInt(received.currency.decimalPlaces);
    const whole = (scaled + (isUp ? divisor - 1n : 0n)) / divisor;
    return money({ value: whole, currency: { ...received.currency, decimalPlaces: 0 } });
  };
  const text = t("field.range", { min: amount(min, true), max: amount(max, false) });
  return { text, isCovering: !isSent || (units(min) <= BigInt(sent.value) && BigInt(sent.value) <= units(max)) };
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
    fee: (quote: Quote) => money(feeOf(quote)),
    send: (quote: Quote) => money(quote.sendAmount),
    total: (quote: Quote) => money(quote.totalCost),
    receive: (quote: Quote) => money(quote.receiveAmount),
    rate: rateLine,
  };
  const changes = (Object.keys(texts) as (keyof typeof texts)[])
    .map((figure) => ({ figure, before: () => texts[figure](before), now: () => texts[figure](now) }))
    .filter((change) => change.before() !== change.now());
  // The total says what a fee costs.
  const hasTotal = changes.some(({ figure }) => figure === "total");
  return hasTotal ? changes.filter(({ figure }) => figure !== "fee") : changes;
}

export function countryName({ name, iso2Code }: Country): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: "region" }).of(iso2Code) ?? name;
  } catch {
    return name;
  }
}

/** Returns a currency's name as it stands after "in", such as "Mexican pesos". */
export function currencyInSentence({ iso3Code, name }: Currency): string {
  const format = { style: "currency", currency: iso3Code, currencyDisplay: "name" } as const;
  const parts = new Intl.NumberFormat(currentLocale(), format).formatToParts(2);
  return parts.find(({ type }) => type === "currency")?.value ?? name;
}
