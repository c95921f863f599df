// Drives the workbench as a tester does.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { enterCard } from "./fill.mjs";
import { shows } from "./shown.mjs";

/** The console errors and policy violations that scenarios cause on purpose. */
export const CAUSED = {
  expectErrors: [
    /Failed to load resource: .*\/(v1|transferrequests|sandbox)\//,
    /Framing 'http/,
    /Connecting to 'http:\/\/localhost/,
  ],
  // A form that redirects to another origin. For `connect-src` browsers report the requested address.
  expectViolations: [/^frame-src http:\/\/localhost/, /^connect-src http:\/\/[^/]+\/v2\/add-card\//],
};

/** Texts that scenarios send or that `enterCard` types, and that no page may show. */
export const PRIVATE = ["Ana María", "García", "Avenida Juárez", "032180000118359719", "5512345678"];

const AsyncFunction = (async () => {}).constructor;

/** Fails for code with a wrong syntax. */
export function assertCode(text) {
  new AsyncFunction(text.replace(/^import .*$/gm, ""));
}

export function workbenchTest(shop) {
  return (name, ...rest) => {
    const [options, work] = rest.length > 1 ? rest : [{}, rest[0]];
    shop.pageTest(name, { ...CAUSED, ...options }, async (page) => {
      const bench = new Workbench(page, shop.shopUrl);
      await bench.open();
      await work(bench, page);
    });
  };
}

export class Workbench {
  constructor(page, shopUrl) {
    this.page = page;
    this.shopUrl = shopUrl;
    this.frame = page.frameLocator(".card-frame iframe");
  }

  async open(query = "") {
    await this.page.goto(`${this.shopUrl}/workbench.html${query}`);
    await this.page.locator("select[name=scenario] option").first().waitFor({ state: "attached" });
    await this.formStatus("ready");
  }

  async formStatus(status) {
    await this.page.locator(`.card-status[data-status=${status}]`).waitFor();
  }

  address() {
    return this.page.locator(".card-frame iframe").getAttribute("src");
  }

  async addressWith(text) {
    const includes = (part) => document.querySelector(".card-frame iframe").src.includes(part);
    await this.page.waitForFunction(includes, text);
  }

  code() {
    return this.page.locator(".theme-editor pre").innerText();
  }

  hasCode(expected) {
    return shows(this.page.locator(".theme-editor pre"), expected);
  }

  /** Returns a part of a run: `call`, `catch`, `wire` or `curl`. */
  part(name) {
    return this.page.locator(`[data-part=${name}] pre`).evaluate((code) => code.textContent);
  }

  /** Returns the request that the run's curl command makes, as a shell reads it with a token in `$TOKEN`. */
  async curlRequest(token) {
    const script = `curl() { printf '%s\\0' "$@"; }\n${await this.part("curl")}`;
    const words = execFileSync("sh", ["-c", script], { env: { TOKEN: token } }).toString().split("\0");
    const text = { type: "string" };
    const options = {
      X: { ...text, short: "X" },
      H: { ...text, short: "H", multiple: true },
      d: { ...text, short: "d" },
    };
    const { values, positionals } = parseArgs({ args: words.slice(0, -1), options, allowPositionals: true });
    const headers = Object.fromEntries(values.H.map((header) => header.split(": ")));
    return { method: values.X, urls: positionals, headers, body: JSON.parse(values.d ?? "null") };
  }

  async enterAskedCard() {
    const text = await this.page.locator(".scenario-ask p").innerText();
    const number = /\d{4} \d{4} \d{4} \d{4}/.exec(text)[0].replaceAll(" ", "");
    await enterCard(this.frame, { number });
  }

  /** Returns the offered scenarios as `{ id, byHand }`. */
  offered() {
    const options = this.page.locator("select[name=scenario] option");
    return options.evaluateAll((all) => {
      return all.map(({ value, dataset }) => ({ id: value, byHand: dataset.byHand !== undefined }));
    });
  }

  /**
   * Runs a scenario, and `byHand` once it asks for input. Returns its outcome: its facts, the text of its
   * run, the curl command in that, and its link to the documentation. Fails if it shows no code, or code with
   * a wrong syntax.
   */
  async run(id, byHand) {
    const { page } = this;
    await page.evaluate((id) => {
      document.querySelector(".outcome-view")?.remove();
      const filter = document.querySelector("input[name=filter]");
      if (filter.value !== "") {
        filter.value = "";
        filter.dispatchEvent(new Event("input", { bubbles: true }));
      }
      const select = document.querySelector("select[name=scenario]");
      select.value = id;
      select.dispatchEvent(new Event("change", { bubbles: true }));
      document.querySelector("#scenario-form button[type=submit]").click();
    }, id);
    if (byHand) {
      await page.locator(".scenario-ask p").waitFor();
      await this.formStatus("ready");
      await byHand();
    }
    const shown = await page.waitForFunction(() => {
      const view = document.querySelector(".outcome-view");
      if (!view) return undefined;
      const rows = [...view.querySelectorAll("[data-fact]")];
      const code = [...view.querySelectorAll(":is([data-part=call], [data-part=catch]) pre")];
      const facts = rows.map((row) => [row.dataset.fact, row.querySelector("dd").textContent]);
      return {
        id: view.dataset.scenario,
        isExpected: view.dataset.expected !== undefined,
        facts: Object.fromEntries(facts),
        text: view.querySelector(".run").textContent,
        curl: view.querySelector("[data-part=curl] pre")?.textContent,
        link: view.querySelector(".run-docs a").href,
        code: code.map(({ textContent }) => textContent),
      };
    });
    const { code, ...outcome } = await shown.jsonValue();
    if (code.length === 0) throw new Error("A run shows no code.");
    for (const text of code) assertCode(text);
    return outcome;
  }

  async exported() {
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("button", { name: "Export as JSON" }).click();
    const chunks = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
}
