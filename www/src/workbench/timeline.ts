import { currentLocale, lookUp } from "../messages";
import { wt } from "../messages/workbench";
import { downloadFile } from "../receipt";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import type { Trace, TraceEntry } from "./trace";

const FILE = "remitkit-trace.json";

/** The trace, newest first. An entry unfolds to everything that it holds and that is exported of it. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #list = h("ol.entries");
  /** The shown entries, oldest first. */
  readonly #items = new Map<number, HTMLElement>();

  constructor(private readonly trace: Trace) {
    const room = { class: "entries-room", tabindex: 0, role: "group", "aria-labelledby": "timeline-title" };
    this.element = h("section.bench-part.timeline", { id: "timeline", "aria-labelledby": "timeline-title" }, [
      h("h2", { id: "timeline-title" }, () => wt("timeline.title")),
      h("p.muted", () => wt("timeline.about")),
      h("div.tool-buttons", button(() => wt("timeline.export"), () => this.#export(), "quiet")),
      h("div", room, this.#list, h("p.muted", () => wt("timeline.empty"))),
    ]);
    trace.onEntry = (entry) => this.#show(entry);
  }

  #show(entry: TraceEntry): void {
    const item = itemOf(entry);
    const before = this.#items.get(entry.number);
    const isOpen = before?.querySelector("details")?.open ?? false;
    item.querySelector("details")?.toggleAttribute("open", isOpen);
    if (before) before.replaceWith(item);
    else this.#list.prepend(item);
    this.#items.set(entry.number, item);
    const oldest = this.trace.entries[0]?.number ?? 0;
    for (const [number, shown] of this.#items) {
      if (number >= oldest) break;
      shown.remove();
      this.#items.delete(number);
    }
  }

  #export(): void {
    const json = JSON.stringify(this.trace, undefined, 2);
    downloadFile(new Blob([json], { type: "application/json" }), FILE);
  }
}

function itemOf({ at, sort, name, result, tone, facts }: TraceEntry): HTMLElement {
  const time = () => new Date(at).toLocaleTimeString(currentLocale(), { hour12: false });
  const summary = h("summary", [
    h("time", { datetime: at }, time),
    h("span.entry-sort", () => wt(`timeline.sort.${sort}`)),
    h("code.entry-name", name),
    h("span.entry-outcome", () => lookUp(`event.${name}`) ?? result),
  ]);
  const json = h("pre", h("code", JSON.stringify(facts, undefined, 2)));
  return h("li", { class: "entry", "data-sort": sort, "data-tone": tone }, h("details", summary, json));
}
