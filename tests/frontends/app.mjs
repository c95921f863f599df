// One small page, built by each bundler from the packed tarball, and opened in a browser.

import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../chromium-flags.mjs";
import { serveFolder, shop } from "../package/packed.mjs";

export { run } from "../package/packed.mjs";

/** A page with a script. */
export const pageOf = (src, head = "") => `<!doctype html><html lang="en"><title>Shop</title>${head}
<output></output><script type="module" src="${src}"></script></html>`;

/** What the page shows when the SDK has run in it. */
export const SHOWN = "https://card.remitkit.example $125.50";

/** The source of a function of a kit that returns `SHOWN`. */
export const SHOW = `(remit) => {
  const amount = { value: 12550, currency: { iso3Code: "USD", decimalPlaces: 2 } };
  return remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount(amount, "en-US");
}`;

/** The source of a kit's options. */
export const OPTIONS = JSON.stringify({
  baseUrl: "https://api.remitkit.example",
  cardUrl: "https://card.remitkit.example",
  token: "t",
});

/** The page's script. `lines` may declare further options as `more`. */
export const mainOf = (entry = "remitkit", lines = "const more = {};") => `
import { createRemitKit, formatAmount, preload } from "${entry}";
${lines}
const output = document.querySelector("output");
const show = ${SHOW};
try {
  const remit = await createRemitKit({ ...${OPTIONS}, ...more });
  // The parts too, as a bundler may leave their files behind.
  await preload({ everything: true });
  output.textContent = show(remit);
} catch (error) {
  output.textContent = error.stack;
}`;

/** Copies the package's wasm beside the built script, as the README says. */
export async function copyWasm(folder) {
  for (const name of ["remitkit_first.wasm", "remitkit_card.wasm", "remitkit_transfer.wasm"]) {
    await copyFile(join(folder, "node_modules/remitkit", name), join(folder, "dist", name));
  }
}

/** Creates a folder beside the bundlers, with the package installed. */
export const app = (files, place = import.meta.dirname) => shop(files, join(place, "app-"));

/** Serves a folder and asserts that its page shows what it should. */
export const assertFolderShows = async (folder, t) => assertShows(`${await serveFolder(folder)}/`, t);

const executablePath = process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium";
/** Chromium; undefined where there is none. */
export const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS }).catch((error) => {
  if (!/doesn't exist|ENOENT/.test(error.message)) throw error;
});
after(() => browser?.close());

/** Asserts what a page shows. Without a browser it reports that the page was only built. */
export async function assertShows(address, t, expected = SHOWN) {
  if (browser === undefined) return t.diagnostic("built, but not run: there is no Chromium here");
  const page = await browser.newPage();
  try {
    await page.goto(address);
    assert.equal(await page.locator("output", { hasText: /\S/ }).textContent(), expected);
  } finally {
    await page.close();
  }
}

/** Returns the first match of a pattern in a process's output. */
export function matchIn(process, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    for (const stream of process.stdio.slice(1)) {
      stream.on("data", (chunk) => {
        text += chunk;
        const [, found] = pattern.exec(text) ?? [];
        if (found) resolve(found);
      });
    }
    process.on("error", reject).on("exit", () => reject(new Error(`it has ended: ${text}`)));
  });
}
