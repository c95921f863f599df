// Somebody at the shop who does one step after another, wherever the pages stand.

const QUICK_MS = 1_500;
const MOST_STEPS = 6;

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
      case "interrupt":
        return this.#interrupt(step);
      case "click":
        return this.#click(step.where);
      case "amount":
        return page.locator(`#amount-${step.side}`).fill(step.text);
      case "type":
        return this.#onOne("main input:not([type=radio])", step.where, (input) => input.fill(step.text));
      case "enter":
        return this.#onOne("main input", step.where, (input) => input.press("Enter"));
      case "route":
        await page.locator("select[name=country]").selectOption(step.country);
        return page.locator(`input[name=method][value=${step.method}]`).check();
      case "back":
        return page.goBack({ waitUntil: "commit", timeout: QUICK_MS });
      case "forth":
        return page.goForward({ waitUntil: "commit", timeout: QUICK_MS });
      case "reload":
        return this.#online().then(() => page.reload({ waitUntil: "commit" }));
      case "tab":
        return this.#tab(step.where);
      case "offline":
        return this.#context.setOffline(true);
      case "online":
        return this.#online();
      case "fault":
        return this.#world.tell("faults", step.fault);
      case "world":
        return this.#world.tell(step.move.path, step.move.body);
      case "card":
        return this.#world.tell("card-sessions", { behaviour: step.behaviour });
      default:
        throw new Error(`no step is called ${step.do}`);
    }
  }

  // Offline a page cannot be loaded at all, which says nothing about the shop.
  #online() {
    return this.#context.setOffline(false);
  }

  async #forward({ card, both, where }) {
    const { page } = this;
    const name = await page.evaluate(() => document.documentElement.dataset.step);
    if (name === "done") return where < 0.5 ? page.locator(".actions button").last().click() : undefined;
    if (name === "profile") return page.locator(".actions button").first().click();
    if (name === "account" && (await page.locator(".card-frame iframe").count()) > 0) return this.#enterCard(card);
    if (both) {
      const wanted = page.locator("main > .notice-slot .notice button").last();
      if ((await wanted.count()) > 0) return wanted.click();
    }
    const country = await page.evaluate(() => document.querySelector("select[name=country]")?.value ?? globalThis.__country);
    await page.evaluate((code) => (globalThis.__country = code), country);
    await page.evaluate(fill, country);
    return page.locator(".actions button[type=submit]").click();
  }

  /** Straight to the review, as somebody who knows what they want. */
  async #rush(step) {
    for (let steps = 0; steps < MOST_STEPS && !(await this.#isAtReview()); steps += 1) {
      await this.#forward(step);
      await rest(this.page, step.patience);
    }
  }

  /** Sends, and leaves the page in the middle of it. */
  async #interrupt({ fault, afterMs }) {
    if (!(await this.#isAtReview())) return;
    await this.#world.tell("faults", fault);
    await this.#forward({ both: true, where: 0 });
    await this.page.waitForTimeout(afterMs);
    await this.#online();
    await this.page.reload({ waitUntil: "commit" });
  }

  #isAtReview() {
    return this.page.evaluate(() => document.documentElement.dataset.step === "review");
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

  async #tab(where) {
    if (this.#tabs.length === 1) return this.#online().then(() => this.open());
    this.#at = (this.#at + 1) % this.#tabs.length;
    if (where < 0.3) {
      const [gone] = this.#tabs.splice((this.#at + 1) % this.#tabs.length, 1);
      this.#at = 0;
      await gone.close();
    } else await this.page.bringToFront();
  }
}
