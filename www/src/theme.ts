import type { Theme } from "remitkit";
import { currentLanguage } from "./messages";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Returns the card form's theme in the shop's colours, read from the style sheet, the only palette. */
export function cardTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    primary: colour("accent"),
    primaryLight: colour("accent-soft"),
    text: colour("text"),
    textSecondary: colour("text-soft"),
    foreground: colour("surface"),
    background: colour("surface"),
    inputLine: colour("line-strong"),
    divider: colour("line"),
    icon: colour("text-soft"),
    success: colour("success"),
    danger: colour("danger"),
    dangerLight: colour("danger-soft"),
    buttonText: colour("on-accent"),
    buttonColor: colour("accent"),
    buttonRadius: colour("radius"),
    buttonTextCase: "Default",
    cardBackground: colour("accent-deep"),
    lng: currentLanguage() === "es" ? "es-MX" : "en",
    showStep: false,
    showCardAnimation: true,
  };
}

/** Calls `listener` when light turns to dark or back, until the returned function is called. */
export function onScheme(listener: () => void): () => void {
  dark.addEventListener("change", listener);
  return () => dark.removeEventListener("change", listener);
}
