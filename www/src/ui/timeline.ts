import { currentLocale, lookUp, t } from "../messages";
import { isFinal, statusKey, type Statuses } from "../tracking";
import { follow, h } from "./dom";
import { icon } from "./icons";

const WAY = ["INITIATED", "PENDING", "COMPLETE"];

interface Stop {
  key: string;
  name?: string | undefined;
  at?: string | null | undefined;
  state: "reached" | "current" | "ahead" | "ended";
}

/** The name of a status in the shop's language, or by the service's own word. */
export function statusName(key: string, word?: string | null): string {
  return lookUp(`status.${key}`) ?? word ?? t("status.UNKNOWN");
}

/** The life of a transfer: what has been, and what is still to come. */
export class Timeline {
  readonly element = h("ol", { class: "timeline", "aria-label": () => t("timeline.label") });

  show(statuses: Statuses): void {
    this.element.replaceChildren(...stops(statuses).map(row));
  }
}

function stops(statuses: Statuses): Stop[] {
  const been = statuses.map(({ status, changedDate }) => ({ key: statusKey(status), name: status, at: changedDate }));
  const last = been.at(-1)?.key ?? "";
  const goesOn = last === "PENDING_CANCELATION" ? ["CANCELED"] : isFinal(last) ? [] : WAY.slice(WAY.indexOf(last) + 1);
  const state = (key: string, isLast: boolean) => {
    if (!isLast || key === "COMPLETE") return "reached" as const;
    return isFinal(key) ? ("ended" as const) : ("current" as const);
  };
  return [
    ...been.map((stop, index) => ({ ...stop, state: state(stop.key, index === been.length - 1) })),
    ...goesOn.map((key) => ({ key, state: "ahead" as const })),
  ];
}

function row({ key, name, at, state }: Stop): HTMLElement {
  const time = h("time", { class: "muted small", datetime: at ?? undefined });
  follow(time, () => {
    time.textContent = at ? moment(at) : t("timeline.ahead");
  });
  const mark = h("span", { class: "stop-mark", "aria-hidden": "true" }, state === "reached" ? icon("check") : state === "ended" ? icon("alert") : "");
  return h(
    "li",
    { class: `stop ${state}`, "data-stop": key, "aria-current": state === "current" ? "step" : undefined },
    mark,
    h("span", { class: "stop-name" }, () => statusName(key, name)),
    time,
  );
}

function moment(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? "" : date.toLocaleTimeString(currentLocale(), { hour: "numeric", minute: "2-digit", second: "2-digit" });
}
