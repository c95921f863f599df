// A customer who takes one step after another, wherever the pages are.

import { enterCard, fillScript } from "../e2e/support/fill.mjs";
import { isSending } from "./verdict.mjs";

const ACTION_MS = 1_500;
const MAX_STEPS_TO_REVIEW = 7;
const SUBMIT = ".actions button[type=submit]";
const NOTICE_BUTTON = "main > .notice-slot .notice button";
const ACCEPT = ".actions .notice button";
/** Longer than the shop ignores presses after a change, and than a short price holds. */
const SETTLED_MS = 1_200;
const RENEWED_MS = 7_000;
const CLICKABLE = ["main button", "main summary", "main label:is(.tile, [part=method])", "header button"].join(", ");
/** Errors of steps that the page does not allow at the moment. */
const NOT_POSSIBLE = /Timeout|closed|detached|Execution context|navigat|net::ERR|not visible|intercepts/i;

/** Waits until a page has nothing under way, for `ms` at most. */
export async function settle(page, ms) {
  if (ms === 0) return;
  const isSettled = () => {
    const { dataset } = document.documentElement;
    const statuses = ["loading", "checking"].map((status) => `.card-status[data-status=${status}]`);
    const busy = ["[data-looking]", ".skeleton", "[data-busy]", ".summary[aria-busy=true]", ...statuses];
    return dataset.step && !document.querySelector(busy.join(", "));
  };
  await page.waitForFunction(isSettled, undefined, { timeout: ms, polling: 60 }).catch(() => {});
}

export class Customer {
  pages = [];
  hasClosed = false;
  #context;
  #recorder;
  #world;
  #current = 0;
  #opened = 0;
  #stepNumber = 0;
  /** The country chosen on each page. A restored draft may start where the page does not show it. */
  #countries = new Map();

  constructor({ context, recorder, world }) {
    this.#context = context;
    this.#recorder = recorder;
    this.#world = world;
  }

  get page() {
    return this.pages[this.#current];
  }

  async open(page) {
    page ??= await this.#context.newPage();
    page.setDefaultTimeout(ACTION_MS);
    page.setDefaultNavigationTimeout(60_000);
    this.#opened += 1;
    this.#recorder.watch(page, this.#opened);
    this.pages.push(page);
    this.#current = this.pages.length - 1;
    await page.goto(this.#world.shopUrl, { waitUntil: "commit" });
  }

  /** Takes a step. A step that the page does not allow is skipped. */
  async take(step) {
    this.#stepNumber += 1;
    this.#recorder.note({ kind: "step", number: this.#stepNumber, step });
    await this.#do(step).catch((error) => {
      if (!NOT_POSSIBLE.test(String(error))) throw error;
    });
    await settle(this.page, step.patience);
  }

  #do(step) {
    const { page } = this;
    switch (step.do) {
      case "forward":
        return this.#forward(step);
      case "rush":
        return this.#rush(step);
      case "send":
        return this.#send(step);
      case "click":
        return this.#onAny(CLICKABLE, step.where, (button) => button.click());
      case "amount":
        return page.locator(`[data-side=${step.side}] input`).fill(step.text);
      case "type":
        return this.#onAny("main input:not([type=radio])", step.where, (input) => input.fill(step.text));
      case "enter":
        return this.#onAny("main input", step.where, (input) => input.press("Enter"));
      case "route":
        return this.#chooseRoute(step);
      case "fault":
      case "world":
        return this.#cause(step);
      case "card":
        return this.#world.post("card-sessions", { behaviour: step.behaviour });
      default:
        return this.#act(step.do, step.where);
    }
  }

  /** Does to the page or its connection what may happen at any moment, also while a transfer is sent. */
  async #act(what, where) {
    const { page } = this;
    const { send } = await page.evaluate(() => globalThis.__read()).catch(() => ({}));
    this.#recorder.note({ kind: "action", what, tab: page.tab, isSending: isSending(send) });
    switch (what) {
      case "back":
        return this.#goBack();
      case "forth":
        return page.goForward({ waitUntil: "commit", timeout: ACTION_MS });
      case "reload":
        await this.#goOnline();
        return page.reload({ waitUntil: "commit" });
      case "close":
        return this.#close();
      case "tab":
        return this.#switchTab(where);
      case "offline":
        return this.#context.setOffline(true);
      case "online":
        return this.#goOnline();
      case "blink":
        await this.#context.setOffline(true);
        return this.#goOnline();
      case "language":
        return page.locator("header [data-language]").click();
      default:
        throw new Error(`unknown step ${what}`);
    }
  }

  #cause({ fault, move }) {
    this.#recorder.note({ kind: "trouble" });
    return fault ? this.#world.post("faults", fault) : this.#world.post(move.path, move.body);
  }

  #goOnline() {
    return this.#context.setOffline(false);
  }

  async #chooseRoute({ country, method, amount }) {
    const { page } = this;
    await page.locator("select[name=country]").selectOption(country);
    await page.locator(`input[type=radio][value=${method}]`).check();
    if (amount) await page.locator("[data-side=send] input").fill(amount);
  }

  async #forward({ card, both, where }) {
    const { page } = this;
    const name = await this.#stepName();
    if (name === "done") return where < 0.5 ? page.locator(".actions button").last().click() : undefined;
    if (name === "profile" || name === "transfers") return page.locator(".actions button").first().click();
    if ((await page.locator(".card-frame iframe").count()) > 0) return this.#enterCard(card);
    if (both && (await this.#pressNoticeButton())) return undefined;
    await this.#fillForm();
    if (both) await this.#acceptPrice();
    return page.locator(SUBMIT).click();
  }

  /** Accepts a worse price, if there is one. */
  async #acceptPrice() {
    const { page } = this;
    if (!(await page.locator(ACCEPT).isVisible())) return;
    await page.waitForTimeout(SETTLED_MS);
    await page.locator(ACCEPT).click();
    await page.waitForTimeout(SETTLED_MS);
  }

  /** Waits at the review for a price to end, with another one to come. */
  async #awaitRise({ move, afterMs }) {
    const { page } = this;
    await this.#world.post("lifetimes", { quoteSeconds: 4 });
    // The next price of this page is a short one.
    await this.#act("back");
    await page.goForward({ waitUntil: "commit", timeout: ACTION_MS });
    await settle(page, 2_500);
    const { price: before } = await page.evaluate(() => globalThis.__read());
    await this.#cause({ move });
    const isRenewed = ({ total, receive }) => {
      const { price } = globalThis.__read();
      return !price.isBusy && (price.total !== total || price.receive !== receive);
    };
    await page.waitForFunction(isRenewed, before, { timeout: RENEWED_MS, polling: 30 }).catch(() => {});
    await page.waitForTimeout(afterMs);
  }

  async #pressNoticeButton() {
    const button = this.page.locator(NOTICE_BUTTON).last();
    const isThere = (await button.count()) > 0;
    if (isThere) await button.click();
    return isThere;
  }

  async #fillForm() {
    const { page } = this;
    const chosen = await page.evaluate(() => document.querySelector("select[name=country]")?.value);
    if (chosen) this.#countries.set(page, chosen);
    const fill = fillScript(this.#countries.get(page));
    for (let tries = 0; tries < 15; tries += 1) {
      if ((await page.evaluate(fill)) === 0) return;
      await page.waitForTimeout(100);
    }
  }

  async #rush(step) {
    let hasChosen = false;
    for (let steps = 0; steps < MAX_STEPS_TO_REVIEW; steps += 1) {
      const name = await this.#stepName();
      if (name === "review") return;
      if (name === "amount" && !hasChosen) {
        hasChosen = true;
        await this.#chooseRoute(step.route);
        await settle(this.page, step.patience);
      }
      await this.#forward({ ...step, where: 0 });
      await settle(this.page, step.patience);
    }
  }

  /** Presses Send while something is wrong, and does something else before the outcome is shown. */
  async #send(step) {
    const { arrive, trouble, rise, press, both, accepts, afterMs, meanwhile } = step;
    if (arrive) await this.#rush(step);
    const { page } = this;
    if ((await this.#stepName()) !== "review") return;
    if (trouble === "offline") await this.#act("offline");
    else if (trouble) await this.#cause(trouble);
    await this.#fillForm();
    if (rise) await this.#awaitRise(rise);
    if (accepts) await this.#acceptPrice();
    if (!both || !(await this.#pressNoticeButton())) await this.#pressSend(press);
    if (!meanwhile) return;
    await page.waitForTimeout(afterMs);
    await this.#act(meanwhile, 1);
  }

  /** Presses Send, even if it looks disabled. */
  async #pressSend(how) {
    const send = this.page.locator(SUBMIT);
    if (how === "once") return send.click({ force: true });
    this.#recorder.note({ kind: "action", what: how, isSending: false });
    if (how === "twice") return send.dblclick({ force: true });
    return Promise.allSettled(this.pages.map((page) => page.locator(SUBMIT).click({ force: true })));
  }

  #stepName() {
    return this.page.evaluate(() => document.documentElement.dataset.step);
  }

  async #enterCard(number) {
    const { page } = this;
    try {
      await enterCard(page.frameLocator(".card-frame iframe"), { number }, { timeout: 700 });
    } catch {
      // The form cannot be used: the page offers other ways to continue.
      const ways = page.locator(".card-room .notice button, .card-help summary").locator("visible=true");
      if ((await ways.count()) > 1) return ways.first().click();
      await page.locator(".card-help summary").click();
      await page.locator(".card-help button").click();
    }
    return undefined;
  }

  async #onAny(selector, where, work) {
    const all = this.page.locator(selector).locator("visible=true");
    const count = await all.count();
    if (count > 0) await work(all.nth(Math.floor(where * count)));
  }

  async #goBack() {
    const { page } = this;
    const { shopUrl } = this.#world;
    await page.goBack({ waitUntil: "commit", timeout: ACTION_MS });
    if (page.url().startsWith(shopUrl)) return;
    await this.#goOnline();
    await page.goto(shopUrl, { waitUntil: "commit" });
  }

  // Closes first: a reply that arrives while another tab opens would still be shown by this one.
  async #close() {
    await this.#closeTab(this.#current);
    if (this.pages.length > 0) return;
    await this.#goOnline();
    await this.open();
  }

  async #closeTab(at) {
    const [page] = this.pages.splice(at, 1);
    this.#current = 0;
    this.hasClosed = true;
    this.#recorder.note({ kind: "closed", tab: page.tab });
    await page.close();
  }

  async #switchTab(where) {
    if (this.pages.length === 1) {
      // A page cannot be loaded offline, which says nothing about the shop.
      await this.#goOnline();
      return this.open();
    }
    this.#current = (this.#current + 1) % this.pages.length;
    if (where < 0.15) return this.#closeTab((this.#current + 1) % this.pages.length);
    return this.page.bringToFront();
  }
}
