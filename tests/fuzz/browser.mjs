// Runs the proofs in headless Chromium.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { fileAt, filesIn, pathOf, sendFile, startServer } from "../local-server.mjs";

/** The inputs or stories of one page. What a hostile value does to a page ends with it. */
const PART = { inputs: 2_000, stories: 50 };
const STUCK_MS = 60_000;
/** Mounts after which engine and SDK have allocated what they keep. */
const WARM = { most: 500, share: 0.05 };

export class Browser {
  #browser;
  #servers;

  static async start(executablePath, packageFolder) {
    const here = import.meta.dirname;
    const files = new Map([
      ["/", await fileAt(join(here, "page/index.html"))],
      ...(await filesIn(here, "/fuzz/")),
      ["/chaos/chance.mjs", await fileAt(join(here, "../chaos/chance.mjs"))],
      ...(await filesIn(packageFolder, "/package/")),
    ]);
    const shop = await startServer((request, response) => {
      const file = files.get(pathOf(request));
      return file ? sendFile(response, file, "no-store") : response.writeHead(404).end();
    });
    const form = await fileAt(join(here, "page/card.html"));
    const card = await startServer((_, response) => sendFile(response, form, "no-store"));
    const browser = new Browser();
    browser.#servers = { shop, card };
    browser.#browser = await launch(executablePath);
    return browser;
  }

  async close() {
    await this.#browser.close();
    await Promise.all(Object.values(this.#servers).map((server) => server.stop()));
  }

  /** Returns the names of all that a page can call. */
  async callable() {
    const page = await this.#open();
    const names = await this.#evaluate(page, { work: "callable" });
    await page.context().close();
    return names;
  }

  /** Does `work`, inputs or stories, up to `to`, in so many pages at a time. */
  async run({ work, to, lanes, ...more }) {
    const found = { faults: [], promises: 0 };
    let next = 0;
    const lane = async () => {
      while (next < to) {
        const from = next;
        next = Math.min(from + PART[work], to);
        await this.#runPart({ ...more, work, from, to: next }, found);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return found;
  }

  /** Runs a part in one page. What hangs is reported, and left out of the next page. */
  async #runPart(part, found) {
    let { from } = part;
    while (from < part.to) {
      const page = await this.#open((from / PART[part.work]) % 2 === 1);
      const { at, result, error } = await withWatchdog(page, this.#evaluate(page, { ...part, from }));
      await page.context().close();
      if (result) {
        found.faults.push(...result.faults);
        found.promises += result.promises;
        return;
      }
      const name = part.names?.[at % part.names.length];
      found.faults.push({ fault: "hangs", at, name, says: String(error) });
      from = (at ?? from) + 1;
    }
  }

  /** Mounts and destroys the card form; returns how much the page has grown. */
  async mount({ seed, mounts }) {
    const page = await this.#open();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const warm = Math.max(1, Math.min(WARM.most, Math.ceil(mounts * WARM.share)));
    let faults = 0;
    const mountUpTo = async (from, to) => {
      const state = await this.#evaluate(page, { work: "mounts", seed, from, to });
      faults += state.faults;
      return measure(session, state);
    };
    const before = await mountUpTo(0, warm);
    const after = await mountUpTo(warm, warm + mounts);
    await page.context().close();
    return { ...growth(before, after), faults, before, after };
  }

  #evaluate(page, work) {
    return page.evaluate((given) => globalThis.fuzz(given), { ...work, cardUrl: this.#servers.card.url });
  }

  async #open(isWhole = false) {
    const page = await (await this.#browser.newContext()).newPage();
    await page.goto(`${this.#servers.shop.url}/${isWhole ? "?whole" : ""}`);
    await page.waitForFunction(() => globalThis.fuzz !== undefined);
    return page;
  }
}

/** Returns the result of a page's work, or the input or story at which the page hangs or dies. */
async function withWatchdog(page, work) {
  let at;
  let since = Date.now();
  let outcome;
  page.on("console", (message) => {
    if (message.type() === "debug") [at, since] = [Number(message.text()), Date.now()];
  });
  work.then(
    (result) => (outcome = { result }),
    (error) => (outcome = { at, error }),
  );
  while (!outcome && Date.now() - since < STUCK_MS) await sleep(20);
  return outcome ?? { at, error: "the page did not come back" };
}

/** Returns what the page holds, after garbage collection. */
async function measure(session, page) {
  for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const metric = (name) => metrics.find((found) => found.name === name)?.value ?? 0;
  const { nodes, jsEventListeners: listeners } = await session.send("Memory.getDOMCounters");
  const { wasmBytes, timers, elements } = page;
  const [heapBytes, frames] = [metric("JSHeapUsedSize"), metric("Frames")];
  return { heapBytes, wasmBytes, frames, nodes, listeners, timers, elements };
}

/** Returns the growth in MB, and how many frames, nodes, listeners, timers and elements are left over. */
export function growth(before, after) {
  const more = (name) => Math.max(0, after[name] - before[name]);
  const counted = ["frames", "nodes", "listeners", "timers", "elements"];
  const left = Object.fromEntries(counted.map((name) => [name, more(name)]));
  return {
    growthMb: Math.round(((more("heapBytes") + more("wasmBytes")) / 2 ** 20) * 100) / 100,
    leftOver: Object.values(left).reduce((sum, count) => sum + count, 0),
    left,
  };
}
