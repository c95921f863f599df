import { cardFormElement } from "./card-form-element.js";
import { defineElement } from "../custom-element/form-control.js";

// Marks the element of any copy of the package.
const BRAND = Symbol.for("remitkit.cardFormElement");

export function defineRemitCardForm(tagName = "remit-card-form") {
  defineElement(tagName, BRAND, cardFormElement);
}
