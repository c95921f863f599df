// Bundles the SDK and what is hand-built alike: minified modules, as a shop would serve them.

import { copyFile, readFile, readdir, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const WASM = ["remitkit_first.wasm", "remitkit_card.wasm", "remitkit_transfer.wasm"];

/** Full zod in the place of its small variant; the source is the same. */
const FULL = { "zod/mini": "zod" };

/** Builds the apps in `folder` from the unpacked package. Returns its exports and the size of each app. */
export async function buildApps({ folder, packageFolder }) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bundle = (name, entry, alias = {}) =>
    build({
      absWorkingDir: HERE,
      // Named in a file of its own, as an entry's exports are what a page gets of it.
      stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: HERE },
      outdir: join(folder, name),
      entryNames: "app",
      chunkNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      target: "es2022",
      legalComments: "none",
      alias: { remitkit: join(packageFolder, "index.js"), ...alias },
      logLevel: "error",
    });
  await bundle("sdk", "remitkit");
  await bundle("mini", "./hand-built/index.js");
  await bundle("full", "./hand-built/index.js", FULL);
  await bundle("cold-sdk", "./cold/sdk.js");
  await bundle("cold-mini", "./cold/hand-built.js");
  await bundle("cold-full", "./cold/hand-built.js", FULL);
  // With all of it in the first load.
  await bundle("cold-eager", "./cold/sdk.js", { remitkit: join(packageFolder, "inline.js") });
  for (const name of ["sdk", "cold-sdk"]) {
    for (const file of WASM) await copyFile(join(packageFolder, file), join(folder, name, file));
  }
  const sizes = {};
  for (const name of ["sdk", "mini", "full"]) sizes[name] = await sizesOf(join(folder, name));
  return { sizes };
}

/** Bytes of what a page loads: the entry and what it cannot do without. */
async function sizesOf(folder) {
  const files = (await readdir(folder)).filter((name) => !name.startsWith("messages-es"));
  const bytes = await Promise.all(files.map((name) => readFile(join(folder, name))));
  const sum = (of) => bytes.reduce((total, content) => total + of(content).length, 0);
  return { raw: sum((content) => content), gzip: sum((content) => gzipSync(content, { level: 9 })), brotli: sum((content) => brotliCompressSync(content)) };
}
