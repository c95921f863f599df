import type { Quote } from "remitkit";
import { UNKNOWN } from "./amounts";
import { currentLocale } from "./messages";
import { serviceNow } from "./remit";

const MINUTE_MS = 60_000;
/** The longest time that each of the service's delivery promises allows. */
const WITHIN_MS: Record<string, number> = {
  IMMEDIATE: 0,
  FIFTEEN_MINUTES: 15 * MINUTE_MS,
  THIRTY_MINUTES: 30 * MINUTE_MS,
  ONE_HOUR: 60 * MINUTE_MS,
};

/** "short" leaves out the year, to fit beside a label on a phone. */
export type DateLength = "full" | "short";

/** Returns when money that is sent now should arrive at the latest, or the service's own words for it. */
export function deliveryText(quote: Quote, length: DateLength = "full"): string | undefined {
  const { id, name } = quote.deliverySLA ?? {};
  const within = WITHIN_MS[id ?? ""];
  if (within !== undefined) return formatDateTime(new Date(serviceNow() + within), length);
  return id === "ONE_BUSINESS_DAY" ? formatDay(nextBusinessDay(), length) : (name ?? undefined);
}

/** Formats a date and time: `Nov 22, 2026, 6:03 PM`. */
export function formatDateTime(date: Date, length: DateLength = "full"): string {
  if (Number.isNaN(date.valueOf())) return UNKNOWN;
  const full = { dateStyle: "medium", timeStyle: "short" } as const;
  const short = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  return date.toLocaleString(currentLocale(), length === "full" ? full : short);
}

function formatDay(day: Date, length: DateLength): string {
  const style = length === "full" ? "long" : "short";
  return day.toLocaleDateString(currentLocale(), { weekday: style, month: style, day: "numeric" });
}

function nextBusinessDay(): Date {
  const day = new Date(serviceNow());
  do day.setDate(day.getDate() + 1);
  while (day.getDay() === 0 || day.getDay() === 6);
  return day;
}
