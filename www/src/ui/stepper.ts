import { t } from "../messages";
import { h, on, setText, type LiveText } from "./dom";
import { icon } from "./icons";

export interface StepLabel {
  name: string;
  label: LiveText;
}

/** Where in the checkout the customer is; steps already taken can be gone back to. */
export class Stepper {
  readonly element: HTMLElement;
  readonly #list = h("ol", { class: "steps" });
  // In the place of the list where there is no room for it: the caption says it.
  readonly #bar = h("div", { class: "step-bar", "aria-hidden": "true" });
  readonly #count = h("p", { class: "step-count muted small" });
  readonly #goTo: (name: string) => void;

  constructor(goTo: (name: string) => void) {
    this.#goTo = goTo;
    this.element = h("nav", { class: "stepper", "aria-label": () => t("steps.label") }, this.#count, this.#bar, this.#list);
  }

  /** Shows the steps with one as the current; one that is none of them means that all are taken. */
  show(steps: StepLabel[], current: string): void {
    const found = steps.findIndex((step) => step.name === current);
    const at = found < 0 ? steps.length : found;
    const stateOf = (index: number) => (index < at ? "done" : index === at ? "current" : "ahead");
    this.#bar.replaceChildren(...steps.map((_, index) => h("span", { class: stateOf(index) })));
    this.#list.replaceChildren(
      ...steps.map((step, index) => {
        const state = stateOf(index);
        const badge = h("span", { class: "step-badge", "aria-hidden": "true" }, index < at ? icon("check") : String(index + 1));
        const name = h("span", { class: "step-name" }, step.label);
        const content =
          index < at && found >= 0
            ? on(h("button", { type: "button", class: "step-link" }, badge, name), { click: () => this.#goTo(step.name) })
            : h("span", { class: "step-link" }, badge, name);
        return h("li", { class: `step ${state}`, "aria-current": index === at ? "step" : undefined }, content);
      }),
    );
    const label = steps[at]?.label;
    setText(this.#count, () => (label ? t("steps.count", { at: at + 1, of: steps.length, name: label() }) : t("steps.all")));
  }
}
