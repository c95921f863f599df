// Compares the SDK with what a shop would write by hand, and the sandbox with a mock of its
// document. Its last line on stdout holds the figures; it exits with 0 if every must is met
// and nothing is much worse than recorded.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { buildApps } from "./build.mjs";
import { measureChromium, measureOther, tryOut } from "./engines-run.mjs";
import { pictureOf } from "./picture.mjs";
import { refusalsOf } from "./refusals.mjs";
import { Servers } from "./server.mjs";
import { round, tablesOf } from "./table.mjs";
import { isClean, judge, ratioOf } from "./verdicts.mjs";

const ROOT = join(import.meta.dirname, "../..");
const RECORDED = join(import.meta.dirname, "recorded.json");
const PICTURE = join(ROOT, "www/screenshots/bench.svg");
const LOAD_ROUNDS = 9;
const LOAD_MS = 1_000;
/** Other engines take a part of the rounds. */
const OF_OTHERS = 4;

const text = { type: "string" };
const { values: given } = parseArgs({
  options: { package: text, chromium: text, firefox: text, webkit: text, sandbox: text, folder: text, rounds: text, requests: text, seed: text, record: { type: "boolean" }, smoke: { type: "boolean" }, missing: { ...text, multiple: true, default: [] } },
});
const rounds = Number(given.rounds);
const requests = Number(given.requests);
const seed = Number(given.seed);
if (!Number.isSafeInteger(seed)) throw new Error("--seed is a whole number");
if (!given.smoke && !(rounds >= 1 && requests >= 1_000)) throw new Error("--rounds is at least 1, --requests at least 1000");
const say = (line) => console.error(`  ${line}`);

await mkdir(given.folder, { recursive: true });
const { sizes } = await buildApps({ folder: join(given.folder, "apps"), packageFolder: given.package });
const exported = Object.keys(await import(pathToFileURL(join(given.package, "index.js")).href));
if (!exported.includes("preload")) say("without what preload() gains: the package does not export it");
const servers = new Servers();
const measured = {};
const others = {};
try {
  await servers.start(join(given.folder, "apps"));
  const common = { servers, seed, chance: new Chance(seed, "cold"), exported, say };
  if (given.smoke) {
    Object.assign(measured, await tryOut({ program: given.chromium, ...common }));
  } else {
    Object.assign(measured, await measureChromium({ program: given.chromium, rounds, ...common }));
    for (const engine of ["firefox", "webkit"]) {
      if (given[engine]) others[engine] = await measureOther({ engine, program: given[engine], ...common, rounds: Math.ceil(rounds / OF_OTHERS) });
    }
  }
  measured.refusals = refusalsOf(measured.refusals);
} catch (error) {
  console.error(`bench: seed ${seed}`);
  throw error;
} finally {
  await servers.stop();
}
if (!given.smoke) {
  // With the browsers gone: the sandbox and the mock have the machine to themselves.
  const { compareLoad, watchMemory } = await import("./load/run.mjs");
  const program = given.sandbox;
  measured.load = await compareLoad({ program, rounds: LOAD_ROUNDS, milliseconds: LOAD_MS, chance: new Chance(seed, "load"), say });
  measured.sandboxMemory = await watchMemory({ program, requests, say });
}

const recorded = JSON.parse(await readFile(RECORDED, "utf8").catch(() => "{}"));
const verdicts = judge(measured, given.record ? {} : (recorded.figures ?? {}), !given.smoke);
const clean = isClean(verdicts);
const machine = { processors: availableParallelism(), model: cpus()[0]?.model, node: process.version, browser: measured.version };
const picture = pictureOf(verdicts);
await writeFile(join(given.folder, "figures.json"), JSON.stringify({ clean, seed, rounds, requests, machine, sizes, verdicts, ...measured, others, missing: given.missing }, null, 2));
await writeFile(join(given.folder, "bench.svg"), picture);
if (given.record) {
  const figures = Object.fromEntries(verdicts.map(({ name, value }) => [name, round(value)]));
  await writeFile(RECORDED, `${JSON.stringify({ machine, rounds, figures }, null, 2)}\n`);
  await writeFile(PICTURE, picture);
}
console.log(`\n${tablesOf({ measured, verdicts, sizes, others })}\n`);
console.log(line());
process.exitCode = clean ? 0 : 1;

function line() {
  const musts = verdicts.filter(({ must }) => must !== undefined);
  const missed = musts.filter(({ meetsMust }) => !meetsMust).length;
  const worse = verdicts.filter(({ isWorse }) => isWorse).length;
  const aims = verdicts.filter(({ aim }) => aim !== undefined);
  const { refusals, contests, load } = measured;
  const parts = [`${musts.length} musts, missed ${missed}`, `aims met ${aims.filter(({ meetsAim }) => meetsAim).length} of ${aims.length}`];
  if (!given.smoke) {
    parts.push(`warm quote ${round(ratioOf(contests["warm quote"], "sdk", "mini").value)} of hand-built`, `sandbox ${round(load.quotes.ratio)} of Prism`, `worse than recorded ${worse}`);
  }
  parts.push(`${refusals.tried} malformed and good things, let through ${refusals.differences.length}`);
  return `bench: ${[...parts, `seed ${seed}`].join("; ")}`;
}
