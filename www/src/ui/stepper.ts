import { t } from "../messages";
import { h, on, showAll, type LiveText } from "./dom";
import { icon } from "./icons";

const STEPS = ["amount", "recipient", "account", "review"] as const;

/** The steps of the checkout; completed ones can be opened again. */
export class Stepper {
  readonly element: HTMLElement;
  readonly #list = h("ol.steps");

  constructor(private readonly goTo: (name: (typeof STEPS)[number]) => void) {
    this.element = h("nav.stepper", { "aria-label": () => t("steps.label") }, this.#list);
  }

  /** Shows the steps; a `current` that is none of them means that all are completed. */
  show(accountLabel: LiveText, current: string): void {
    const found = STEPS.findIndex((name) => name === current);
    const at = found < 0 ? STEPS.length : found;
    const stateOf = (index: number) => (index < at ? "done" : index === at ? "current" : "ahead");
    const items = STEPS.map((name, index) => {
      const label = name === "account" ? accountLabel : () => t(`steps.${name}`);
      const mark = index < at ? icon("check") : String(index + 1);
      const content = [
        h("span.step-badge", { "aria-hidden": "true" }, mark),
        h("span.step-name", label),
        index < at && h("span.visually-hidden", "(", () => t("steps.done"), ")"),
      ];
      const isLink = index < at && found >= 0;
      const attributes = { type: isLink && "button", class: "step-link" };
      const link = h(isLink ? "button" : "span", attributes, ...content);
      if (isLink) on(link, { click: () => this.goTo(name) });
      return h("li", { class: `step ${stateOf(index)}`, "aria-current": index === at && "step" }, link);
    });
    showAll(this.#list, items);
  }
}
