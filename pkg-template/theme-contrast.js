import { invalid } from "./errors.js";
import { readMembers } from "./plain.js";
import { lightTheme } from "./theme.js";

// WCAG 2.2 AA: text by 1.4.3, borders, icons and the focus indicator by 1.4.11.
const TEXT = 4.5;
const GRAPHIC = 3;

// A parameter, the one under it, and the ratio that they need. The lower ones lie on `foreground`, and that
// on `background`. If a parameter paints both text and lines, the text counts. Separators carry no
// information, and a button is recognised by its text.
const PAIRS = [
  ["text", "foreground", TEXT],
  ["text", "primaryLight", TEXT],
  ["text", "dangerLight", TEXT],
  ["textSecondary", "foreground", TEXT],
  ["textSecondary", "dangerLight", TEXT],
  ["primary", "foreground", TEXT],
  ["primary", "primaryLight", TEXT],
  ["success", "foreground", TEXT],
  ["danger", "foreground", TEXT],
  ["danger", "dangerLight", TEXT],
  ["buttonText", "buttonColor", TEXT],
  ["inputLine", "foreground", GRAPHIC],
  ["icon", "foreground", GRAPHIC],
  ["icon", "dangerLight", GRAPHIC],
];

/** Returns the pairs of a theme's colours with too little contrast. */
export function themeContrast(theme) {
  const given = readMembers(theme, "theme");
  const { paint, isColour } = painter();
  const colours = { ...lightTheme };
  for (const name of Object.keys(lightTheme)) {
    if (given[name] !== undefined && given[name] !== null) {
      colours[name] = readColour(given[name], `theme.${name}`, isColour);
    }
  }
  // The form paints its button with `primary` by default.
  if (given.primary && !given.buttonColor) colours.buttonColor = colours.primary;
  return PAIRS.flatMap(([foreground, background, required]) => {
    const under = [...new Set(["background", "foreground", background])].map((name) => colours[name]);
    const ratio = contrast(paint([...under, colours[foreground]]), paint(under));
    // Round down, so that no insufficient ratio looks sufficient.
    return ratio < required
      ? [{ foreground, background, ratio: Math.floor(ratio * 100) / 100, required }]
      : [];
  });
}

function readColour(value, option, isColour) {
  if (typeof value !== "string" || !isColour(value)) {
    throw invalid("InvalidConfiguration", option, "a CSS colour such as #0a7 or rgb(0 170 119)");
  }
  return value;
}

/**
 * Returns `paint`, which paints colours over one another, the lowest first, and returns the resulting pixel.
 * The engine parses and blends them, in any notation that it knows, and a canvas needs no style that a policy
 * could forbid.
 */
function painter() {
  const canvas = globalThis.document?.createElement("canvas");
  const context = canvas?.getContext("2d", { willReadFrequently: true });
  if (!context) {
    throw invalid(
      "InvalidConfiguration",
      "themeContrast",
      "called on a page, whose engine knows the colours",
    );
  }
  canvas.width = 1;
  canvas.height = 1;
  const paint = (colours) => {
    for (const colour of ["#fff", ...colours]) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return context.getImageData(0, 0, 1, 1).data;
  };
  // A context keeps its style for anything but a colour, also for `var()` and `inherit`.
  const isColour = (text) => {
    const [one, other] = ["#000", "#fff"].map((before) => {
      context.fillStyle = before;
      context.fillStyle = text;
      return context.fillStyle;
    });
    return one === other && !/^\s*currentcolor\s*$/i.test(text);
  };
  return { paint, isColour };
}

/** The ratio of WCAG 2.2, from 1 to 21. */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(pixel) {
  const [red, green, blue] = [0, 1, 2].map((at) => {
    const value = pixel[at] / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
