import { currentLocale, lookUp } from "../messages";
import { wt, type WorkbenchKey } from "../messages/workbench";
import { downloadFile } from "../receipt";
import { button } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import type { Trace, TraceEntry } from "./trace";

const SORTS = ["call", "request", "event", "action"] as const;
const FILE = "remitkit-trace.json";

/** The trace, newest first. An entry unfolds to everything that it holds and that is exported of it. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #list = h("ol.entries");
  readonly #items = new Map<number, HTMLElement>();
  readonly #empty = h("p.muted", () => wt("timeline.empty"));

  constructor(private readonly trace: Trace) {
    const filters = SORTS.map((sort) => {
      const box = h("input", { type: "checkbox", name: `show-${sort}`, checked: true });
      on(box, { change: () => this.#list.classList.toggle(`without-${sort}`, !box.checked) });
      return h("label.filter", box, h("span", () => wt(`timeline.sort.${sort}s`)));
    });
    const legend = h("legend.visually-hidden", () => wt("timeline.show"));
    const room = { class: "entries-room", tabindex: 0, role: "group", "aria-labelledby": "timeline-title" };
    this.element = h("section.bench-part.timeline", { id: "timeline", "aria-labelledby": "timeline-title" }, [
      h("h2", { id: "timeline-title" }, () => wt("timeline.title")),
      h("p.muted", () => wt("timeline.about")),
      h("div.spread", [
        h("fieldset.filters", legend, ...filters),
        h("div.tool-buttons", [
          button(() => wt("timeline.export"), () => this.#export(), "quiet"),
          button(() => wt("timeline.clear"), () => this.#clear(), "quiet"),
        ]),
      ]),
      h("div", room, this.#empty, this.#list),
    ]);
    trace.watch((entry) => this.#show(entry));
  }

  #show(entry: TraceEntry): void {
    const item = itemOf(entry);
    const before = this.#items.get(entry.number);
    const isOpen = before?.querySelector("details")?.open ?? false;
    item.querySelector("details")?.toggleAttribute("open", isOpen);
    if (before) before.replaceWith(item);
    else this.#list.prepend(item);
    this.#items.set(entry.number, item);
    this.#empty.hidden = true;
    const oldest = this.trace.entries[0]?.number ?? 0;
    for (const [number, shown] of this.#items) {
      if (number >= oldest) break;
      shown.remove();
      this.#items.delete(number);
    }
  }

  #clear(): void {
    this.trace.clear();
    this.#items.clear();
    this.#list.replaceChildren();
    this.#empty.hidden = false;
  }

  #export(): void {
    const json = JSON.stringify(this.trace, undefined, 2);
    downloadFile(new Blob([json], { type: "application/json" }), FILE);
  }
}

function itemOf(entry: TraceEntry): HTMLElement {
  const time = () => new Date(entry.at).toLocaleTimeString(currentLocale(), { hour12: false });
  const { number: _, at, sort, ...facts } = entry;
  const { name, outcome, tone } = describe(entry);
  const summary = h("summary", [
    h("time", { datetime: at }, time),
    h("span.entry-sort", () => wt(`timeline.sort.${sort}`)),
    h("code.entry-name", name),
    h("span.entry-outcome", outcome),
  ]);
  const json = h("pre", h("code", JSON.stringify(facts, undefined, 2)));
  const attributes = { class: "entry", "data-sort": sort, "data-tone": tone };
  return h("li", attributes, h("details", summary, json));
}

function describe(entry: TraceEntry): { name: string; outcome: LiveText; tone: "good" | "bad" | "plain" } {
  switch (entry.sort) {
    case "call": {
      const { operation: name, durationMs, error } = entry;
      const result = () => {
        if (error) return String(error["code"] ?? error["name"]);
        return wt(entry.outcome === "done" ? "outcome.done" : "outcome.pending");
      };
      const outcome = () => (durationMs === undefined ? result() : `${result()} · ${durationMs} ms`);
      return { name, outcome, tone: error ? "bad" : entry.outcome === "done" ? "good" : "plain" };
    }
    case "request": {
      const { method, operation, status, attempt, durationMs } = entry;
      const reply = () => status || wt("timeline.no_reply");
      const outcome = () => `${reply()} · ${wt("timeline.attempt", { attempt })} · ${durationMs} ms`;
      const tone = status >= 200 && status < 300 ? "good" : "bad";
      return { name: `${method} ${operation}`, outcome, tone };
    }
    case "event": {
      const { type: name } = entry;
      const tone = name.endsWith("SUCCESS") ? "good" : /FAIL|EXPIRED/.test(name) ? "bad" : "plain";
      return { name, outcome: () => lookUp(`event.${name}`) ?? "", tone };
    }
    case "action": {
      const { action, facts } = entry;
      const outcome = () => [wt(`action.${action}` as WorkbenchKey), ...Object.values(facts)].join(" · ");
      return { name: action, outcome, tone: "plain" };
    }
  }
}
