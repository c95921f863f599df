import { t } from "../messages";
import { h, on, type LiveText } from "./dom";
import { icon } from "./icons";
import type { Control } from "./field";

/** Lists several problems above a form. Each entry leads to its field, and goes once that is fixed. */
export class ProblemSummary {
  readonly element = h("div.notice-slot");
  readonly #problems = new Map<Control, LiveText>();

  set(control: Control, problem: LiveText | undefined): void {
    if (problem) this.#problems.set(control, problem);
    else if (!this.#problems.delete(control)) return;
    if (this.element.hasChildNodes()) this.#render();
  }

  show(): void {
    const summary = this.#render();
    summary?.scrollIntoView({ block: "nearest" });
    summary?.focus({ preventScroll: true });
  }

  #render(): HTMLElement | undefined {
    const { size: count } = this.#problems;
    this.element.replaceChildren();
    if (count === 0) return undefined;
    const title = () => t(count === 1 ? "problem.summary.one" : "problem.summary", { count });
    const items = [...this.#problems].map(([control, problem]) => h("li", link(control, problem)));
    const body = h("div.notice-body.stack.tight", h("h2.notice-title", title));
    body.append(h("ul", ...items));
    const attributes = { role: "group", tabindex: -1, "aria-label": title };
    const summary = h("div.notice.error.problem-summary", { ...attributes }, icon("alert"), body);
    this.element.append(summary);
    return summary;
  }
}

function link(control: Control, problem: LiveText): HTMLElement {
  const click = (event: Event) => {
    // Following the link would add to the browser's history, which holds the steps.
    event.preventDefault();
    control.focus();
  };
  return on(h("a", { href: `#${control.id}` }, problem), { click });
}
