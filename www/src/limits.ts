import { toMinorUnits, type Amount, type Currency } from "remitkit";
import type { AmountLimitsOf } from "remitkit/fields";
import { parsePayoutRange } from "./amounts";
import { readConfig } from "./remit";

export interface Limits {
  currency: Currency;
  min: bigint;
  max: bigint;
}

/** Returns the shop's limits by method and currency; none where the service alone decides. */
export async function amountLimits(): Promise<AmountLimitsOf> {
  const { limits } = await readConfig();
  return (method, currency) => {
    const own = limits?.[currency];
    return own && { ...own, ...own.methods?.[method] };
  };
}

/** Returns the limits of a pickup point, if it states them in the currency that is sent. */
export function pickupLimits(description: unknown, currency: Currency): Limits | undefined {
  const range = parsePayoutRange(description);
  if (range?.iso3Code !== currency.iso3Code) return undefined;
  const units = (decimal: string) => BigInt(toMinorUnits(decimal, currency));
  return { currency, min: units(range.min), max: units(range.max) };
}

/** Returns which limit an amount violates, if it is in the currency of the limits. */
export function limitProblem(amount: Amount, { currency, min, max }: Limits): "min" | "max" | undefined {
  if (amount.currency.iso3Code !== currency.iso3Code) return undefined;
  const value = BigInt(amount.value);
  return value > max ? "max" : value < min ? "min" : undefined;
}
