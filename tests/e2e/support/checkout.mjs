// Drives the shop the way a customer does: by labels, buttons and what is on the screen.

/** A card that the sandbox accepts, and that the shop shows nowhere. */
export const GOOD_CARD = "4242424242424242";
/** Cards that the sandbox refuses, or that let the session expire (listed by the shop under "Test cards"). */
export const REFUSED_CARD = "4000000000000002";
export const EXPIRING_CARD = "4000000000000036";

const TEXTS = {
  firstName: "Ana María",
  FIRST_NAME: "Ana María",
  lastName: "García",
  LAST_NAME: "García",
  companyName: "Textiles del Sur",
  COMPANY_NAME: "Textiles del Sur",
  ADDRESS_LINE_1: "Calle Madero 12",
  ADDRESS_CITY: "Centro",
  ADDRESS_ZIP: "1000001",
  IBAN: "KW81CBKU0000000000001234560101",
};

const ACCOUNT_NUMBERS = { MEX: "032180000118359719", JPN: "1234567", KWT: "KW81CBKU0000000000001234560101" };

/** What is entered in a field that is no choice, by its kind. */
export function entryOf({ id, type }, country) {
  if (type === "date") return "1990-05-14";
  if (type === "tel") return "5512345678";
  if (id.endsWith("ACCOUNT_NUMBER")) return ACCOUNT_NUMBERS[country] ?? "1234567890";
  return TEXTS[id] ?? "Ejemplo";
}

/** The shop on a page. */
export class Checkout {
  constructor(page, shopUrl) {
    this.page = page;
    this.shopUrl = shopUrl;
  }

  async open() {
    await this.page.goto(this.shopUrl);
    await this.priced();
  }

  /** Waits until a price for what is entered stands on the page. */
  async priced() {
    await this.page.locator(".summary[aria-busy=false] .line.total dd").filter({ hasText: /\d/ }).waitFor();
  }

  async step(name) {
    await this.page.locator(`html[data-step=${name}]`).waitFor();
  }

  async chooseRoute({ country = "MEX", method = "PUSH_TO_CARD", destination } = {}) {
    const { page } = this;
    this.country = country;
    await page.locator("select[name=country]").selectOption(country);
    await page.locator(`input[name=method][value=${method}]`).check();
    if (destination) await page.getByLabel("Currency they receive").selectOption(destination);
    await this.priced();
  }

  async sendAmount(text) {
    await this.page.locator("#amount-send").fill(text);
    await this.priced();
  }

  /** Presses the button that goes on, and waits for the step it leads to. */
  async goOn(to) {
    await this.page.locator(".actions button[type=submit]").click();
    if (to) await this.step(to);
  }

  /** Fills every field that must be filled, as its kind wants it. */
  async fillForm() {
    const form = this.page.locator(".field-form");
    await form.waitFor({ state: "attached" });
    const controls = form.locator("[data-field]");
    for (let index = 0; index < (await controls.count()); index += 1) {
      const control = controls.nth(index);
      if ((await control.getAttribute("aria-required")) !== "true") continue;
      const field = await control.evaluate(({ dataset, type }) => ({ id: dataset.field, type }));
      if (field.type.startsWith("select")) {
        await control.locator("option:nth-child(2)").waitFor({ state: "attached" });
        await control.selectOption({ index: 1 });
      } else await control.fill(entryOf(field, this.country));
    }
  }

  get frame() {
    return this.page.frameLocator(".card-frame iframe");
  }

  async verifyCard(number) {
    const { frame } = this;
    await frame.locator("#card-number").fill(number);
    await frame.locator("#card-expiry").fill("12/34");
    await frame.locator("#card-code").fill("123");
    await frame.locator("#card-name").fill("Ana Garcia");
    await frame.locator("#verify").click();
  }

  /** The types in the shop's event log, in order. */
  events() {
    return this.page.locator(".event").evaluateAll((items) => items.map((item) => item.dataset.type));
  }

  async waitForEvent(type) {
    await this.page.locator(`.event[data-type=${type}]`).last().waitFor({ state: "attached" });
  }

  /** Waits for the final price, fills what the transfer asks for, and presses Send. */
  async send() {
    await this.readyToSend();
    await this.fillForm();
    await this.goOn();
  }

  async readyToSend() {
    await this.page.locator(".actions button[type=submit]:not([data-busy])").waitFor();
  }

  /** What the last page says of the transfer. */
  async outcome() {
    await this.step("done");
    return {
      transferId: await this.page.locator("[data-transfer]").innerText(),
      confirmationNumber: await this.page.locator("[data-confirmation]").innerText(),
      status: await this.page.locator(".status-badge").getAttribute("data-status"),
    };
  }

  async openProfile() {
    await this.page.locator(".profile-button").click();
    await this.step("profile");
    await this.page.locator(".field-form").waitFor();
  }

  /** Goes from the profile back to the step of the transfer that was left for it. */
  async closeProfile(to) {
    await this.page.locator(".actions button[type=button]").click();
    await this.step(to);
    if (to === "amount") await this.priced();
  }

  notice(kind) {
    return this.page.locator(`.notice.${kind}`);
  }
}
