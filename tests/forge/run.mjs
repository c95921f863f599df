// Proves that the card form's messages cannot be forged: every known way to send a message, in real engines.
// The last line on stdout has the figures; the exit code is 0 if no forged message was accepted and every
// genuine one arrived.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { ENGINES, runEngine, sum } from "./engines.mjs";
import { isBroken, isClean, lineOf } from "./figures.mjs";
import { startCardForms, startPage } from "./servers.mjs";

const LEAST = 100;
const text = { type: "string" };
const names = ["count", "seed", "weakness", "package", "folder", ...ENGINES];
const options = Object.fromEntries(names.map((name) => [name, text]));
options.missing = { ...text, multiple: true, default: [] };
const { values: args } = parseArgs({ options });
const { weakness, missing } = args;
const [count, seed] = [Number(args.count), Number(args.seed)];
if (!(count >= LEAST)) throw new Error(`--count is at least ${LEAST}`);

const cards = await startCardForms(new Chance(seed, "ports"));
const config = { seed, weakness, origins: cards.origins };
const page = await startPage({ config, packageFolder: args.package });
try {
  const engines = {};
  for (const engine of ENGINES.filter((name) => args[name])) {
    const say = (line) => console.error(`  ${engine}: ${line}`);
    const urls = { pageUrl: `${page.url}/`, openerUrl: cards.origins.card };
    engines[engine] = await runEngine({ engine, program: args[engine], count, say, ...urls });
  }
  const noticed = weakness && Object.values(engines).some(({ accepted }) => sum(accepted) > 0);
  const figures = { seed, weakness, noticed, count, engines, missing };
  const clean = isClean(figures);
  const verdict = { clean, broken: isBroken(figures) };
  await writeFile(join(args.folder, "figures.json"), JSON.stringify({ ...verdict, ...figures }, null, 2));
  console.log(lineOf(figures));
  process.exitCode = clean ? 0 : 1;
} finally {
  await page.stop();
  cards.stop();
}
