// Accessibility checks with axe-core and the browser's accessibility tree.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

export const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the violations that axe finds on a page and in its frames, one sentence each. */
export async function axeProblems(page) {
  const found = [];
  for (const frame of page.frames()) {
    // The browser's own error page in a frame is not the shop's.
    if (frame.url().startsWith("chrome-error:")) continue;
    if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(AXE);
    const run = () => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false });
    const { violations } = await frame.evaluate(run);
    for (const { id, impact, nodes } of violations) {
      found.push(`${id} (${impact}): ${nodes.map(({ html }) => html).join(", ")}`);
    }
  }
  return found;
}

/** Returns what a screen reader reads badly: words that run together, and items without a name. */
export async function readingFaults(page) {
  const lines = (await page.locator("body").ariaSnapshot()).split("\n");
  const unnamed = /- (listitem|paragraph|heading|button|link|term|definition)$/;
  const faults = lines.filter((line) => /[^\s(](optional|opcional)\b/.test(line) || unnamed.test(line));
  const frames = await page.locator("iframe").evaluateAll((all) => all.map(({ title }) => title));
  return [...faults, ...frames.filter((name) => !name.includes(" ")).map((name) => `iframe ${name}`)];
}
