import { formatAmount } from "../money.js";
import { builtIn, filledIn } from "./texts.js";

const ENGLISH = {
  group: "Amount",
  send: "You send",
  receive: "They receive",
  missing: "Wait for the price.",
};

/**
 * Returns what amounts are worded with in a language: `textOf` returns a text by name, with these values in it, and
 * `amountOf` an amount as customers read it. The page's own texts come first. `parts` are scripts with texts of
 * their own.
 */
export async function amountTexts(language, own, parts) {
  const all = { __proto__: null, ...ENGLISH };
  for (const part of parts) Object.assign(all, part?.ENGLISH);
  Object.assign(all, (await builtIn(language))?.amount, own);
  return {
    language,
    textOf: (name, values = {}) => filledIn(all[name] ?? "", values),
    amountOf: (amount) => (amount ? formatAmount(amount, language) : ""),
  };
}
