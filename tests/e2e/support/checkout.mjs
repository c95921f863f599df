// Drives the shop as a customer does: by labels, buttons and what is on the screen.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { enterCard, fillScript } from "./fill.mjs";
import { eventually } from "./shown.mjs";
import { translator } from "./texts.mjs";

/** A card that the sandbox accepts and that the shop does not list. */
export const GOOD_CARD = "4242424242424242";
export const REFUSED_CARD = "4000000000000002";
export const EXPIRING_CARD = "4000000000000036";

const FILL_MS = 15_000;

export class Checkout {
  /** `text(key, values)` returns a text of the shop in the page's language. */
  constructor(page, shopUrl, language = "en") {
    this.page = page;
    this.shopUrl = shopUrl;
    this.text = translator(language);
    this.submit = page.locator(".actions button[type=submit]");
    /** The notices about earlier transfers, above the steps. */
    this.earlier = page.locator("main > .notice-slot .notice");
    this.frame = page.frameLocator(".card-frame iframe");
  }

  async open() {
    await this.page.goto(this.shopUrl);
    await this.priced();
  }

  /** Waits for the price of the current input. */
  async priced() {
    const total = this.page.locator(".summary[aria-busy=false] .line.total dd");
    await total.filter({ hasText: /\d/ }).waitFor();
  }

  async step(name) {
    await this.page.locator(`html[data-step=${name}]`).waitFor();
  }

  /** Asserts at once that the step is still shown: something else has to show that the press had its effect. */
  async staysAt(step) {
    assert.equal(await this.page.locator("html").getAttribute("data-step"), step);
  }

  /** Waits until Back has been answered by the shop, which then has this step as its state. */
  async hasState(step) {
    await this.page.waitForFunction((name) => history.state === name, step);
  }

  /** Waits until it is known whether earlier transfers have anything to report. */
  async lookedUp() {
    await this.page.locator("html:not([data-looking])").waitFor();
  }

  /** Waits until the customer counts as having seen each outcome. */
  async outcomeSeen() {
    await this.page.waitForFunction(() => JSON.parse(localStorage["shop-sent"]).every(({ isShown }) => isShown));
  }

  async chooseRoute({ country = "MEX", method = "PUSH_TO_CARD" } = {}) {
    this.country = country;
    await this.page.locator("select[name=country]").selectOption(country);
    await this.page.locator(`input[type=radio][value=${method}]`).check();
    await this.priced();
  }

  async sendAmount(text) {
    await this.page.locator("[data-side=send] input").fill(text);
    await this.priced();
  }

  /** Presses the step's button, and waits for the step `to`. */
  async goOn(to) {
    await this.submit.click();
    if (to) await this.step(to);
  }

  async formLoaded() {
    await this.page.locator(".field-form").waitFor();
  }

  /** Fills every required field that is empty or invalid. */
  async fillForm() {
    await this.page.locator(".field-form:not([hidden])").waitFor({ state: "attached" });
    for (const end = Date.now() + FILL_MS; (await this.page.evaluate(fillScript(this.country))) > 0; ) {
      if (Date.now() > end) throw new Error("a dropdown has no options");
      await sleep(20);
    }
  }

  field(id) {
    return this.page.locator(`[data-field=${id}] [part~=control]`);
  }

  line(name) {
    return this.page.locator(`.line.${name} dd`).first();
  }

  verifyCard(number) {
    return enterCard(this.frame, { number });
  }

  /** Waits for a status of the card form, which a notice may cover. */
  async cardStatus(status) {
    await this.page.locator(`.card-status[data-status=${status}]`).waitFor({ state: "attached" });
  }

  /** Goes to the second step of a route and fills it in. */
  async toRecipient(route) {
    await this.chooseRoute(route);
    if (route?.amount) await this.sendAmount(route.amount);
    await this.goOn("recipient");
    await this.fillForm();
  }

  async toCardForm(route = {}) {
    await this.toRecipient({ method: "PUSH_TO_CARD", ...route });
    await this.goOn("account");
    await this.cardStatus("ready");
  }

  async toCardReview(route) {
    await this.toCardForm(route);
    await this.verifyCard(GOOD_CARD);
    await this.step("review");
  }

  /** Goes to the account or pickup point of a route without a card, and fills it in. */
  async toAccount(route = {}) {
    await this.toRecipient({ method: "BANK_ACCOUNT", ...route });
    await this.goOn("account");
    await this.fillForm();
  }

  /** Goes to the review of a route without a card, and waits for the final price. */
  async toReview(route) {
    await this.toAccount(route);
    await this.goOn("review");
    await this.readyToSend();
  }

  /** Waits for the final price, fills in what the transfer needs, and presses Send. */
  async send() {
    await this.readyToSend();
    await this.fillForm();
    await this.goOn();
  }

  async readyToSend() {
    await this.page.locator(".actions button[type=submit]:not([data-busy])").waitFor();
  }

  /** Waits for the last step and returns what it says of the transfer. */
  async outcome() {
    await this.step("done");
    return {
      transferId: await this.page.locator("[data-transfer]").innerText(),
      confirmationNumber: await this.page.locator("[data-confirmation]").innerText(),
      status: await this.page.locator(".status-badge").getAttribute("data-status"),
    };
  }

  /** Waits for the outcome of an earlier transfer: it is shown at once or behind a notice. */
  async earlierOutcome() {
    const show = this.page.locator(".notice").getByRole("button", { name: this.text("earlier.show") });
    await show.or(this.page.locator("[data-transfer]")).first().waitFor();
    if ((await show.count()) > 0) await show.click();
    return this.outcome();
  }

  async openProfile() {
    await this.page.locator(".profile-button").click();
    await this.step("profile");
    await this.formLoaded();
  }

  /** Returns from the profile to the step of the transfer. */
  async closeProfile(to) {
    await this.page.locator(".actions button[type=button]").click();
    await this.step(to);
    if (to === "amount") await this.priced();
  }

  notice(tone) {
    return this.page.locator(`.notice.${tone}`);
  }

  button(key, within = this.page) {
    return within.getByRole("button", { name: this.text(key), exact: true });
  }

  /** Waits until a field, side of the amount, `id`, class, part or tag has the focus. */
  hasFocus(expected, message) {
    return eventually(async () => {
      const focused = await this.page.evaluate(() => {
        const { activeElement } = document;
        const { id, className, localName } = activeElement;
        const { field, side } = activeElement.closest("[data-field], [data-side]")?.dataset ?? {};
        return field ?? side ?? (id || className || activeElement.getAttribute("part") || localName);
      });
      if (expected instanceof RegExp) assert.match(focused, expected, message);
      else assert.equal(focused, expected, message);
    });
  }
}
