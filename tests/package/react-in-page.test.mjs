// React's hooks and components with what only a browser has: dates that are half typed, the elements.

import assert from "node:assert/strict";
import { test } from "node:test";
import { disappears, hasValue, isAbsent, shows } from "../e2e/support/shown.mjs";
import { buildWithVite, IN_PAGE, launchBrowser, page as pageText, serveFolder } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { shop } from "./packed.mjs";

const MAIN = `
import { StrictMode, createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { AmountForm, FieldFormView, RemitKitProvider, useFieldControl, useFieldForm } from "remitkit/react";
import { fakeFieldForm, fakeRemitKit } from "remitkit/testing";

const fields = ["NAME", { fieldId: "BIRTH", fieldType: "DATE" }, { fieldId: "UNTIL", fieldType: "DATE" }];
const many = fakeFieldForm(Array.from({ length: 100 }, (_, at) => "F" + at));
const looks = { check: 0, fieldSets: 0, toFields: 0 };
const watched = Object.create(many, {
  check: { value: (values) => ((looks.check += 1), many.check(values)) },
  fieldSets: { get: () => ((looks.fieldSets += 1), many.fieldSets) },
});
const codeProblem = { fieldId: "CODE", code: "ValueRegexFailure", message: "Four digits." };
const code = fakeFieldForm(["CODE"], { check: ({ CODE = "" }) => (/^[0-9]{4}$/.test(CODE) ? [] : [codeProblem]) });
const watchedCode = Object.create(code, {
  toFields: { value: (values) => ((looks.toFields += 1), code.toFields(values)) },
});
const { remit, calls } = fakeRemitKit({
  recipientFields: async () => fakeFieldForm(fields),
  senderFields: async () => watchedCode,
  transferFields: async () => watched,
});
const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
const shop = (window.shop = { sent: [], refused: [], pressed: [], looks, asked: () => calls.length });

const Field = ({ form, id }) => {
  const { controlProps, problem } = useFieldControl(form, id);
  return h("label", null, id, h("input", controlProps), h("output", null, problem));
};
function Hooks() {
  const form = (shop.form = useFieldForm("recipient", query));
  const onSubmit = (event) => {
    event.preventDefault();
    const found = form.check();
    (found.length > 0 ? shop.refused : shop.sent).push(found.length > 0 ? found : form.toFields());
  };
  return h("form", { id: "hooks", noValidate: true, onSubmit }, form.fieldIds.map((id) => h(Field, { key: id, form, id })), h("button", null, "Next"));
}
function View() {
  const [shown, setShown] = useState("NAME");
  shop.show = setShown;
  return h(FieldFormView, { kind: "recipient", query, filter: (field) => field.fieldId === shown });
}
function Many() {
  const form = useFieldForm("transfer", query);
  return h("div", { id: "many" }, form.fieldIds.map((id) => h(Field, { key: id, form, id })));
}
function Code() {
  const form = (shop.code = useFieldForm("sender", query));
  const onSubmit = (event) => (event.preventDefault(), shop.pressed.push("submit"));
  const reset = () => (shop.pressed.push("reset"), form.reset());
  const fields = form.fieldIds.map((id) => h(CodeField, { key: id, form, id }));
  const send = h("button", { key: "send" }, "Send");
  const clear = h("button", { key: "clear", type: "button", onClick: reset }, "Clear");
  return h("form", { id: "code", noValidate: true, onSubmit }, fields, send, clear);
}
const CodeField = ({ form, id }) => {
  const { controlProps, problem } = useFieldControl(form, id);
  // A problem moves the buttons away from under the pointer.
  return h("div", null, h("input", controlProps), problem && h("p", { style: { height: 100 } }, problem));
};
function Removable() {
  const [isShown, setShown] = useState(true);
  shop.removeCode = () => setShown(false);
  return isShown && h(Code);
}
const components = { hooks: Hooks, view: View, many: Many, code: Removable };
const content = Object.entries(components).map(([key, component]) => h(component, { key }));
shop.fail = (onError) => {
  const remit = Promise.reject(new Error("It is not there."));
  remit.catch(() => {});
  const views = [h(AmountForm, { key: 1, country: "MEX", amount: "200", onError }), h(FieldFormView, { key: 2, kind: "recipient", query, onError })];
  createRoot(document.querySelector("#failing")).render(h(StrictMode, null, h(RemitKitProvider, { remit }, views)));
};
createRoot(document.querySelector("#root")).render(h(StrictMode, null, h(RemitKitProvider, { remit }, content)));
`;

const root = await shop({ "index.html": pageText('<div id="root"></div><div id="failing"></div>'), "main.js": MAIN });
for (const name of ["react", "react-dom", "scheduler"]) await link(root, name);
const browser = await launchBrowser();
const address = browser && (await serveFolder(await buildWithVite(root)));

async function open(t) {
  const page = await browser.newPage();
  t.after(() => page.close());
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  await page.goto(address);
  const date = page.locator("#hooks [name=UNTIL]");
  await date.waitFor();
  const label = page.locator("#hooks label", { has: page.locator("[name=UNTIL]") });
  return { page, date, troubles, problem: label.locator("output") };
}

const TEXT = "This date is not complete or does not exist.";

test("a date that is half typed keeps the form from being sent, by Enter too, and is said to be so", IN_PAGE, async (t) => {
  const { page, date, problem, troubles } = await open(t);
  await date.focus();
  await page.keyboard.type("02");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => shop.sent), []);
  await shows(problem, TEXT);
  // The month, which is typed, and a day that it does not have.
  await page.keyboard.type("31");
  await page.keyboard.type("2020");
  await page.locator("#hooks button").click();
  await shows(problem, TEXT);
  await date.fill("2020-02-29");
  await shows(problem, "");
  await page.locator("#hooks button").click();
  assert.deepEqual(await page.evaluate(() => shop.sent), [[{ id: "UNTIL", value: "2020-02-29" }]]);
  assert.deepEqual(troubles, []);
});

test("a reset clears a date that is half typed", IN_PAGE, async (t) => {
  const { page, date } = await open(t);
  await date.focus();
  await page.keyboard.type("02");
  const isBad = () => date.evaluate(({ validity }) => validity.badInput);
  await page.locator("#hooks [name=NAME]").focus();
  assert.equal(await isBad(), true);
  await page.evaluate(() => shop.form.reset());
  await page.waitForFunction(() => shop.form.unread.length === 0);
  assert.equal(await isBad(), false);
  assert.deepEqual(await page.evaluate(() => shop.form.check()), []);
});

test("another filter of <FieldFormView> shows other fields, with what was entered, and an equal one nothing new", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const idsOf = () => page.locator("remit-fields [data-field]").evaluateAll((all) => all.map(({ dataset }) => dataset.field));
  await page.locator("remit-fields [data-field=NAME] input").fill("Ana");
  assert.deepEqual(await idsOf(), ["NAME"]);
  const asked = await page.evaluate(() => shop.asked());
  await page.evaluate(() => shop.show("BIRTH"));
  await page.locator("remit-fields [data-field=BIRTH]").waitFor();
  assert.deepEqual([await idsOf(), await page.evaluate(() => shop.asked())], [["BIRTH"], asked]);
  await page.evaluate(() => shop.show("NAME"));
  await page.locator("remit-fields [data-field=NAME]").waitFor();
  await hasValue(page.locator("remit-fields [data-field=NAME] input"), "Ana");
  assert.deepEqual(troubles, []);
});

test("a key in a form of 100 fields looks at the form no more often than in one of a few", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const control = page.locator("#many [name=F50]");
  await control.waitFor();
  await control.focus();
  await page.evaluate(() => Object.assign(shop.looks, { check: 0, fieldSets: 0 }));
  await page.keyboard.type("x");
  await hasValue(control, "x");
  const looks = await page.evaluate(() => shop.looks);
  assert.ok(looks.check > 0 && looks.check <= 4, `check: ${looks.check}`);
  assert.ok(looks.fieldSets > 0 && looks.fieldSets <= 6, `fieldSets: ${looks.fieldSets}`);
  assert.deepEqual(troubles, []);
});

/**
 * Types a code that is too short, and presses a button, which is down while `work` is done. Returns the problems that
 * are shown before the button is let go, and what would be sent.
 */
async function pressAfterTyping(page, name, work = "") {
  const [control, problem] = ["[name=CODE]", "p"].map((selector) => page.locator(`#code ${selector}`));
  await control.fill("12");
  const { x, y, width, height } = await page.locator("#code button", { hasText: name }).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  // All at once: a press that takes seconds is none any more.
  const held = await page.evaluate(`(async () => {
    const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 80)));
    await shown();
    ${work};
    await shown();
    const problems = [...document.querySelectorAll("#code p")].map(({ textContent }) => textContent);
    return { problems, sent: shop.code.toFields() };
  })()`);
  await page.mouse.up();
  return { control, problem, ...held };
}

/** Waits for longer than a click may follow a press. */
const endOfPress = (page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));

test("a press on a button is not lost to the problem of the field that it leaves", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const { control, problem, problems, sent } = await pressAfterTyping(page, "Send");
  assert.deepEqual([problems, sent], [[], [{ id: "CODE", value: "12" }]]);
  await shows(problem, "Four digits.");
  assert.deepEqual(await page.evaluate(() => shop.pressed), ["submit"]);
  await control.fill("1234");
  await disappears(problem);
  assert.deepEqual(troubles, []);
});

test("check shows what is wrong during a press, too", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const { problems } = await pressAfterTyping(page, "Send", "shop.code.check()");
  assert.deepEqual([problems, troubles], [["Four digits."], []]);
});

test("a press that clears the form leaves no problem of the field that it leaves", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const { control, problem } = await pressAfterTyping(page, "Clear");
  await hasValue(control, "");
  await endOfPress(page);
  await isAbsent(problem, "the press is over");
  assert.deepEqual(await page.evaluate(() => shop.pressed), ["reset"]);
  assert.deepEqual(troubles, []);
});

test("a field that goes away during a press is left alone", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  const { control } = await pressAfterTyping(page, "Send", "shop.removeCode()");
  await disappears(control);
  const before = await page.evaluate(() => shop.looks.toFields);
  await endOfPress(page);
  assert.equal(await page.evaluate(() => shop.looks.toFields), before);
  assert.deepEqual(troubles, []);
});

test("without a kit, the components say so to the customer, and to the developer if nobody hears it", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  await page.evaluate(() => shop.fail());
  const told = "Something went wrong on this page. Reload it and try again.";
  await shows(page.locator("#failing remit-amount [data-side=send] [part=problem]"), told);
  await shows(page.locator("#failing remit-fields [part=load-error]"), told);
  const said = ["remit-amount", "remit-fields"].map((name) => `<${name}>: InvalidConfiguration: \`remit\` must be what createRemitKit gives, or a promise of it.`);
  assert.deepEqual(troubles.sort(), said);
});

test("without a kit, the components call onError once", IN_PAGE, async (t) => {
  const { page, troubles } = await open(t);
  await page.evaluate(() => {
    shop.heard = [];
    shop.fail((error) => shop.heard.push(error));
  });
  await page.locator("#failing remit-fields [part=load-error]").waitFor();
  await page.locator("#failing remit-amount [data-side=send] [part=problem]").waitFor();
  assert.deepEqual(await page.evaluate(() => [shop.heard.length, new Set(shop.heard).size]), [2, 1]);
  assert.deepEqual(troubles, []);
});

test("a component whose element does not load says so", IN_PAGE, async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  const said = [];
  page.on("console", (message) => message.type() === "error" && said.push(message.text()));
  await page.route(/\/fields-[^/]*\.js$/, (route) => route.abort());
  await page.goto(address);
  for (let tries = 0; !said.some((text) => text.includes("RemitKit")); tries += 1) {
    assert.ok(tries < 200, said.join());
    await page.waitForTimeout(50);
  }
});
