import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";
import type { Codes } from "./code_tabs";

export type ThemeName = keyof Theme;

/** The choices of a parameter, or an example of its text. */
export type ParameterKind = readonly (string | boolean)[] | string;

/** The parameters other than colors. The compiler compares their names with the package's. */
export const OTHERS: Record<Exclude<ThemeName, ThemeColor>, ParameterKind> = {
  font: "Georgia",
  headlineFont: "Georgia",
  buttonFont: "Verdana",
  buttonRadius: "8px",
  buttonTextCase: ["UPPER", "lower", "Capitalize", "Default"],
  buttonLetterSpacing: "0.05em",
  cardBackground: "#123456",
  lng: ["en", "es-MX"],
  showStep: [true, false],
  showCardAnimation: [true, false],
};
export const COLORS = Object.keys(lightTheme) as ThemeColor[];

/** Returns the value that a parameter's text stands for; undefined where it is none of the choices. */
export function valueOf(name: ThemeName, text: string): string | boolean | undefined {
  const kind = (OTHERS as Partial<Record<ThemeName, ParameterKind>>)[name];
  if (Array.isArray(kind)) return kind.find((choice) => String(choice) === text);
  return text || undefined;
}

/** Returns a color with six digits; undefined if it is translucent or not in hex. */
export function hex(color: string): string | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short) return `#${short.slice(1).map((digit) => digit + digit).join("")}`.toLowerCase();
  return /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : undefined;
}

/** Returns the parameters that differ from the form's own, or from another theme. */
export function differences(theme: Theme, other: Theme = lightTheme): Theme {
  const normalized = (value: unknown) => (typeof value === "string" ? (hex(value) ?? value) : value);
  const entries = Object.entries(theme) as [ThemeName, unknown][];
  const differs = ([name, value]: [ThemeName, unknown]) =>
    value !== undefined && normalized(value) !== normalized(other[name]);
  return Object.fromEntries(entries.filter(differs));
}

/** Writes the code that shows a form with a theme, for each kind of page. */
export function cardFormCodes(theme: Theme): Codes {
  return { JavaScript: scriptCode(theme), React: reactCode(theme), HTML: elementCode(theme) };
}

function scriptCode(theme: Theme): string {
  const { head, lines } = themeLines(theme, "    ");
  return [
    ...head,
    "const form = await remit.cardForm({",
    '  container: "#card",',
    ...(lines.length > 0 ? ["  theme: {", ...lines, "  },"] : []),
    "});",
  ].join("\n");
}

function reactCode(theme: Theme): string {
  const { head, lines } = themeLines(theme, "    ");
  return [
    ...head.slice(0, 1),
    'import { CardForm } from "remitkit/react";',
    "",
    "<CardForm",
    ...(lines.length > 0 ? ["  theme={{", ...lines, "  }}"] : []),
    "  onCompleted={({ cardId }) => addAccount(cardId)}",
    "  onError={(error) => show(error.userMessage)}",
    "/>",
  ].join("\n");
}

function elementCode(theme: Theme): string {
  const attributes = Object.entries(differences(theme)).map(([name, value]) => {
    const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `  theme-${kebab}="${String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  });
  const tag = "remit-card-form";
  return [
    ...(attributes.length > 0 ? [`<${tag}`, ...attributes, `></${tag}>`] : [`<${tag}></${tag}>`]),
    '<script type="module">',
    '  import { createRemitKit } from "remitkit";',
    '  import { defineRemitCardForm } from "remitkit/element";',
    "",
    "  defineRemitCardForm();",
    `  const form = document.querySelector("${tag}");`,
    "  form.remit = createRemitKit({ baseUrl, cardUrl, token });",
    '  form.addEventListener("completed", ({ detail }) => addAccount(detail.cardId));',
    '  form.addEventListener("error", ({ detail }) => show(detail.userMessage));',
    "</script>",
  ].join("\n");
}

/** Writes a theme's members, and the import that they take; based on the dark theme if that is shorter. */
function themeLines(theme: Theme, indent: string): { head: string[]; lines: string[] } {
  const light = differences(theme);
  const dark = differences({ ...lightTheme, ...light }, darkTheme);
  const isDark = Object.keys(dark).length + 1 < Object.keys(light).length;
  const members = Object.entries(isDark ? dark : light);
  const lines = members.map(([name, value]) => `${indent}${name}: ${JSON.stringify(value)},`);
  if (isDark) lines.unshift(`${indent}...darkTheme,`);
  return { head: isDark ? ['import { darkTheme } from "remitkit";', ""] : [], lines };
}

/** Shows the theme in the page's address, by the parameter names of the form's own address. */
export function writeThemeToAddress(theme: Theme): void {
  const url = new URL(location.href);
  for (const name of [...COLORS, ...Object.keys(OTHERS)]) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(theme)) url.searchParams.set(name, String(value));
  history.replaceState(history.state, "", url);
}
