// Proves that a transfer happens once: real pages, a real service, and faults everywhere between them. The
// last line on stdout has the figures; the exit code is 0 if every count that must be zero is zero.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCheckout } from "./checkout.mjs";
import { figuresOf, isBroken, isClean, lineOf } from "./figures.mjs";
import { MOST_INTENTS } from "./ledger.mjs";
import { runKills, runPosts } from "./posts.mjs";

const names = ["transfers", "seed", "weakness", "chromium", "sandbox", "package", "folder"];
const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const { values: args } = parseArgs({ options });
const { weakness, chromium, folder, sandbox: program, package: packageFolder } = args;
const [transfers, seed] = [Number(args.transfers), Number(args.seed)];
if (!(transfers >= 1 && transfers <= MOST_INTENTS)) throw new Error(`--transfers exceeds ${MOST_INTENTS}`);

const say = (line) => console.error(`  ${line}`);
const write = (name, text) => writeFile(join(folder, name), text);
const common = { seed, program, folder };
const checkout = await runCheckout({ ...common, transfers, weakness, chromium, packageFolder }, say);
const posts = weakness ? undefined : await runPosts({ ...common, posts: transfers * 10 });
const kills = weakness ? undefined : await runKills({ ...common, rounds: Math.ceil(transfers / 50) });
const figures = figuresOf({ seed, weakness, transfers, checkout, posts, kills });
const { ledger: { troubles, outcomes }, tabs, verdict, stages } = checkout;
const details = { verdict, stages, posts, kills, troubles, accidents: tabs.flatMap((tab) => tab.accidents) };
await write("figures.json", JSON.stringify({ ...figures, broken: isBroken(figures) }, null, 2));
await write("details.json", JSON.stringify(details, null, 2));
await write("outcomes.jsonl", outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(""));
if (troubles.length > 0) say(`${troubles.length} troubles of pages: see details.json`);
console.log(lineOf(figures));
process.exitCode = isClean(figures) ? 0 : 1;
