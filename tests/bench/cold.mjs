// Times from navigation to the first quote, the card form's READY or the first transfer, each in a browser
// context with empty caches.

import { setTimeout as sleep } from "node:timers/promises";
import { COLD } from "./server.mjs";

/** How long the customer types at least. */
const TYPING_MS = 400;
/** After this a page with its first quote has fetched all parts, even over the slowest network. */
const IDLE_MS = 1_500;

/** Emulated networks, and how much slower the page's processor is. */
const NETWORKS = {
  "9 Mbit/s": { latencyMs: 60, bitsPerSecond: 9_000_000, slowdown: 2 },
  "1.6 Mbit/s": { latencyMs: 150, bitsPerSecond: 1_600_000, slowdown: 4 },
};
/** While the customer types, everything arrives: over a network these variants say nothing. */
const OVER_NETWORKS = Object.keys(COLD).filter((name) => COLD[name].data === undefined);

/** Loads the cold pages, without a network and over each; returns times, and the bytes until each moment. */
export async function coldPages(common) {
  const cold = await coldRounds({ ...common, where: "no network", variants: Object.keys(COLD) });
  const networks = {};
  const wire = {};
  for (const [where, network] of Object.entries(NETWORKS)) {
    networks[where] = await coldRounds({ ...common, where, network, variants: OVER_NETWORKS, wire });
  }
  return { cold, networks, wire };
}

/** Returns milliseconds by variant, round by round. */
async function coldRounds({ chromium, servers, rounds, chance, say, where, network, variants, wire = {} }) {
  const samples = Object.fromEntries(variants.map((name) => [name, []]));
  // An additional first round warms up browser and servers.
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
    const left = [...variants];
    while (left.length > 0) {
      const [name] = left.splice(chance.between(0, left.length - 1), 1);
      const { ms, bytes } = await loadOnce(chromium, servers, name, network);
      if (round > 0) samples[name].push(ms);
      if (COLD[name].moment !== "late") wire[name] = bytes;
    }
    if (round % 5 === 0) say(`cold pages, ${where}: round ${round} of ${rounds}`);
  }
  return samples;
}

async function loadOnce(chromium, servers, name, network) {
  const page = await chromium.open(`${servers.pageUrl}/cold/${encodeURIComponent(name)}`, network);
  try {
    const isLate = COLD[name].moment === "late";
    const waits = isLate || COLD[name].data !== undefined;
    if (isLate) await page.evaluate("() => reached");
    if (waits) await sleep(isLate ? IDLE_MS : TYPING_MS);
    const found = await page.evaluate(waits ? "() => goOn()" : "() => reached");
    if (page.troubles.length > 0) throw new Error(`${name}: ${page.troubles.join("; ")}`);
    return { ms: waits ? found.sinceCall : found.sinceNavigation, bytes: page.wire.bytes };
  } finally {
    await page.close();
  }
}
