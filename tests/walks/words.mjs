// What the shop says, from its own tables, so that a claim is known by its words in either language.

import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../www/src/messages/shop.ts", import.meta.url), "utf8");

/** The words of a text in both languages, up to the first figure in it. */
export function wordsOf(key) {
  const [, en, es] = source.match(new RegExp(`"${key.replaceAll(".", "\\.")}": \\[\\s*"([^"]+)",\\s*"([^"]+)"`)) ?? [];
  if (!en) throw new Error(`the shop has no text ${key}`);
  return [en, es].map((text) => text.split("{")[0]);
}

/** Whether a text says what the shop has under a key. */
export function says(text, key) {
  known[key] ??= wordsOf(key);
  return known[key].some((words) => text.includes(words));
}

const known = {};
