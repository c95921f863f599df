import type { Color, Theme } from "./card.js";

/** The parameters of a theme that are colours and nothing else. */
export type ThemeColor =
  | "primary"
  | "primaryLight"
  | "text"
  | "textSecondary"
  | "foreground"
  | "background"
  | "inputLine"
  | "divider"
  | "icon"
  | "success"
  | "danger"
  | "dangerLight"
  | "buttonText"
  | "buttonColor";

/** All colours of the form for a light page: `{ ...lightTheme, primary: "#076", buttonColor: "#076" }`. */
export declare const lightTheme: Readonly<Record<ThemeColor, Color>>;

/** All colours of the form for a dark page: `{ ...darkTheme, lng: "es-MX" }`. */
export declare const darkTheme: Readonly<Record<ThemeColor, Color>>;

/** Two colours of which the form paints one over the other, and which are hard to tell apart. */
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
 * The pairs of a theme's colours that fall short of WCAG 2.2 AA where the form paints them over one another;
 * none if it is fine. It is a report: no theme is refused for it.
 *
 * Needs a page, whose engine reads the colours and blends those that are translucent. What is left out is
 * taken from `lightTheme`. Pictures, separators and the fills behind what has its own contrast are not
 * judged.
 *
 * @throws {RemitError} of kind `configuration`, naming a parameter that is no colour.
 */
export function themeContrast(theme: Theme): ContrastProblem[];
