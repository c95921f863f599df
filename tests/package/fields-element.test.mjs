// <remit-fields> on a page under a strict policy, against the sandbox in Chromium, and with a scripted form in
// each engine.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually, hasAttribute, hasValue, shows } from "../e2e/support/shown.mjs";
import { startEngine } from "../forge/engines.mjs";
import { IN_PAGE, launchBrowser, pageOf, serveFolder } from "./chromium.mjs";
import { ROOT } from "./packed.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const { folder, load, startSandbox } = await installed();
const sandbox = await fileSandbox(startSandbox);
const { createTokenIssuer } = await load("server.js");
const { baseUrl, cardUrl, clientId, clientSecret, senderId } = sandbox;
const token = createTokenIssuer({ baseUrl, clientId, clientSecret }).handler({ senderId: () => senderId });
const packed = join(folder, "node_modules/remitkit");
const browser = await launchBrowser();

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  `connect-src 'self' ${baseUrl}`,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const SCRIPT = `
import { createRemitKit } from "/index.js";
import { defineRemitFields } from "/fields.js";
window.troubles = [];
addEventListener("securitypolicyviolation", ({ violatedDirective }) => troubles.push(violatedDirective));
addEventListener("error", (event) => troubles.push(String(event.message ?? event.type)));
addEventListener("unhandledrejection", (event) => troubles.push(String(event.reason)));
const token = () => fetch("/api/remit-token", { method: "POST" }).then((reply) => reply.json());
window.heard = [];
window.sent = [];
window.remit = createRemitKit({ baseUrl: "${baseUrl}", cardUrl: "${cardUrl}", token });
for (const element of document.querySelectorAll("remit-fields")) {
  for (const type of ["ready", "change", "fieldchange", "optionsfailed", "error"]) {
    element.addEventListener(type, ({ detail }) => heard.push([type, detail?.fieldId ?? detail?.code]));
  }
  element.remit = remit;
}
document.querySelector("form").onsubmit = (event) => {
  event.preventDefault();
  sent.push(new FormData(event.target).get("fields"));
};
defineRemitFields();`;

const RECIPIENT = `<form><remit-fields name="fields" kind="recipient" country="MEX" currency="MXN"
  method="BANK_ACCOUNT" recipient-type="PERSON" required></remit-fields><button>Next</button></form>`;

/** Opens a page with this body; \`change\` is called with the page before it loads. */
async function open(t, body, { change, ...options } = {}) {
  const headers = { "content-security-policy": POLICY };
  const page = pageOf("", body).replace('<script type="module"></script>', '<script type="module" src="/shop.js"></script>');
  const url = await serveFolder(packed, { "/": page, "/shop.js": SCRIPT, "/api/remit-token": token }, headers);
  const context = await browser.newContext(options);
  const shown = await context.newPage();
  t.after(async () => {
    const troubles = await shown.evaluate("troubles");
    await context.close();
    assert.deepEqual(troubles, []);
  });
  shown.setDefaultTimeout(30_000);
  await change?.(shown);
  await shown.goto(url);
  return shown;
}

/** Waits for a condition of the page, whose policy refuses Playwright's own way. */
async function until(page, condition) {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await page.evaluate(`Boolean(${condition})`)) return;
    await sleep(50);
  }
  assert.fail(`never: ${condition}`);
}

const ready = (page) => until(page, "heard.some(([type]) => type === 'ready')");
const inForm = (work) => `(() => { const e = document.querySelector("remit-fields"); return ${work}; })()`;

test("a recipient's fields are filled in by keyboard and sent as the customer sees them", IN_PAGE, async (t) => {
  const page = await open(t, RECIPIENT);
  await ready(page);
  assert.equal(await page.evaluate(inForm("e.validity.customError && e.validationMessage !== ''")), true);
  await page.getByRole("button", { name: "Next" }).click();
  const first = page.getByLabel("First name");
  await first.waitFor();
  await hasAttribute(first, "aria-invalid", "true", "what is missing is shown at its field");
  await until(page, inForm("e.shadowRoot.activeElement.getAttribute('part') === 'summary'"));
  assert.deepEqual(await page.evaluate("sent"), []);

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await first.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Ana");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Pérez");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate("sent"), [], "fields are missing");
  for (const [label, text] of [["Mobile phone number", "044 55 1234 5678"], ["Street and number", "Calle 5"], ["Postal code", "06600"]]) {
    const input = page.getByLabel(label, { exact: true });
    // settled: the form is ready.
    if (await input.count()) await input.fill(text);
  }
  const state = page.getByLabel("State or province");
  await state.selectOption({ label: "Jalisco" });
  const city = page.getByLabel("City");
  await until(page, inForm("e.shadowRoot.querySelector('[data-field=ADDRESS_CITY] select').options.length > 1"));
  await city.selectOption({ index: 1 });
  await state.selectOption({ label: "Puebla" });
  assert.equal(await page.evaluate(inForm("e.values.ADDRESS_CITY")), undefined, "another state, another city");
  await until(page, inForm("e.shadowRoot.querySelector('[data-field=ADDRESS_CITY] select').options.length > 1"));
  await city.selectOption({ label: "Cholula" });
  assert.equal(await page.evaluate(inForm("e.valueText('ADDRESS_CITY')")), "Cholula");
  assert.equal(await page.evaluate(inForm("e.check()")), true, await page.evaluate(inForm("JSON.stringify(e.problems)")));
  await first.focus();
  await page.keyboard.press("Enter");
  const [fields] = await page.evaluate("sent");
  assert.deepEqual(JSON.parse(fields), await page.evaluate(inForm("e.toFields()")));
  const values = Object.fromEntries(JSON.parse(fields).map(({ id, value }) => [id, value]));
  assert.equal(values.lastName, "Pérez");
  if (values.PHONE_NUMBER) {
    assert.deepEqual(values.PHONE_NUMBER, { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" });
    await hasValue(page.getByLabel("Mobile phone number"), "5512345678", "what is sent is shown");
  }
  const created = await page.evaluate(
    inForm(`remit.then((kit) => kit.createRecipient({ ...e.query, userType: "PERSON", fields: e.toFields() }))
      .then(({ recipientId }) => typeof recipientId)`),
  );
  assert.equal(created, "string");
});

test("an account's number is taken in groups; a wrong check digit is only a warning", IN_PAGE, async (t) => {
  const body = RECIPIENT.replace('"recipient"', '"recipientAccount"').replace('recipient-type="PERSON" ', "");
  const page = await open(t, body);
  await ready(page);
  await page.getByLabel("Bank").selectOption({ index: 1 });
  const clabe = page.getByLabel("CLABE");
  await clabe.fill("0321 8000-0118 3597 10");
  await clabe.blur();
  await hasValue(clabe, "032180000118359710");
  await eventually(async () => {
    const describedBy = (await clabe.getAttribute("aria-describedby")).split(" ").at(-1);
    assert.match((await page.locator(`#${describedBy}`).allTextContents()).join(), /typing mistake/);
  });
  await hasAttribute(clabe, "aria-invalid", "false");
  assert.equal(await page.evaluate(inForm("e.checkValidity()")), true, "the customer may insist");
  await page.evaluate(inForm("e.form.reset()"));
  await hasValue(clabe, "");
  await page.evaluate(inForm("(e.disabled = true, 0)"));
  await clabe.and(page.locator(":disabled")).waitFor();
  assert.equal(await page.evaluate(inForm("new FormData(e.form).has('fields')")), false);
});

test("problems of the service stand at their fields until these change", IN_PAGE, async (t) => {
  const page = await open(t, RECIPIENT);
  await ready(page);
  const problems = [{ fieldId: "FIRST_NAME", code: "InvalidRecipientName", message: "No such name." }];
  assert.equal(await page.evaluate(inForm(`e.show({ problems: ${JSON.stringify(problems)} })`)), true);
  const first = page.getByLabel("First name");
  await hasAttribute(first, "aria-invalid", "true");
  assert.match(await page.evaluate(inForm("e.shadowRoot.textContent")), /No such name\./);
  await first.fill("Ana");
  assert.doesNotMatch(await page.evaluate(inForm("e.shadowRoot.textContent")), /No such name\./);
  assert.equal(await page.evaluate(inForm("e.show(new Error('another'))")), false);
  assert.equal(await page.evaluate(inForm("e.show([{ fieldId: 'OF_ANOTHER_STEP', code: 'a', message: 'b' }])")), false);
});

test("problems say how to correct a value, in both languages", IN_PAGE, async (t) => {
  const cases = {
    en: [
      ["firstName", "Ana5", "First name can’t contain “5”."],
      ["firstName", "", "First name is missing."],
      ["PHONE_NUMBER", "12345", "Mobile phone number has at least 7 digits; this has 5."],
      ["PHONE_NUMBER", "+1 555 123 4567", "The phone number must have the country code +52."],
      ["EMAIL_ADDRESS", "ana@", "Enter the whole email address, such as name@example.com."],
    ],
    es: [["firstName", "Ana5", "Nombre: sobra “5”."], ["PHONE_NUMBER", "12345", "Teléfono celular: deben ser al menos 7 dígitos y hay 5."]],
  };
  for (const [lang, rows] of Object.entries(cases)) {
    const page = await open(t, RECIPIENT.replace("BANK_ACCOUNT", "CASH_PICKUP").replace("required", `lang="${lang}" required`));
    await ready(page);
    for (const [id, text, problem] of rows) {
      const input = page.locator(`[data-field=${id}] input`);
      await input.fill(text);
      await input.press("Tab");
      if (text === "") await page.evaluate(inForm("e.check()"));
      // The words for problems load with the first one.
      await shows(page.locator(`[data-field=${id}] [part=problem]`), problem);
      const message = inForm(`e.problems.find(({ fieldId }) => fieldId === "${id}").message`);
      await eventually(async () => assert.equal(await page.evaluate(message), problem));
    }
  }
});

test("problems count what is sent, and name the letters that a field takes", IN_PAGE, async (t) => {
  const given = {
    ADDRESS: { label: "Address", maxLength: 30 },
    SHORT: { label: "Nickname", minLength: 3, maxLength: 30 },
    PHONE: { label: "Phone", fieldType: "PHONE_NUMBER", minLength: 10, maxLength: 10, regex: "^[0-9]{10}$" },
    CLABE: { label: "CLABE", minLength: 18, maxLength: 18, regex: "^[0-9]{18}$" },
    NUMBER: { label: "Number", regex: "^\\d{7,9}$" },
    NAME: { label: "Name", regex: "^[ -~]{2,}$" },
    ESCAPED: { label: "Name", regex: "^[\\x20-\\x7E]+$" },
    WORD: { label: "Name", regex: "^[a-z]+$" },
    CYRILLIC: { label: "Name", regex: "^[А-Яа-я]{2,}$" },
  };
  const defaults = { fieldType: "TEXT", isRequired: false, visibility: "SHOW_AND_OPTIONAL", placeholderText: "" };
  const fields = Object.entries(given).map(([fieldId, more]) => ({ fieldId, name: fieldId, ...defaults, ...more }));
  const json = { fieldSets: [{ fieldSetId: "a", fieldSetName: "A", fields }] };
  const answer = async (route) => {
    const method = route.request().method();
    return method === "GET" ? route.fulfill({ response: await route.fetch(), json }) : route.continue();
  };
  const change = (page) => page.route(/recipient-fields/, answer);
  const cases = {
    en: [
      ["ADDRESS", "Av. Insurgentes Sur 1602 Piso 3", "Address can’t be longer than 30 characters."],
      ["ADDRESS", "Av. Insurgentes Sur 1602-3, Col. Crédito", "Address can’t be longer than 30 characters."],
      ["SHORT", " a  ", "Nickname needs at least 3 characters."],
      ["PHONE", "55-1234-567890", "Phone has 10 digits; this has 12."],
      ["PHONE", "55-1234-567", "Phone has 10 digits; this has 9."],
      ["PHONE", "(55) 1234.567", "Phone has 10 digits; this has 9."],
      ["PHONE", "٥٥١٢", "Phone has 10 digits; this has 4."],
      ["PHONE", "+52 55 1234 567", "Phone has 10 digits; this has 9."],
      ["PHONE", "0052 55 1234 567", "Phone has 10 digits; this has 9."],
      ["PHONE", "+1 55 1234 5678", "The phone number must have the country code +52."],
      ["PHONE", "55 1234 5678 x", "Phone can’t contain “x”."],
      ["CLABE", "0321 8000 0118 3597", "CLABE has 18 digits; this has 16."],
      ["CLABE", "0321 8000 0118 3597 1999", "CLABE has 18 digits; this has 20."],
      ["CLABE", "0032", "CLABE has 18 digits; this has 4."],
      ["CLABE", "0321 8000 0118 3597 19x", "CLABE can’t contain “x”."],
      ["NUMBER", "12-34", "Number has at least 7 digits; this has 4."],
      ["NUMBER", "1234567890", "Number has at most 9 digits; this has 10."],
      ["NAME", "Иван", "Name: use Latin letters, as in the passport."],
      ["ESCAPED", "Иван", "Name: use Latin letters, as in the passport."],
      ["WORD", "Иван", "Name: use Latin letters, as in the passport."],
      ["CYRILLIC", "Иван5", "Name can’t contain “5”."],
    ],
    es: [
      ["ADDRESS", "Av. Insurgentes Sur 1602 Piso 3", "Calle y número: deben ser 30 caracteres como máximo."],
      ["PHONE", "55-1234-567890", "Phone: deben ser 10 dígitos y hay 12."],
      ["NUMBER", "12-34", "Number: deben ser al menos 7 dígitos y hay 4."],
      ["CLABE", "0321 8000 0118 3597", "CLABE: deben ser 18 dígitos y hay 16."],
      ["NAME", "Иван", "Name: escribe con letras latinas, como en el pasaporte."],
    ],
  };
  for (const [lang, rows] of Object.entries(cases)) {
    const page = await open(t, RECIPIENT.replace("required", `lang="${lang}" required`), { change });
    await ready(page);
    for (const [id, text, problem] of rows) {
      const input = page.locator(`[data-field=${id}] input`);
      await input.fill(text);
      await input.press("Tab");
      await shows(page.locator(`[data-field=${id}] [part=problem]`), problem, text);
    }
  }
});

test("a page leaves out fields, and lists choices that cannot be taken", IN_PAGE, async (t) => {
  const page = await open(t, RECIPIENT);
  // A heading that says what its first field says is not shown.
  await page.evaluate(inForm('e.messages = { fields: { ADDRESS_LINE_1: "Address" } }'));
  await ready(page);
  const headings = 'page => [...page.querySelectorAll("legend:not([hidden]) h2")].map((h2) => h2.textContent)';
  assert.deepEqual(await page.evaluate(inForm(`(${headings})(e.shadowRoot)`)), ["Personal information", "Contact"]);
  await hasAttribute(page.locator("[data-field=EMAIL_ADDRESS] input"), "aria-describedby", /-optional\b/);
  await page.evaluate(inForm(`Object.assign(e, {
    filter: ({ fieldId }, { fieldSetId }) => fieldSetId === "ADDRESS" && fieldId !== "ADDRESS_ZIP",
    options: (fieldId, choices) => choices.map((one, at) => ({ ...one, disabled: at === 0 })),
  })`));
  await page.locator("[data-field=firstName]").waitFor({ state: "detached" });
  const ids = await page.evaluate(inForm("e.problems.map(({ fieldId }) => fieldId)"));
  assert.ok(ids.length > 0 && ids.every((id) => id.startsWith("ADDRESS_") && id !== "ADDRESS_ZIP"), ids.join());
  const states = page.locator("[data-field=ADDRESS_STATE] option");
  await states.nth(1).and(page.locator(":disabled")).waitFor({ state: "attached" });
  await states.nth(2).and(page.locator(":enabled")).waitFor({ state: "attached" });
});

test("what a page sets wrongly is named", IN_PAGE, async (t) => {
  const page = await open(t, RECIPIENT);
  await ready(page);
  const wrong = [
    ["options", "{ ADDRESS_STATE: [] }"], ["filter", "/^ADDRESS/"],
    ["initial", "() => missing.name"], ["initial", "async (form) => form.valuesOf({})"], ["initial", "Promise.resolve({})"],
  ];
  for (const [name, value] of wrong) {
    await page.evaluate("heard.length = 0");
    const error = page.evaluate(inForm(`new Promise((resolve) =>
      e.addEventListener("error", ({ detail: { code, option } }) => resolve({ code, option }), { once: true }))`));
    await page.evaluate(inForm(`e.${name} = ${value}`));
    assert.deepEqual(await error, { code: "InvalidRequest", option: name }, value);
    await page.evaluate(inForm(`Object.assign(e, { ${name}: null, values: { firstName: "Ana" } })`));
    await ready(page);
    await hasValue(page.getByLabel("First name"), "Ana");
  }
});

test("choices and fields that cannot be fetched can be tried again", IN_PAGE, async (t) => {
  let fails = true;
  const fail = (route) => (fails ? route.abort() : route.continue());
  const page = await open(t, RECIPIENT, {
    change: (page) => page.route(/recipient-fields|states-and-provinces/, fail),
  });
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor({ timeout: 40_000 });
  await shows(page.getByRole("alert"), /./);
  fails = false;
  await again.click();
  await ready(page);
  await page.getByLabel("First name").waitFor();
});

test("Spanish, right to left, a theme, zoom and forced colors", IN_PAGE, async (t) => {
  const body = RECIPIENT.replace("required", 'required lang="es-MX" dir="rtl"');
  const page = await open(t, body, { viewport: { width: 320, height: 640 }, forcedColors: "active" });
  await ready(page);
  await page.getByLabel("Nombre", { exact: true }).waitFor();
  await page.evaluate(inForm('(e.theme = { primary: "#0a7", danger: "rgb(1, 2, 3)", font: "Courier" }, 0)'));
  const style = (what) => page.evaluate(inForm(`getComputedStyle(e).getPropertyValue("${what}")`));
  assert.deepEqual([await style("--remit-danger"), await style("font-family")], ["rgb(1, 2, 3)", "Courier"]);
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assert.ok(width <= 320, `${width} pixels at 400 %`);
  await hasAttribute(page.locator("remit-fields [part~=control][type=tel]"), "dir", "ltr");
});

test("axe finds nothing, with and without problems", IN_PAGE, async (t) => {
  const page = await open(t, `<main><h1>Recipient</h1>${RECIPIENT}</main>`);
  await ready(page);
  const axe = await readFile(join(ROOT, "tests/e2e/node_modules/axe-core/axe.min.js"), "utf8").catch(() => undefined);
  if (axe === undefined) return t.skip("axe-core is not installed: the layer `shop` does");
  const find = async () => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate("axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })");
    return violations.map(({ id, nodes }) => [id, nodes[0].html]);
  };
  assert.deepEqual(await find(), []);
  await page.evaluate(inForm("e.check()"));
  assert.deepEqual(await find(), []);
});

const SCRIPTED = `
import { fakeFieldForm } from "/testing.js";
import { defineRemitFields } from "/fields.js";
const dropdown = (fieldId, optionsSource) => ({ fieldId, fieldType: "DROPDOWN", optionsSource, isRequired: false });
const fields = [
  { fieldId: "NAME", isRequired: true }, dropdown("STATE", "/states"), dropdown("CITY", "/{STATE}/cities"),
  { fieldId: "NOTE", name: "Note" },
];
const choices = (fieldId, { STATE }) => (fieldId === "STATE" ? [{ id: "A" }, { id: "B" }] : STATE ? [{ id: STATE + 1 }] : []);
const form = fakeFieldForm(fields, { choices });
const element = document.querySelector("remit-fields");
element.initial = { STATE: "A", CITY: "gone" };
element.remit = { recipientFields: async () => form };
element.options = (fieldId, list) => list.filter(({ id }) => id !== "B");
element.addEventListener("ready", () => (globalThis.isReady = true));
defineRemitFields();`;
const WITH_SLOT = RECIPIENT.replace("></remit-fields>", '><input slot="field-NOTE"><b slot="before-NAME">Name</b></remit-fields>');
const scripted = await serveFolder(packed, {
  "/": pageOf(SCRIPTED, WITH_SLOT),
  "/light": pageOf(SCRIPTED, RECIPIENT.replace("required", 'required shadow="none"')),
});
const PROGRAMS = {
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
};

for (const [engine, program] of Object.entries(PROGRAMS)) {
  const skip = program ? false : `${engine} is not there`;
  test(`in ${engine} the element is a form control, in a shadow root or in the page`, { skip, timeout: 240_000 }, async () => {
    const driver = await startEngine(engine, program);
    after(() => driver.stop());
    const until = (condition) =>
      eventually(async () => assert.ok(await driver.evaluate(`() => Boolean(${condition})`), `never: ${condition}`));
    const does = (work) => driver.evaluate(`() => { const e = document.querySelector("remit-fields"); return ${work}; }`);
    await driver.open(scripted);
    await until("globalThis.isReady");
    await until('document.querySelector("remit-fields").values.CITY === undefined');
    const reads = (work, expected) => eventually(async () => assert.deepEqual(await does(work), expected, work));
    assert.deepEqual(await does("e.values"), { STATE: "A" }, "a choice that is not offered is not sent");
    const options = '[...e.shadowRoot.querySelectorAll("select")].map((one) => [...one.options].map(({ value }) => value))';
    await reads(options, [["", "A"], ["", "A1"]]);
    await does("e.form.requestSubmit()");
    await reads("e.shadowRoot.activeElement?.name", "NAME");
    await reads("e.shadowRoot.activeElement.getAttribute('aria-invalid')", "true");
    await does(`((own) => (own.value = "x", own.dispatchEvent(new Event("input"))))(e.querySelector("input"))`);
    await reads("e.querySelector('input').getAttribute('aria-label')", "Note");
    await does("e.setValue('NAME', 'Ana')");
    const sent = [{ id: "NAME", value: "Ana" }, { id: "STATE", value: "A" }, { id: "NOTE", value: "x" }];
    assert.deepEqual(JSON.parse(await does("new FormData(e.form).get('fields')")), sent);
    await reads("e.form.checkValidity()", true);
    await does("(e.recipientType = 'BUSINESS', 0)");
    await until('document.querySelector("remit-fields").validity.valid && document.querySelector("remit-fields").values.NOTE');
    assert.equal(await does("e.values.NAME"), "Ana", "what was entered stays");

    await driver.open(`${scripted}/light`);
    await until("globalThis.isReady");
    assert.equal(await does("e.shadowRoot"), null);
    await reads("e.querySelector('label').control === e.querySelector('input')", true);
  });
}
