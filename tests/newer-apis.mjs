/** What Safari 15.0 lacks, the oldest browser of package and shop, by its holder. */
export const NEWER = {
  Object: "hasOwn groupBy",
  Array: "fromAsync",
  "Array.prototype": "at findLast findLastIndex toReversed toSorted toSpliced with",
  "String.prototype": "at isWellFormed toWellFormed",
  "Object.getPrototypeOf(Int8Array.prototype)": "at findLast findLastIndex toReversed toSorted with",
  Promise: "withResolvers try",
  Map: "groupBy",
  Intl: "supportedValuesOf",
  URL: "canParse parse",
  AbortSignal: "abort any timeout",
  "AbortSignal.prototype": "reason throwIfAborted",
  "Object.getPrototypeOf(crypto)": "randomUUID",
  globalThis: "BroadcastChannel reportError structuredClone",
};

/** Returns a script that removes members from their holders. */
export function removing(members) {
  const lines = Object.entries(members).map(
    ([holder, names]) => `for (const name of ${JSON.stringify(names.split(" "))}) delete ${holder}[name];`,
  );
  return lines.join("\n");
}

/** What no page's script may contain: browsers of that age cannot parse it, or lack it. */
export const UNUSABLE = [
  /\(\?<[=!]/,
  /\bstatic\s*\{/,
  /\bObject\.(hasOwn|groupBy)\b/,
  /\.(at|findLast|findLastIndex|toReversed|toSorted|toSpliced)\(/,
  /\b(structuredClone|fromAsync|withResolvers|canParse|randomUUID|supportedValuesOf)\b/,
  /\bAbortSignal\.(any|timeout)\b/,
];

/** Returns a script without its comments that have lines of their own. */
export function withoutComments(script) {
  return script.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
}
