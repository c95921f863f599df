import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tarball } from "../package/packed.mjs";
import { run } from "./app.mjs";

const ATTW = join(dirname(createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json")), "dist/index.js");

// The package is of modules alone: that `require` of an older Node cannot load it is no fault of the types.
const OLD = ["node10", "node16-cjs"];
const FLAGS = ["--format", "json", "--profile", "esm-only", "--exclude-entrypoints", "./remitkit_core_bg.wasm", "./integrity.json"];

test("are-the-types-wrong finds nothing wrong at any entry point", async () => {
  const { stdout, code } = await run(process.execPath, [ATTW, await tarball(), ...FLAGS]).catch((error) => error);
  const { analysis, problems = {} } = JSON.parse(stdout);
  const found = Object.values(problems).flat().filter(({ resolutionKind }) => !OLD.includes(resolutionKind));
  assert.deepEqual(found, []);
  assert.equal(code ?? 0, 0);
  assert.ok(Object.keys(analysis.entrypoints).includes("./inline"), "it looked at the entry points");
});
