import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { app, copyWasm, main, PAGE, shownFrom } from "./app.mjs";

const options = (folder) => ({
  absWorkingDir: folder,
  entryPoints: ["main.js"],
  bundle: true,
  minify: true,
  format: "esm",
  outdir: "dist",
  logLevel: "error",
});

async function page(lines, entry) {
  const folder = await app({ "main.js": main(entry, lines), "index.html": PAGE });
  return { folder, ready: () => copyFile(join(folder, "index.html"), join(folder, "dist/index.html")) };
}

test("esbuild, with the wasm copied beside the script", async (t) => {
  const { folder, ready } = await page();
  await build(options(folder));
  await copyWasm(folder);
  await ready();
  await shownFrom(join(folder, "dist"), t);
});

test("esbuild, with code splitting: the parts are lazy scripts", async (t) => {
  const { folder, ready } = await page();
  const { metafile } = await build({ ...options(folder), splitting: true, metafile: true });
  const { imports } = metafile.outputs["dist/main.js"];
  const later = (name) => imports.some(({ path }) => path.includes(name));
  assert.deepEqual(["card-part", "transfer-part"].map(later), [true, true]);
  assert.deepEqual(imports.filter(({ kind }) => kind !== "dynamic-import"), []);
  await copyWasm(folder);
  await ready();
  await shownFrom(join(folder, "dist"), t);
});

test("esbuild, with its file loader for the wasm", async (t) => {
  const { folder, ready } = await page(
    'import wasm from "remitkit/remitkit_core_bg.wasm";\nconst more = { wasm: new URL(wasm, import.meta.url) };',
  );
  await build({ ...options(folder), loader: { ".wasm": "file" } });
  await ready();
  await shownFrom(join(folder, "dist"), t);
});

test("esbuild, inline: one script and nothing else", async (t) => {
  const { folder, ready } = await page(undefined, "remitkit/inline");
  await build(options(folder));
  await ready();
  await shownFrom(join(folder, "dist"), t);
});
