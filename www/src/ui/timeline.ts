import type { TransferStatuses } from "remitkit";
import { formatDateTime } from "../delivery";
import { currentLocale, lookUp, t } from "../messages";
import { serviceNow } from "../remit";
import { h } from "./dom";
import { icon } from "./icons";

export type Statuses = TransferStatuses["statuses"];

const FINAL = ["COMPLETE", "FAILED", "CANCELED"];
const EXPECTED = ["INITIATED", "PENDING", "COMPLETE"];

interface Stop {
  key: string;
  name?: string | undefined;
  at?: string | null | undefined;
  state: "reached" | "current" | "ahead" | "ended";
}

/** Normalises the name of a status, whose case the service varies. */
export function statusKey(name: string | null | undefined): string {
  return (name ?? "Unknown").trim().toUpperCase().replaceAll(" ", "_");
}

export function isFinal(key: string): boolean {
  return FINAL.includes(key);
}

/** Returns the name of a status in the shop's language, else the service's own name. */
export function statusName(key: string, name?: string | null): string {
  return lookUp(`status.${key}`) ?? name ?? t("status.UNKNOWN");
}

/** Lists the past and expected statuses of a transfer. */
export function timeline(statuses: Statuses): HTMLElement {
  return h("ol.timeline", { "aria-label": () => t("timeline.label") }, ...stopsOf(statuses).map(row));
}

function stopsOf(statuses: Statuses): Stop[] {
  const last = statusKey(statuses.at(-1)?.status);
  const lastState = last === "COMPLETE" ? "reached" : isFinal(last) ? "ended" : "current";
  const past = statuses.map(({ status, changedDate }, index): Stop => {
    const state = index === statuses.length - 1 ? lastState : "reached";
    return { key: statusKey(status), name: status, at: changedDate, state };
  });
  const ahead = isFinal(last) ? [] : EXPECTED.slice(EXPECTED.indexOf(last) + 1);
  const next = last === "PENDING_CANCELATION" ? ["CANCELED"] : ahead;
  return [...past, ...next.map((key): Stop => ({ key, state: "ahead" }))];
}

function row({ key, name, at, state }: Stop): HTMLElement {
  const time = () => (at ? timeOf(new Date(at)) : t("timeline.ahead"));
  const mark = state === "reached" ? icon("check") : state === "ended" ? icon("alert") : "";
  return h(
    "li",
    { class: `stop ${state}`, "data-stop": key, "aria-current": state === "current" && "step" },
    h("span.stop-mark", { "aria-hidden": "true" }, mark),
    h("span.stop-name", () => statusName(key, name)),
    at ? h("time.muted.small", { datetime: at }, time) : h("span.muted.small", time),
  );
}

/** Formats the time of a status, with its day if that is not today. */
function timeOf(date: Date): string {
  if (Number.isNaN(date.valueOf())) return "";
  if (date.toDateString() !== new Date(serviceNow()).toDateString()) return formatDateTime(date);
  return date.toLocaleTimeString(currentLocale(), { hour: "numeric", minute: "2-digit", second: "2-digit" });
}
