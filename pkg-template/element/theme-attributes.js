import { attributeOf } from "../custom-element/attribute-of.js";
import { THEME_PARAMETERS } from "./theme-parameters.js";

/** Each is also an attribute, such as `theme-button-color`. */
const PARAMETERS = /* @__PURE__ */ Object.keys(THEME_PARAMETERS);

const BOOLEANS = { __proto__: null, "": true, true: true, false: false };

const themeAttributeOf = (parameter) => `theme-${attributeOf(parameter)}`;

export const THEME_ATTRIBUTES = /* @__PURE__ */ PARAMETERS.map(themeAttributeOf);

/** Returns the theme in an element's attributes. */
export function themeOf(element) {
  const theme = {};
  for (const parameter of PARAMETERS) {
    const value = element.getAttribute(themeAttributeOf(parameter));
    if (value !== null) {
      theme[parameter] = THEME_PARAMETERS[parameter] ? (BOOLEANS[value] ?? value) : value;
    }
  }
  return theme;
}
