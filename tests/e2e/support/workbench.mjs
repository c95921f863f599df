// Drives the workbench: by labels, buttons and what is on the screen.

/** What experiments bring about on the console, and against the policy. */
export const BROUGHT_ABOUT = {
  expectErrors: [/Failed to load resource: .*\/(v1|transferrequests)\//, /Failed to load resource: .*\/sandbox\//, /Framing 'http/, /Connecting to 'http:\/\/localhost/],
  // Blocked by the page's policy on purpose: a form that redirects, and the request whether it is there. For
  // the latter the browser reports the requested address.
  expectViolations: [/^frame-src http:\/\/localhost/, /^connect-src http:\/\/[^/]+\/v2\/add-card\//],
};

// What the code calls beside the SDK is the page's own.
const AsyncFunction = (async () => {}).constructor;

/** Throws unless it can be read as JavaScript. */
export function mustBeCode(text) {
  new AsyncFunction(text.replace(/^import .*$/gm, ""));
}

/** How to open the workbench in the browser of a suite, and run `work` with it. */
export function benchOf(shop) {
  return (work, options) =>
    shop.onPage(async (page) => {
      const bench = new Workbench(page, shop.shopUrl);
      await bench.open();
      await work(bench, page);
    }, options);
}

/** The workbench on a page. */
export class Workbench {
  constructor(page, shopUrl) {
    this.page = page;
    this.shopUrl = shopUrl;
  }

  async open() {
    await this.page.goto(`${this.shopUrl}/workbench.html`);
    await this.page.locator("select[name=scenario] option").first().waitFor({ state: "attached" });
    await this.page.locator(".card-status[data-status=ready]").waitFor();
  }

  get frame() {
    return this.page.frameLocator(".card-frame iframe");
  }

  address() {
    return this.page.locator(".card-frame iframe").getAttribute("src");
  }

  code() {
    return this.page.locator(".theme-editor pre").innerText();
  }

  /** What is shown of a run: its `call`, the `catch`, what went over the `wire`, `curl`. */
  part(name) {
    return this.page.locator(`[data-part=${name}] pre`).evaluate((code) => code.textContent);
  }

  /** Throws unless all that is to be copied of a run is JavaScript. */
  async mustShowCode() {
    const parts = await this.page.locator(":is([data-part=before], [data-part=call], [data-part=catch]) pre").evaluateAll((all) =>
      all.map(({ textContent }) => textContent),
    );
    if (parts.length === 0) throw new Error("A run shows no code.");
    for (const text of parts) mustBeCode(text);
  }

  async fillCard({ number, expiry = "12/34", code = "123", name = "Ana Garcia" }) {
    const { frame } = this;
    await frame.locator("#card-number").fill(number);
    if (expiry) await frame.locator("#card-expiry").fill(expiry);
    await frame.locator("#card-code").fill(code);
    await frame.locator("#card-name").fill(name);
    await frame.locator("#verify").click();
  }

  /** The card that is asked for by hand. */
  async cardToEnter() {
    const text = await this.page.locator(".scenario-ask p").innerText();
    return /\d{4} \d{4} \d{4} \d{4}/.exec(text)[0].replaceAll(" ", "");
  }

  async chooseSort(sort) {
    await this.page.locator(`input[name=sort][value=${sort}]`).check();
  }

  /** What can be chosen now: `id`, and whether it takes a person at the card form. */
  offered() {
    return this.page
      .locator("select[name=scenario] option")
      .evaluateAll((options) => options.map(({ value, dataset }) => ({ id: value, byHand: dataset.byHand !== undefined })));
  }

  /** Chooses an experiment, runs it, does what it asks for by hand, and gives its outcome. */
  async run(id, byHand) {
    const { page } = this;
    await page.evaluate((id) => {
      document.querySelector(".outcome-view")?.remove();
      const select = document.querySelector("select[name=scenario]");
      select.value = id;
      select.dispatchEvent(new Event("change", { bubbles: true }));
      document.querySelector("#scenario-form button[type=submit]").click();
    }, id);
    if (byHand) {
      await page.locator(".scenario-ask p").waitFor();
      await page.locator(".card-status[data-status=ready]").waitFor();
      await byHand();
    }
    const outcome = await page.waitForFunction(() => {
      const view = document.querySelector(".outcome-view");
      const facts = [...(view?.querySelectorAll("[data-fact]") ?? [])].map((row) => [row.dataset.fact, row.querySelector("dd").textContent]);
      return view && { id: view.dataset.scenario, isExpected: view.dataset.expected !== undefined, facts: Object.fromEntries(facts) };
    });
    return outcome.jsonValue();
  }

  /** The exported trace, as text. */
  async exported() {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.getByRole("button", { name: "Export as JSON" }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
}
