// What pages that draw fields themselves get wrong, and what else <remit-fields> does for them, in each engine.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pageOf } from "./chromium.mjs";
import { engineTest } from "./engines.mjs";
import { serveFolder, shop } from "./packed.mjs";

const SCRIPT = `
import { failure } from "/errors/errors.js";
import { fakeFieldForm } from "/testing.js";
import { defineRemitFields } from "/fields.js";
const dropdown = (fieldId, optionsSource) => ({ fieldId, fieldType: "DROPDOWN", optionsSource });
const condition = { comparisonOperator: "EQUAL_TO", comparisonValues: ["B"], fieldId: "STATE" };
const fields = [
  { fieldId: "firstName", name: "First name", hintText: "As on the card.", isRequired: true },
  dropdown("STATE", "/states"), dropdown("CITY", "/{STATE}/cities"), dropdown("BRANCH", "/{CITY}/branches"),
  { fieldId: "BORN", fieldType: "DATE", name: "Born", minValue: "1900-01-01", maxValue: "2008-01-01" },
  { fieldId: "ID_NUMBER", name: "ID number", isRequired: true },
  { fieldId: "WHY", name: "Reason", dependencies: { isRequired: [condition] } },
  { fieldId: "PHONE", name: "Phone", fieldType: "PHONE_NUMBER" },
];
const MISSING = "MissingRequiredField";
const check = (values) => ["firstName", "ID_NUMBER", ...(values.STATE === "B" ? ["WHY"] : [])]
  .filter((fieldId) => !values[fieldId]).map((fieldId) => ({ fieldId, code: MISSING, message: "Empty." }));
window.page = { waits: 0, fails: false, heard: [], asked: [], troubles: [] };
addEventListener("error", ({ message }) => page.troubles.push(message));
addEventListener("unhandledrejection", ({ reason }) => page.troubles.push(String(reason)));
const choices = async (fieldId, { STATE, CITY }) => {
  const { fails, waits } = page;
  page.asked.push([fieldId, STATE, CITY].filter(Boolean).join());
  await new Promise((resolve) => setTimeout(resolve, fieldId === "STATE" ? 0 : waits));
  if (fails) throw failure("ServiceUnavailable", "It is down.");
  const parent = { STATE: "", CITY: STATE, BRANCH: CITY }[fieldId];
  return parent === undefined ? [] : ["A", "B"].map((id) => ({ id: parent + id }));
};
const form = fakeFieldForm(fields, { check, choices });
const element = document.querySelector("remit-fields");
window.e = element;
element.remit = { recipientFields: async () => form, senderFields: async () => form };
for (const type of ["ready", "optionsloaded", "optionsfailed"]) {
  element.addEventListener(type, ({ detail }) => page.heard.push(detail.fieldId ?? type));
}
defineRemitFields();
window.row = (id) => element.shadowRoot.querySelector("[data-field=" + id + "]");
window.control = (id) => row(id).querySelector("[part~=control]");
window.said = (id) => row(id).querySelector("[part=problem]").textContent;
window.listed = (id) => [...control(id).options].slice(1).map(({ value }) => value).join();`;

const bodyOf = (attributes, children = "") =>
  `<form><remit-fields kind="recipient" country="MEX" currency="MXN" required ${attributes}>${children}</remit-fields></form>`;
const PAGES = {
  "/": bodyOf(""),
  "/submit": bodyOf('validate="submit" summary="never"'),
  "/hint": bodyOf("", '<a slot="hint-firstName" href="/help">Where is it?</a>'),
  "/folded": `<details><summary>More</summary>${bodyOf("")}</details>`,
  "/sender": bodyOf("").replace("recipient", "sender"),
};
const pages = Object.entries(PAGES).map(([path, body]) => [path, pageOf(SCRIPT, body)]);
const url = await serveFolder(join(await shop(), "node_modules/remitkit"), Object.fromEntries(pages));
const READY = "page.heard.includes('ready') && listed('STATE') === 'A,B'";

/** Tests on a page of its own. */
const pageTest = (name, path, run) =>
  engineTest(name, async (_, page) => {
    await page.open(url + path, READY);
    await run(page, (work) => page.evaluate(`(${work}, null)`));
  });

pageTest("T1, T2: a change clears what depends on it, to any depth", "/", async (page, does) => {
  await does("e.values = { STATE: 'A', CITY: 'AB', BRANCH: 'ABA' }");
  await page.until("listed('BRANCH') === 'ABA,ABB'");
  await does("e.setValue('STATE', 'B')");
  assert.deepEqual(await page.evaluate("e.toFields()"), [{ id: "STATE", value: "B" }]);
  await page.until("listed('CITY') === 'BA,BB'");
  assert.equal(await page.evaluate("listed('BRANCH') + control('CITY').value"), "");
});

pageTest("T3: replies for earlier values do not count", "/", async (page, does) => {
  await does("page.waits = 300, e.setValue('STATE', 'A'), page.waits = 0, e.setValue('STATE', 'B')");
  await page.until("listed('CITY') === 'BA,BB'");
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 400))");
  assert.equal(await page.evaluate("listed('CITY')"), "BA,BB");
});

pageTest("T4: choices that cannot be fetched are said and can be tried again", "/", async (page, does) => {
  await does("page.fails = true, e.setValue('STATE', 'A')");
  await page.until("row('CITY').querySelector('[part=retry]').hidden === false");
  assert.notEqual(await page.evaluate("said('CITY')"), "");
  await does("page.fails = false, page.heard.length = 0, row('CITY').querySelector('[part=retry]').click()");
  await page.until("listed('CITY') === 'AA,AB'");
  assert.deepEqual(await page.evaluate("[said('CITY'), page.heard]"), ["", ["CITY"]], "the event optionsloaded");
});

pageTest("T5: a field appears with what requires it, and is announced", "/", async (page, does) => {
  const isShown = "[row('WHY').hidden, control('WHY').getAttribute('aria-required')]";
  assert.deepEqual(await page.evaluate(isShown), [true, "false"]);
  await does("e.setValue('STATE', 'B')");
  assert.deepEqual(await page.evaluate(isShown), [false, "true"]);
  const status = "e.shadowRoot.querySelector('[part=status]')";
  assert.deepEqual(await page.evaluate(`[${status}.textContent, ${status}.getAttribute("role")]`), ["New field: Reason", "status"]);
});

pageTest("T6, T7: labels, hints and problems are apart, and described", "/", async (page, does) => {
  await does("e.check()");
  await page.until("said('firstName') === 'First name is missing.'");
  const described = "control('firstName').getAttribute('aria-describedby').split(' ').map((id) => e.shadowRoot.getElementById(id).textContent)";
  assert.deepEqual(await page.evaluate(`[control("firstName").labels[0].textContent, ${described}]`), [
    "First name", ["As on the card.", "First name is missing."],
  ]);
  assert.equal(await page.evaluate("e.matches(':state(invalid)')").catch(() => true), true);
});

pageTest("T8, T9: a number has the form's country, a date its bounds", "/", async (page, does) => {
  await does("e.values = { PHONE: '5512345678' }");
  assert.deepEqual(await page.evaluate("e.values.PHONE"), { number: "5512345678", countryIso3Code: "MEX" });
  assert.deepEqual(await page.evaluate("[control('BORN').type, control('BORN').min, control('BORN').max]"), ["date", "1900-01-01", "2008-01-01"]);
});

const AUTOFILL = "[control('firstName').autocomplete, control('PHONE').autocomplete]";
pageTest("T10: a recipient's fields do not take the customer's own details", "/", async (page) => {
  assert.deepEqual(await page.evaluate(AUTOFILL), ["off", "off"]);
});
pageTest("T10: a sender's do", "/sender", async (page) => {
  assert.equal((await page.evaluate(AUTOFILL))[0], "given-name");
});

pageTest("T11: a masked value is shown, not required and not sent, but can be asked for", "/", async (page, does) => {
  await does("e.masked = { ID_NUMBER: '•••• 1234' }");
  await does("e.setValue('firstName', 'Ana')");
  assert.equal(await page.evaluate("control('ID_NUMBER').placeholder"), "•••• 1234");
  assert.equal(await page.evaluate("e.check()"), true);
  assert.deepEqual(await page.evaluate("e.toFields()"), [{ id: "firstName", value: "Ana" }]);
  assert.equal(await page.evaluate("e.show([{ fieldId: 'ID_NUMBER', code: 'MissingRequiredField' }])"), true);
  await page.until("said('ID_NUMBER').startsWith('ID number: please enter it again.')");
});

pageTest("T14: what was entered stays for another type of recipient", "/", async (page, does) => {
  await does("e.setValue('firstName', 'Ana'), page.heard.length = 0, e.recipientType = 'BUSINESS'");
  await page.until("page.heard.includes('ready')");
  assert.equal(await page.evaluate("control('firstName').value"), "Ana");
});

pageTest("a failure of the page's `initial` is told, and the next one counts", "/", async (page, does) => {
  await does("e.addEventListener('error', ({ detail }) => page.heard.push(detail.code))");
  await does("e.initial = () => { throw new Error('of the page'); }");
  await page.until("page.heard.includes('InvalidRequest')");
  assert.notEqual(await page.evaluate("e.shadowRoot.querySelector('[role=alert]').textContent"), "");
  await does("page.heard.length = 0, e.initial = () => ({ firstName: 'Ana' })");
  await page.until(READY);
  assert.equal(await page.evaluate("control('firstName').value"), "Ana");
});

pageTest("T16: problems of the service go to their fields, others to the page", "/", async (page) => {
  const problem = { fieldId: "FIRST_NAME", code: "InvalidRecipientName", message: "No such name." };
  assert.equal(await page.evaluate(`e.show({ problems: [${JSON.stringify(problem)}] })`), true);
  assert.equal(await page.evaluate("said('firstName')"), "No such name.");
  assert.equal(await page.evaluate("e.show([{ fieldId: 'OTHER', code: 'a', message: 'b' }]) || e.show(new Error('c'))"), false);
});

pageTest("with validate=submit problems wait for it; with summary=never the first gets the focus", "/submit", async (page, does) => {
  await does("control('firstName').focus(), control('STATE').focus()");
  assert.equal(await page.evaluate("said('firstName')"), "");
  assert.equal(await page.evaluate("e.check()"), false);
  assert.notEqual(await page.evaluate("said('firstName')"), "");
  await page.until("said('firstName') === 'First name is missing.'");
  assert.equal(await page.evaluate("e.shadowRoot.activeElement === control('firstName')"), true);
  assert.equal(await page.evaluate("e.shadowRoot.querySelector('[part=summary]')"), null);
});

pageTest("a hint of the page's own is shown and belongs to its control", "/hint", async (page) => {
  const id = await page.evaluate("control('firstName').getAttribute('aria-describedby')");
  assert.match(id, /-hint$/);
  assert.equal(await page.evaluate("document.querySelector('[slot]').checkVisibility()"), true);
  assert.equal(await page.evaluate(`e.shadowRoot.getElementById("${id}").textContent`), "Where is it?");
});

pageTest("what is folded up opens for its problems", "/folded", async (page) => {
  await page.evaluate("e.check()");
  await page.until("e.shadowRoot.activeElement?.getAttribute('part') === 'summary'");
  assert.equal(await page.evaluate("document.querySelector('details').open"), true);
});

const HOSTILE = ["firstName: Symbol()", "STATE: Symbol()", "STATE: 1n", "firstName: NaN", "PHONE: { number: Symbol() }"];
pageTest("a value that cannot be sent makes the element invalid, and `toFields` names it", "/", async (page, does) => {
  const refused = "(() => { try { e.toFields(); } catch (error) { return [error.code, error.option, e.checkValidity()]; } })()";
  const filledIn = "firstName: 'Ana', ID_NUMBER: '1'";
  for (const value of HOSTILE) {
    const expected = ["InvalidRequest", value.includes("number") ? "PHONE.number" : value.split(":")[0], false];
    for (const set of [`e.values = { ${filledIn}, ${value} }`, `e.setValue('${value.replace(":", "',")})`]) {
      await does(set);
      assert.deepEqual(await page.evaluate(refused), expected, set);
    }
    await does(`page.heard.length = 0, e.values = {}, e.initial = { ${filledIn}, ${value} }`);
    await page.until("page.heard.includes('ready')");
    assert.deepEqual(await page.evaluate(refused), expected, `initial ${value}`);
  }
  await does("page.heard.length = 0, e.initial = null, e.query = { recipientType: 1n }, e.country = Symbol()");
  await page.until(READY);
  assert.deepEqual(await page.evaluate("page.troubles"), []);
});

pageTest("a `remit` that is no kit is named", "/", async (page, does) => {
  await does("(e.addEventListener('error', ({ detail }) => (window.page.error = detail)), (e.remit = {}))");
  await page.until("window.page.error");
  assert.deepEqual(await page.evaluate("[window.page.error.code, window.page.error.option]"), ["InvalidConfiguration", "remit"]);
});
