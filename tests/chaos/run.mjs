// The proof that a transfer happens once: real pages, a real service, and faults everywhere between them. Its
// last line on stdout holds the figures; it exits with 0 if every count that must be zero is zero.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCheckout } from "./checkout.mjs";
import { figuresOf, isClean, lineOf } from "./figures.mjs";
import { MOST_INTENTS } from "./intents.mjs";
import { runKills } from "./kills.mjs";
import { runPosts } from "./posts.mjs";

const WEAKNESSES = ["journal", "reconciliation", "resend"];
const text = { type: "string" };
const { values: given } = parseArgs({
  options: { transfers: text, seed: text, weakness: text, chromium: text, sandbox: text, package: text, folder: text },
});
const transfers = Number(given.transfers);
const seed = Number(given.seed);
if (!(transfers >= 1 && transfers <= MOST_INTENTS)) throw new Error(`--transfers is from 1 to ${MOST_INTENTS}`);
if (!Number.isSafeInteger(seed)) throw new Error("--seed is a whole number");
if (given.weakness !== undefined && !WEAKNESSES.includes(given.weakness)) throw new Error(`--weakness is one of ${WEAKNESSES}`);

const say = (line) => console.error(`  ${line}`);
const { weakness, chromium, folder } = given;
const common = { seed, program: given.sandbox, folder };
try {
  const checkout = await runCheckout({ ...common, transfers, weakness, chromium, packageFolder: given.package, say });
  const posts = weakness ? undefined : await runPosts({ ...common, posts: transfers * 10 });
  const kills = weakness ? undefined : await runKills({ ...common, rounds: Math.max(1, Math.ceil(transfers / 50)) });
  const figures = figuresOf({ seed, weakness, transfers, checkout, posts, kills });
  const { ledger, tabs, verdict, stages } = checkout;
  const details = { verdict, stages, posts, kills, troubles: ledger.troubles, accidents: tabs.flatMap((tab) => tab.accidents) };
  await writeFile(join(folder, "figures.json"), JSON.stringify(figures, null, 2));
  await writeFile(join(folder, "details.json"), JSON.stringify(details, null, 2));
  await writeFile(join(folder, "outcomes.jsonl"), ledger.outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(""));
  if (ledger.troubles.length > 0) say(`${ledger.troubles.length} troubles of pages: see details.json`);
  console.log(lineOf(figures));
  process.exitCode = isClean(figures) ? 0 : 1;
} catch (error) {
  console.error(`chaos: seed ${seed}`);
  throw error;
}
