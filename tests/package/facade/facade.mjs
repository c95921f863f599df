// A fresh copy of the package's own modules with the fake core beside them.

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "../../..");

// Node fetches no file: this is what a server answers for the wasm.
const fetched = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  if (!String(address).endsWith(".wasm")) {
    return fetched(address, options);
  }
  const answer = new Response(null, { headers: { "content-type": "application/wasm" } });
  return Object.defineProperty(answer, "url", { value: String(address) });
};

/** The folder of such a copy, and how to load a module of it. */
export async function facadeFolder() {
  const folder = await mkdtemp(join(tmpdir(), "remitkit-facade-"));
  after(() => rm(folder, { recursive: true }));
  await cp(join(ROOT, "pkg-template"), folder, { recursive: true });
  for (const name of ["engine.js", "frame.js", "pattern.js"]) {
    await cp(join(ROOT, "src/browser", name), join(folder, name));
  }
  await cp(join(import.meta.dirname, "fake-core.mjs"), join(folder, "remitkit_core.js"));
  await cp(join(import.meta.dirname, "fake-driver.mjs"), join(folder, "driver.js"));
  // Its modules import each other by the package's name where a page must have the same ones.
  await writeFile(
    join(folder, "package.json"),
    '{ "name": "remitkit", "type": "module", "exports": { ".": "./index.js" } }',
  );
  return { folder, load: (name) => import(pathToFileURL(join(folder, name)).href) };
}

export async function facade() {
  const { load } = await facadeFolder();
  const { control } = await load("remitkit_core.js");
  return { ...(await load("index.js")), control };
}

export const OPTIONS = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "token" };

/** A kit on a fake core that answers as told, and the calls that reached that core. */
export async function kit(answer = () => null, options = {}) {
  const loaded = await facade();
  const remit = await loaded.createRemitKit({ ...OPTIONS, ...options });
  loaded.control.calls.length = 0;
  loaded.control.answer = answer;
  return { remit, ...loaded };
}

/** The error that a promise or a function ends in; fails if it does not. */
export async function errorOf(work) {
  let value;
  try {
    value = await (typeof work === "function" ? work() : work);
  } catch (error) {
    return error;
  }
  throw new Error(`an error was expected, not ${JSON.stringify(value)}`);
}

/** Lets all deliveries that are due happen. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
