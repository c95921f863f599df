import assert from "node:assert/strict";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import webpack from "webpack";
import { app, main, PAGE, shownFrom } from "./app.mjs";

for (const mode of ["production", "development"]) {
  test(`webpack 5, ${mode}, without configuration`, async (t) => {
    const folder = await app({ "main.js": main(), "index.html": PAGE });
    const compiler = webpack({
      context: folder,
      mode,
      entry: "./main.js",
      output: { path: join(folder, "dist"), filename: "main.js" },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    assert.deepEqual(stats.toJson({ errors: true }).errors.map(({ message }) => message), []);
    const built = await readdir(join(folder, "dist"));
    // In development it is within the script.
    const wasm = mode === "production" ? 3 : 0;
    assert.equal(built.filter((name) => name.endsWith(".wasm")).length, wasm, built.join());
    await copyFile(join(folder, "index.html"), join(folder, "dist/index.html"));
    await shownFrom(join(folder, "dist"), t);
  });
}
