// The theme in the form's query (interface, part 4: Card onboarding iframe). Invalid values leave the
// default.

const COLORS = [
  "primary", "primaryLight", "text", "textSecondary", "foreground", "background", "inputLine", "divider",
  "icon", "success", "danger", "dangerLight", "buttonText", "buttonColor",
];

const FONTS = ["font", "buttonFont", "headlineFont"];

/** Returns the custom property of a parameter: `--button-color` for `buttonColor`. */
const propertyOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const TEXT_CASES = { UPPER: "uppercase", lower: "lowercase", Capitalize: "capitalize", Default: "none" };

const SWITCHES = ["showStep", "showCardAnimation"];

export const LANGUAGES = ["en", "es-MX"];

export const PARAMETERS = [
  ...FONTS, ...COLORS, ...SWITCHES, "buttonRadius", "buttonTextCase", "buttonLetterSpacing", "cardBackground",
  "lng",
];

const COLOR_FUNCTIONS = new Set([
  "", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "calc",
]);

// currentcolor depends on the context; the others are not colours.
const KEYWORDS = /^(currentcolor|inherit|initial|unset|revert|revert-layer)$/i;

const GENERIC_FONTS = new Set([
  "serif", "sans-serif", "monospace", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
]);

const FALLBACK_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/**
 * Whether a value is a CSS colour to the engine, and nothing that could do more: no url(), var(), env(),
 * attr(), string, escape, comment or second declaration.
 */
export function isColor(value, supports) {
  if (value === "" || value.length > 128) return false;
  if (!/^[#a-z0-9.,%()/+\s-]+$/i.test(value) || KEYWORDS.test(value)) return false;
  let depth = 0;
  for (const character of value) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  if (depth !== 0) return false;
  for (const [, name] of value.matchAll(/([a-z-]*)\s*\(/gi)) {
    if (!COLOR_FUNCTIONS.has(name.toLowerCase())) return false;
  }
  return supports("color", value);
}

/** Returns a font name or comma-separated list as a CSS font-family with fallbacks; null if invalid. */
export function fontFamily(names, supports) {
  const families = names.split(",").map((name) => familyOf(name.replace(/^ +| +$/g, "")));
  if (names.length > 256 || families.includes(null)) return null;
  const family = [...families, FALLBACK_FONTS].join(", ");
  return supports("font-family", family) ? family : null;
}

/** Returns one name, with or without quotes, as CSS; null if invalid. */
function familyOf(given) {
  const name = given.replace(/^(["'])(.*)\1$/, "$2");
  if (GENERIC_FONTS.has(given.toLowerCase())) return given.toLowerCase();
  return name.length <= 64 && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]*$/u.test(name) ? `"${name}"` : null;
}

/** Whether a value is a CSS length. `percent` and `negative` allow percentages and negative lengths. */
export function isLength(value, property, supports, { percent = false, negative = false } = {}) {
  const parts = /^(-?)(\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})([a-z]*|%)$/i.exec(value);
  if (!parts) return false;
  const [, sign, amount, unit] = parts;
  if (sign === "-" && !negative) return false;
  if (unit === "%" && !percent) return false;
  if (unit === "" && Number(amount) !== 0) return false;
  return supports(property, value);
}

/** Returns an https address as a CSS url() that nothing can escape from; null if invalid. */
export function imageOf(value, supports) {
  if (value.length > 2048) return null;
  if (!URL.canParse(value)) return null;
  const address = new URL(value);
  if (address.protocol !== "https:" || address.hostname === "") return null;
  if (address.username !== "" || address.password !== "") return null;
  address.hash = "";
  // The characters that could end or change a CSS string.
  const quoted = address.href.replace(/["\\\s]/g, encodeURIComponent);
  const image = `url("${quoted}")`;
  return supports("background-image", image) ? image : null;
}

/**
 * Reads a query string. `supports(property, value)` is `CSS.supports`.
 *
 * Returns `properties` (custom property to value), `cardColor` (the card picture's colour, if given),
 * `language`, `showStep`, `showCardAnimation`, and `ignored`, the names of the invalid values.
 */
export function readTheme(search, supports) {
  const query = new URLSearchParams(search);
  const properties = new Map();
  const ignored = [];
  const theme = {
    properties,
    ignored,
    cardColor: null,
    language: LANGUAGES[0],
    showStep: false,
    showCardAnimation: false,
  };

  const read = (name, take) => {
    const given = query.get(name);
    if (given !== null && !take(given.trim())) ignored.push(name);
  };
  const set = (property, value) => {
    if (value === null || value === undefined) return false;
    properties.set(property, value);
    return true;
  };

  for (const name of FONTS) {
    read(name, (value) => set(propertyOf(name), fontFamily(value, supports)));
  }
  for (const name of COLORS) {
    read(name, (value) => set(propertyOf(name), isColor(value, supports) ? value : null));
  }
  // `primary` is the colour of clickable elements, and so of a button without one of its own.
  if (!properties.has("--button-color")) set("--button-color", properties.get("--primary"));
  const readLength = (name, property, options) => {
    read(name, (value) => set(propertyOf(name), isLength(value, property, supports, options) ? value : null));
  };
  readLength("buttonRadius", "border-radius", { percent: true });
  readLength("buttonLetterSpacing", "letter-spacing", { negative: true });
  read("buttonTextCase", (value) =>
    set("--button-text-case", Object.hasOwn(TEXT_CASES, value) ? TEXT_CASES[value] : null));
  read("cardBackground", (value) => {
    if (isColor(value, supports)) {
      theme.cardColor = value;
      properties.set("--card-image", "none");
      return set("--card-color", value);
    }
    return set("--card-image", imageOf(value, supports));
  });
  read("lng", (value) => {
    if (!LANGUAGES.includes(value)) return false;
    theme.language = value;
    return true;
  });
  for (const name of SWITCHES) {
    read(name, (value) => {
      if (value !== "0" && value !== "1") return false;
      theme[name] = value === "1";
      return true;
    });
  }
  return theme;
}
