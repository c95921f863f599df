import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";

export type ThemeName = keyof Theme;

/** The choices of a parameter, or an example of its text. */
export type ParameterKind = readonly (string | boolean)[] | string;

/** The parameters other than colours. The compiler compares their names with the package's. */
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

/** Returns a colour with six digits; undefined if it is translucent or not in hex. */
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

/** Writes the call that mounts a form with a theme, based on the dark theme if that is shorter. */
export function cardFormCode(theme: Theme): string {
  const light = differences(theme);
  const dark = differences({ ...lightTheme, ...light }, darkTheme);
  const isDark = Object.keys(dark).length + 1 < Object.keys(light).length;
  const members = Object.entries(isDark ? dark : light);
  const lines = members.map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`);
  if (isDark) lines.unshift("    ...darkTheme,");
  return [
    ...(isDark ? ['import { darkTheme } from "remitkit";', ""] : []),
    "const form = await remit.cardForm({",
    '  container: "#card",',
    ...(lines.length > 0 ? ["  theme: {", ...lines, "  },"] : []),
    "});",
  ].join("\n");
}

/** Shows the theme in the page's address, by the parameter names of the form's own address. */
export function writeThemeToAddress(theme: Theme): void {
  const url = new URL(location.href);
  for (const name of [...COLORS, ...Object.keys(OTHERS)]) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(theme)) url.searchParams.set(name, String(value));
  history.replaceState(history.state, "", url);
}
