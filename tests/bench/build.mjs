// Bundles the SDK and the hand-built code alike: minified modules, as a shop would serve them.

import { copyFile, mkdir, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { build, BUNDLED, bytesOf, sumOf } from "../size/bundle.mjs";

const HERE = import.meta.dirname;
const WASM = ["remitkit_first.wasm", "remitkit_card.wasm", "remitkit_transfer.wasm"];

/** Builds the apps in `folder` from the unpacked package; returns the bytes of each app. */
export async function buildApps({ folder, packageFolder }) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // Full zod instead of its small variant; the source is the same.
  const full = { "zod/mini": "zod" };
  // The wasm is in the script.
  const inline = { remitkit: join(packageFolder, "inline.js") };
  for (const [name, entry, alias] of [
    ["sdk", "remitkit"],
    ["mini", "./hand-built/index.js"],
    ["full", "./hand-built/index.js", full],
    ["cold-sdk", "./cold/sdk.js"],
    ["cold-mini", "./cold/hand-built.js"],
    ["cold-full", "./cold/hand-built.js", full],
    ["cold-eager", "./cold/sdk.js", inline],
  ]) {
    await build({
      ...BUNDLED,
      absWorkingDir: HERE,
      // An entry of its own, as a bundler keeps all exports of an entry.
      stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: HERE },
      outdir: join(folder, name),
      entryNames: "app",
      chunkNames: "[name]-[hash]",
      alias: { remitkit: join(packageFolder, "index.js"), ...alias },
    });
  }
  for (const name of ["sdk", "cold-sdk"]) {
    for (const file of WASM) await copyFile(join(packageFolder, file), join(folder, name, file));
  }
  const sizes = {};
  for (const name of ["sdk", "mini", "full"]) sizes[name] = await sizesOf(join(folder, name));
  return sizes;
}

/** Returns the bytes that a page loads: the entry and what it requires. */
async function sizesOf(folder) {
  const files = (await readdir(folder)).filter((name) => !name.startsWith("messages-es"));
  const contents = await Promise.all(files.map((name) => readFile(join(folder, name))));
  return sumOf(contents.map(bytesOf));
}
