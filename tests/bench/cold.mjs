// Times from navigation to the first quote, the card form's READY and the first transfer,
// each in a browser context with empty caches.

import { setTimeout as sleep } from "node:timers/promises";
import { COLD } from "./server.mjs";

/** As long as the customer types, at the least. */
const TYPES_MS = 400;
/** By when a page that has its first quote has all parts, over the slowest network. */
const IDLE_MS = 1_500;

/** What a page reaches its servers by, and how much slower than this machine it runs. */
export const NETWORKS = {
  "9 Mbit/s": { latencyMs: 60, bitsPerSecond: 9_000_000, slowdown: 2 },
  "1.6 Mbit/s": { latencyMs: 150, bitsPerSecond: 1_600_000, slowdown: 4 },
};
/** Over a network, whoever waits for the customer waits for nothing else: these are left out. */
const OVER_NETWORKS = Object.keys(COLD).filter((name) => COLD[name].data === undefined);

/**
 * Loads the cold pages over each network. Returns milliseconds by variant, round by round; adds to
 * `wire` the bytes transferred until the moment.
 */
export async function networkRounds({ rounds, variants = OVER_NETWORKS, wire, ...common }) {
  const samples = {};
  for (const [name, network] of Object.entries(NETWORKS)) {
    samples[name] = await coldRounds({ ...common, rounds, network, variants, wire, name });
  }
  return samples;
}

/** Milliseconds by variant, round by round. `exported` are the names that the package exports. */
export async function coldRounds({ chromium, servers, rounds, chance, exported, say, network, wire = {}, variants: all = Object.keys(COLD), name: where = "no network" }) {
  const variants = all.filter((name) => !COLD[name].needs || exported.includes(COLD[name].needs));
  const samples = Object.fromEntries(variants.map((name) => [name, []]));
  // A first round warms the browser and the servers, where times count.
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
    const left = [...variants];
    while (left.length > 0) {
      const [name] = left.splice(chance.between(0, left.length - 1), 1);
      const { ms, bytes } = await once(chromium, servers, name, network);
      if (round > 0) samples[name].push(ms);
      if (COLD[name].moment !== "late") wire[name] = bytes;
    }
    if (round % 5 === 0) say(`cold pages, ${where}: round ${round} of ${rounds}`);
  }
  return samples;
}

async function once(chromium, servers, name, network) {
  const page = await chromium.open(`${servers.pageUrl}/cold/${encodeURIComponent(name)}`, network);
  try {
    const isLate = COLD[name].moment === "late";
    const waits = isLate || COLD[name].data !== undefined;
    if (isLate) await page.evaluate("() => reached");
    if (waits) await sleep(isLate ? IDLE_MS : TYPES_MS);
    const found = await page.evaluate(waits ? "() => goOn()" : "() => reached");
    const { bytes } = page.wire;
    if (page.troubles.length > 0) throw new Error(`${name}: ${page.troubles.join("; ")}`);
    return { ms: waits ? found.sinceCall : found.sinceNavigation, bytes };
  } finally {
    await page.close();
  }
}
