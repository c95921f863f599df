import { toMinorUnits, type Amount, type Currency } from "remitkit";
import { paysOut } from "./amounts";
import { kit, readAddresses, serviceNow } from "./remit";
import type { Route } from "./routes";
import { statusKey } from "./tracking";

/** What one transfer may come to. */
export interface Limits {
  currency: Currency;
  least: bigint;
  most: bigint;
  /** Whether less than usual may be sent, after what was sent in the last 24 hours. */
  isLeft: boolean;
}

export type LimitProblem = "least" | "most" | "left";

const DAY_MS = 86_400_000;
const LISTED = 100;
const UNSENT = new Set(["FAILED", "CANCELED"]);

/** Returns a route's current limits; undefined if unknown, and then the service alone decides. */
export async function limitsOf(route: Route): Promise<Limits | undefined> {
  const { limits } = await readAddresses();
  const own = limits?.[route.source.iso3Code];
  if (!own) return undefined;
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = { ...own, ...own.methods?.[route.transferMethod] };
  const left = own.day === undefined ? undefined : BigInt(own.day) - (await sentToday(route.source));
  const isLeft = left !== undefined && left < BigInt(most);
  return { currency: route.source, least: BigInt(least), most: isLeft ? max(left, 0n) : BigInt(most), isLeft };
}

/** What is wrong with an amount that is sent; of another currency nothing is known. */
export function limitProblem(amount: Amount, { currency, least, most, isLeft }: Limits): LimitProblem | undefined {
  if (amount.currency.iso3Code !== currency.iso3Code) return undefined;
  const value = BigInt(amount.value);
  if (value > most) return isLeft ? "left" : "most";
  return value < least ? "least" : undefined;
}

/** What a pickup point says that it pays out, in the currency that is sent. */
export function pickupLimits(description: unknown, currency: Currency): Limits | undefined {
  const range = paysOut(description);
  if (range?.iso3Code !== currency.iso3Code) return undefined;
  const minor = (decimal: string) => BigInt(toMinorUnits(decimal, currency));
  return { currency, least: minor(range.least), most: minor(range.most), isLeft: false };
}

async function sentToday(currency: Currency): Promise<bigint> {
  const remit = await kit();
  const since = serviceNow() - DAY_MS;
  const listed = await remit.transfers({ limit: LISTED });
  return listed
    .filter(({ createdAt, status }) => Date.parse(createdAt ?? "") > since && !UNSENT.has(statusKey(status)))
    .map(({ quote }) => quote?.sendAmount)
    .filter((amount) => amount?.currency?.iso3Code === currency.iso3Code)
    .reduce((sum, amount) => sum + BigInt(toMinorUnits(String(amount?.value ?? 0), currency)), 0n);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
