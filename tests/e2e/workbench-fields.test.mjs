// The field explorer: the live form, its data and its code for each choice, which the address keeps.

import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { assertStill, takeShifts, watchShifts } from "./support/budget.mjs";
import { disappears, eventually, hasAttribute, isChecked, shows } from "./support/shown.mjs";
import { assertSound, shopSuite } from "./support/suite.mjs";
import { assertCode } from "./support/workbench.mjs";

const shop = shopSuite();
const PAGE = `${shop.shopUrl}/fields.html`;
const MEXICO = "country=MEX&currency=MXN&method=BANK_ACCOUNT";

class Explorer {
  constructor(page) {
    this.page = page;
  }

  async open(query = "") {
    await this.page.goto(PAGE + query);
    await this.isReady();
  }

  /** Waits until the fields of the current choice are there. */
  async isReady() {
    await this.page.waitForFunction(() => document.querySelector("remit-fields")?.definition);
  }

  choose(name, value) {
    return this.page.locator(`select[name=${name}]`).selectOption(value);
  }

  radio(name) {
    return this.page.getByRole("radio", { name, exact: true });
  }

  field(name) {
    return this.page.locator("remit-fields").getByLabel(name);
  }

  async fillIn() {
    await this.page.getByRole("button", { name: "Fill in an example" }).click();
    await this.page.waitForFunction(() => document.querySelector("remit-fields").toFields().length > 0);
  }

  async check() {
    await this.page.getByRole("button", { name: "Check" }).click();
  }

  data() {
    return this.page.locator(".code-block pre").first().textContent();
  }

  /** Waits until the data, parsed, passes `check`. */
  hasData(check) {
    return eventually(async () => check(JSON.parse(await this.data())));
  }

  isEmpty() {
    return this.hasData((data) => assert.deepEqual(data, []));
  }

  code() {
    return this.page.locator(".code-block pre").last().textContent();
  }

  /** The attributes of the live element, without those that every choice has. */
  attributes() {
    return this.page.locator("remit-fields").evaluate((element) => {
      const named = [...element.attributes].map(({ name, value }) => [name, value]);
      return Object.fromEntries(named.filter(([name, value]) => name !== "required" && value !== ""));
    });
  }
}

/** The options of a test may be left out. */
function explorerTest(name, ...rest) {
  const [options, work] = rest.length > 1 ? rest : [{}, rest[0]];
  shop.pageTest(name, options, async (page) => {
    const explorer = new Explorer(page);
    await explorer.open(options.query);
    await work(explorer, page);
  });
}

explorerTest("the choice is kept in the address, and shown again from there", async (explorer, page) => {
  assert.equal(new URL(page.url()).search, `?kind=recipient&${MEXICO}&type=PERSON`);
  // Choices of one country are not asked for in the next.
  await explorer.fillIn();
  await explorer.choose("country", "COL");
  await explorer.field("State or province").waitFor();
  await explorer.choose("country", "IND");
  await explorer.radio("Recipient’s account").check();
  await explorer.radio("Business").check();
  await explorer.isReady();
  const search = "?kind=recipientAccount&country=IND&currency=INR&method=BANK_ACCOUNT&type=BUSINESS";
  await eventually(() => assert.equal(new URL(page.url()).search, search));
  await explorer.field(/^IFSC/).waitFor();

  await page.reload();
  await explorer.field(/^IFSC/).waitFor();
  assert.equal(new URL(page.url()).search, search);
  const attributes = {
    kind: "recipientAccount",
    country: "IND",
    currency: "INR",
    method: "BANK_ACCOUNT",
    "recipient-type": "BUSINESS",
  };
  await eventually(async () => assert.deepEqual(await explorer.attributes(), attributes));
  await isChecked(explorer.radio("Business"));
});

const NOWHERE = { query: "?kind=none&country=XXX" };
explorerTest("an address of no corridor shows the nearest", NOWHERE, async (_, page) => {
  assert.match(new URL(page.url()).search, /^\?kind=recipient&country=[A-Z]{3}&currency=[A-Z]{3}&method=/);
});

const BANK = { query: `?kind=recipientAccount&${MEXICO}` };
explorerTest("the data follows what is typed", BANK, async (explorer, page) => {
  await explorer.isEmpty();
  const clabe = explorer.field("CLABE");
  await clabe.fill("0321 8000 0118 3597 19");
  const sent = [{ id: "BANK_ACCOUNT_NUMBER", value: "032180000118359719" }];
  await explorer.hasData((data) => assert.deepEqual(data, sent));
  await explorer.radio("problems").check();
  const isOther = ({ code, fieldId }) => code && fieldId !== "BANK_ACCOUNT_NUMBER";
  await explorer.hasData((problems) => assert.ok(problems.some(isOther)));
  const problems = JSON.parse(await explorer.data());
  await explorer.check();
  await page.locator("remit-fields [aria-invalid=true]").first().waitFor();
  await shows(page.locator(".verdict"), `Not ready to be sent. Problems: ${problems.length}`);

  await explorer.fillIn();
  await page.waitForFunction(() => document.querySelector("remit-fields").problems.length === 0);
  await explorer.isEmpty();
  await explorer.check();
  await page.getByText(/^Ready to be sent/).waitFor();
  await explorer.radio("fieldSets").check();
  await explorer.hasData((sets) => {
    const ids = sets.flatMap(({ fields }) => fields.map(({ fieldId }) => fieldId));
    assert.ok(ids.includes("BANK_ACCOUNT_NUMBER"));
  });

  await page.getByRole("button", { name: "Clear" }).click();
  await explorer.radio("toFields()").check();
  await explorer.isEmpty();
  await disappears(page.locator(".verdict"));
});

const CARD = { query: "?kind=recipientAccount&method=PUSH_TO_CARD" };
explorerTest("a card's account says who fills it in", CARD, async (explorer, page) => {
  await page.getByText("The hosted card form fills in CARD_ID.").waitFor();
  // No field is there that could say what is missing.
  await explorer.check();
  await page.getByText("Not ready to be sent. Problems: 1").waitFor();
  await eventually(async () => assert.match(await explorer.code(), /fields\.setValue\("CARD_ID", cardId\);/));
  await eventually(() => assert.match(page.seen.errors.splice(0).join(), /No customer sees CARD_ID/));
});

const KINDS = {
  Sender: "sender",
  Recipient: "recipient",
  "Recipient’s account": "recipientAccount",
  Transfer: "transfer",
};
for (const [label, kind] of Object.entries(KINDS)) {
  const name = `the code of ${kind} is for its fields, and is copied`;
  explorerTest(name, { query: `?kind=${kind}` }, async (explorer, page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await isChecked(explorer.radio(label));
    const html = await explorer.code();
    assertCode(/<script type="module">([^]*)<\/script>/.exec(html)[1].replaceAll(/^ {2}/gm, ""));
    const given = /<remit-fields([^>]*)>/.exec(html)[1].matchAll(/([\w-]+)="(\w+)"/g);
    const attributes = Object.fromEntries([...given].map(([, name, value]) => [name, value]));
    const { country, ...live } = await explorer.attributes();
    assert.deepEqual(attributes, kind === "sender" ? live : { ...live, country });

    await explorer.radio("React").check();
    const view = `<FieldFormView ref={ref} kind="${kind}" query={query} required />`;
    await eventually(async () => assert.ok((await explorer.code()).includes(view)));
    await explorer.radio("JavaScript").check();
    await page.getByRole("button", { name: "Copy" }).last().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const script = await explorer.code();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), script);
    assertCode(script);
  });
}

explorerTest("the JavaScript of a recipient works, and of an account of that one", async (explorer, page) => {
  for (const kind of ["recipient", "recipientAccount"]) {
    await explorer.open(`?kind=${kind}`);
    await explorer.fillIn();
    await explorer.radio("JavaScript").check();
    const run = `(async () => {
      const element = document.querySelector("remit-fields");
      const { values } = element;
      const remit = await element.remit;
      const { recipientId } = (await remit.recipients())[0] ?? {};
      const draw = () => {};
      return new Promise((next, reject) => {
        const show = (problems) => reject(new Error(JSON.stringify(problems)));
        (async () => { ${await explorer.code()} })().catch(reject);
      });
    })()`;
    const made = await page.evaluate(run);
    assert.ok(kind === "recipient" ? made.recipientId : made.recipientAccountId);
  }
});

for (const width of [320, 1440]) {
  const options = { viewport: { width, height: 800 }, scripts: [watchShifts] };
  shop.pageTest(`the explorer opens without layout shifts at ${width} px`, options, async (page) => {
    await page.route(/\/(v1|api)\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue().catch(() => {});
    });
    await new Explorer(page).open();
    assertStill(await takeShifts(page), "opening");
  });
}

for (const colorScheme of ["light", "dark"]) {
  const name = `layout and axe find nothing at any width (${colorScheme})`;
  explorerTest(name, { colorScheme, scripts: [AXE] }, async (explorer, page) => {
    await explorer.fillIn();
    await page.getByRole("button", { name: "Clear" }).click();
    await explorer.check();
    await page.locator("remit-fields [aria-invalid=true]").first().waitFor();
    for (const width of [320, 390, 768, 1366]) {
      await page.setViewportSize({ width, height: 900 });
      await assertSound(page, { axe: true, message: `at ${width} px` });
    }
  });
}

explorerTest("forced colors show what is chosen", { forcedColors: "active" }, async (explorer) => {
  const [chosen, page] = await explorer.radio("Recipient").evaluate((radio) => {
    return [radio.parentElement, document.documentElement].map((one) => getComputedStyle(one).backgroundColor);
  });
  assert.notEqual(chosen, page);
});

explorerTest("the explorer works by keyboard alone", async (explorer, page) => {
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.locator(".skip").press("Enter");
  await press("Tab");
  await explorer.radio("Recipient").and(page.locator(":focus")).waitFor();
  await press("ArrowRight");
  await explorer.field("CLABE").waitFor();
  await page.waitForURL(/kind=recipientAccount/);
  await isChecked(explorer.radio("Recipient’s account"));
  await press("Tab", "ArrowDown");
  await explorer.isReady();
  await page.waitForURL((url) => url.searchParams.get("country") !== "MEX");
});

shop.pageTest("shop, workbench, explorer and documentation link to each other", async (page) => {
  await page.goto(`${shop.shopUrl}/workbench.html`);
  await page.getByRole("link", { name: "Fields" }).click();
  await page.getByRole("heading", { level: 1, name: "Field explorer" }).waitFor();
  await hasAttribute(page.getByRole("link", { name: "Fields" }), "aria-current", "page");
  await page.getByRole("link", { name: "Workbench" }).click();
  await page.getByRole("heading", { level: 1, name: "Workbench" }).waitFor();
});
