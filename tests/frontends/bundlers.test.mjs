import assert from "node:assert/strict";
import { copyFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build } from "esbuild";
import { rollup } from "rollup";
import webpack from "webpack";
import { app, assertFolderShows, copyWasm, mainOf, pageOf } from "./app.mjs";

const ESBUILD = { entryPoints: ["main.js"], bundle: true, minify: true, format: "esm", outdir: "dist" };

const buildWithEsbuild = (folder, options) =>
  build({ ...ESBUILD, absWorkingDir: folder, logLevel: "error", ...options });

async function buildWithRollup(folder) {
  const bundle = await rollup({ input: join(folder, "main.js"), plugins: [nodeResolve({ browser: true })] });
  const { output } = await bundle.write({ dir: join(folder, "dist"), format: "es" });
  assert.deepEqual(output[0].imports, [], "a second script before the wasm is requested");
  await bundle.close();
}

async function buildWithWebpack(folder, mode) {
  const output = { path: join(folder, "dist"), filename: "main.js" };
  const compiler = webpack({ context: folder, mode, entry: "./main.js", output });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  assert.deepEqual(stats.toJson({ errors: true }).errors.map(({ message }) => message), []);
  const wasm = (await readdir(join(folder, "dist"))).filter((name) => name.endsWith(".wasm"));
  // In development it is within the script.
  assert.equal(wasm.length, mode === "production" ? 3 : 0);
}

async function splitWithEsbuild(folder) {
  const { metafile } = await buildWithEsbuild(folder, { splitting: true, metafile: true });
  const { imports } = metafile.outputs["dist/main.js"];
  const paths = imports.map(({ path }) => path).join();
  assert.match(paths, /card-part.*transfer-part|transfer-part.*card-part/);
  assert.deepEqual(imports.filter(({ kind }) => kind !== "dynamic-import"), []);
}

const FILE = `import wasm from "remitkit/remitkit_core_bg.wasm";
const more = { wasm: new URL(wasm, import.meta.url) };`;

for (const [name, bundle, { script = mainOf(), copies = false }] of [
  ["esbuild, with the wasm copied beside the script", buildWithEsbuild, { copies: true }],
  ["esbuild, with code splitting: the parts are lazy scripts", splitWithEsbuild, { copies: true }],
  [
    "esbuild, with its file loader for the wasm",
    (folder) => buildWithEsbuild(folder, { loader: { ".wasm": "file" } }),
    { script: mainOf("remitkit", FILE) },
  ],
  ["esbuild, inline: one script", buildWithEsbuild, { script: mainOf("remitkit/inline") }],
  ["Rollup, with the wasm copied beside the script", buildWithRollup, { copies: true }],
  ["Rollup, inline", buildWithRollup, { script: mainOf("remitkit/inline") }],
  ["webpack 5, production, unconfigured", (folder) => buildWithWebpack(folder, "production"), {}],
  ["webpack 5, development, unconfigured", (folder) => buildWithWebpack(folder, "development"), {}],
]) {
  test(name, async (t) => {
    const folder = await app({ "main.js": script, "index.html": pageOf("main.js") });
    await bundle(folder);
    if (copies) await copyWasm(folder);
    await copyFile(join(folder, "index.html"), join(folder, "dist/index.html"));
    await assertFolderShows(join(folder, "dist"), t);
  });
}

/** Creates a page without a bundler, with an import map. */
function unbundled(script, imports) {
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  return app({ "main.js": script, "index.html": pageOf("main.js", map) });
}

for (const [entry, file] of [["remitkit", "index.js"], ["remitkit/inline", "inline.js"]]) {
  test(`a page without a bundler imports ${entry} by an import map`, async (t) => {
    const imports = { [entry]: `./node_modules/remitkit/${file}` };
    await assertFolderShows(await unbundled(mainOf(entry), imports), t);
  });
}

test("a page without a bundler runs the kit and element from one script", async (t) => {
  const lines = `import { defineRemitCardForm } from "remitkit/element";
    defineRemitCardForm();
    const more = {};`;
  const imports = { remitkit: "./remitkit.min.js", "remitkit/element": "./remitkit.min.js" };
  const folder = await unbundled(mainOf("remitkit", lines), imports);
  await copyFile(join(folder, "node_modules/remitkit/remitkit.min.js"), join(folder, "remitkit.min.js"));
  await rm(join(folder, "node_modules"), { recursive: true });
  await assertFolderShows(folder, t);
});
