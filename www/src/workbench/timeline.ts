import { button } from "../ui/button";
import { downloadFile, h } from "../ui/dom";
import { part } from "./page";
import { MAX_ENTRIES, type Trace, type TraceEntry } from "./trace";

const ABOUT =
  "Calls, requests and card events as they end, newest first. It holds no tokens, arguments, replies or " +
  "personal data, and never leaves the page. Each request is also a performance.measure named remitkit:…";
const EVENTS: Record<string, string> = {
  READY: "The frame has loaded and its server answers",
  LOAD_FAILED: "The form could not be shown",
  CARD_VALIDATION_START: "Verify was pressed",
  CARD_VALIDATION_STOP_SUCCESS: "The card is verified",
  CARD_VALIDATION_STOP_FAIL: "The card could not be verified",
  CARD_VALIDATION_STOP_EXPIRED: "The session has expired",
};
const SORTS = { call: "Call", request: "Request", event: "Card event", action: "Sandbox" };

/** Creates the list of the trace, newest first. An entry unfolds to everything that it holds. */
export function timeline(trace: Trace): HTMLElement {
  const list = h("ol.entries.small");
  trace.onEntry = (entry) => {
    list.prepend(itemOf(entry));
    if (list.childElementCount > MAX_ENTRIES) list.lastElementChild?.remove();
  };
  const save = () => {
    const json = JSON.stringify(trace, undefined, 2);
    downloadFile(new Blob([json], { type: "application/json" }), "remitkit-trace.json");
  };
  const room = { class: "entries-room", tabindex: 0, role: "group", "aria-labelledby": "timeline-title" };
  return part("timeline", "Timeline", [
    h("p.muted", ABOUT),
    h("div.row", button(() => "Export as JSON", save, "quiet")),
    h("div", room, list, h("p.muted", "Nothing has happened yet.")),
  ]);
}

function itemOf({ at, sort, name, result, tone, facts }: TraceEntry): HTMLElement {
  const summary = h("summary", [
    h("time", { datetime: at }, new Date(at).toLocaleTimeString("en-US", { hour12: false })),
    h("code.entry-name", name),
    h("span.entry-outcome", EVENTS[name] ?? result),
    h("span.entry-sort", SORTS[sort]),
  ]);
  const details = h("details", summary, h("pre", h("code", JSON.stringify(facts, undefined, 2))));
  return h("li.entry", { "data-sort": sort, "data-tone": tone }, details);
}
