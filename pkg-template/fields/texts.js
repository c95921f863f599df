import { textOf } from "../errors/errors.js";
import { isSpanish } from "../errors/locale.js";
import { loadAgain } from "../module/load-again.js";
import { memberOf } from "./control.js";
import { Sentence } from "./sentence.js";

const ENGLISH = {
  choose: "Choose",
  optional: "optional",
  retry: "Try again",
  loading: "Loading…",
  missing: "Fill in these fields.",
  appeared: "New field: {label}",
  date: "This date is not complete or does not exist.",
};

const loadSpanish = /* @__PURE__ */ loadAgain(() => import("./es.js"));

/** Returns what is built in for a language besides English. If it does not load, the texts are English. */
export async function builtIn(language) {
  if (!isSpanish(language)) return undefined;
  return (await loadSpanish().catch(() => undefined))?.spanishFor(language);
}

/**
 * Returns a function that returns a text of the first of these messages that has it: by its kind and id, or else by
 * what the service says. Its `say` returns a sentence of the form's own by name: `otherwise` in English; its
 * `ofError` what to tell customers of an error.
 */
export function textsOf(messages, language) {
  const find = (kind, id) => messages.map((one) => memberOf(one?.[kind], id)).find((text) => text !== undefined);
  const texts = (kind, id, text) => find(kind, id) ?? find("words", text) ?? text;
  const say = (name, values, otherwise = ENGLISH[name]) => {
    const text = find("texts", name);
    return text === undefined ? new Sentence(otherwise, values, otherThan(language)) : new Sentence(text, values);
  };
  return Object.assign(texts, { say, ofError: (error) => errorText(error, language) });
}

/** Returns the texts of a form in a language: the page's own, or built-in ones, or the service's. */
export const textsIn = async (language, ...own) => textsOf([...own, await builtIn(language)], language);

/** Returns the language of what is built in for all languages, unless that is the page's. */
export const otherThan = (language) => (/^en\b/i.test(language ?? "en") ? undefined : "en");

/** Returns the customers' text of an error, if there is one, as in English where that is built in and not the page's. */
export function errorText(error, language) {
  const { code, userMessage } = error ?? {};
  const lang = userMessage === textOf(code, "en") ? otherThan(language) : undefined;
  return lang ? new Sentence(userMessage, {}, lang) : userMessage;
}
