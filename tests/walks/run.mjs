// Customers who do anything at all at the shop while the service fails: nothing may be
// sent twice, and no page may say anything false. Its last line on stdout holds the
// figures; it exits with 0 if nothing was found.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSite } from "../../www/backend/static.mjs";
import { Chance } from "../chaos/chance.mjs";
import { launch } from "../e2e/support/browser.mjs";
import { figuresOf, sumOf, wordsOf } from "./figures.mjs";
import { buildWithout, SAFEGUARDS } from "./safeguards.mjs";
import { shrink } from "./shrink.mjs";
import { stepsOf } from "./steps.mjs";
import { Lane } from "./walk.mjs";
import { World } from "./world.mjs";

/** By the seed, so that one walk alone is what it was among others. */
const LOCALES = ["en-US", "es-MX", "es-ES", "en-US"];
const VIEWPORTS = [{ width: 320, height: 640 }, { width: 768, height: 1024 }, { width: 1280, height: 900 }];
/** So many findings are cut short, with so many tries each; the rest is told as it was found. */
const CUT = 3;
/** Windows that are opened at once keep each other waiting. */
const LANE_MS = 700;
const TRIES = 30;
const BROKEN_OFF = "the walk broke off";

const text = { type: "string" };
const { values: given } = parseArgs({ options: { walks: text, seed: text, lanes: text, steps: text, chromium: text, sandbox: text, folder: text, cut: text, without: text, minutes: text, safeguards: { type: "boolean" } } });
if (given.safeguards) {
  console.log(Object.keys(SAFEGUARDS).join("\n"));
  process.exit();
}
const walks = Number(given.walks);
const seed = Number(given.seed);
if (!(walks >= 1)) throw new Error("--walks is a whole number from 1 on");
if (!Number.isSafeInteger(seed)) throw new Error("--seed is a whole number");
/** The steps of a finding, to be gone again. */
const replayed = given.steps && JSON.parse(await readFile(given.steps, "utf8"));
const { folder } = given;
const say = (line) => console.error(`  ${line}`);

/** The safeguard that the shop does without. */
const { without } = given;
const built = without ? join(folder, "shop") : fileURLToPath(new URL("../../www/dist", import.meta.url));
if (without) await buildWithout(without, built);
const site = await readSite(built);
const browser = await launch(given.chromium);
const began = Date.now();
const done = [];
const worlds = [];
/** Resolved when it is found that a safeguard is missing. */
const foundOnce = {};
const isFoundOnce = new Promise((resolve) => Object.assign(foundOnce, { resolve }));
let isFound = false;
/** The seeds that are left, by locale: a window is dear, so a lane keeps to one. */
const waiting = LOCALES.map((_, at) => Array.from({ length: walks }, (_, number) => seed + number).filter((own) => own % LOCALES.length === at));

// What has begun by then ends in peace.
const tired = given.minutes && setTimeout(endAll, Number(given.minutes) * 60_000);

async function lane(number) {
  if (isFound) return;
  const world = await World.start({ program: given.sandbox, folder, seed: 1_000 + number, site });
  worlds.push(world);
  if (isFound) return void (await world.stop());
  // What is left of another's is done, too: there may be fewer lanes than locales.
  for (let turn = 0; turn < LOCALES.length; turn += 1) {
    const at = (number + turn) % LOCALES.length;
    if (waiting[at].length === 0) continue;
    const walker = await Lane.open({ browser, locale: LOCALES[at], world, viewports: VIEWPORTS, chanceOf: (own) => new Chance(own, "walk") });
    for (let own = waiting[at].shift(); own !== undefined; own = waiting[at].shift()) await walkOnce(walker, own);
    await walker.close();
  }
}

/** Lets no other walk begin. */
function endAll() {
  for (const seeds of waiting) seeds.length = 0;
}

async function walkOnce(walker, own) {
  const steps = replayed ?? stepsOf(own);
  // A browser that is too busy to open a page says nothing of the shop.
  const walked = await walker.walk(own, steps).catch(() => walker.walk(own, steps).catch((error) => brokenOff(own, error)));
  if (isFound) return;
  done.push(walked);
  if (done.length % 25 === 0) say(`${done.length} walks, ${done.filter(({ found }) => found.length > 0).length} with findings, ${Math.round((Date.now() - began) / 1_000)} s`);
  if (walked.found.length > 0) await tell(walker, walked, steps);
  // That a safeguard is missing has to be found once.
  if (without && walked.found.some(({ rule }) => rule !== BROKEN_OFF)) foundOnce.resolve();
}

function brokenOff(own, error) {
  // Without a browser nothing else can be walked.
  if (!browser.isConnected() && !isFound) throw error;
  const what = [error, error.cause].filter(Boolean).join(": ");
  return { seed: own, found: [{ rule: BROKEN_OFF, what }], transfers: 0, posts: 0, loads: 0, said: 0, figures: figuresOf([]), events: [] };
}

async function tell(walker, { seed: own, found, events }, steps) {
  const [{ rule, what }] = found;
  say(`seed ${own}, ${LOCALES[own % LOCALES.length]}: ${rule}: ${what}`);
  const isAmongFirst = done.filter((one) => one.found.length > 0).length <= Number(given.cut ?? (without ? 0 : CUT));
  const same = async (shorter) => (await walker.walk(own, shorter)).found.some((one) => one.rule === rule);
  const kept = isAmongFirst && !replayed ? await shrink(steps, same, TRIES) : steps;
  await writeFile(join(folder, `walk-${own}.json`), JSON.stringify(kept, null, 1));
  await writeFile(join(folder, `walk-${own}-events.json`), JSON.stringify({ found, events }, null, 1));
  if (kept.length < steps.length) say(`  ${kept.length} of ${steps.length} steps do: ${kept.map((step) => step.do).join(", ")}`);
}

try {
  const lanes = Array.from({ length: Number(given.lanes ?? 8) }, (_, number) => sleep(number * LANE_MS).then(() => lane(number)));
  const ended = Promise.all(lanes);
  await Promise.race([ended, isFoundOnce]);
  isFound = without !== undefined;
  // Nobody waits for what the other lanes are at then.
  ended.catch(() => {});
  endAll();
} finally {
  clearTimeout(tired);
  await browser.close();
  await Promise.all(worlds.map((world) => world.stop()));
}

const sum = (name) => done.reduce((total, walked) => total + walked[name], 0);
const broken = done.flatMap(({ found }) => [...new Set(found.map(({ rule }) => rule))]);
const rules = [...new Set(broken)].map((rule) => ({ rule, walks: broken.filter((one) => one === rule).length }));
const reached = sumOf(done.map(({ figures: own }) => own));
const found = done.findIndex((one) => one.found.some(({ rule }) => rule !== BROKEN_OFF));
const findings = done.filter(({ found }) => found.length > 0);
const figures = {
  seed,
  walks: done.length,
  transfers: sum("transfers"),
  posts: sum("posts"),
  loads: sum("loads"),
  claims: sum("said"),
  ...reached,
  seconds: Math.round((Date.now() - began) / 1_000),
  findings: findings.length,
  ...(without ? { foundAfter: found + 1 || null } : {}),
  rules,
  seeds: findings.map((one) => one.seed),
};
await writeFile(join(folder, "figures.json"), JSON.stringify(figures, null, 2));
console.log(
  `walks: ${figures.walks} walks, ${wordsOf(reached)}; ${figures.transfers} transfers, ${figures.posts} posts, ${figures.loads} loads, ${figures.claims} pages read, ` +
    `${figures.seconds} s; findings ${figures.findings}; seed ${seed}`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
