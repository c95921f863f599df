import { lookUp } from "../messages";
import { downloadFile } from "../receipt";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { part } from "./page";
import { MAX_ENTRIES, type Trace, type TraceEntry } from "./trace";

const ABOUT =
  "Calls, requests and card events, newest first. It holds no tokens, arguments, replies or personal data, " +
  "and never leaves the page. Each request is also a performance.measure named remitkit:…";
const SORTS = { call: "Call", request: "Request", event: "Card event", action: "Sandbox" };

/** Creates the list of the trace, newest first. An entry unfolds to everything that it holds. */
export function timeline(trace: Trace): HTMLElement {
  const items = new WeakMap<TraceEntry, HTMLElement>();
  const list = h("ol.entries");
  trace.onEntry = (entry) => {
    const before = items.get(entry);
    const item = itemOf(entry, before?.querySelector("details")?.open ?? false);
    items.set(entry, item);
    if (before) before.replaceWith(item);
    else list.prepend(item);
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

function itemOf({ at, sort, name, result, tone, facts }: TraceEntry, open: boolean): HTMLElement {
  const summary = h("summary", [
    h("time", { datetime: at }, new Date(at).toLocaleTimeString("en-US", { hour12: false })),
    h("span.entry-sort", SORTS[sort]),
    h("code.entry-name", name),
    h("span.entry-outcome", lookUp(`event.${name}`) ?? result),
  ]);
  const details = h("details", { open }, summary, h("pre", h("code", JSON.stringify(facts, undefined, 2))));
  return h("li.entry", { "data-sort": sort, "data-tone": tone }, details);
}
