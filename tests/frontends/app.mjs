// One small page, built by each bundler from the packed tarball, and looked at in a browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { CHROMIUM_FLAGS } from "../chromium-flags.mjs";
import { shop } from "../package/packed.mjs";

export { run } from "../package/packed.mjs";

/** Where the built script is `main.js`, beside its wasm. */
export const PAGE =
  '<!doctype html><html lang="en"><title>Shop</title><output></output><script type="module" src="main.js"></script></html>';

/** What the page shows when the SDK has run in it. */
export const SHOWN = "https://card.remitkit.example $125.50";

const SHOW = `
const output = document.querySelector("output");
try {
  const remit = await createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t", ...more });
  // The parts too, so that a bundler which leaves one of their files behind is found out.
  await preload({ everything: true });
  const usd = { iso3Code: "USD", decimalPlaces: 2 };
  output.textContent = remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount({ value: 12550, currency: usd }, "en-US");
} catch (error) {
  output.textContent = error.stack;
}`;

/** The page's script. `lines` may add options as \`more\`. */
export function main(entry = "remitkit", lines = "const more = {};") {
  return `import { createRemitKit, formatAmount, preload } from "${entry}";\n${lines}\n${SHOW}`;
}

/** Copies the package's wasm beside the built script, as README says. */
export async function copyWasm(folder) {
  for (const name of ["remitkit_first.wasm", "remitkit_card.wasm", "remitkit_transfer.wasm"]) {
    await copyFile(join(folder, "node_modules/remitkit", name), join(folder, "dist", name));
  }
}

/** A folder beside the bundlers, with the package installed. */
export function app(files, place = import.meta.dirname) {
  return shop(files, join(place, "app-"));
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Serves a folder as it is, and gives what the page shows. */
export async function shownFrom(folder, t, path = "/") {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, "http://shop").pathname;
    const file = join(folder, name.endsWith("/") ? `${name}index.html` : name);
    try {
      const content = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await assertShown(`http://127.0.0.1:${server.address().port}${path}`, t);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The text of a page after its scripts have written it, or undefined where there is no Chromium. */
export async function shown(address) {
  const flags = ["--headless", ...CHROMIUM_FLAGS, "--virtual-time-budget=20000", "--dump-dom", address];
  const browser = spawn(process.env.REMITKIT_CHROMIUM ?? "chromium", flags, { stdio: ["ignore", "pipe", "ignore"] });
  let html = "";
  browser.stdout.on("data", (chunk) => (html += chunk));
  const code = await new Promise((resolve) => browser.on("error", resolve).on("close", resolve));
  if (code?.code === "ENOENT") {
    return undefined;
  }
  return /<output[^>]*>([^<]*)<\/output>/.exec(html)?.[1] ?? `no output in: ${html}`;
}

/** Fails unless the page shows what it should. Without a browser it reports that it only built the page. */
export async function assertShown(address, t, expected = SHOWN) {
  let text = await shown(address);
  // On a busy machine the browser's own time may be over before the wasm is compiled, which other threads do.
  for (let looks = 1; text === "" && looks < 3; looks += 1) {
    text = await shown(address);
  }
  if (text === undefined) {
    t.diagnostic("built, but not run: there is no Chromium here");
  } else {
    assert.equal(text, expected);
  }
}
