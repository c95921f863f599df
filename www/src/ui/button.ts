import { h, on, setText, type LiveText } from "./dom";

export type Weight = "primary" | "secondary" | "quiet";

/** A button that does something on the page. */
export function button(label: LiveText, run: () => void, weight: Weight = "secondary"): HTMLButtonElement {
  return on(h("button", { type: "button", class: `button ${weight}` }, label), { click: run });
}

/** The button that submits the form of a step, which may stand elsewhere on the page. */
export function submitButton(label: LiveText, formId: string): HTMLButtonElement {
  return h("button", { type: "submit", class: "button primary", form: formId }, h("span", { class: "button-label" }, label));
}

/** A quiet button whose work may take a while; see `setBusy`. */
export function busyButton(label: LiveText, run: () => void): HTMLButtonElement {
  return on(h("button", { type: "button", class: "button quiet" }, h("span", { class: "button-label" }, label)), { click: run });
}

/**
 * Marks a button as working or not. It stays focusable, so that a keyboard keeps its place; what it
 * does must look at `isBusy` itself.
 */
export function setBusy(target: HTMLButtonElement, busy: boolean, label: LiveText): void {
  target.toggleAttribute("data-busy", busy);
  target.setAttribute("aria-disabled", String(busy));
  const text = target.querySelector(".button-label");
  if (text) setText(text, label);
}

/** Whether the button's work is under way. */
export function isBusy(target: HTMLButtonElement): boolean {
  return target.hasAttribute("data-busy");
}
