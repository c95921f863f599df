// Proves that nothing a page passes, in any order, breaks the SDK: hostile values, interleavings, mounts. The
// last line on stdout has the figures; the exit code is 0 if every count that must be zero is zero.

import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Browser } from "./browser.mjs";
import { SUBJECTS } from "./subjects.mjs";
import { figuresOf, isClean } from "./verdict.mjs";

/** The number of faults that are kept with all details. */
const KEPT = 200;

const names = ["inputs", "seed", "chromium", "tarball", "folder"];
const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const { values: args } = parseArgs({ options });
const [inputs, seed] = [Number(args.inputs), Number(args.seed)];
if (!(inputs >= 1000)) throw new Error("--inputs is at least 1000");
const scale = Math.round(inputs / 100);
const say = (line) => console.error(`  ${line}`);

execFileSync("tar", ["-xzf", args.tarball, "-C", args.folder]);
const browser = await Browser.start(args.chromium, join(args.folder, "package"));
const started = Date.now();
const took = (what) => say(`${what} after ${Math.round((Date.now() - started) / 1000)} s`);
try {
  const subjects = Object.keys(SUBJECTS);
  const callable = await browser.callable();
  const unknown = callable.filter((name) => !subjects.includes(name));
  if (unknown.length > 0) throw new Error(`not fuzzed; add it to tests/fuzz: ${unknown.join(", ")}`);
  const gone = subjects.filter((name) => !callable.includes(name));
  if (gone.length > 0) throw new Error(`fuzzed, and not there any more: ${gone.join(", ")}`);
  const lanes = Math.max(1, Math.min(4, availableParallelism()));
  const mounted = await browser.mount({ seed, mounts: scale });
  took("mounts");
  const values = await browser.run({ work: "inputs", seed, to: inputs, names: subjects, lanes });
  took("inputs");
  const stories = await browser.run({ work: "stories", seed, to: scale, lanes });
  took("interleavings");
  const { promises } = stories;
  const did = { inputs, exports: subjects.length, interleavings: scale, promises, mounts: scale };
  const faults = [...values.faults, ...stories.faults];
  const figures = figuresOf({ seed, ...did, faults, mounted });
  const write = (name, value) => writeFile(join(args.folder, name), JSON.stringify(value, null, 2));
  await write("figures.json", figures);
  await write("details.json", { faults: faults.slice(0, KEPT), mounted });
  for (const { fault, name, at, says } of faults.slice(0, 10)) {
    say(`${fault} ${name ?? ""} at ${at}: ${String(says).split("\n")[0]}`);
  }
  console.log(`fuzz: ${Object.entries(figures).map((figure) => figure.join(" ")).join(", ")}`);
  process.exitCode = isClean(figures) ? 0 : 1;
} finally {
  await browser.close();
}
