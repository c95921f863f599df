import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";

export type ThemeName = keyof Theme;

/** What a parameter takes, and so how it is edited. */
export type ParameterKind = { is: "color" } | { is: "text"; example: string } | { is: "choice"; choices: readonly string[] } | { is: "switch" };

/**
 * The parameters that are no colours. The compiler compares the list with the package's: a parameter
 * added or removed there must be here too.
 */
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

/** A colour as six digits; nothing if it is translucent or written in a way that only the engine reads. */
export function hex(color: string): string | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short) return `#${short.slice(1).map((digit) => digit + digit).join("")}`.toLowerCase();
  return /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : undefined;
}

/** The same theme without what the form does by itself. */
export function onlyWhatDiffers(theme: Theme): Theme {
  return without(theme, lightTheme);
}

function without(theme: Theme, other: Theme): Theme {
  const differs = ([name, value]: [string, unknown]) => value !== undefined && plain(value) !== plain(other[name as ThemeName]);
  return Object.fromEntries(Object.entries(theme).filter(differs));
}

function plain(value: unknown): unknown {
  return typeof value === "string" ? (hex(value) ?? value) : value;
}

/** What differs from the form's own looks, each with what the form does by itself, where that is a colour. */
export function themeDiff(theme: Theme): { name: string; before: string | undefined; after: string }[] {
  return Object.entries(onlyWhatDiffers(theme)).map(([name, value]) => ({
    name,
    before: isColor(name as ThemeName) ? ownColor(name as ThemeColor) : undefined,
    after: String(value),
  }));
}

/** Returns the call that shows the form so: what differs from its default or, if shorter, the dark theme. */
export function cardFormCode(theme: Theme): string {
  const light = onlyWhatDiffers(theme);
  const wanted = { ...lightTheme, ...light };
  const dark = without(wanted, darkTheme);
  const fromDark = Object.keys(dark).length + 1 < Object.keys(light).length;
  const lines = Object.entries(fromDark ? dark : light).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`);
  if (fromDark) lines.unshift("    ...darkTheme,");
  const call = ["const form = await remit.cardForm({", '  container: "#card",', ...(lines.length > 0 ? ["  theme: {", ...lines, "  },"] : []), "});"];
  return [...(fromDark ? ['import { darkTheme } from "remitkit";', ""] : []), ...call].join("\n");
}
