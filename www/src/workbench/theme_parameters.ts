import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";

export type ThemeName = keyof Theme;

/** What a parameter takes, and so how it is edited. */
export type ParameterKind = { is: "color" } | { is: "text"; example: string } | { is: "choice"; choices: readonly string[] } | { is: "switch" };

/** Those that are no colours. The compiler holds the list to the package's own: a parameter that comes or goes there has to do so here. */
const OTHERS: Record<Exclude<ThemeName, ThemeColor>, ParameterKind> = {
  font: { is: "text", example: "Georgia" },
  headlineFont: { is: "text", example: "Georgia" },
  buttonFont: { is: "text", example: "Verdana" },
  buttonRadius: { is: "text", example: "8px" },
  buttonTextCase: { is: "choice", choices: ["UPPER", "lower", "Capitalize", "Default"] satisfies Theme["buttonTextCase"][] },
  buttonLetterSpacing: { is: "text", example: "0.05em" },
  cardBackground: { is: "text", example: "#123456" },
  lng: { is: "choice", choices: ["en", "es-MX"] satisfies Theme["lng"][] },
  showStep: { is: "switch" },
  showCardAnimation: { is: "switch" },
};

const COLORS = Object.keys(lightTheme) as ThemeColor[];

/** Every parameter of the form's theme, colours first. */
export const PARAMETERS: readonly { name: ThemeName; kind: ParameterKind }[] = [
  ...COLORS.map((name) => ({ name, kind: { is: "color" } as const })),
  ...(Object.entries(OTHERS) as [ThemeName, ParameterKind][]).map(([name, kind]) => ({ name, kind })),
];

export function isColor(name: ThemeName): name is ThemeColor {
  return name in lightTheme;
}

/** What the form shows where a colour is left out. */
export function ownColor(name: ThemeColor): string {
  return lightTheme[name];
}

/** The same theme without what the form does by itself. */
export function onlyWhatDiffers(theme: Theme): Theme {
  return Object.fromEntries(
    Object.entries(theme).filter(([name, value]) => value !== undefined && value !== (lightTheme as Record<string, unknown>)[name]),
  );
}

/** A theme as one writes it: what differs from the form's own looks, from the dark ones if that is shorter. */
export function themeCode(theme: Theme): string {
  const light = onlyWhatDiffers(theme);
  const wanted = { ...lightTheme, ...light };
  const dark = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== (darkTheme as Record<string, unknown>)[name]));
  const fromDark = Object.keys(dark).length + 1 < Object.keys(light).length;
  const lines = Object.entries(fromDark ? dark : light).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  if (fromDark) lines.unshift("  ...darkTheme,");
  return lines.length > 0 ? `theme: {\n${lines.join("\n")}\n}` : "theme: {}";
}
