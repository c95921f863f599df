import { readStored, writeStored } from "../storage";
import { relabel } from "../ui/dom";
import { en } from "./en";
import { es } from "./es";
import { serviceTexts } from "./service_es";

export type Language = "en" | "es";
export type MessageKey = keyof typeof en;
export type Values = Record<string, string | number>;

const STORED = "shop-language";
const tables: Record<Language, Record<MessageKey, string>> = { en, es };
const spanish = navigator.languages.find((tag) => /^es-[A-Z]{2}$/.test(tag)) ?? "es-MX";
const listeners = new Set<() => void>();
let language: Language = firstLanguage();

/** The language the shop speaks now. */
export function currentLanguage(): Language {
  return language;
}

/** Returns the locale for amounts, dates and country names: Spanish follows the customer's country. */
export function currentLocale(): string {
  return language === "es" ? spanish : "en-US";
}

/** A text of the shop, with its `{placeholders}` filled in. */
export const t = textsOf(tables);

/** How another page says its own texts in the language that is spoken now. */
export function textsOf<Key extends string>(own: Record<Language, Record<Key, string>>): (key: Key, values?: Values) => string {
  return (key, values = {}) => own[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key that may not exist, such as one made from an error code. */
export function lookUp(key: string): string | undefined {
  return Object.hasOwn(tables[language], key) ? tables[language][key as MessageKey] : undefined;
}

/**
 * Returns one of the service's texts in the shop's language. The service sends English; a text that
 * the shop cannot translate stays as it came.
 */
export function serviceText(sort: keyof typeof serviceTexts, id: string, sent: string): string {
  if (language === "en") return sent;
  const table: Record<string, string> = serviceTexts[sort];
  return Object.hasOwn(table, id) ? (table[id] ?? sent) : sent;
}

/** Returns the name of a fee, tax or discount. A made transfer has it in the service's language. */
export function adjustmentName({ id, label }: { id?: string | null; label?: string | null }): string {
  return serviceText("adjustment", id ?? "", label ?? t("summary.fee"));
}

/** The name of a choice. One id may be two things in two fields. */
export function optionText(fieldId: string, id: string, sent: string): string {
  return serviceText("option", `${fieldId}.${id}`, serviceText("option", id, sent));
}

/** Changes the language of everything that is on the page. */
export function setLanguage(next: Language): void {
  if (next === language) return;
  language = next;
  writeStored("localStorage", STORED, next);
  applyLanguage();
  for (const listener of listeners) listener();
}

/** Brings the document in line with the language. */
export function applyLanguage(): void {
  document.documentElement.lang = currentLocale();
  relabel(document.body);
}

/** Calls `listener` after each change of language, until the returned function is called. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function firstLanguage(): Language {
  const stored = readStored("localStorage", STORED);
  if (stored === "en" || stored === "es") return stored;
  return navigator.language.toLowerCase().startsWith("es") ? "es" : "en";
}
