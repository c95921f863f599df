/** The messages of the error codes in the language of a locale; undefined for English, which the core has. */
export async function loadMessages(locale) {
  if (typeof locale !== "string" || !/^es\b/i.test(locale)) {
    return undefined;
  }
  // Loaded only here, so that a shop without Spanish does not carry it. Without it errors are in English.
  return import("./messages-es.js").then(
    (module) => module.default,
    () => undefined,
  );
}
