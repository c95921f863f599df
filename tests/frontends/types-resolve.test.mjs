import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { tarball } from "../package/packed.mjs";

const ATTW = join(dirname(createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json")), "dist/index.js");

// It knows no `exports`.
const OLD = "node10";
const FLAGS = ["--format", "json", "--profile", "node16", "--exclude-entrypoints", "./remitkit_core_bg.wasm", "./integrity.json"];
// A script for browsers, which nobody requires.
const FOR_IMPORT = { entrypoint: "./remitkit.min.js", resolutionKind: "node16-cjs" };

test("are-the-types-wrong finds nothing wrong at any entry point", async () => {
  const folder = await mkdtemp(join(tmpdir(), "remitkit-attw-"));
  after(() => rm(folder, { recursive: true, force: true }));
  // Into a file: into a pipe it ends before all of it is written.
  const file = await open(join(folder, "said.json"), "w");
  try {
    execFileSync(process.execPath, [ATTW, await tarball(), ...FLAGS], { stdio: ["ignore", file.fd, "ignore"] });
  } catch {
    // What it found is in the file.
  } finally {
    await file.close();
  }
  const { analysis, problems = {} } = JSON.parse(await readFile(join(folder, "said.json"), "utf8"));
  const isKnown = ({ entrypoint, resolutionKind }) =>
    resolutionKind === OLD || (entrypoint === FOR_IMPORT.entrypoint && resolutionKind === FOR_IMPORT.resolutionKind);
  assert.deepEqual(Object.values(problems).flat().filter((problem) => !isKnown(problem)), []);
  assert.ok(Object.keys(analysis.entrypoints).includes("./inline"), "it looked at the entry points");
});
