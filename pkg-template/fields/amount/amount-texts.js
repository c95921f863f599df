import { formatAmount } from "../../money/money.js";
import { Sentence } from "../sentence.js";
import { builtIn, otherThan } from "../texts.js";

const ENGLISH = {
  group: "Amount",
  send: "You send",
  receive: "They receive",
  missing: "Wait for the price.",
  expired: "This price has expired.",
  IMMEDIATE: "at once",
  FIFTEEN_MINUTES: "in fifteen minutes",
  THIRTY_MINUTES: "in thirty minutes",
  ONE_HOUR: "in one hour",
  ONE_BUSINESS_DAY: "in one business day",
};

/**
 * Returns what amounts are worded with in a language: `textOf` returns a sentence by name, with these values in it, or
 * nothing if there is none, and `amountOf` an amount as customers read it. The page's own texts come first. `parts` are
 * scripts with texts of their own.
 */
export async function amountTexts(language, given, parts) {
  const english = Object.assign({ __proto__: null }, ENGLISH, ...parts.map((part) => part?.ENGLISH));
  const own = { __proto__: null, ...(await builtIn(language))?.amount, ...given };
  return {
    language,
    textOf: (name, values) => {
      const text = own[name] ?? english[name];
      const lang = own[name] === undefined ? otherThan(language) : undefined;
      return text === undefined ? undefined : new Sentence(text, values, lang);
    },
    amountOf: (amount) => (amount ? formatAmount(amount, language) : ""),
  };
}
