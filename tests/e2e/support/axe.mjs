// What axe-core finds on a page, and in the frames of other origins on it, which are looked at by themselves.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** Runs in each page and frame before anything else of it. */
export const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, of whatever weight: a sentence each. */
export async function axeProblems(page) {
  const found = [];
  for (const frame of page.frames()) {
    // A page of the browser's own, in the place of a form that could not be had, is not the shop's.
    if (frame.url().startsWith("chrome-error:")) continue;
    const { violations } = await frame.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false }));
    found.push(...violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map((node) => node.html).join(", ")}`));
  }
  return found;
}

/** What a screen reader would stumble over: words that run together, and items that say nothing. */
export async function readingFaults(page) {
  const lines = (await page.locator("body").ariaSnapshot()).split("\n");
  const faults = lines.filter((line) => /\S(optional|opcional)\b/.test(line) || /- (listitem|paragraph|heading|button|link|term|definition)$/.test(line));
  const frames = await page.locator("iframe").evaluateAll((all) => all.map((frame) => frame.title));
  return [...faults, ...frames.filter((name) => !name.includes(" ")).map((name) => `iframe ${name}`)];
}
