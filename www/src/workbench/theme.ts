import { darkTheme, lightTheme, type Theme, type ThemeColor } from "remitkit";
import type { Codes } from "./code_block";
import { elementCode, lines } from "./snippets";

export type ThemeName = keyof Theme;

/** The choices of a parameter, or an example of its text. */
type ParameterKind = readonly (string | boolean)[] | string;

export const COLORS: Partial<Record<ThemeName, string>> = lightTheme;

/** The other parameters. The compiler compares their names with the package's. */
export const OTHERS: Partial<Record<ThemeName, ParameterKind>> = {
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
} satisfies Record<Exclude<ThemeName, ThemeColor>, ParameterKind>;

/** Returns a color with six digits; undefined if it is translucent or not in hex. */
export function hex(color: string): string | undefined {
  const long = color.toLowerCase().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  return /^#[0-9a-f]{6}$/.test(long) ? long : undefined;
}

/** Returns the parameters that differ from the form's own, or from another theme. */
export function differences(theme: Theme, other: Theme = lightTheme): Theme {
  const normalized = (value: unknown) => hex(String(value)) ?? value;
  const entries = Object.entries(theme).filter(([name, value]) => {
    return value !== undefined && normalized(value) !== normalized(other[name as ThemeName]);
  });
  return Object.fromEntries(entries);
}

/** Writes the code that shows a form with a theme, for each kind of page. */
export function cardFormCodes(theme: Theme): Codes {
  const light = differences(theme);
  const dark = differences({ ...lightTheme, ...light }, darkTheme);
  // Based on the dark theme if that is shorter.
  const isDark = Object.keys(dark).length + 1 < Object.keys(light).length;
  const entries = Object.entries(isDark ? dark : light);
  const written = entries.map(([name, value]) => `${name}: ${JSON.stringify(value)},`);
  const members = lines([isDark && "...darkTheme,", ...written], 1);
  const object = members && `{\n${members}\n}`;
  const options = lines(['container: "#card",', object && `theme: ${object},`], 1);
  const properties = [
    object && `theme={${object}}`,
    "onCompleted={({ cardId }) => addAccount(cardId)}",
    "onError={(error) => show(error.userMessage)}",
  ];
  const head = isDark && 'import { darkTheme } from "remitkit";';
  return {
    JavaScript: `${head ? `${head}\n\n` : ""}const form = await remit.cardForm({\n${options}\n});`,
    React: lines([
      head,
      'import { CardForm } from "remitkit/react";\n\n<CardForm',
      lines(properties, 1),
      "/>",
    ]),
    HTML: htmlOf(light),
  };
}

function htmlOf(theme: Theme): string {
  const attributes = Object.entries(theme).map(([name, value]) => {
    const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `theme-${kebab}="${String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  });
  const tag = "remit-card-form";
  const start = attributes.length > 0 ? `<${tag}\n${lines(attributes, 1)}\n>` : `<${tag}>`;
  const script = `const form = document.querySelector("${tag}");
form.remit = createRemitKit({ baseUrl, cardUrl, token });
form.addEventListener("completed", ({ detail }) => addAccount(detail.cardId));
form.addEventListener("error", ({ detail }) => show(detail.userMessage));`;
  return elementCode(`${start}</${tag}>`, "element", "defineRemitCardForm", script);
}
