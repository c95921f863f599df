// What is measured in pages, engine by engine.

import { Chromium, startOther } from "./browsers.mjs";
import { coldPages } from "./cold.mjs";

/** The rounds of one page; then a fresh one, as an engine settles differently each time. */
const ROUNDS_EACH = 5;
const CURVES = { rows: [10, 100, 1_000, 10_000], fields: [5, 20, 50, 100, 200] };
const CURVE_ROUNDS = 3;
const FORMS = [1, 5, 20, 50];
const FORM_MESSAGES = 100;
const CALLS = [1_000, 100_000];

/** Measures everything in Chromium. */
export function measureChromium(options) {
  return inChromium(options, async (chromium, inPage) => {
    const measured = await common(chromium, options, 1, 1);
    const { seed, say } = options;
    await inPage(async (page) => {
      measured.curves = await page.do("curves", { rounds: CURVE_ROUNDS, seed, effort: 0.5, sizes: CURVES });
      measured.forms = {};
      for (const variant of ["sdk", "hand-built"]) {
        measured.forms[variant] = [];
        for (const count of FORMS) {
          const found = await page.do("openForms", { variant, count, messages: FORM_MESSAGES });
          measured.forms[variant].push({ forms: count, ...found });
        }
      }
    });
    say("curves");
    await inPage(async (page) => {
      measured.memory = [];
      let done = 0;
      for (const calls of CALLS) {
        // In parts, so that a slow machine does not time out.
        for (; done < calls; done += 1_000) await page.do("manyQuotes", { count: 1_000 });
        const heapBytes = await page.heapBytes();
        measured.memory.push({ calls, ...(await page.do("memory")), heapBytes });
      }
    });
    return measured;
  });
}

/** Runs everything once: all variants work and agree, and nothing malformed is accepted. */
export function tryOut(options) {
  const quick = { ...options, rounds: 1, say: () => {} };
  return inChromium(quick, (chromium) => common(chromium, quick, 0.02, 5));
}

async function inChromium({ program, servers }, work) {
  const chromium = await Chromium.start(program);
  try {
    return await work(chromium, (inPage) => withPage(chromium, servers, inPage));
  } finally {
    await chromium.stop();
  }
}

/** @param effort how long contests are measured @param share one in so many malformed values is tried */
async function common(chromium, options, effort, share) {
  const { servers } = options;
  const contests = await contestRounds({ ...options, browser: chromium, effort, name: "chromium" });
  const pages = await coldPages({ ...options, chromium });
  const checks = await withPage(chromium, servers, async (page) => ({
    disagreements: await page.do("disagreements"),
    refusals: await page.do("refusals", { share }),
  }));
  return { version: chromium.version, contests: { chromium: contests }, ...pages, ...checks };
}

/** Measures the contests alone, in another engine. */
export async function measureOther({ engine, program, ...options }) {
  const browser = await startOther(engine, program);
  try {
    const contests = await contestRounds({ ...options, browser, effort: 1, name: engine });
    return { version: browser.version, contests };
  } finally {
    await browser.stop();
  }
}

/** Runs the contests in fresh pages until there are enough rounds. */
async function contestRounds({ browser, servers, rounds, seed, effort, say, name }) {
  const samples = {};
  for (let done = 0; done < rounds; done += ROUNDS_EACH) {
    const found = await withPage(browser, servers, async (page) => {
      const some = { rounds: Math.min(ROUNDS_EACH, rounds - done), seed: seed + done, effort };
      const found = await page.do("contests", some);
      await page.do("closeForms");
      return found;
    });
    for (const [contest, variants] of Object.entries(found)) {
      const all = (samples[contest] ??= {});
      for (const [variant, list] of Object.entries(variants)) (all[variant] ??= []).push(...list);
    }
    say(`${name}: ${Math.min(done + ROUNDS_EACH, rounds)} of ${rounds} rounds`);
  }
  return samples;
}

/** Works in a fresh page. An error in its console, such as a policy violation, voids the measurement. */
async function withPage(browser, servers, work) {
  const page = await browser.open(`${servers.pageUrl}/`);
  const result = await work(page);
  const { troubles } = page;
  if (troubles.length > 0) throw new Error(`the page complained: ${troubles.slice(0, 5).join("; ")}`);
  await page.close();
  return result;
}
