import type { Amount, MinorUnits, Quote } from "remitkit";
import { preferenceOf } from "./routes";
import type { CheckoutState } from "./state";

/** The price that the customer agreed to by seeing it first, or by an act of their own. */
export interface AgreedPrice {
  readonly quote: Quote;
  /** The account that it is for. */
  readonly quotedFor?: string | undefined;
  /** What it is the price of. */
  readonly asked: string;
}

/** Returns the current price as one that the customer agrees to. */
export function agreeTo(quote: Quote, state: CheckoutState): AgreedPrice {
  return { quote, quotedFor: state.quotedFor, asked: askedOf(state) };
}

/**
 * Returns the price that the customer agrees to without being asked: the first one of what they ask for, and
 * any that is not worse. A worse one is compared with it until they accept one, so that it cannot drift.
 */
export function agreedAfter(state: CheckoutState): AgreedPrice | undefined {
  const { quote, quoting, agreed } = state;
  if (!quote || quoting || quote === agreed?.quote) return agreed;
  const isOpen = agreed?.asked === askedOf(state) && isWorse(agreed.quote, quote);
  return isOpen ? agreed : agreeTo(quote, state);
}

/** Whether the customer pays more, or the recipient gets less. What can't be compared counts as worse. */
export function isWorse(before: Quote, now: Quote): boolean {
  return (
    isMore(totalOf(before), totalOf(now)) ||
    isMore(now.receiveAmount, before.receiveAmount) ||
    isMore(feeOf(before), feeOf(now))
  );
}

export function isSamePrice(one: Quote, other: Quote): boolean {
  return !isWorse(one, other) && !isWorse(other, one) && one.rate === other.rate;
}

export function totalOf({ totalCost, sendAmount }: Quote): Amount {
  return totalCost ?? sendAmount;
}

/** Returns all fees less what is taken off them. */
export function feeOf({ adjustments, sendAmount: { currency } }: Quote): Amount {
  const amounts = (adjustments ?? []).flatMap(({ amount }) => amount ?? []);
  const foreign = amounts.find((amount) => !isSameCurrency(amount, { value: 0, currency }));
  const value = amounts.reduce((sum, amount) => sum + BigInt(amount.value), 0n);
  return { value, currency: foreign?.currency ?? currency };
}

function isMore(before: Amount | null | undefined, now: Amount | null | undefined): boolean {
  if (!before || !now) return Boolean(before) !== Boolean(now);
  return !isSameCurrency(before, now) || BigInt(now.value) > BigInt(before.value);
}

function isSameCurrency(one: Amount, other: Amount): boolean {
  const [own, others] = [one.currency, other.currency];
  return own.iso3Code === others.iso3Code && own.decimalPlaces === others.decimalPlaces;
}

function askedOf({ route, quoteBy, amount }: CheckoutState): string {
  return JSON.stringify([route && preferenceOf(route), quoteBy, amount?.toString()]);
}

/** Returns what JSON can hold of an agreed price: minor units can exceed its numbers. */
export function storablePrice({ quote, ...others }: AgreedPrice): AgreedPrice {
  return { ...others, quote: withValues(quote, String) };
}

/** Returns a price as it was stored; undefined if it is no price. */
export function restoredPrice(stored: AgreedPrice | undefined): AgreedPrice | undefined {
  try {
    return stored && { ...stored, quote: withValues(stored.quote, BigInt) };
  } catch {
    return undefined;
  }
}

function withValues(quote: Quote, convert: (value: MinorUnits) => unknown): Quote {
  const converted = (amount: Amount) => ({ ...amount, value: convert(amount.value) as MinorUnits });
  const { quoteHistoryId, rate, sendAmount, totalCost, receiveAmount, adjustments } = quote;
  return {
    quoteHistoryId,
    rate: rate ?? null,
    sendAmount: converted(sendAmount),
    totalCost: totalCost ? converted(totalCost) : null,
    receiveAmount: receiveAmount ? converted(receiveAmount) : null,
    adjustments: (adjustments ?? []).map((one) => ({ ...one, amount: one.amount ? converted(one.amount) : null })),
  };
}
