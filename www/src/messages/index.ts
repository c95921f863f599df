import { readStored, writeStored } from "../storage";
import { refreshTexts } from "../ui/dom";
import { shopTexts } from "./shop";

export type Language = "en" | "es";
export type TextKey = keyof typeof shopTexts;

const STORED = "shop-language";
const spanishLocale = navigator.languages.find((tag) => /^es-[A-Z]{2}$/.test(tag)) ?? "es-MX";
const isSpain = spanishLocale === "es-ES";
/** The event of the window after each change of language. */
export const LANGUAGE_CHANGED = "shop-language";
let language: Language = initialLanguage();

export function currentLanguage(): Language {
  return language;
}

/** Returns the locale for amounts, dates and country names: Spanish follows the customer's country. */
export function currentLocale(): string {
  return language === "es" ? spanishLocale : "en-US";
}

/** Returns a text of the shop in the current language, with its `{placeholders}` filled in. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return pick(shopTexts[key]).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Returns the text of a key that may not exist, such as one made from an error code. */
export function lookUp(key: string): string | undefined {
  return Object.prototype.hasOwnProperty.call(shopTexts, key) ? pick(shopTexts[key as TextKey]) : undefined;
}

export function adjustmentName({ id, label }: { id?: string | null; label?: string | null }): string {
  return lookUp(`adjustment.${id}`) ?? label ?? t("summary.fee");
}

export function setLanguage(next: Language): void {
  if (next === language) return;
  language = next;
  writeStored("localStorage", STORED, next);
  applyLanguage();
  dispatchEvent(new Event(LANGUAGE_CHANGED));
}

/** Shows this page in English, whatever the customer chose for the shop. */
export function useEnglish(): void {
  language = "en";
  applyLanguage();
}

export function applyLanguage(): void {
  // The words are Spain's or Mexico's; amounts and dates follow the customer's country.
  document.documentElement.lang = language === "en" ? "en-US" : isSpain ? "es-ES" : "es-MX";
  refreshTexts(document.body);
}

function pick([en, mexico, spain = mexico]: readonly [string, string, string?]): string {
  if (language === "en") return en;
  return isSpain ? spain : mexico;
}

function initialLanguage(): Language {
  const stored = readStored("localStorage", STORED);
  if (stored === "en" || stored === "es") return stored;
  return navigator.language.toLowerCase().startsWith("es") ? "es" : "en";
}
