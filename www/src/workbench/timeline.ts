import { currentLocale, lookUp } from "../messages";
import { button } from "../ui/button";
import { follow, h, on, type LiveText } from "../ui/dom";
import { wt, type TextKey } from "./texts";
import type { Trace, TraceEntry } from "./trace";

const SORTS = ["call", "request", "event", "action"] as const;
const FILE = "remitkit-trace.json";

/** The trace, newest first. Each entry opens to all that it holds, which is also all that is exported. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #trace: Trace;
  readonly #list = h("ol", { class: "entries" });
  readonly #items = new Map<number, HTMLElement>();
  readonly #empty = h("p", { class: "muted" }, () => wt("timeline.empty"));

  constructor(trace: Trace) {
    this.#trace = trace;
    const filters = SORTS.map((sort) => {
      const box = h("input", { type: "checkbox", name: `show-${sort}`, checked: true });
      on(box, { change: () => this.#list.classList.toggle(`without-${sort}`, !box.checked) });
      return h("label", { class: "filter" }, box, h("span", {}, () => wt(`timeline.sort.${sort}s`)));
    });
    this.element = h(
      "section",
      { class: "bench-part timeline", id: "timeline", "aria-labelledby": "timeline-title" },
      h("h2", { id: "timeline-title" }, () => wt("timeline.title")),
      h("p", { class: "muted" }, () => wt("timeline.about")),
      h(
        "div",
        { class: "spread" },
        h("fieldset", { class: "filters" }, h("legend", { class: "visually-hidden" }, () => wt("timeline.show")), ...filters),
        h("div", { class: "tool-buttons" }, button(() => wt("timeline.export"), () => this.#export(), "quiet"), button(() => wt("timeline.clear"), () => this.#clear(), "quiet")),
      ),
      h("div", { class: "entries-room", tabindex: 0, role: "group", "aria-labelledby": "timeline-title" }, this.#empty, this.#list),
    );
    trace.watch((entry) => this.#show(entry));
  }

  #show(entry: TraceEntry): void {
    const made = item(entry);
    const before = this.#items.get(entry.number);
    if (before) {
      made.querySelector("details")?.toggleAttribute("open", before.querySelector("details")?.open ?? false);
      before.replaceWith(made);
    } else this.#list.prepend(made);
    this.#items.set(entry.number, made);
    this.#empty.hidden = true;
    const oldest = this.#trace.entries[0]?.number ?? 0;
    for (const [number, shown] of this.#items) {
      if (number >= oldest) break;
      shown.remove();
      this.#items.delete(number);
    }
  }

  #clear(): void {
    this.#trace.clear();
    this.#items.clear();
    this.#list.replaceChildren();
    this.#empty.hidden = false;
  }

  // A file that the browser keeps: nothing is sent anywhere.
  #export(): void {
    const address = URL.createObjectURL(new Blob([JSON.stringify(this.#trace, undefined, 2)], { type: "application/json" }));
    h("a", { href: address, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1_000);
  }
}

function item(entry: TraceEntry): HTMLElement {
  const time = h("time", { datetime: entry.at });
  follow(time, () => {
    time.textContent = new Date(entry.at).toLocaleTimeString(currentLocale(), { hour12: false });
  });
  const { number: _, at: __, sort, ...held } = entry;
  return h(
    "li",
    { class: "entry", "data-sort": sort, "data-tone": toneOf(entry) },
    h(
      "details",
      {},
      h(
        "summary",
        {},
        time,
        h("span", { class: "entry-sort" }, () => wt(`timeline.sort.${sort}`)),
        h("code", { class: "entry-name" }, nameOf(entry)),
        h("span", { class: "entry-outcome" }, outcomeOf(entry)),
      ),
      h("pre", {}, h("code", {}, JSON.stringify(held, undefined, 2))),
    ),
  );
}

function nameOf(entry: TraceEntry): string {
  switch (entry.sort) {
    case "call":
      return entry.operation;
    case "request":
      return `${entry.method} ${entry.operation}`;
    case "event":
      return entry.type;
    case "action":
      return entry.action;
  }
}

function outcomeOf(entry: TraceEntry): LiveText | string {
  switch (entry.sort) {
    case "call": {
      const took = () => (entry.durationMs === undefined ? "" : ` · ${entry.durationMs} ms`);
      if (entry.outcome === "error") return () => `${String(entry.error?.["code"] ?? entry.error?.["name"])}${took()}`;
      return () => `${wt(entry.outcome === "done" ? "outcome.done" : "outcome.pending")}${took()}`;
    }
    case "request": {
      const { status, attempt, durationMs } = entry;
      return () => `${status || wt("timeline.no_reply")} · ${wt("timeline.attempt", { attempt })} · ${durationMs} ms`;
    }
    case "event":
      return () => lookUp(`event.${entry.type}`) ?? "";
    case "action":
      return () => [wt(`action.${entry.action}` as TextKey), ...Object.values(entry.facts)].join(" · ");
  }
}

function toneOf(entry: TraceEntry): "good" | "bad" | "plain" {
  switch (entry.sort) {
    case "call":
      return entry.outcome === "error" ? "bad" : entry.outcome === "done" ? "good" : "plain";
    case "request":
      return entry.status >= 200 && entry.status < 300 ? "good" : "bad";
    case "event":
      return entry.type.endsWith("SUCCESS") ? "good" : /FAIL|EXPIRED/.test(entry.type) ? "bad" : "plain";
    case "action":
      return "plain";
  }
}
