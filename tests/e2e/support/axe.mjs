// What axe-core finds on a page, and in the frames of other origins on it, which are looked at by themselves.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** Runs in each page and frame before anything else of it. */
export const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that is serious or critical: a sentence each. */
export async function seriousProblems(page) {
  const serious = [];
  for (const frame of page.frames()) {
    const { violations } = await frame.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false }));
    for (const { id, impact, nodes } of violations) {
      if (impact === "serious" || impact === "critical") serious.push(`${id}: ${nodes.map((node) => node.html).join(", ")}`);
    }
  }
  return serious;
}
