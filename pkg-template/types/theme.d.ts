import type { Color, Theme } from "./card.js";
import type { ThemeColor } from "./theme-colors.js";

export type { ThemeColor } from "./theme-colors.js";

/** All colors of the form for a light page: `{ ...lightTheme, primary: "#076", buttonColor: "#076" }`. */
export declare const lightTheme: Readonly<Record<ThemeColor, Color>>;

/** All colors of the form for a dark page: `{ ...darkTheme, lng: "es-MX" }`. */
export declare const darkTheme: Readonly<Record<ThemeColor, Color>>;

/** Two colors that the form paints over one another, with too little contrast. */
export interface ContrastProblem {
  /** The parameter on top, such as `"text"`. */
  foreground: ThemeColor;
  /** The parameter under it. */
  background: ThemeColor;
  /** Their contrast, from 1 to 21, rounded down to two decimals. */
  ratio: number;
  /** What WCAG 2.2 AA requires: 4.5 for text, 3 for borders and icons. */
  required: number;
}

/**
 * Returns the pairs of a theme's colors that fall short of WCAG 2.2 AA where the form paints them over one
 * another. It only reports: no theme is refused for it.
 *
 * It needs a page, whose engine parses the colors and blends translucent ones. Omitted colors are taken
 * from `lightTheme`. Pictures, separators and fills whose content has its own contrast are not checked.
 *
 * @throws {RemitError} of kind `configuration`, naming a parameter that is not a color.
 */
export function themeContrast(theme: Theme): ContrastProblem[];
