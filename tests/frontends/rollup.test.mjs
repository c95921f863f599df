import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "rollup";
import { app, copyWasm, main, PAGE, shownFrom } from "./app.mjs";

async function built(entry) {
  const folder = await app({ "main.js": main(entry), "index.html": PAGE });
  const bundle = await rollup({ input: join(folder, "main.js"), plugins: [nodeResolve({ browser: true })] });
  const { output } = await bundle.write({ dir: join(folder, "dist"), format: "es" });
  // Else the page would wait for a second script before it asks for the wasm.
  assert.deepEqual(output[0].imports, []);
  await bundle.close();
  await copyFile(join(folder, "index.html"), join(folder, "dist/index.html"));
  return folder;
}

test("Rollup, with the wasm copied beside the script", async (t) => {
  const folder = await built();
  await copyWasm(folder);
  await shownFrom(join(folder, "dist"), t);
});

test("Rollup, inline: scripts and nothing else", async (t) => {
  await shownFrom(join(await built("remitkit/inline"), "dist"), t);
});
