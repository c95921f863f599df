// The proofs in headless Chromium: a part of the inputs and of the stories, and all of the mounts.

import { launch } from "../e2e/support/browser.mjs";
import { compareMeasures, measure } from "./growth.mjs";
import { servePages } from "./pages.mjs";

/** A page is left for a new one after so much, that what a hostile value has done to it ends with it. */
const PART = { inputs: 2_000, stories: 50 };
const STUCK_MS = 120_000;
/** From here on the page must not grow: engine and SDK have what they keep for ever. */
const WARM = { most: 500, share: 0.05 };

export class Browser {
  #browser;
  #pages;

  static async start({ executablePath, folder }) {
    const started = new Browser();
    started.#browser = await launch(executablePath);
    started.#pages = await servePages(folder);
    return started;
  }

  async close() {
    await this.#browser.close();
    await this.#pages.stop();
  }

  /** Inputs or stories `from` up to `to`. `tell` is called for each fault, and with `done` for each part. */
  async run({ work, from, to, tell, ...given }) {
    for (let start = from; start < to; start += PART[work]) {
      const end = Math.min(start + PART[work], to);
      const page = await this.#open();
      try {
        const { faults, ...found } = await limited(this.#in(page, { ...given, work, from: start, to: end }));
        for (const fault of faults) tell({ ...fault, inPage: true });
        tell({ done: true, ...found });
      } catch (error) {
        tell({ fault: work === "inputs" ? "hangs" : "unsettled", at: start, to: end, inPage: true, says: String(error) });
      }
      await page.close();
    }
  }

  /** Mounts and destroys the card form so often. */
  async mount({ seed, mounts, say }) {
    const page = await this.#open();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const warm = Math.max(1, Math.min(WARM.most, Math.ceil(mounts * WARM.share)));
    let faults = 0;
    const upTo = async (from, to) => {
      let state = {};
      for (let start = from; start < to; start += 500) {
        state = await limited(this.#in(page, { work: "mounts", seed, from: start, to: Math.min(start + 500, to) }));
        faults += state.faults;
        say(Math.min(start + 500, to));
      }
      return measure(session, state);
    };
    const before = await upTo(0, warm);
    const after = await upTo(warm, warm + mounts);
    await page.close();
    return { ...compareMeasures(before, after), faults, before, after };
  }

  #in(page, given) {
    return page.evaluate((work) => globalThis.fuzz(work), { ...given, cardUrl: this.#pages.cardUrl });
  }

  async #open() {
    const page = await this.#browser.newPage();
    await page.goto(this.#pages.url);
    await page.waitForFunction(() => globalThis.fuzz !== undefined);
    return page;
  }
}

async function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, STUCK_MS, new Error("the page did not come back"));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
