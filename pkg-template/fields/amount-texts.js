import { builtIn } from "./texts.js";

const ENGLISH = {
  group: "Amount",
  send: "You send",
  receive: "They receive",
  missing: "Wait for the price.",
};

/**
 * Returns a function that returns a text by name, with these values in it; the page's own come first. `parts` are
 * scripts with texts of their own.
 */
export async function amountTexts(language, own, parts) {
  const all = { __proto__: null, ...ENGLISH };
  for (const part of Object.values(parts)) Object.assign(all, part?.ENGLISH);
  Object.assign(all, (await builtIn(language))?.amount, own);
  return (name, values = {}) => (all[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}
