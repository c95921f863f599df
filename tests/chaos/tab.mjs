import { setTimeout as sleep } from "node:timers/promises";

const LOAD_MS = 20_000;
/** A customer who closes a tab has it open again within this. */
const AWAY_MS = [100, 3_000];

/** A tab of the shop that is reloaded, and closed and opened again, while what it does is under way. */
export class Tab {
  #context;
  #url;
  #chance;
  #mayClose;
  #page;
  #ended = false;
  reloads = 0;
  closings = 0;
  accidents = [];

  constructor({ context, url, chance, mayClose }) {
    this.#context = context;
    this.#url = url;
    this.#chance = chance;
    this.#mayClose = mayClose;
  }

  /** Opens the tab and disturbs it every so often, until it is left alone. */
  async live({ pauseMs, isCalm }) {
    while (!this.#ended) {
      try {
        if (!this.#page || this.#page.isClosed()) await this.#open();
        await this.#pause(pauseMs, isCalm);
        if (!this.#ended && !isCalm()) await this.#disturb(isCalm);
      } catch (error) {
        // An accident of the browser's: the tab begins again, as after a crash.
        if (this.#ended) return;
        this.accidents.push(String(error));
        await this.#page?.close().catch(() => {});
        this.#page = undefined;
        await sleep(500);
      }
    }
  }

  /** Sets both clocks of its page on. */
  async passAnHour() {
    await this.#page?.evaluate(() => globalThis.passAnHour?.()).catch(() => {});
  }

  /** What the intents of the page wait for; nothing if there is no page. */
  async stages() {
    return Object.entries((await this.#page?.evaluate("stages()").catch(() => {})) ?? {});
  }

  end() {
    this.#ended = true;
  }

  async #open() {
    const page = await this.#context.newPage();
    this.#page = page;
    page.on("crash", () => {
      this.accidents.push("the page crashed");
      page.close().catch(() => {});
    });
    await page.goto(this.#url, { waitUntil: "commit", timeout: LOAD_MS });
  }

  async #disturb(isCalm) {
    if (!this.#mayClose || this.#chance.happens(60)) {
      this.reloads += 1;
      await this.#page.reload({ waitUntil: "commit", timeout: LOAD_MS });
      return;
    }
    this.closings += 1;
    await this.#page.close();
    this.#page = undefined;
    await this.#pause(AWAY_MS, isCalm);
  }

  /** Shorter if it ends; when all is calm, a closed tab is opened at once. */
  async #pause(range, isCalm) {
    const end = Date.now() + this.#chance.between(...range);
    do await sleep(100);
    while (Date.now() < end && !this.#ended && !isCalm());
  }
}
