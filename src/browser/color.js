const COLOR = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+|[a-z-]+\(.+\))$/i;

/** Whether the text is a CSS color for the browser; without `CSS.supports`, as on a server, by its form. */
export function isColor(text) {
  return globalThis.CSS?.supports?.("color", text) ?? COLOR.test(text.trim());
}
