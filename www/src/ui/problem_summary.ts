import { t } from "../messages";
import { h, on, type LiveText } from "./dom";
import { icon } from "./icons";
import type { Control } from "./field";

/** Summarises several problems above a form: each entry leads to its field, and goes once it is fixed. */
export class ProblemSummary {
  readonly element = h("div", { class: "notice-slot" });
  readonly #problems = new Map<Control, LiveText>();

  /** What is wrong with a field now; nothing if it is in order. */
  put(control: Control, text: LiveText | undefined): void {
    if (text) this.#problems.set(control, text);
    else if (!this.#problems.delete(control)) return;
    if (this.element.hasChildNodes()) this.#show();
  }

  /** Shows it, and leads there. */
  lead(): void {
    const summary = this.#show();
    summary?.scrollIntoView({ block: "nearest" });
    summary?.focus({ preventScroll: true });
  }

  #show(): HTMLElement | undefined {
    if (this.#problems.size === 0) {
      this.element.replaceChildren();
      return undefined;
    }
    const title = () => t(this.#problems.size === 1 ? "problem.summary.one" : "problem.summary", { count: this.#problems.size });
    const summary = h(
      "div",
      { class: "notice error problem-summary", role: "group", tabindex: -1, "aria-label": title },
      icon("alert"),
      h("div", { class: "notice-body stack tight" }, h("p", { class: "notice-title" }, title), h("ul", {}, ...[...this.#problems].map(([control, text]) => row(control, text)))),
    );
    this.element.replaceChildren(summary);
    return summary;
  }
}

function row(control: Control, text: LiveText): HTMLElement {
  const lead = (event: Event) => {
    // Followed as an address it would be an entry of the history, which holds the steps.
    event.preventDefault();
    control.focus();
  };
  return h("li", {}, on(h("a", { href: `#${control.id}` }, text), { click: lead }));
}
