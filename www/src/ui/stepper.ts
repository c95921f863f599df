import { t } from "../messages";
import { h, on, setText, type LiveText } from "./dom";
import { icon } from "./icons";

export interface StepLabel {
  name: string;
  label: LiveText;
}

/** The steps of the checkout; completed ones can be opened again. */
export class Stepper {
  readonly element: HTMLElement;
  readonly #list = h("ol.steps");
  // Replaces the list on narrow screens, where the caption names the step.
  readonly #bar = h("div.step-bar", { "aria-hidden": "true" });
  readonly #caption = h("p.step-count.muted.small");

  constructor(private readonly goTo: (name: string) => void) {
    const label = () => t("steps.label");
    this.element = h("nav.stepper", { "aria-label": label }, this.#caption, this.#bar, this.#list);
  }

  /** Shows the steps; a `current` that is none of them means that all are completed. */
  show(steps: StepLabel[], current: string): void {
    const found = steps.findIndex(({ name }) => name === current);
    const at = found < 0 ? steps.length : found;
    const stateOf = (index: number) => (index < at ? "done" : index === at ? "current" : "ahead");
    this.#bar.replaceChildren(...steps.map((_, index) => h("span", { class: stateOf(index) })));
    const items = steps.map(({ name, label }, index) => {
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
    this.#list.replaceChildren(...items);
    const step = steps[at];
    const caption = () => step && t("steps.count", { at: at + 1, of: steps.length, name: step.label() });
    setText(this.#caption, () => caption() ?? t("steps.all"));
  }
}
