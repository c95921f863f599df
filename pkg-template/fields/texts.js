import { isSpanish } from "../locale.js";
import { loadAgain } from "../load-again.js";
import { memberOf } from "./control.js";

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
 * Returns a function that returns a text of the first of these messages that has it: by its kind and id, or else
 * by what the service says.
 */
export function textsOf(...messages) {
  const find = (kind, id) => messages.map((one) => memberOf(one?.[kind], id)).find((text) => text !== undefined);
  return (kind, id, text) => find(kind, id) ?? find("words", text) ?? text;
}

/** Returns the texts of a form in a language: the page's own, or built-in ones, or the service's. */
export const textsIn = async (language, ...own) => textsOf(...own, await builtIn(language), { texts: ENGLISH });

/** Inserts values into a text. */
export const filledIn = (text, values) => String(text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
