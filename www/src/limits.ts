import { toMinorUnits, type Amount, type Currency } from "remitkit";
import { parsePayoutRange } from "./amounts";
import { readConfig } from "./remit";
import type { Route } from "./routes";

export interface Limits {
  currency: Currency;
  min: bigint;
  max: bigint;
}

/** Returns the shop's limits for a route; undefined if it has none, so that the service alone decides. */
export async function limitsOf({ source: currency, transferMethod }: Route): Promise<Limits | undefined> {
  const { limits } = await readConfig();
  const own = limits?.[currency.iso3Code];
  if (!own) return undefined;
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = { ...own, ...own.methods?.[transferMethod] };
  return { currency, min: BigInt(min), max: BigInt(max) };
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
