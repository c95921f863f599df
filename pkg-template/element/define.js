import { invalid } from "../errors.js";
import { cardFormElement } from "./card-form-element.js";

// Marks the element of any copy of the package.
const BRAND = Symbol.for("remitkit.cardFormElement");

export function defineRemitCardForm(tagName = "remit-card-form") {
  // A page's modules may also run on a server or in a worker.
  if (globalThis.customElements === undefined) return;
  const taken = typeof tagName === "string" ? customElements.get(tagName) : undefined;
  if (taken?.[BRAND]) return;
  if (taken !== undefined) {
    throw invalid("InvalidConfiguration", "tagName", `a name that is free: ${tagName} is another element`);
  }
  // Not at import, as a server has no HTMLElement. One class per name, as a class can be defined only once.
  const element = cardFormElement();
  Object.defineProperty(element, BRAND, { value: true });
  try {
    customElements.define(tagName, element);
  } catch (cause) {
    const expected = "a name for an element, lowercase and with a hyphen";
    throw invalid("InvalidConfiguration", "tagName", expected, { cause });
  }
}
