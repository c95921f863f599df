import { defineElement } from "../../custom-element/define-element.js";
import { amountElement } from "./amount-element.js";

// Marks the element of any copy of the package.
const BRAND = Symbol.for("remitkit.amountElement");

export function defineRemitAmount(tagName = "remit-amount") {
  defineElement(tagName, BRAND, amountElement);
}
