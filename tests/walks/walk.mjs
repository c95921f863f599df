// One walk: its steps, then peace, then the verdict.

import { setTimeout as sleep } from "node:timers/promises";
import { Customer, rest } from "./customer.mjs";
import { Recorder } from "./recorder.mjs";
import { figuresOf } from "./figures.mjs";
import { fitsFrame, isHeldOpen, isUnderWay, judge, lacksNumber, tellsOf } from "./verdict.mjs";

/** How long what is open may take to be told, once nothing goes wrong any more. */
const CALM_MS = 75_000;
/** So much faster passes what a page waits for of its own accord then: nobody does anything meanwhile. */
const HURRY = 6;
/** A frame and the line above it change in two processes. */
const FRAME_MS = 1_500;
const STORES = "local_storage,indexeddb,service_workers,cache_storage";

/** A browser's context that one walk after another is made in. */
export class Lane {
  static async open({ browser, locale, ...more }) {
    const context = await browser.newContext({ locale, reducedMotion: "reduce" });
    return Object.assign(new Lane(), { context, recorder: await Recorder.on(context), ...more });
  }

  /** Walks, and gives what was found with the figures of the walk. */
  async walk(seed, steps) {
    const { context, recorder, world } = this;
    // What the walk before has left open says nothing more then.
    const page = await this.#fresh();
    await world.reset();
    recorder.forget();
    const customer = new Customer({ context, recorder, world, shopUrl: world.shopUrl });
    try {
      await customer.open(page);
      await customer.page.setViewportSize(this.chanceOf(seed).pick(this.viewports));
      await rest(customer.page, 10_000);
      const visited = new Set();
      for (const step of steps) {
        await customer.take(step);
        visited.add(await this.#look(customer.page));
      }
      await context.setOffline(false);
      await world.calm();
      // What a closed tab has sent is told when the shop is next opened.
      if (customer.hasClosed) await customer.page.reload({ waitUntil: "commit" });
      const until = Date.now() + CALM_MS;
      for (const page of customer.pages) await this.#comeToRest(page, until);
      const rows = await world.rows();
      const { events, quotes, recipients, troubles } = recorder;
      const found = [...judge({ events, rows, quotes, recipients }), ...troubles.map((what) => ({ rule: "an error of the page", what }))];
      const count = (kind) => events.filter((event) => event.kind === kind).length;
      return { seed, found, transfers: rows.length, posts: count("posted"), loads: count("loaded"), said: count("said"), visited: [...visited], figures: figuresOf(events), events };
    } finally {
      await context.setOffline(false);
      await Promise.all(context.pages().slice(1).map((page) => page.close()));
    }
  }

  close() {
    return this.context.close();
  }

  /** A page that knows nothing. A window is dear, so it is the same from walk to walk. */
  async #fresh() {
    const page = this.context.pages()[0] ?? (await this.context.newPage());
    const session = await this.context.newCDPSession(page);
    await page.goto(`${this.world.shopUrl}/favicon.svg`, { timeout: 60_000 });
    await page.evaluate(() => sessionStorage.clear());
    await session.send("Storage.clearDataForOrigin", { origin: this.world.shopUrl, storageTypes: STORES });
    await session.send("Page.resetNavigationHistory");
    await session.detach();
    return page;
  }

  /** Looks at what only a look from outside shows: the card's frame, and the seconds that a price is held. */
  async #look(page) {
    const read = async () => {
      const said = await page.evaluate(() => ({ at: Date.now(), page: globalThis.__read(), held: document.querySelector(".line.held [role=timer]")?.textContent, hasHelp: Boolean(document.querySelector(".card-help summary")?.checkVisibility()) }));
      return { ...said, card: said.page.card, frame: await frameState(page) };
    };
    try {
      let seen = await read();
      for (const began = Date.now(); !fitsFrame(seen) && Date.now() - began < FRAME_MS; ) {
        await sleep(150);
        seen = await read();
      }
      this.recorder.note({ kind: "seen", tab: page.tab, ...seen });
      return seen.page.step;
    } catch {
      // The page is on its way to another.
      return "";
    }
  }

  async #comeToRest(page, until) {
    await page.bringToFront();
    const read = () => page.evaluate((rate) => (globalThis.__hurry(rate), globalThis.__read()), HURRY).catch(() => undefined);
    await rest(page, 2_000);
    let said = await read();
    const { events } = this.recorder;
    // A page that a busy machine has not begun yet waits for nothing, and has said nothing.
    const isOpen = async () => {
      if (!said?.step) return true;
      const rows = await this.world.rows();
      return lacksNumber(said) || (isUnderWay(said) && !isHeldOpen(events, rows, said, page.tab)) || rows.some((row) => !events.some((event) => tellsOf(event, row)));
    };
    for (; (await isOpen()) && Date.now() < until; said = await read()) await sleep(300);
    this.recorder.note({ kind: "rest", tab: page.tab, page: said });
  }
}

/** What the card's frame shows, by its own word; one that shows anything else is none of ours. */
async function frameState(page) {
  const frame = page.frames().find((one) => one.parentFrame() !== null);
  if (!frame) return "none";
  return frame.evaluate(() => document.documentElement.dataset.state ?? "stranger").catch(() => "gone");
}
