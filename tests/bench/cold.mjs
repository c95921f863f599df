// From navigation to the first quote, each time in a browser context that has nothing of the page.

import { setTimeout as sleep } from "node:timers/promises";
import { COLD } from "./server.mjs";

/** As long as the customer types, at the least. */
const TYPES_MS = 400;

/** Milliseconds by variant, round by round. `exported` are the names that the package exports. */
export async function coldRounds({ chromium, servers, rounds, chance, exported, say }) {
  const variants = Object.keys(COLD).filter((name) => !COLD[name].needs || exported.includes(COLD[name].needs));
  const samples = Object.fromEntries(variants.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const left = [...variants];
    while (left.length > 0) {
      const [name] = left.splice(chance.between(0, left.length - 1), 1);
      const ms = await once(chromium, servers, name);
      // The first round warms the browser and the servers.
      if (round > 0) samples[name].push(ms);
    }
    if (round % 5 === 0) say(`cold pages: round ${round} of ${rounds}`);
  }
  return samples;
}

async function once(chromium, servers, name) {
  const page = await chromium.open(`${servers.pageUrl}/cold/${encodeURIComponent(name)}`);
  try {
    const waits = COLD[name].data !== undefined;
    if (waits) await sleep(TYPES_MS);
    const found = await page.evaluate(waits ? "() => quoteNow()" : "() => quoted");
    if (page.troubles.length > 0) throw new Error(`${name}: ${page.troubles.join("; ")}`);
    return waits ? found.sinceCall : found.sinceNavigation;
  } finally {
    await page.close();
  }
}
