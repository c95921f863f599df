// Proves that nothing a page passes, in any order, breaks the SDK: hostile values, interleavings, mounts. The
// last line on stdout has the figures; the exit code is 0 if every count that must be zero is zero.

import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Browser } from "./browser.mjs";
import { Figures, isClean, lineOf } from "./figures.mjs";
import { SUBJECTS } from "./subjects.mjs";
import { surfaceOf, unpack } from "./surface.mjs";

const names = ["inputs", "seed", "chromium", "tarball", "folder"];
const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const { values: args } = parseArgs({ options });
const [inputs, seed] = [Number(args.inputs), Number(args.seed)];
if (!(inputs >= 1000)) throw new Error("--inputs is at least 1000");
const scale = Math.round(inputs / 100);
const say = (line) => console.error(`  ${line}`);

const folder = await unpack(args.tarball, join(args.folder, "unpacked"));
const surface = await surfaceOf(folder);
const subjects = Object.keys(SUBJECTS);
for (const [problem, found] of Object.entries({
  "the package has entry points that nothing here fuzzes": surface.unknown,
  "exported and not fuzzed; add it to tests/fuzz": surface.names.filter((name) => !SUBJECTS[name]),
  "fuzzed and not exported any more": subjects.filter((name) => !surface.names.includes(name)),
})) {
  if (found.length > 0) throw new Error(`${problem}: ${found.join(", ")}`);
}

const figures = new Figures();
const lanes = Math.max(1, Math.min(4, availableParallelism()));
const browser = await Browser.start(args.chromium, folder);
const started = Date.now();
const took = (what) => say(`${what} after ${Math.round((Date.now() - started) / 1000)} s`);
try {
  const mounted = await browser.mount({ seed, mounts: scale });
  took("mounts");
  await browser.run({ work: "inputs", seed, to: inputs, names: subjects, lanes, tell: figures.of("inputs") });
  took("inputs");
  await browser.run({ work: "stories", seed, to: scale, lanes, tell: figures.of("stories") });
  took("interleavings");
  const uncalled = figures.uncalled(subjects);
  if (uncalled.length > 0) throw new Error(`never called: ${uncalled.join(", ")}`);
  const counts = { seed, inputs, interleavings: scale, mounts: scale, exports: subjects.length };
  const result = figures.result({ ...counts, mounted });
  const write = (name, value) => writeFile(join(args.folder, name), JSON.stringify(value, null, 2));
  await write("figures.json", result);
  await write("details.json", { faults: figures.details, mounted });
  for (const { fault, name, at, says } of figures.details.slice(0, 10)) {
    say(`${fault} ${name ?? ""} at ${at}: ${String(says).split("\n")[0]}`);
  }
  console.log(lineOf(result));
  process.exitCode = isClean(result) ? 0 : 1;
} finally {
  await browser.close();
}
