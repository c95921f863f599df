import { isSpanish } from "./locale.js";

/**
 * Returns the customer texts by code: `own` of the page, `all` with the locale's built-in ones. Returns
 * undefined if there are none: the core has English.
 */
export async function loadMessages(locale, own) {
  const builtIn = isSpanish(locale) ? await spanish() : undefined;
  return builtIn === undefined && own === undefined
    ? undefined
    : { own: { __proto__: null, ...own }, all: { __proto__: null, ...builtIn, ...own } };
}

// Loaded on demand. If it fails, errors are in English.
function spanish() {
  return import("./messages-es.js").then(
    (module) => module.default,
    () => undefined,
  );
}
