// The texts of the shop, from its own tables.

import { readFile } from "node:fs/promises";

const file = new URL("../../../www/src/messages/shop.ts", import.meta.url);
const source = (await readFile(file, "utf8")).replace(/ satisfies [^;]+;/, ";");
export const { shopTexts } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

export const LOCALES = { en: "en-US", es: "es-MX" };

export function textsOf(key) {
  if (!shopTexts[key]) throw new Error(`The shop has no text ${key}.`);
  return shopTexts[key];
}

export function translator(language) {
  return (key, values = {}) => {
    const text = textsOf(key)[language === "es" ? 1 : 0];
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
}

/** Whether `text` contains the text `key` in either language, as far as its first placeholder. */
export function says(text, key) {
  return textsOf(key).some((own) => text.includes(own.split("{")[0]));
}
