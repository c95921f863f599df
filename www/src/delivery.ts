import type { Quote } from "remitkit";
import { currentLocale } from "./messages";
import { serviceNow } from "./remit";

const MINUTE_MS = 60_000;
/** How long each of the service's promises takes at most. */
const WITHIN_MS: Record<string, number> = {
  IMMEDIATE: 0,
  FIFTEEN_MINUTES: 15 * MINUTE_MS,
  THIRTY_MINUTES: 30 * MINUTE_MS,
  ONE_HOUR: 60 * MINUTE_MS,
};

/** How a moment is written: whole, or so that it stands beside its label on a phone. */
export type Length = "whole" | "short";

/** By when money sent now should be there, or how long the service says that it takes. */
export function deliveryOf(quote: Quote, length: Length = "whole"): string | undefined {
  const { id, name } = quote.deliverySLA ?? {};
  const within = WITHIN_MS[id ?? ""];
  if (within !== undefined) return momentWords(new Date(serviceNow() + within), length);
  return id === "ONE_BUSINESS_DAY" ? dayWords(nextBusinessDay(), length) : (name ?? undefined);
}

/** `Nov 22, 2026, 6:03 PM` */
export function momentWords(at: Date, length: Length = "whole"): string {
  if (length === "whole") return at.toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "short" });
  return at.toLocaleString(currentLocale(), { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
}

function dayWords(day: Date, length: Length): string {
  const name = length === "whole" ? "long" : "short";
  return day.toLocaleDateString(currentLocale(), { weekday: name, month: name, day: "numeric" });
}

function nextBusinessDay(): Date {
  const day = new Date(serviceNow());
  do day.setDate(day.getDate() + 1);
  while (day.getDay() === 0 || day.getDay() === 6);
  return day;
}
