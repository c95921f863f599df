import type { TransferStatuses } from "remitkit";
import { formatDate } from "../delivery";
import { currentLocale, lookUp, t } from "../messages";
import { isDay, serviceNow, serviceTime } from "../remit";
import { h } from "./dom";
import { icon } from "./icons";

export type Statuses = TransferStatuses["statuses"];

const FINAL = ["COMPLETE", "FAILED", "CANCELED"];
const EXPECTED = ["INITIATED", "PENDING", "COMPLETE"];

/** Normalizes the name of a status, whose case the service varies. */
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

/** Returns the latest status. */
export function lastOf(statuses: Statuses): Statuses[number] | undefined {
  return statuses[statuses.length - 1];
}

export function timeline(statuses: Statuses): HTMLElement {
  const last = statusKey(lastOf(statuses)?.status);
  const lastState = last === "COMPLETE" ? "reached" : isFinal(last) ? "ended" : "current";
  const past = statuses.map(({ status, changedDate }, index) => {
    const state = index === statuses.length - 1 ? lastState : "reached";
    return stop(state, statusKey(status), status, changedDate);
  });
  const ahead = isFinal(last) ? [] : EXPECTED.slice(EXPECTED.indexOf(last) + 1);
  const next = last === "PENDING_CANCELATION" ? ["CANCELED"] : ahead;
  const stops = [...past, ...next.map((key) => stop("ahead", key))];
  return h("ol.timeline", { "aria-label": () => t("timeline.label") }, ...stops);
}

type StopState = "reached" | "current" | "ahead" | "ended";

function stop(state: StopState, key: string, name?: string, at?: string | null): HTMLElement {
  const time = () => (at ? timeOf(at) : t("timeline.ahead"));
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
function timeOf(at: string): string {
  const date = new Date(serviceTime(at));
  const isToday = date.toDateString() === new Date(serviceNow()).toDateString();
  if (!isToday || isDay(at)) return formatDate(at, "short");
  return date.toLocaleTimeString(currentLocale(), { hour: "numeric", minute: "2-digit", second: "2-digit" });
}
