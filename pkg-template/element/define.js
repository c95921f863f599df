import { cardFormElement } from "./card-form-element.js";
import { defineElement } from "../custom-element/define-element.js";

// Marks the element of any copy of the package.
const BRAND = Symbol.for("remitkit.cardFormElement");

export function defineRemitCardForm(tagName = "remit-card-form") {
  defineElement(tagName, BRAND, cardFormElement);
}
