import type { Quote } from "remitkit";
import { UNKNOWN } from "./amounts";
import { currentLanguage, currentLocale, t } from "./messages";
import { isDay, serviceNow, serviceTime } from "./remit";

/** A date as the service writes it, or a time of this browser's. */
type ServiceDate = string | number | null | undefined;

const MINUTE_MS = 60_000;
/** The longest time that each of the service's delivery promises allows. */
const WITHIN_MS: Record<string, number> = {
  IMMEDIATE: 0,
  FIFTEEN_MINUTES: 15 * MINUTE_MS,
  THIRTY_MINUTES: 30 * MINUTE_MS,
  ONE_HOUR: 60 * MINUTE_MS,
};

/** Returns when money that is sent now should arrive at the latest, or the service's own words for it. */
export function deliveryText(quote: Quote): string | undefined {
  const { id, name } = quote.deliverySLA ?? {};
  const within = WITHIN_MS[id ?? ""];
  if (within !== undefined) return formatArrival(serviceNow() + within);
  return id === "ONE_BUSINESS_DAY" ? formatDay(nextBusinessDay()) : (name ?? undefined);
}

/** Returns how soon money arrives by each of the service's promises, in few words: `in 30 min`. */
export function deliveryTexts(): Record<string, string> {
  const minutes = (within: number) => t("delivery.minutes", { minutes: within / MINUTE_MS });
  const within = Object.entries(WITHIN_MS).map(([id, ms]) => [id, ms === 0 ? t("delivery.now") : minutes(ms)]);
  const day = nextBusinessDay();
  const isTomorrow = day.getDay() === new Date(serviceNow()).getDay() + 1;
  const weekday = isTomorrow
    ? new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" }).format(1, "day")
    : day.toLocaleDateString(currentLocale(), { weekday: "long" });
  return { ...Object.fromEntries(within), ONE_BUSINESS_DAY: weekday };
}

/**
 * Formats when money arrives: `Thursday, November 26`, or `today, 6:03 PM Pacific Time`. An hour on another
 * day would promise more than a bank keeps.
 */
export function formatArrival(at: ServiceDate): string {
  const date = dateOf(at);
  if (Number.isNaN(date.valueOf())) return UNKNOWN;
  const isToday = date.toDateString() === new Date(serviceNow()).toDateString();
  return isToday && hasTime(at) ? t("delivery.today", { time: zonedTime(date) }) : formatDay(date);
}

/** Formats a time with the name of its zone, which is the customer's and perhaps not the recipient's. */
function zonedTime(date: Date): string {
  const format = (timeZoneName: "longGeneric" | "long") => {
    return date.toLocaleTimeString(currentLocale(), { hour: "numeric", minute: "2-digit", timeZoneName });
  };
  try {
    return format("longGeneric");
  } catch {
    // Safari knows it from 15.4 on.
    return format("long");
  }
}

/** Formats a past day, `Nov 22, 2026`, or with a `timeStyle` its time too: `Nov 22, 2026, 6:03 PM`. */
export function formatDate(at: ServiceDate, timeStyle?: "short"): string {
  const date = dateOf(at);
  if (Number.isNaN(date.valueOf())) return UNKNOWN;
  const style = { dateStyle: "medium", timeStyle: hasTime(at) ? timeStyle : undefined } as const;
  return date.toLocaleString(currentLocale(), style);
}

function dateOf(at: ServiceDate): Date {
  return new Date(typeof at === "number" ? at : serviceTime(at));
}

function hasTime(at: ServiceDate): boolean {
  return typeof at !== "string" || !isDay(at);
}

function formatDay(day: Date): string {
  const style = { weekday: "long", month: "long", day: "numeric" } as const;
  const text = day.toLocaleDateString(currentLocale(), style);
  return currentLanguage() === "es" ? text.replace(",", "") : text;
}

function nextBusinessDay(): Date {
  const day = new Date(serviceNow());
  do day.setDate(day.getDate() + 1);
  while (day.getDay() === 0 || day.getDay() === 6);
  return day;
}
