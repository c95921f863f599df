/**
 * What customers are told by code: `own` are the page's texts, `all` these and the built-in ones in the
 * language of a locale. Undefined where there are none, as English the core has.
 */
export async function loadMessages(locale, own) {
  const builtIn = typeof locale === "string" && /^es\b/i.test(locale) ? await spanish() : undefined;
  return builtIn === undefined && own === undefined
    ? undefined
    : { own: { __proto__: null, ...own }, all: { __proto__: null, ...builtIn, ...own } };
}

// Loaded only here, so that a shop without Spanish does not carry it. Without it errors are in English.
function spanish() {
  return import("./messages-es.js").then(
    (module) => module.default,
    () => undefined,
  );
}
