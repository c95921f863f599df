import { invalid } from "../errors.js";
import { cardFormElement } from "./card-form-element.js";

// By brand, so that the element of another copy of the package counts too.
const BRAND = Symbol.for("remitkit.cardFormElement");

export function defineRemitCardForm(tagName = "remit-card-form") {
  // On a server and in a worker a page's module may run as well.
  if (globalThis.customElements === undefined) {
    return;
  }
  const taken = typeof tagName === "string" ? customElements.get(tagName) : undefined;
  if (taken?.[BRAND]) {
    return;
  }
  if (taken !== undefined) {
    throw invalid("InvalidConfiguration", "tagName", `a name that is free: ${tagName} is another element`);
  }
  // Made only here, as a server has no HTMLElement, and anew for each name, as a class can have one only.
  const element = cardFormElement();
  Object.defineProperty(element, BRAND, { value: true });
  try {
    customElements.define(tagName, element);
  } catch (cause) {
    throw invalid("InvalidConfiguration", "tagName", "a name for an element, lowercase and with a hyphen", {
      cause,
    });
  }
}
