import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";

export type ThemeName = keyof Theme;

/** What a parameter takes, and so how it is edited. */
export type ParameterKind =
  | { is: "color" }
  | { is: "text"; example: string }
  | { is: "choice"; choices: readonly string[] }
  | { is: "switch" };

/** The parameters other than colours. The compiler compares their names with the package's. */
const OTHERS: Record<Exclude<ThemeName, ThemeColor>, ParameterKind> = {
  font: { is: "text", example: "Georgia" },
  headlineFont: { is: "text", example: "Georgia" },
  buttonFont: { is: "text", example: "Verdana" },
  buttonRadius: { is: "text", example: "8px" },
  buttonTextCase: { is: "choice", choices: ["UPPER", "lower", "Capitalize", "Default"] },
  buttonLetterSpacing: { is: "text", example: "0.05em" },
  cardBackground: { is: "text", example: "#123456" },
  lng: { is: "choice", choices: ["en", "es-MX"] },
  showStep: { is: "switch" },
  showCardAnimation: { is: "switch" },
};

/** Every parameter of the form's theme, colours first. */
export const PARAMETERS: readonly { name: ThemeName; kind: ParameterKind }[] = [
  ...(Object.keys(lightTheme) as ThemeColor[]).map((name) => ({ name, kind: { is: "color" } as const })),
  ...(Object.entries(OTHERS) as [ThemeName, ParameterKind][]).map(([name, kind]) => ({ name, kind })),
];

/** Returns the form's own value of a parameter, if that is a colour. */
export function defaultColor(name: string): string | undefined {
  return Object.hasOwn(lightTheme, name) ? lightTheme[name as ThemeColor] : undefined;
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

/** Reads the theme from the page's address, which uses the parameter names of the form's own address. */
export function themeInAddress(): Theme {
  const query = new URLSearchParams(location.search);
  const values = PARAMETERS.flatMap(({ name, kind }) => {
    const value = query.get(name);
    return value ? [[name, kind.is === "switch" ? value === "true" : value]] : [];
  });
  return Object.fromEntries(values) as Theme;
}

export function writeThemeToAddress(theme: Theme): void {
  const url = new URL(location.href);
  for (const { name } of PARAMETERS) {
    const value = theme[name];
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  history.replaceState(history.state, "", url);
}
