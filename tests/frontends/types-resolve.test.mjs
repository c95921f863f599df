import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { tarball } from "../package/packed.mjs";

const MANIFEST = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
const ATTW = join(dirname(MANIFEST), "dist/index.js");
const EXCLUDED = ["--exclude-entrypoints", "./remitkit_core_bg.wasm", "./integrity.json"];
const FLAGS = ["--format", "json", "--profile", "node16", ...EXCLUDED];

/** Expected problems: Node 10 knows no `exports`, and a script for browsers is not required. */
const isExpected = ({ entrypoint, resolutionKind }) =>
  resolutionKind === "node10" || (entrypoint === "./remitkit.min.js" && resolutionKind === "node16-cjs");

test("are-the-types-wrong finds nothing wrong at any entry point", async () => {
  const folder = await mkdtemp(join(tmpdir(), "remitkit-attw-"));
  after(() => rm(folder, { recursive: true, force: true }));
  // A file: it ends before all of its output is written to a pipe.
  const file = await open(join(folder, "output.json"), "w");
  try {
    const args = [ATTW, await tarball(), ...FLAGS];
    execFileSync(process.execPath, args, { stdio: ["ignore", file.fd, "ignore"] });
  } catch {
    // Its findings are in the file.
  } finally {
    await file.close();
  }
  const { analysis, problems = {} } = JSON.parse(await readFile(join(folder, "output.json"), "utf8"));
  assert.deepEqual(Object.values(problems).flat().filter((problem) => !isExpected(problem)), []);
  assert.ok(Object.keys(analysis.entrypoints).includes("./inline"), "it looked at the entry points");
});
