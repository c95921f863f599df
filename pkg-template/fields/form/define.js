import { defineElement } from "../../custom-element/define-element.js";
import { fieldsElement } from "./fields-element.js";

// Marks the element of any copy of the package.
const BRAND = Symbol.for("remitkit.fieldsElement");

export function defineRemitFields(tagName = "remit-fields") {
  defineElement(tagName, BRAND, fieldsElement);
}
