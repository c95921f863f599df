/** The parameters of a theme. Each is also an attribute, such as `theme-button-color`. */
const PARAMETERS = [
  "font", "buttonFont", "headlineFont", "primary", "primaryLight", "text", "textSecondary", "foreground",
  "background", "inputLine", "divider", "icon", "success", "danger", "dangerLight", "buttonText",
  "buttonColor", "buttonRadius", "buttonTextCase", "buttonLetterSpacing", "cardBackground", "lng", "showStep",
  "showCardAnimation",
];

const BOOLEANS = { __proto__: null, "": true, true: true, false: false };

const attributeOf = (parameter) =>
  `theme-${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const THEME_ATTRIBUTES = /* @__PURE__ */ PARAMETERS.map(attributeOf);

/** Returns the theme in an element's attributes. */
export function themeOf(element) {
  const theme = {};
  for (const parameter of PARAMETERS) {
    const value = element.getAttribute(attributeOf(parameter));
    if (value !== null) {
      theme[parameter] = parameter.startsWith("show") ? (BOOLEANS[value] ?? value) : value;
    }
  }
  return theme;
}
