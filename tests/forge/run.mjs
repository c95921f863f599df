// The proof that the card form's messages cannot be forged: every known way to send a message, in
// real engines. Its last line on stdout holds the figures; it exits with 0 if nothing forged was
// accepted and everything genuine arrived.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { CardServer } from "./card-server.mjs";
import { runEngine } from "./engine-run.mjs";
import { ENGINES } from "./engines.mjs";
import { figuresOf, isClean, lineOf } from "./figures.mjs";
import { startPages } from "./page-server.mjs";

const WEAKNESSES = ["isTrusted", "origin", "source"];
const LEAST = 100;
const text = { type: "string" };
const { values: given } = parseArgs({
  options: {
    count: text,
    seed: text,
    weakness: text,
    package: text,
    folder: text,
    missing: { ...text, multiple: true, default: [] },
    ...Object.fromEntries(ENGINES.map((engine) => [engine, text])),
  },
});
const count = Number(given.count);
const seed = Number(given.seed);
const { weakness } = given;
if (!(count >= LEAST && Number.isSafeInteger(count))) throw new Error(`--count is a whole number from ${LEAST} on`);
if (!Number.isSafeInteger(seed)) throw new Error("--seed is a whole number");
if (weakness !== undefined && !WEAKNESSES.includes(weakness)) throw new Error(`--weakness is one of ${WEAKNESSES}`);

const { REMITKIT_BASE_URL: baseUrl, REMITKIT_CARD_URL: cardUrl } = process.env;
const { REMITKIT_CLIENT_ID: clientId, REMITKIT_CLIENT_SECRET: clientSecret, REMITKIT_SENDER_ID: senderId } = process.env;
const cards = new CardServer();
let pages;
try {
  await cards.start(new Chance(seed, "ports"));
  pages = await startPages({
    config: { seed, weakness, origins: cards.origins, sandbox: { baseUrl, cardUrl } },
    sandbox: { baseUrl, clientId, clientSecret, senderId },
    packageFolder: given.package,
  });
  const runs = {};
  for (const engine of ENGINES.filter((name) => given[name])) {
    const say = (line) => console.error(`  ${engine}: ${line}`);
    runs[engine] = await runEngine({ engine, program: given[engine], count, pageUrl: `${pages.url}/`, openerUrl: cards.origins.card, say });
  }
  const figures = figuresOf({ seed, weakness, count, runs, missing: given.missing });
  const clean = isClean(figures);
  await writeFile(join(given.folder, "figures.json"), JSON.stringify({ clean, ...figures, runs }, null, 2));
  console.log(lineOf(figures));
  process.exitCode = clean ? 0 : 1;
} catch (error) {
  console.error(`forge: seed ${seed}`);
  throw error;
} finally {
  await pages?.stop();
  cards.stop();
}
