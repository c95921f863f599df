import { h, on, uniqueId, type LiveText } from "../ui/dom";

/** A choice of one among a few names, drawn as a row of buttons. */
export class Radios<Name extends string = string> {
  readonly element: HTMLFieldSetElement;
  readonly #group = uniqueId("choice");
  readonly #row = h("div.radios");

  constructor(legend: LiveText, private readonly chosen: (name: Name) => void, isLegendShown = true) {
    const title = h(isLegendShown ? "legend" : "legend.visually-hidden", legend);
    this.element = h("fieldset.radio-set", title, this.#row);
  }

  /** Offers these names, which are their own labels unless there are others; keeps what is chosen. */
  offer(names: readonly Name[], labels?: Record<Name, string>): void {
    const before = this.value;
    const options = names.map((value) => {
      const input = h("input", { type: "radio", name: this.#group, value });
      return h("label", on(input, { change: () => this.chosen(value) }), h("span", labels?.[value] ?? value));
    });
    this.#row.replaceChildren(...options);
    const kept = names.find((name) => name === before) ?? names[0];
    if (kept !== undefined) this.value = kept;
  }

  get value(): Name | undefined {
    return this.#row.querySelector<HTMLInputElement>(":checked")?.value as Name | undefined;
  }

  set value(name: Name) {
    for (const input of this.#row.querySelectorAll("input")) input.checked = input.value === name;
  }
}
