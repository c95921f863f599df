// The theme the embedding page asks for in the address (interface, part 4: Card onboarding iframe).
// Each value is taken only if it is what its parameter is for; anything else leaves the default.

const COLORS = [
  "primary", "primaryLight", "text", "textSecondary", "foreground", "background", "inputLine", "divider", "icon",
  "success", "danger", "dangerLight", "buttonText", "buttonColor",
];

const FONTS = ["font", "buttonFont", "headlineFont"];

/** The custom property of a parameter: `--button-color` is that of `buttonColor`. */
const propertyOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const TEXT_CASES = {
  UPPER: "uppercase",
  lower: "lowercase",
  Capitalize: "capitalize",
  Default: "none",
};

const SWITCHES = ["showStep", "showCardAnimation"];

/** The languages the form speaks. */
export const LANGUAGES = ["en", "es-MX"];

/** All 24 parameters. */
export const PARAMETERS = [
  ...FONTS,
  ...COLORS,
  "buttonRadius",
  "buttonTextCase",
  "buttonLetterSpacing",
  "cardBackground",
  "lng",
  ...SWITCHES,
];

const COLOR_FUNCTIONS = new Set([
  "", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "calc",
]);

// currentcolor refers to whatever stands around it, and the others are no colours.
const NO_COLORS = /^(currentcolor|inherit|initial|unset|revert|revert-layer)$/i;

const GENERIC_FONTS = new Set([
  "serif", "sans-serif", "monospace", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
]);

const FALLBACK_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/**
 * A CSS colour as the engine understands it, and nothing that could reach beyond being one:
 * no url(), var(), env(), attr(), string, escape, comment or second declaration.
 */
export function isColor(value, supports) {
  if (value === "" || value.length > 128) return false;
  if (!/^[#a-z0-9.,%()/+\s-]+$/i.test(value) || NO_COLORS.test(value)) return false;
  let depth = 0;
  for (const sign of value) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth < 0) return false;
  }
  if (depth !== 0) return false;
  for (const [, name] of value.matchAll(/([a-z-]*)\s*\(/gi)) {
    if (!COLOR_FUNCTIONS.has(name.toLowerCase())) return false;
  }
  return supports("color", value);
}

/** Returns a font's name, or a comma-separated list, as a CSS font-family with fallbacks; null if invalid. */
export function fontFamily(names, supports) {
  const families = names.split(",").map((name) => familyOf(name.replace(/^ +| +$/g, "")));
  if (names.length > 256 || families.includes(null)) return null;
  const family = [...families, FALLBACK_FONTS].join(", ");
  return supports("font-family", family) ? family : null;
}

/** One name, which may stand in quotes, as CSS has it; or null. */
function familyOf(given) {
  const name = given.replace(/^(["'])(.*)\1$/, "$2");
  if (GENERIC_FONTS.has(given.toLowerCase())) return given.toLowerCase();
  return name.length <= 64 && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]*$/u.test(name) ? `"${name}"` : null;
}

/** A CSS length; a percentage only where `percent` allows it, a negative one only where `negative` does. */
export function isLength(value, property, supports, { percent = false, negative = false } = {}) {
  const parts = /^(-?)(\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})([a-z]*|%)$/i.exec(value);
  if (!parts) return false;
  const [, sign, amount, unit] = parts;
  if (sign === "-" && !negative) return false;
  if (unit === "%" && !percent) return false;
  if (unit === "" && Number(amount) !== 0) return false;
  return supports(property, value);
}

/** An https address as a CSS url() that cannot be left, or null. */
export function imageOf(value, supports) {
  if (value.length > 2048) return null;
  let address;
  try {
    address = new URL(value);
  } catch {
    return null;
  }
  if (address.protocol !== "https:" || address.hostname === "") return null;
  if (address.username !== "" || address.password !== "") return null;
  address.hash = "";
  // The three signs that could end or bend a CSS string.
  const quoted = address.href.replace(/["\\\s]/g, encodeURIComponent);
  const image = `url("${quoted}")`;
  return supports("background-image", image) ? image : null;
}

/**
 * Reads a query string.
 *
 * `supports(property, value)` is the engine's own check (`CSS.supports`).
 * Returns `properties` (custom property to value), `cardColor` (the card picture's colour, if one was
 * given), `language`, `showStep`, `showCardAnimation`, and `ignored`, the names whose value was refused.
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
  // What is clickable is painted with it, the button where it has no colour of its own.
  if (!properties.has("--button-color")) set("--button-color", properties.get("--primary"));
  read("buttonRadius", (value) => {
    const good = isLength(value, "border-radius", supports, { percent: true });
    return set("--button-radius", good ? value : null);
  });
  read("buttonLetterSpacing", (value) => {
    const good = isLength(value, "letter-spacing", supports, { negative: true });
    return set("--button-letter-spacing", good ? value : null);
  });
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
