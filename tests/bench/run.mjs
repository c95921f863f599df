// Compares the SDK with hand-written code, and the sandbox with a mock of its document. The last line on
// stdout has the figures; the exit code is 0 if every must is met and nothing is much worse than recorded.

import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { buildApps } from "./build.mjs";
import { withFigures } from "./document.mjs";
import { measureChromium, measureOther, tryOut } from "./engines-run.mjs";
import { pictureOf } from "./picture.mjs";
import { refusalsOf } from "./refusals.mjs";
import { Servers } from "./server.mjs";
import { round, tablesOf } from "./table.mjs";
import { foundIn, isClean, judge, movedFrom } from "./verdicts.mjs";

const ROOT = join(import.meta.dirname, "../..");
const RECORDED = join(import.meta.dirname, "recorded.json");
const DOCUMENT = join(ROOT, "docs/benchmark.md");
const PICTURE = join(ROOT, "www/screenshots/bench.svg");
const LOAD = { rounds: 9, milliseconds: 1_000 };

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
const { missing } = args;
const say = (line) => console.error(`  ${line}`);

const apps = join(args.folder, "apps");
const sizes = await buildApps({ folder: apps, packageFolder: args.package });
const servers = new Servers();
const measured = {};
const browsers = [];
try {
  await servers.start(apps);
  const common = { servers, seed, chance: new Chance(seed, "cold"), say, program: args.chromium, rounds };
  Object.assign(measured, await (isTimed ? measureChromium(common) : tryOut(common)));
  browsers.push(measured.version);
  for (const engine of ["firefox", "webkit"].filter((name) => args[name])) {
    const { version, contests } = await measureOther({ ...common, engine, program: args[engine] });
    browsers.push(version);
    measured.contests[engine] = contests;
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

const machine = { processors: availableParallelism(), model: cpus()[0]?.model, node: process.version, browsers };
const figures = foundIn(measured, isTimed);
const recorded = JSON.parse(await readFile(RECORDED, "utf8")).figures;
const verdicts = judge(figures, args.record ? {} : recorded);
const clean = isClean(verdicts);
const run = { clean, seed, rounds, requests, machine, sizes, verdicts, ...measured, missing };
await writeFile(join(args.folder, "figures.json"), JSON.stringify(run, null, 2));
await writeFile(join(args.folder, "bench.svg"), pictureOf(verdicts));
console.log(`\n${tablesOf({ measured, verdicts, sizes })}\n`);
if (args.record) await record();
console.log(line());
process.exitCode = clean ? 0 : 1;

async function record() {
  const command = `cargo xtask bench --rounds ${rounds} --requests ${requests} --seed ${seed} --record`;
  const git = ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"];
  const commit = execFileSync("git", git, { cwd: ROOT, encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const rounded = (_, value) => (typeof value === "number" ? round(value) : value);
  const text = JSON.stringify({ date, commit, command, machine, figures }, rounded, 2);
  await writeFile(RECORDED, `${text}\n`);
  await writeFile(DOCUMENT, withFigures(await readFile(DOCUMENT, "utf8"), JSON.parse(text)));
  await writeFile(PICTURE, pictureOf(verdicts));
  const line = ({ key, before, after }) => `  ${key}: ${round(before)}, now ${round(after)}`;
  const moved = movedFrom(recorded, figures).map(line);
  if (moved.length > 0) console.log(["Moved by more than a tenth, which the commit says", ...moved, ""].join("\n"));
}

function line() {
  const countOf = (member) => verdicts.filter((verdict) => verdict[member]).length;
  const musts = verdicts.filter(({ must }) => must !== undefined);
  const aims = verdicts.filter(({ aim }) => aim !== undefined);
  const parts = [
    `${musts.length} musts, missed ${musts.length - countOf("meetsMust")}`,
    `aims met ${countOf("meetsAim")} of ${aims.length}`,
  ];
  if (isTimed) parts.push(`worse than recorded ${countOf("isWorse")}`);
  const { tried, differences } = measured.refusals;
  parts.push(`${tried} malformed and good things, let through ${differences.length}`);
  return `bench: ${[...parts, `seed ${seed}`].join("; ")}`;
}
