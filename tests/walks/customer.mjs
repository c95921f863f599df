// Somebody at the shop who does one step after another, wherever the pages stand.

import { isSending } from "./verdict.mjs";

const QUICK_MS = 1_500;
const MOST_STEPS = 7;
const SUBMIT = ".actions button[type=submit]";
const NOTICE_BUTTON = "main > .notice-slot .notice button";

/** Fills each field that must be filled and is empty, as its kind wants it. */
async function fill(country) {
  const numbers = { MEX: "032180000118359719", JPN: "1234567", KWT: "KW81CBKU0000000000001234560101", DEU: "DE89370400440532013000", GBR: "12345678" };
  const texts = { ADDRESS_ZIP: "1000001", IBAN: numbers[country] ?? numbers.KWT, companyName: "Textiles del Sur", firstName: "Ana María", lastName: "García" };
  const put = (control, value) => {
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value");
    own.set.call(control, value);
    for (const type of ["input", "change", "blur"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  };
  for (const control of document.querySelectorAll(".field-form [data-field]")) {
    if (control.getAttribute("aria-required") !== "true" || (control.value && !control.hasAttribute("data-invalid"))) continue;
    const id = control.dataset.field;
    if (control.localName === "select") {
      for (let waits = 0; waits < 15 && ![...control.options].some((one) => one.value && !one.disabled); waits += 1) await new Promise((done) => setTimeout(done, 100));
      const choice = [...control.options].find((one) => one.value && !one.disabled);
      if (choice) put(control, choice.value);
    } else if (control.type === "date") put(control, "1990-05-14");
    else if (control.type === "tel") put(control, "5512345678");
    else if (id.endsWith("ACCOUNT_NUMBER")) put(control, numbers[country] ?? "1234567890");
    else put(control, texts[id] ?? "Ejemplo");
  }
}

/** Waits until a page has come to rest, as long as `ms` at most. */
export async function rest(page, ms) {
  if (ms === 0) return;
  const isAtRest = () => {
    const { documentElement: root } = document;
    return root.dataset.step && !root.hasAttribute("data-looking") && !document.querySelector(".skeleton, [data-busy], .summary[aria-busy=true], .card-status[data-status=loading], .card-status[data-status=checking]");
  };
  await page.waitForFunction(isAtRest, undefined, { timeout: ms, polling: 60 }).catch(() => {});
}

export class Customer {
  #context;
  #recorder;
  #world;
  #shopUrl;
  #tabs = [];
  #at = 0;
  #opened = 0;
  #number = 0;
  #hasClosed = false;
  /** The country chosen on a page: a draft that a reload brings back begins where it can't be read. */
  #countries = new Map();

  /** `world` steers the sandbox. */
  constructor({ context, recorder, world, shopUrl }) {
    this.#context = context;
    this.#recorder = recorder;
    this.#world = world;
    this.#shopUrl = shopUrl;
  }

  get page() {
    return this.#tabs[this.#at];
  }

  /** Whether a tab was closed, whatever it was doing. */
  get hasClosed() {
    return this.#hasClosed;
  }

  get pages() {
    return this.#tabs;
  }

  async open(given) {
    const page = given ?? (await this.#context.newPage());
    page.setDefaultTimeout(QUICK_MS);
    page.setDefaultNavigationTimeout(60_000);
    this.#opened += 1;
    this.#recorder.watch(page, this.#opened);
    this.#tabs.push(page);
    this.#at = this.#tabs.length - 1;
    await page.goto(this.#shopUrl, { waitUntil: "commit" });
  }

  /** Does a step; one that cannot be done where the page stands is passed over. */
  async take(step) {
    this.#number += 1;
    this.#recorder.note({ kind: "step", number: this.#number, step });
    await this.#do(step).catch((error) => {
      if (!/Timeout|closed|detached|Execution context|navigat|net::ERR|not visible|intercepts/i.test(String(error))) throw error;
    });
    await rest(this.page, step.patience);
  }

  async #do(step) {
    const { page } = this;
    switch (step.do) {
      case "forward":
        return this.#forward(step);
      case "rush":
        return this.#rush(step);
      case "send":
        return this.#send(step);
      case "click":
        return this.#click(step.where);
      case "amount":
        return page.locator(`#amount-${step.side}`).fill(step.text);
      case "type":
        return this.#onOne("main input:not([type=radio])", step.where, (input) => input.fill(step.text));
      case "enter":
        return this.#onOne("main input", step.where, (input) => input.press("Enter"));
      case "route":
        return this.#choose(step);
      case "back":
      case "forth":
      case "reload":
      case "close":
      case "tab":
      case "offline":
      case "online":
        return this.#meet(step.do, step.where);
      case "fault":
      case "world":
        return this.#trouble(step);
      case "card":
        return this.#world.tell("card-sessions", { behaviour: step.behaviour });
      default:
        throw new Error(`no step is called ${step.do}`);
    }
  }

  /** Does to the page or its connection what may happen at any moment, also while something is sent. */
  async #meet(what, where) {
    const { page } = this;
    const { send } = await page.evaluate(() => globalThis.__read()).catch(() => ({}));
    this.#recorder.note({ kind: "met", what, tab: page.tab, isSending: isSending(send) });
    switch (what) {
      case "back":
        return this.#back();
      case "forth":
        return page.goForward({ waitUntil: "commit", timeout: QUICK_MS });
      case "reload":
        return this.#online().then(() => page.reload({ waitUntil: "commit" }));
      case "close":
        return this.#close();
      case "tab":
        return this.#tab(where);
      case "offline":
        return this.#context.setOffline(true);
      case "online":
        return this.#online();
      case "blink":
        return this.#context.setOffline(true).then(() => this.#online());
      case "language":
        return page.locator("header .languages button[aria-pressed=false]").click();
      default:
        throw new Error(`nothing is called ${what}`);
    }
  }

  /** Lets something go wrong at the service, or move there. */
  #trouble({ fault, move }) {
    this.#recorder.note({ kind: "trouble" });
    return fault ? this.#world.tell("faults", fault) : this.#world.tell(move.path, move.body);
  }

  // Offline a page cannot be loaded at all, which says nothing about the shop.
  #online() {
    return this.#context.setOffline(false);
  }

  async #choose({ country, method, amount }) {
    const { page } = this;
    await page.locator("select[name=country]").selectOption(country);
    await page.locator(`input[name=method][value=${method}]`).check();
    if (amount) await page.locator("#amount-send").fill(amount);
  }

  async #forward({ card, both, where }) {
    const { page } = this;
    const name = await this.#stepName();
    if (name === "done") return where < 0.5 ? page.locator(".actions button").last().click() : undefined;
    if (name === "profile" || name === "transfers") return page.locator(".actions button").first().click();
    if (name === "account" && (await page.locator(".card-frame iframe").count()) > 0) return this.#enterCard(card);
    if (both) {
      const wanted = page.locator(NOTICE_BUTTON).last();
      if ((await wanted.count()) > 0) return wanted.click();
    }
    await this.#fill();
    return page.locator(SUBMIT).click();
  }

  async #fill() {
    const { page } = this;
    const chosen = await page.evaluate(() => document.querySelector("select[name=country]")?.value);
    if (chosen) this.#countries.set(page, chosen);
    await page.evaluate(fill, this.#countries.get(page));
  }

  /** Straight to the review, as somebody who knows what they want. */
  async #rush(step) {
    let isChosen = false;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const name = await this.#stepName();
      if (name === "review") return;
      if (name === "amount" && step.route && !isChosen) {
        isChosen = true;
        await this.#choose(step.route);
        await rest(this.page, step.patience);
      }
      await this.#forward({ ...step, where: 0 });
      await rest(this.page, step.patience);
    }
  }

  /** Presses Send, while something is wrong, and does something else before it knows of an outcome. */
  async #send(step) {
    const { arrive, trouble, press, both, afterMs, meanwhile } = step;
    if (arrive) await this.#rush(step);
    const { page } = this;
    if ((await this.#stepName()) !== "review") return;
    if (trouble === "offline") await this.#meet("offline");
    else if (trouble) await this.#trouble(trouble);
    await this.#fill();
    const another = both ? page.locator(NOTICE_BUTTON).last() : undefined;
    if (another && (await another.count()) > 0) await another.click();
    else await this.#press(press);
    if (!meanwhile) return;
    await page.waitForTimeout(afterMs);
    await this.#meet(meanwhile, 1);
  }

  /** Also a Send that is shown as disabled can be pressed. */
  async #press(how) {
    const send = this.page.locator(SUBMIT);
    if (how === "race") {
      this.#recorder.note({ kind: "met", what: "race", isSending: false });
      await Promise.allSettled(this.#tabs.map((page) => page.locator(SUBMIT).click({ force: true })));
    } else if (how === "twice") {
      this.#recorder.note({ kind: "met", what: "twice", isSending: false });
      await send.dblclick({ force: true });
    } else await send.click({ force: true });
  }

  #stepName() {
    return this.page.evaluate(() => document.documentElement.dataset.step);
  }

  async #enterCard(number) {
    const { page } = this;
    const frame = page.frameLocator(".card-frame iframe");
    try {
      await frame.locator("#card-number").fill(number, { timeout: 700 });
    } catch {
      // It cannot be used: by the ways on that the page offers.
      const ways = page.locator(".card-room .notice button, .card-help summary").locator("visible=true");
      if ((await ways.count()) > 1) return ways.first().click();
      await page.locator(".card-help summary").click();
      return page.locator(".card-help button").click();
    }
    await frame.locator("#card-expiry").fill("12/34");
    await frame.locator("#card-code").fill("123");
    await frame.locator("#card-name").fill("Ana Garcia");
    return frame.locator("#verify").click();
  }

  /** Any one of what can be pressed. */
  #click(where) {
    const wanted = "main button:visible, main summary:visible, main label.tile:visible, header button:visible";
    return this.#onOne(wanted, where, (one) => one.click());
  }

  async #onOne(selector, where, work) {
    const all = this.page.locator(selector).locator("visible=true");
    const count = await all.count();
    if (count > 0) await work(all.nth(Math.floor(where * count)));
  }

  /** Who leaves the shop that way comes to it again. */
  async #back() {
    const { page } = this;
    await page.goBack({ waitUntil: "commit", timeout: QUICK_MS });
    if (!page.url().startsWith(this.#shopUrl)) await this.#online().then(() => page.goto(this.#shopUrl, { waitUntil: "commit" }));
  }

  // First of all: what is answered while another tab opens would still be shown by this one.
  async #close() {
    await this.#closeAt(this.#at);
    if (this.#tabs.length === 0) await this.#online().then(() => this.open());
  }

  async #closeAt(at) {
    const [gone] = this.#tabs.splice(at, 1);
    this.#at = 0;
    this.#hasClosed = true;
    this.#recorder.note({ kind: "closed", tab: gone.tab });
    await gone.close();
  }

  async #tab(where) {
    if (this.#tabs.length === 1) return this.#online().then(() => this.open());
    this.#at = (this.#at + 1) % this.#tabs.length;
    if (where < 0.15) {
      await this.#closeAt((this.#at + 1) % this.#tabs.length);
    } else await this.page.bringToFront();
  }
}
