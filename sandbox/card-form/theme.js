// The theme in the form's query (interface, part 4: Card onboarding iframe). Invalid values leave the
// default.

import { LANGUAGES } from "./messages.js";

const COLORS = [
  "primary", "primaryLight", "text", "textSecondary", "foreground", "background", "inputLine", "divider",
  "icon", "success", "danger", "dangerLight", "buttonText", "buttonColor",
];

const FONTS = ["font", "buttonFont", "headlineFont"];

/** Returns the custom property of a parameter: `--button-color` for `buttonColor`. */
const propertyOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const TEXT_CASES = { UPPER: "uppercase", lower: "lowercase", Capitalize: "capitalize", Default: "none" };

const SWITCHES = ["showStep", "showCardAnimation"];

export const PARAMETERS = [
  ...FONTS, ...COLORS, ...SWITCHES, "buttonRadius", "buttonTextCase", "buttonLetterSpacing", "cardBackground",
  "lng",
];

const GENERIC_FONTS = new Set([
  "serif", "sans-serif", "monospace", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
]);

/** A single length, not calc() or var(). */
const LENGTH = /^-?(\d{1,5}(\.\d{1,5})?|\.\d{1,5})([a-z]*|%)$/i;

const FALLBACK_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Returns a font name or comma-separated list as a CSS font-family with fallbacks; null if invalid. */
export function fontFamily(names, supports) {
  const families = names.split(",").map((name) => familyOf(name.replace(/^ +| +$/g, "")));
  if (names.length > 1024 || families.includes(null)) return null;
  const family = [...families, FALLBACK_FONTS].join(", ");
  return supports("font-family", family) ? family : null;
}

/** Returns one name, with or without quotes, as CSS; null if invalid. */
function familyOf(given) {
  const name = given.replace(/^(["'])(.*)\1$/, "$2");
  if (GENERIC_FONTS.has(given.toLowerCase())) return given.toLowerCase();
  return /^[^\p{C}\p{Zl}\p{Zp}"\\;{}<>*]{1,64}$/u.test(name) ? `"${name}"` : null;
}

/** Returns an https address as a CSS url() that nothing can escape from; null if invalid. */
export function imageOf(value, supports) {
  if (value.length > 2048) return null;
  if (!URL.canParse(value)) return null;
  const address = new URL(value);
  if (address.protocol !== "https:" || address.hostname === "") return null;
  if (address.username !== "" || address.password !== "") return null;
  // The characters that could end or change a CSS string.
  const quoted = address.href.replace(/["\\\s]/g, encodeURIComponent);
  const image = `url("${quoted}")`;
  return supports("background-image", image) ? image : null;
}

/**
 * Reads a query string. `engine` is the browser's: `supports(property, value)` as `CSS.supports`, and
 * `colorOf(value)`, the color as the browser writes it, or null if it is none.
 *
 * Returns `properties` (custom property to value), `cardColor` (the card picture's color, if given),
 * `language`, `showStep`, `showCardAnimation`, and `ignored`, the names of the invalid values.
 */
export function readTheme(search, { supports, colorOf }) {
  const query = new URLSearchParams(search);
  const properties = new Map();
  const ignored = [];

  /** Returns the parameter as `parse` reads it; null without a valid value. */
  const read = (name, parse) => {
    const given = query.get(name);
    const value = given === null ? null : parse(given.trim());
    if (given !== null && value === null) ignored.push(name);
    return value;
  };
  const set = (property, value) => {
    if (value !== null) properties.set(property, value);
  };
  const setLength = (name, property) => {
    const isLength = (value) => LENGTH.test(value) && supports(property, value);
    set(propertyOf(name), read(name, (value) => (isLength(value) ? value : null)));
  };
  const choice = (name, values) =>
    read(name, (value) => (Object.hasOwn(values, value) ? values[value] : null));

  for (const name of FONTS) set(propertyOf(name), read(name, (value) => fontFamily(value, supports)));
  for (const name of COLORS) set(propertyOf(name), read(name, colorOf));
  // `primary` is the color of clickable elements, and so of a button without one of its own.
  if (!properties.has("--button-color")) set("--button-color", properties.get("--primary") ?? null);
  setLength("buttonRadius", "border-radius");
  setLength("buttonLetterSpacing", "letter-spacing");
  set("--button-text-case", choice("buttonTextCase", TEXT_CASES));
  const background = read("cardBackground", (value) => colorOf(value) ?? imageOf(value, supports));
  const cardColor = background?.startsWith("url(") ? null : background;
  set("--card-image", cardColor === null ? background : "none");
  set("--card-color", cardColor);
  const [showStep, showCardAnimation] = SWITCHES.map((name) => choice(name, { 0: false, 1: true }) ?? false);
  const language = read("lng", (value) => (LANGUAGES.includes(value) ? value : null)) ?? LANGUAGES[0];
  return { properties, ignored, cardColor, language, showStep, showCardAnimation };
}
