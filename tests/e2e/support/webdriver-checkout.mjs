// Drives the main path of the shop through WebDriver.

import { fillScript } from "./fill.mjs";

const SUBMIT = ".actions button[type=submit]";

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
      addEventListener("error", ({ message }) => window.seen.push(message));
      addEventListener("unhandledrejection", ({ reason }) => window.seen.push(String(reason)));
      addEventListener("securitypolicyviolation", ({ blockedURI }) => window.seen.push(blockedURI));
    }`);
    await this.priced();
  }

  seen() {
    return this.browser.evaluate("() => window.seen");
  }

  priced() {
    const total = ".summary[aria-busy=false] .line.total dd";
    return this.browser.until("(css) => /\\d/.test(document.querySelector(css)?.textContent ?? '')", total);
  }

  async chooseRoute(country, method) {
    this.country = country;
    const tile = `input[name=method][value=${method}]`;
    await this.browser.fill("select[name=country]", country);
    await this.browser.find(tile);
    await this.browser.evaluate("(css) => document.querySelector(css).click()", tile);
    await this.priced();
  }

  step(name) {
    return this.browser.find(`html[data-step=${name}]`);
  }

  /** Presses the step's button as soon as it is ready, and waits for the step `to`. */
  async goOn(to) {
    await this.browser.find(`${SUBMIT}:not([data-busy])`);
    await this.browser.click(SUBMIT);
    await this.step(to);
  }

  async fillForm() {
    await this.browser.find(".field-form");
    await this.browser.until(`() => ${fillScript(this.country)} === 0`);
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

  outcome() {
    return this.browser.evaluate(`() => ({
      transferId: document.querySelector("[data-transfer]").innerText,
      confirmationNumber: document.querySelector("[data-confirmation]").innerText,
      status: document.querySelector(".status-badge").dataset.status,
    })`);
  }
}
