import type { Theme } from "remitkit";
import { PARAMETERS } from "./theme_parameters";

/** The theme that the page's address asks for, by the names that the form's own address has. */
export function themeInAddress(): Theme {
  const given = new URLSearchParams(location.search);
  const values = PARAMETERS.flatMap(({ name, kind }) => {
    const value = given.get(name);
    return value ? [[name, kind.is === "switch" ? value === "true" : value]] : [];
  });
  return Object.fromEntries(values) as Theme;
}

/** Has the page's address say this theme, in place of another one. */
export function keepInAddress(theme: Theme): void {
  const url = new URL(location.href);
  for (const { name } of PARAMETERS) {
    const value = theme[name];
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  history.replaceState(history.state, "", url);
}
