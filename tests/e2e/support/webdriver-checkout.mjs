// Drives the shop as support/checkout.mjs does, through WebDriver: the main path, by keys and clicks.

import { entryOf } from "./checkout.mjs";

const GO_ON = ".actions button[type=submit]";

/** The shop in a browser. */
export class WebDriverCheckout {
  constructor(browser, shopUrl) {
    this.browser = browser;
    this.shopUrl = shopUrl;
  }

  async open() {
    const { browser } = this;
    await browser.open(this.shopUrl);
    await browser.evaluate(`() => {
      window.seen = [];
      addEventListener("error", (event) => window.seen.push(event.message));
      addEventListener("unhandledrejection", (event) => window.seen.push(String(event.reason)));
      addEventListener("securitypolicyviolation", (event) => window.seen.push(event.violatedDirective + " " + event.blockedURI));
    }`);
    await this.priced();
  }

  /** What the page had to complain about. */
  seen() {
    return this.browser.evaluate("() => window.seen");
  }

  priced() {
    return this.browser.until(
      "() => /\\d/.test(document.querySelector('.summary[aria-busy=false] .line.total dd')?.textContent ?? '')",
    );
  }

  step(name) {
    return this.browser.find(`html[data-step=${name}]`);
  }

  async chooseRoute(country, method) {
    this.country = country;
    await this.browser.choose("select[name=country]", country);
    await this.browser.find(`input[name=method][value=${method}]`);
    await this.browser.evaluate("(css) => document.querySelector(css).click()", `input[name=method][value=${method}]`);
    await this.priced();
  }

  /** Presses the button that goes on, and waits for the step it leads to. */
  async goOn(to) {
    await this.readyToGoOn();
    await this.browser.click(GO_ON);
    await this.step(to);
  }

  readyToGoOn() {
    return this.browser.find(`${GO_ON}:not([data-busy])`);
  }

  /** Fills every field that must be filled, as its kind wants it. */
  async fillForm() {
    const { browser } = this;
    await browser.find(".field-form");
    const fields = await browser.evaluate(`() =>
      [...document.querySelectorAll(".field-form [data-field][aria-required=true]")].map(({ dataset, type }) => ({ id: dataset.field, type }))`);
    for (const { id, type } of fields) {
      const css = `.field-form [data-field="${id}"]`;
      if (type.startsWith("select")) {
        const option = `${css} option:nth-child(2)`;
        await browser.find(option);
        await browser.choose(css, await browser.evaluate("(css) => document.querySelector(css).value", option));
        // What a browser shows for a date, and so the keys it takes, is a matter of its language.
      } else if (type === "date") await browser.fill(css, entryOf({ id, type }));
      else await browser.type(css, entryOf({ id, type }, this.country));
    }
  }

  waitForEvent(type) {
    return this.browser.find(`.event[data-type=${type}]`);
  }

  verifyCard(number) {
    return this.browser.inFrame(".card-frame iframe", async (frame) => {
      await frame.type("#card-number", number);
      await frame.type("#card-expiry", "12/34");
      await frame.type("#card-code", "123");
      await frame.type("#card-name", "Ana Garcia");
      await frame.click("#verify");
    });
  }

  /** What the last page says of the transfer. */
  outcome() {
    return this.browser.evaluate(`() => ({
      transferId: document.querySelector("[data-transfer]").innerText,
      confirmationNumber: document.querySelector("[data-confirmation]").innerText,
      status: document.querySelector(".status-badge").dataset.status,
    })`);
  }
}
