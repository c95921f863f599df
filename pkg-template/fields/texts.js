import { isSpanish } from "../locale.js";
import { loadAgain } from "../load-again.js";

export const ENGLISH = {
  choose: "Choose",
  optional: "optional",
  retry: "Try again",
  loading: "Loading…",
  missing: "Fill in these fields.",
};
const BY_ID = ["fields", "hints", "placeholders", "sets", "options"];

const loadSpanish = /* @__PURE__ */ loadAgain(() => import("./es.js"));
const loadProblemTexts = /* @__PURE__ */ loadAgain(() => import("./problem-text.js"));

/** Returns what is built in for a language besides English. If it does not load, the texts are English. */
export async function builtIn(language) {
  if (!isSpanish(language)) return undefined;
  const { default: texts, spain } = (await loadSpanish().catch(() => undefined)) ?? {};
  if (!/^es-ES\b/i.test(language) || texts === undefined) return texts;
  return { ...texts, amount: { ...texts.amount, ...spain.amount }, words: { ...texts.words, ...spain.words } };
}

/** Returns the texts of a form in a language: the page's own `messages`, or built-in ones, or the service's. */
export async function textsOf(language, messages = {}) {
  const [built, problems] = await Promise.all([builtIn(language), loadProblemTexts().catch(() => undefined)]);
  const texts = { ...ENGLISH, ...built?.texts, ...messages.texts };
  const all = { texts, problem: problems?.problemTexts(texts, language) };
  for (const name of [...BY_ID, "words"]) all[name] = { __proto__: null, ...built?.[name], ...messages[name] };
  return all;
}
