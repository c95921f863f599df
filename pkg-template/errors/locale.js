// The one rule for languages: what names a language is taken, in any spelling, and what names none falls back
// to the page's. A checkout never fails over a language.

/** Returns the language tag of a text such as `es_MX`, or else the page's, or the browser's; or undefined. */
export function languageOf(locale) {
  const { document, navigator } = globalThis;
  return tagOf(locale) ?? tagOf(document?.documentElement?.lang) ?? tagOf(navigator?.language);
}

// Also of a POSIX name such as `en_US.UTF-8@posix`, and of a list such as `es-MX,es;q=0.9`.
function tagOf(locale) {
  const [name] = /^[\w-]{1,100}(?=$|\s*[,;.@])/.exec(typeof locale === "string" ? locale.trim() : "") ?? [];
  try {
    return Intl.getCanonicalLocales(name?.replace(/_/g, "-"))[0];
  } catch {
    return undefined;
  }
}

export const isSpanish = (tag) => /^es\b/i.test(tag);
