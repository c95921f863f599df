// One walk: its steps, then a time without faults, then the verdict.

import { setTimeout as sleep } from "node:timers/promises";
import { Customer, settle } from "./customer.mjs";
import { figuresOf } from "./figures.mjs";
import { Recorder } from "./recorder.mjs";
import { announces, fitsFrame, isWaiting, judge, lacksNumber, mayKeepWaiting } from "./verdict.mjs";

/** How long the pages may take to announce every outcome, once nothing goes wrong any more. */
const RECOVERY_MS = 75_000;
/** How much faster the pages' own pauses pass during that time. */
const HURRY = 6;
/** The frame and the status above it change in two processes. */
const FRAME_MS = 1_500;
const STORES = "local_storage,indexeddb,service_workers,cache_storage";

/** A browser context for one walk after another. */
export class Lane {
  static async open({ browser, locale, ...more }) {
    const context = await browser.newContext({ locale, reducedMotion: "reduce" });
    return Object.assign(new Lane(), { context, recorder: await Recorder.on(context), ...more });
  }

  /** Walks, and returns the broken rules with the figures of the walk. */
  async walk(seed, steps, viewport) {
    const { context, recorder, world } = this;
    // Leaves the previous walk's page before its sandbox is reset.
    const first = await this.#clearedPage();
    await world.reset();
    recorder.clear();
    const customer = new Customer({ context, recorder, world });
    try {
      await customer.open(first);
      await first.setViewportSize(viewport);
      await settle(first, 10_000);
      for (const step of steps) {
        await customer.take(step);
        await this.#look(customer.page);
      }
      await context.setOffline(false);
      await world.calm();
      // The next page announces what a closed tab has sent.
      if (customer.hasClosed) await customer.page.reload({ waitUntil: "commit" });
      const deadline = Date.now() + RECOVERY_MS;
      for (const page of customer.pages) await this.#recover(page, deadline);
      const rows = await world.rows();
      const { events, quotes, recipients, pageErrors } = recorder;
      const found = judge({ events, rows, quotes, recipients });
      found.push(...pageErrors.map((what) => ({ rule: "a page error", what })));
      return { seed, found, figures: figuresOf(events, rows), events };
    } finally {
      await context.setOffline(false);
      const [kept, ...others] = context.pages();
      await Promise.all(others.map((page) => page.close()));
      // The next walk may be in another context: this one's page must not send beside it.
      await kept?.goto("about:blank").catch(() => {});
    }
  }

  /** Returns a page with empty storage and history. Opening a window is slow, so the first one is kept. */
  async #clearedPage() {
    const page = this.context.pages()[0] ?? (await this.context.newPage());
    const session = await this.context.newCDPSession(page);
    const { shopUrl: origin } = this.world;
    await page.goto(`${origin}/favicon.svg`, { timeout: 60_000 });
    await page.evaluate(() => sessionStorage.clear());
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: STORES });
    await session.send("Page.resetNavigationHistory");
    await session.detach();
    return page;
  }

  /** Records what only shows from outside the page: the card frame, and the countdown at a given time. */
  async #look(page) {
    const read = async () => {
      const shown = await page.evaluate(() => ({
        at: Date.now(),
        page: globalThis.__read(),
        countdown: document.querySelector(".line.held [role=timer]")?.textContent,
        hasHelp: Boolean(document.querySelector(".card-help summary")?.checkVisibility()),
      }));
      return { ...shown, card: shown.page.card, frame: await frameState(page) };
    };
    try {
      let look = await read();
      for (const start = Date.now(); !fitsFrame(look) && Date.now() - start < FRAME_MS; look = await read()) {
        await sleep(150);
      }
      this.recorder.note({ kind: "look", tab: page.tab, ...look });
    } catch {
      // The page is being replaced by another.
    }
  }

  async #recover(page, deadline) {
    const { events } = this.recorder;
    await page.bringToFront();
    await settle(page, 2_000);
    const read = () => page.evaluate((rate) => (globalThis.__hurry(rate), globalThis.__read()), HURRY);
    let shown = await read().catch(() => undefined);
    const isOpen = async () => {
      // A busy machine may not have started the page yet.
      if (!shown?.step) return true;
      const rows = await this.world.rows();
      const isStuck = isWaiting(shown) && !mayKeepWaiting(events, rows, shown, page.tab);
      if (isStuck || lacksNumber(shown)) return true;
      return rows.some((row) => !events.some((event) => announces(event, row)));
    };
    while (Date.now() < deadline && (await isOpen())) {
      await sleep(300);
      shown = await read().catch(() => undefined);
    }
    this.recorder.note({ kind: "end", tab: page.tab, page: shown });
  }
}

/** Returns the state that the card form in the frame reports; "foreign" for any other page. */
async function frameState(page) {
  const frame = page.frames().find((one) => one.parentFrame() !== null);
  if (!frame) return "none";
  return frame.evaluate(() => document.documentElement.dataset.state ?? "foreign").catch(() => "gone");
}
