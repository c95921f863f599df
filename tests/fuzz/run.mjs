// The proof that nothing a page passes, in any order, breaks the SDK: hostile values, interleavings, mounts.
// Its last line on stdout holds the figures; it exits with 0 if every count that must be zero is zero.

import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Browser } from "./browser.mjs";
import { Figures, isClean, lineOf } from "./figures.mjs";
import { contents, unpack } from "./package.mjs";
import { SUBJECTS } from "./subjects.mjs";
import { compare, surfaceOf } from "./surface.mjs";
import { inThreads } from "./threads.mjs";

/** One in so many inputs and interleavings is tried in the browser, where there is a page. */
const IN_BROWSER = 10;

const text = { type: "string" };
const { values: given } = parseArgs({ options: { inputs: text, seed: text, chromium: text, tarball: text, folder: text } });
const inputs = Number(given.inputs);
const seed = Number(given.seed);
if (!(inputs >= 1000)) throw new Error("--inputs is at least 1000");
if (!Number.isSafeInteger(seed)) throw new Error("--seed is a whole number");
const scale = Math.round(inputs / 100);
const say = (line) => console.error(`  ${line}`);

await mkdir(given.folder, { recursive: true });
const folder = await unpack(given.tarball, join(given.folder, "unpacked"));
const { module, classes, unknown } = await contents(folder);
const names = Object.keys(SUBJECTS);
const surface = surfaceOf(module, classes);
const { forgotten, stale } = compare(surface, names);
if (unknown.length > 0) throw new Error(`the package has entry points that nothing here fuzzes: ${unknown.join(", ")}`);
if (forgotten.length > 0) throw new Error(`exported and not fuzzed; add it to tests/fuzz: ${forgotten.join(", ")}`);
if (stale.length > 0) throw new Error(`fuzzed and not exported any more: ${stale.join(", ")}`);

const figures = new Figures();
const threads = Math.max(1, Math.min(4, availableParallelism() - 1));
const inNode = names.filter((name) => !SUBJECTS[name].onlyInPage);
const share = (count) => Math.ceil(count / IN_BROWSER);
/** Each export at least once: some are there in a page alone. */
const inPage = Math.max(names.length, share(inputs));

/** Says now and then how far it is. */
function progress(title, total) {
  let last = Date.now();
  return (done) => {
    if (Date.now() - last < 15_000) return;
    last = Date.now();
    say(`${title}: ${done} of ${total}`);
  };
}

const browser = await Browser.start({ executablePath: given.chromium, folder });
const started = Date.now();
const took = (what) => say(`${what} after ${Math.round((Date.now() - started) / 1000)} s`);
try {
  const node = async () => {
    await inThreads({ threads, folder, seed, work: "inputs", names: inNode, from: inPage, to: inputs, tell: figures.of("inputs"), say: progress("inputs in Node", inputs - inPage) });
    took("inputs in Node");
    const first = share(scale);
    await inThreads({ threads, folder, seed, work: "stories", part: 250, from: first, to: scale, tell: figures.of("stories"), say: progress("interleavings in Node", scale - first) });
    took("interleavings in Node");
  };
  const pages = async () => {
    const mounted = await browser.mount({ seed, mounts: scale, say: progress("mounts", scale) });
    took("mounts");
    await browser.run({ work: "inputs", seed, names, from: 0, to: inPage, tell: figures.of("inputs") });
    took("inputs in the browser");
    await browser.run({ work: "stories", seed, from: 0, to: share(scale), tell: figures.of("stories") });
    took("interleavings in the browser");
    return mounted;
  };
  const [, mounted] = await Promise.all([node(), pages()]);
  const uncalled = figures.uncalled(names);
  if (uncalled.length > 0) throw new Error(`never called: ${uncalled.join(", ")}`);
  const result = figures.result({ seed, inputs, interleavings: scale, mounts: scale, exports: names.length, mounted });
  await writeFile(join(given.folder, "figures.json"), JSON.stringify(result, null, 2));
  await writeFile(join(given.folder, "details.json"), JSON.stringify({ faults: figures.details, mounted }, null, 2));
  for (const { fault, name, at, says } of figures.details.slice(0, 10)) say(`${fault} ${name ?? ""} at ${at}: ${String(says).split("\n")[0]}`);
  console.log(lineOf(result));
  process.exitCode = isClean(result) ? 0 : 1;
} catch (error) {
  console.error(`fuzz: seed ${seed}`);
  throw error;
} finally {
  await browser.close();
}
