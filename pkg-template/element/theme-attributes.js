import { attributeOf } from "./form-control.js";

/** The parameters of a theme. Each is also an attribute, such as `theme-button-color`. */
const PARAMETERS = [
  "font", "buttonFont", "headlineFont", "primary", "primaryLight", "text", "textSecondary", "foreground",
  "background", "inputLine", "divider", "icon", "success", "danger", "dangerLight", "buttonText",
  "buttonColor", "buttonRadius", "buttonTextCase", "buttonLetterSpacing", "cardBackground", "lng", "showStep",
  "showCardAnimation",
];

const BOOLEANS = { __proto__: null, "": true, true: true, false: false };

const themeAttributeOf = (parameter) => `theme-${attributeOf(parameter)}`;

export const THEME_ATTRIBUTES = /* @__PURE__ */ PARAMETERS.map(themeAttributeOf);

/** Returns the theme in an element's attributes. */
export function themeOf(element) {
  const theme = {};
  for (const parameter of PARAMETERS) {
    const value = element.getAttribute(themeAttributeOf(parameter));
    if (value !== null) {
      theme[parameter] = parameter.startsWith("show") ? (BOOLEANS[value] ?? value) : value;
    }
  }
  return theme;
}
