import { isSpanish } from "../locale.js";
import { loadAgain } from "../load-again.js";

const ENGLISH = {
  choose: "Choose",
  optional: "optional",
  retry: "Try again",
  loading: "Loading…",
  missing: "Fill in these fields.",
};
const BY_ID = ["fields", "hints", "placeholders", "sets", "options"];

const loadSpanish = /* @__PURE__ */ loadAgain(() => import("./es.js"));

/**
 * Returns the texts of a form in a language: the page's own `messages`, or those of `es.js`. If the latter does
 * not load, they are the service's.
 */
export async function textsOf(language, messages = {}) {
  const built = isSpanish(language) ? (await loadSpanish().catch(() => undefined))?.default : undefined;
  const all = { texts: { ...ENGLISH, ...built?.texts, ...messages.texts }, words: { __proto__: null, ...built?.words, ...messages.words } };
  for (const name of BY_ID) all[name] = { __proto__: null, ...messages[name] };
  return all;
}
