// Random walks: customers do anything at the shop while the service fails. No transfer may be sent twice, and
// no page may show anything false. The last line on stdout has the figures. Exits with 0 if all is well.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.mjs";
import { launch } from "../e2e/support/browser.mjs";
import { figuresOf, sumOf } from "./figures.mjs";
import { buildWithout, SAFEGUARDS } from "./safeguards.mjs";
import { shrink } from "./shrink.mjs";
import { stepsOf } from "./steps.mjs";
import { Lane } from "./walk.mjs";
import { World } from "./world.mjs";

/** Locale and viewport depend on the seed, so that a walk can be repeated alone. */
const LOCALES = ["en-US", "es-MX", "es-ES", "en-US"];
const VIEWPORTS = [[320, 640], [768, 1024], [1280, 900]].map(([width, height]) => ({ width, height }));
const localeOf = (own) => LOCALES[own % LOCALES.length];
/** How many findings are shortened, with how many tries each. */
const SHRUNK = 3;
const TRIES = 30;
/** Windows that open at the same time slow each other down. */
const LANE_DELAY_MS = 700;
const WALK_FAILED = "the walk failed";

const NAMES = ["walks", "seed", "lanes", "steps", "chromium", "sandbox", "folder", "without", "minutes"];
const text = Object.fromEntries(NAMES.map((name) => [name, { type: "string" }]));
const { values } = parseArgs({ options: { ...text, safeguards: { type: "boolean" } } });
if (values.safeguards) {
  console.log(Object.keys(SAFEGUARDS).join("\n"));
  process.exit();
}
const { folder, without } = values;
const [walks, seed, lanes] = [values.walks, values.seed, values.lanes ?? 8].map(Number);
if (!(walks >= 1)) throw new Error("--walks must be a whole number from 1 on");
if (!Number.isSafeInteger(seed)) throw new Error("--seed must be a whole number");
/** Replaces the random steps. */
const givenSteps = values.steps && JSON.parse(await readFile(values.steps, "utf8"));
const log = (line) => console.error(`  ${line}`);

const shop = without && join(folder, "shop");
if (without) await buildWithout(without, shop);
const browser = await launch(values.chromium);
const start = Date.now();
const seconds = () => Math.round((Date.now() - start) / 1_000);
const done = [];
const worlds = [];
/** Whether it was found that the safeguard is missing. */
let isFound = false;
let resolveFound;
const whenFound = new Promise((resolve) => (resolveFound = resolve));
const queue = Array.from({ length: walks }, (_, number) => seed + number);

async function runLane(number) {
  await sleep(number * LANE_DELAY_MS);
  if (isFound) return;
  const world = await World.start({ program: values.sandbox, seed: 1_000 + number, shop });
  worlds.push(world);
  if (isFound) return void (await world.stop());
  // A context for each locale, as opening one is slow.
  const contexts = {};
  while (queue.length > 0) {
    const own = queue.shift();
    const locale = localeOf(own);
    contexts[locale] ??= await Lane.open({ browser, locale, world });
    await walkOnce(contexts[locale], own);
  }
}

async function walkOnce(lane, own) {
  const steps = givenSteps ?? stepsOf(own);
  const walk = (some) => lane.walk(own, some, new Chance(own, "walk").pick(VIEWPORTS));
  // Retried once: a browser that is too busy to open a page says nothing about the shop.
  const walked = await walk(steps).catch(() => walk(steps).catch((error) => failedWalk(own, error)));
  if (isFound) return;
  done.push(walked);
  if (done.length % 25 === 0) log(`${done.length} walks, ${findings().length} with findings, ${seconds()} s`);
  if (walked.found.length > 0) await reportFinding(walked, steps, walk);
  if (without && hasBrokenRule(walked)) resolveFound();
}

const findings = () => done.filter((walked) => walked.found.length > 0);
const hasBrokenRule = (walked) => walked.found.some(({ rule }) => rule !== WALK_FAILED);

function failedWalk(own, error) {
  if (!browser.isConnected() && !isFound) throw error;
  const what = [error, error.cause].filter(Boolean).join(": ");
  return { seed: own, found: [{ rule: WALK_FAILED, what }], figures: figuresOf([], []), events: [] };
}

async function reportFinding({ seed: own, found: broken, events }, steps, walk) {
  const [{ rule, what }] = broken;
  log(`seed ${own}, ${localeOf(own)}: ${rule}: ${what}`);
  const isSame = async (some) => (await walk(some)).found.some((one) => one.rule === rule);
  const isShrunk = !without && !givenSteps && findings().length <= SHRUNK;
  const kept = isShrunk ? await shrink(steps, isSame, TRIES) : steps;
  const save = (name, data) => writeFile(join(folder, name), JSON.stringify(data, null, 1));
  await save(`walk-${own}.json`, kept);
  await save(`walk-${own}-events.json`, { found: broken, events });
  const names = kept.map((step) => step.do).join(", ");
  if (isShrunk) log(`  ${kept.length} of ${steps.length} steps suffice: ${names}`);
}

const timeUp = values.minutes && setTimeout(() => (queue.length = 0), Number(values.minutes) * 60_000);
try {
  const ended = Promise.all(Array.from({ length: lanes }, (_, number) => runLane(number)));
  await Promise.race([ended, whenFound]);
  isFound = without !== undefined;
  // The other lanes may fail now that the browser closes.
  ended.catch(() => {});
  queue.length = 0;
} finally {
  clearTimeout(timeUp);
  await browser.close();
  await Promise.all(worlds.map((world) => world.stop()));
}

const broken = done.flatMap((walked) => [...new Set(walked.found.map(({ rule }) => rule))]);
const sum = sumOf(done.map((walked) => walked.figures));
const figures = {
  seed,
  walks: done.length,
  ...sum,
  seconds: seconds(),
  findings: findings().length,
  ...(without ? { foundAfter: done.findIndex(hasBrokenRule) + 1 || null } : {}),
  rules: [...new Set(broken)].map((rule) => ({ rule, walks: broken.filter((one) => one === rule).length })),
  seeds: findings().map((walked) => walked.seed),
  // A walk that failed, twice, says nothing about the shop.
  broken: done.some(hasBrokenRule),
};
await writeFile(join(folder, "figures.json"), JSON.stringify(figures, null, 2));
const described = Object.entries(sum).map(([name, count]) => `${name} ${count}`);
const { findings: count } = figures;
console.log(
  `walks: ${done.length} walks in ${seconds()} s: ${described.join(", ")}; findings ${count}; seed ${seed}`,
);
// After a finding, other lanes still wait for pages of the closed browser.
process.exit(count === 0 ? 0 : 1);
