import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "rollup";
import { app, main, PAGE, shownFrom } from "./app.mjs";

async function built(entry) {
  const folder = await app({ "main.js": main(entry), "index.html": PAGE });
  const bundle = await rollup({ input: join(folder, "main.js"), plugins: [nodeResolve({ browser: true })] });
  await bundle.write({ dir: join(folder, "dist"), format: "es" });
  await bundle.close();
  await copyFile(join(folder, "index.html"), join(folder, "dist/index.html"));
  return folder;
}

test("Rollup, with the wasm copied beside the script", async (t) => {
  const folder = await built();
  await copyFile(join(folder, "node_modules/remitkit/remitkit_core_bg.wasm"), join(folder, "dist/remitkit_core_bg.wasm"));
  await shownFrom(join(folder, "dist"), t);
});

test("Rollup, inline: scripts and nothing else", async (t) => {
  await shownFrom(join(await built("remitkit/inline"), "dist"), t);
});
