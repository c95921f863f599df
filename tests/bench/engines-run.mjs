// What is measured in the page, engine by engine.

import { Chromium, OtherEngine } from "./browsers.mjs";
import { coldRounds, networkRounds } from "./cold.mjs";

/** A page serves so many rounds; then a fresh one, as an engine settles differently each time. */
const ROUNDS_EACH = 5;
const CURVES = { rows: [10, 100, 1_000, 10_000], fields: [5, 20, 50, 100, 200] };
const CURVE_ROUNDS = 3;
const FORMS = [1, 5, 20, 50];
const FORM_MESSAGES = 100;
const CALLS = [1_000, 100_000];

/** The contests in fresh pages, until there are enough rounds. */
async function contestRounds({ browser, servers, rounds, seed, effort, say, name }) {
  const samples = {};
  for (let done = 0; done < rounds; done += ROUNDS_EACH) {
    const page = await browser.open(`${servers.pageUrl}/`);
    const found = await page.do("contests", { rounds: Math.min(ROUNDS_EACH, rounds - done), seed: seed + done, effort });
    await page.do("closeForms");
    mustBeCalm(page);
    await page.close();
    for (const [contest, variants] of Object.entries(found)) {
      samples[contest] ??= {};
      for (const [variant, list] of Object.entries(variants)) (samples[contest][variant] ??= []).push(...list);
    }
    say(`${name}: ${Math.min(done + ROUNDS_EACH, rounds)} of ${rounds} rounds`);
  }
  return samples;
}

/** All of it, in Chromium. */
export async function measureChromium({ program, servers, rounds, seed, chance, exported, say }) {
  const chromium = await Chromium.start(program);
  try {
    const contests = await contestRounds({ browser: chromium, servers, rounds, seed, effort: 1, say, name: "contests" });
    const cold = await coldRounds({ chromium, servers, rounds, chance, exported, say });
    const wire = {};
    const networks = await networkRounds({ chromium, servers, rounds, chance, exported, say, wire });
    const page = await chromium.open(`${servers.pageUrl}/`);
    const curves = await page.do("curves", { rounds: CURVE_ROUNDS, seed, effort: 0.5, sizes: CURVES });
    const forms = {};
    for (const variant of ["sdk", "hand-built"]) {
      forms[variant] = [];
      for (const count of FORMS) forms[variant].push({ forms: count, ...(await page.do("openForms", { variant, count, messages: FORM_MESSAGES })) });
    }
    mustBeCalm(page);
    await page.close();
    say("curves");
    return { version: chromium.version, contests, cold, networks, wire, curves, forms, memory: await memory(chromium, servers), ...(await checks(chromium, servers, 1)) };
  } finally {
    await chromium.stop();
  }
}

/** The contests alone, in another engine. */
export async function measureOther({ engine, program, servers, rounds, seed, say }) {
  const browser = await OtherEngine.start(engine, program);
  try {
    return { contests: await contestRounds({ browser, servers, rounds, seed, effort: 1, say, name: engine }) };
  } finally {
    await browser.stop();
  }
}

/** That all works and all agree, and that nothing is let through; no time is judged. */
export async function tryOut({ program, servers, seed, chance, exported }) {
  const chromium = await Chromium.start(program);
  try {
    const contests = await contestRounds({ browser: chromium, servers, rounds: 1, seed, effort: 0.02, say: () => {}, name: "contests" });
    const cold = await coldRounds({ chromium, servers, rounds: 1, chance, exported, say: () => {} });
    const networks = await networkRounds({ chromium, servers, rounds: 1, chance, exported, say: () => {} });
    return { version: chromium.version, contests, cold, networks, ...(await checks(chromium, servers, 5)) };
  } finally {
    await chromium.stop();
  }
}

async function checks(chromium, servers, share) {
  const page = await chromium.open(`${servers.pageUrl}/`);
  const disagreements = await page.do("disagreements");
  const refusals = await page.do("refusals", { share });
  mustBeCalm(page);
  await page.close();
  return { disagreements, refusals };
}

/** What calls leave behind: pages of the wasm's memory, and bytes of the page's own. */
async function memory(chromium, servers) {
  const page = await chromium.open(`${servers.pageUrl}/`);
  const found = [];
  let done = 0;
  for (const calls of CALLS) {
    // In parts, so that a slow machine is not taken for one that hangs.
    for (; done < calls; done += 1_000) await page.do("manyQuotes", { count: 1_000 });
    found.push({ calls, ...(await page.do("memory")), heapBytes: await page.heapBytes() });
  }
  mustBeCalm(page);
  await page.close();
  return found;
}

/**
 * Fails if the page's console shows an error, such as a policy violation, which would void the measurement.
 */
function mustBeCalm(page) {
  if (page.troubles.length > 0) throw new Error(`the page complained: ${page.troubles.slice(0, 5).join("; ")}`);
}
