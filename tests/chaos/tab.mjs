import { setTimeout as sleep } from "node:timers/promises";

const LOAD = { waitUntil: "commit", timeout: 20_000 };
/** How long a customer keeps a closed tab closed. */
const AWAY_MS = [100, 3_000];

/** A tab of the shop that is reloaded, or closed and reopened, while it works. */
export class Tab {
  #options;
  #page;
  #ended = false;
  reloads = 0;
  closings = 0;
  /** Failures of the browser. */
  accidents = [];

  /** @param options `{ context, url, chance, mayClose, pauseMs, isCalm }`; calm tabs are left alone */
  constructor(options) {
    this.#options = options;
  }

  /** Opens the tab and disturbs it now and then until it ends. */
  async live() {
    const { pauseMs, isCalm } = this.#options;
    while (!this.#ended) {
      try {
        if (!this.#page || this.#page.isClosed()) await this.#open();
        await this.#pause(pauseMs);
        if (!this.#ended && !isCalm()) await this.#disturb();
      } catch (error) {
        // Reopen the tab, as after a crash.
        if (this.#ended) return;
        this.accidents.push(String(error));
        await this.#page?.close().catch(() => {});
        this.#page = undefined;
        await sleep(500);
      }
    }
  }

  /** Advances both clocks of its page. */
  async passAnHour() {
    await this.#page?.evaluate(() => globalThis.passAnHour?.()).catch(() => {});
  }

  /** Returns what each of the page's intents waits for; nothing without a page. */
  async stages() {
    return Object.entries((await this.#page?.evaluate("stages()").catch(() => {})) ?? {});
  }

  end() {
    this.#ended = true;
  }

  async #open() {
    const page = await this.#options.context.newPage();
    this.#page = page;
    page.on("crash", () => {
      this.accidents.push("the page crashed");
      page.close().catch(() => {});
    });
    await page.goto(this.#options.url, LOAD);
  }

  async #disturb() {
    if (!this.#options.mayClose || this.#options.chance.happens(60)) {
      this.reloads += 1;
      await this.#page.reload(LOAD);
      return;
    }
    this.closings += 1;
    await this.#page.close();
    this.#page = undefined;
    await this.#pause(AWAY_MS);
  }

  /** Pauses, until the end or calm at most: then a closed tab is reopened at once. */
  async #pause(range) {
    const end = Date.now() + this.#options.chance.between(...range);
    do await sleep(100);
    while (Date.now() < end && !this.#ended && !this.#options.isCalm());
  }
}
