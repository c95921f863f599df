import { h, on, uniqueId } from "../ui/dom";

/** Creates a choice of one among a few values, drawn as a row of buttons; `initial` may be none of them. */
export function radios<Value extends string>(
  legend: HTMLElement,
  labels: Record<Value, string>,
  changed: () => void,
  initial = "",
) {
  const name = uniqueId("choice");
  const first = initial in labels ? initial : Object.keys(labels)[0];
  const options = Object.entries<string>(labels).map(([value, label]) => {
    return h("label", h("input", { type: "radio", name, value, checked: value === first }), h("span", label));
  });
  const element = on(h("fieldset.radio-set", legend, h("div.radios", ...options)), { change: changed });
  return { element, value: () => element.querySelector<HTMLInputElement>(":checked")?.value as Value };
}
