import { invalid } from "../errors/errors.js";
import { readMembers } from "../input/plain.js";
import { lightTheme } from "./theme.js";

// WCAG 2.2 AA: text by 1.4.3, borders, icons and the focus indicator by 1.4.11.
const TEXT = 4.5;
const GRAPHIC = 3;

// A parameter, the one under it, and the ratio that they need. The lower ones lie on `foreground`, and that
// on `background`. If a parameter paints both text and lines, the text counts. Separators carry no
// information, and a button is recognized by its text.
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

/** Returns the pairs of a theme's colors with too little contrast. */
export function themeContrast(theme) {
  const given = readMembers(theme, "theme");
  const { paint, isColor } = painter();
  const colors = { ...lightTheme };
  for (const name of Object.keys(lightTheme)) {
    if (given[name] !== undefined && given[name] !== null) {
      colors[name] = readColor(given[name], `theme.${name}`, isColor);
    }
  }
  // The form paints its button with `primary` by default.
  if (given.primary && !given.buttonColor) colors.buttonColor = colors.primary;
  return PAIRS.flatMap(([foreground, background, required]) => {
    const under = [...new Set(["background", "foreground", background])].map((name) => colors[name]);
    const ratio = contrast(paint([...under, colors[foreground]]), paint(under));
    // Round down, so that no insufficient ratio looks sufficient.
    return ratio < required
      ? [{ foreground, background, ratio: Math.floor(ratio * 100) / 100, required }]
      : [];
  });
}

function readColor(value, option, isColor) {
  if (typeof value !== "string" || !isColor(value)) {
    throw invalid("InvalidConfiguration", option, "a CSS color such as #0a7 or rgb(0 170 119)");
  }
  return value;
}

/**
 * Returns `paint`, which paints colors over one another, the lowest first, and returns the resulting pixel.
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
      "called on a page, whose engine knows the colors",
    );
  }
  canvas.width = 1;
  canvas.height = 1;
  const paint = (colors) => {
    for (const color of ["#fff", ...colors]) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    return context.getImageData(0, 0, 1, 1).data;
  };
  // A context keeps its style for anything but a color, also for `var()` and `inherit`.
  const isColor = (text) => {
    const [one, other] = ["#000", "#fff"].map((before) => {
      context.fillStyle = before;
      context.fillStyle = text;
      return context.fillStyle;
    });
    return one === other && !/^\s*currentcolor\s*$/i.test(text);
  };
  return { paint, isColor };
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
