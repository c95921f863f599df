// Compares the SDK with hand-written code, and the sandbox with a mock of its document. The last line on
// stdout has the figures; the exit code is 0 if every must is met and nothing is much worse than recorded.

import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { buildApps } from "./build.mjs";
import { measureChromium, measureOther, tryOut } from "./engines-run.mjs";
import { pictureOf } from "./picture.mjs";
import { Servers } from "./server.mjs";
import { round, tablesOf } from "./table.mjs";
import { isClean, judge, ratioOf, refusalsOf } from "./verdicts.mjs";

const RECORDED = join(import.meta.dirname, "recorded.json");
const PICTURE = join(import.meta.dirname, "../../www/screenshots/bench.svg");
const LOAD = { rounds: 9, milliseconds: 1_000 };
/** Other engines run one in so many rounds. */
const OTHERS_SHARE = 4;

const text = { type: "string" };
const flag = { type: "boolean", default: false };
const names = ["package", "chromium", "firefox", "webkit", "sandbox", "folder", "rounds", "requests", "seed"];
const options = Object.fromEntries(names.map((name) => [name, text]));
Object.assign(options, { record: flag, smoke: flag, missing: { ...text, multiple: true, default: [] } });
const { values: args } = parseArgs({ options });
const [rounds, requests, seed] = [Number(args.rounds), Number(args.requests), Number(args.seed)];
const isTimed = !args.smoke;
const isEnough = rounds >= 1 && requests >= 1_000;
if (isTimed && !isEnough) throw new Error("--rounds is at least 1, --requests at least 1000");
const say = (line) => console.error(`  ${line}`);

const apps = join(args.folder, "apps");
const sizes = await buildApps({ folder: apps, packageFolder: args.package });
const servers = new Servers();
const measured = {};
const others = {};
try {
  await servers.start(apps);
  const common = { servers, seed, chance: new Chance(seed, "cold"), say, program: args.chromium, rounds };
  Object.assign(measured, await (isTimed ? measureChromium(common) : tryOut(common)));
  for (const engine of ["firefox", "webkit"].filter((name) => args[name])) {
    const some = { engine, program: args[engine], rounds: Math.ceil(rounds / OTHERS_SHARE) };
    others[engine] = await measureOther({ ...common, ...some });
  }
  measured.refusals = refusalsOf(measured.refusals);
} finally {
  await servers.stop();
}
if (isTimed) {
  // Without browsers: the sandbox and the mock have the machine to themselves.
  const { compareLoad, watchMemory } = await import("./load/run.mjs");
  const program = args.sandbox;
  measured.load = await compareLoad({ program, ...LOAD, chance: new Chance(seed, "load"), say });
  measured.sandboxMemory = await watchMemory({ program, requests, say });
}

const recorded = args.record ? {} : JSON.parse(await readFile(RECORDED, "utf8")).figures;
const verdicts = judge(measured, recorded, isTimed);
const clean = isClean(verdicts);
const [model, browser] = [cpus()[0]?.model, measured.version];
const machine = { processors: availableParallelism(), model, node: process.version, browser };
const { missing } = args;
const run = { clean, seed, rounds, requests, machine, sizes, verdicts, ...measured, others, missing };
await writeFile(join(args.folder, "figures.json"), JSON.stringify(run, null, 2));
await writeFile(join(args.folder, "bench.svg"), pictureOf(verdicts));
if (args.record) {
  const figures = Object.fromEntries(verdicts.map(({ name, value }) => [name, round(value)]));
  await writeFile(RECORDED, `${JSON.stringify({ machine, rounds, figures }, null, 2)}\n`);
  await writeFile(PICTURE, pictureOf(verdicts));
}
console.log(`\n${tablesOf({ measured, verdicts, sizes, others })}\n`);
console.log(line());
process.exitCode = clean ? 0 : 1;

function line() {
  const countOf = (member) => verdicts.filter((verdict) => verdict[member]).length;
  const musts = verdicts.filter(({ must }) => must !== undefined);
  const aims = verdicts.filter(({ aim }) => aim !== undefined);
  const { refusals, contests, load } = measured;
  const parts = [
    `${musts.length} musts, missed ${musts.length - countOf("meetsMust")}`,
    `aims met ${countOf("meetsAim")} of ${aims.length}`,
  ];
  if (isTimed) {
    parts.push(`warm quote ${round(ratioOf(contests["warm quote"], "sdk", "mini").value)} of hand-built`);
    parts.push(`sandbox ${round(load.quotes.ratio)} of Prism`, `worse than recorded ${countOf("isWorse")}`);
  }
  const { tried, differences } = refusals;
  parts.push(`${tried} malformed and good things, let through ${differences.length}`);
  return `bench: ${[...parts, `seed ${seed}`].join("; ")}`;
}
