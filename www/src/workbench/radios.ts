import { h, on, uniqueId } from "../ui/dom";

/** A choice of one among a few values, drawn as a row of buttons. */
export class Radios<Value extends string = string> {
  readonly element: HTMLFieldSetElement;

  constructor(legend: HTMLElement, labels: Record<Value, string>, chosen: () => void) {
    const name = uniqueId("choice");
    const options = Object.entries<string>(labels).map(([value, label], at) =>
      h("label", h("input", { type: "radio", name, value, checked: at === 0 }), h("span", label)),
    );
    this.element = on(h("fieldset.radio-set", legend, h("div.radios", ...options)), { change: chosen });
  }

  get value(): Value {
    return this.element.querySelector<HTMLInputElement>(":checked")?.value as Value;
  }

  set value(value: Value) {
    for (const input of this.element.querySelectorAll("input")) input.checked = input.value === value;
  }
}
