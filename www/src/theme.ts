import type { Theme } from "remitkit";
import { currentLanguage } from "./messages";

export const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/** Returns the card form's theme in the colors of the shop's style sheet. */
export function cardTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => {
    const value = style.getPropertyValue(`--${name}`).trim();
    // The build resolves `light-dark`, the development server does not.
    const [light = value, night = light] = value.match(/#\w+/g) ?? [];
    return darkScheme.matches ? night : light;
  };
  return {
    primary: token("accent"),
    primaryLight: token("accent-soft"),
    text: token("text"),
    textSecondary: token("text-soft"),
    foreground: token("surface"),
    background: token("surface"),
    inputLine: token("line-strong"),
    divider: token("line"),
    icon: token("text-soft"),
    success: token("success"),
    danger: token("danger"),
    dangerLight: token("danger-soft"),
    buttonText: token("on-accent"),
    buttonColor: token("accent"),
    buttonRadius: token("radius"),
    buttonTextCase: "Default",
    cardBackground: token("accent-deep"),
    lng: currentLanguage() === "es" ? "es-MX" : "en",
    showStep: false,
    showCardAnimation: true,
  };
}
