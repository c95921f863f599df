// The controls of a form on a page without a framework.

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { assertRefused, fieldsOf, kit, load, refusal, settled } from "./kit.mjs";

const { createFieldControls } = await load("fields.js");

const dropdown = (fieldId, optionsSource) => ({ fieldId, name: fieldId, fieldType: "DROPDOWN", optionsSource });
const isState = [{ comparisonOperator: "EQUAL_TO", comparisonValues: ["JAL"], fieldId: "STATE" }];
const FIELDS = [
  dropdown("STATE", "/options/states"),
  dropdown("CITY", "/options/{STATE}/cities"),
  dropdown("BRANCH", "/options/{CITY}/branches"),
  { fieldId: "PHONE", name: "Phone", fieldType: "PHONE_NUMBER", hintText: "10 digits", regex: "^[0-9]{7,15}$" },
  { fieldId: "CLABE", name: "CLABE", regex: "^[0-9]{18}$", maxLength: 18 },
  { fieldId: "NOTE", name: "Note", isRequired: false, dependencies: { isRequired: isState } },
  { fieldId: "CARD_ID", name: "Card", visibility: "HIDE_AND_REQUIRED", isRequired: false },
];

/** A page with the controls of a form, bound to its elements; `choices` answers for the dropdowns. */
async function open(t, choices = () => [{ id: "JAL", name: "Jalisco" }], options = {}) {
  const { window } = new JSDOM("<form></form>");
  const { document, Option } = window;
  globalThis.Option = Option;
  t.after(() => delete globalThis.Option);
  const answer = (request) =>
    request.path.endsWith("-fields") ? fieldsOf(...FIELDS) : request.path.startsWith("/options/") ? choices(request) : undefined;
  const { remit, requests } = await kit(answer);
  const form = await remit.recipientAccountFields(OPERATIONS.recipientAccountFields.sample());
  const controls = createFieldControls(form, { country: "MEX", values: { CARD_ID: "c" }, ...options });
  t.after(() => controls.destroy());
  const elements = {};
  for (const fieldId of controls.fieldIds) {
    const parts = ["label", "prefix", "hint", "problem"].map((name) => [
      name, document.createElement(name === "label" ? "label" : "p"),
    ]);
    const row = document.createElement("div");
    const control = document.createElement(controls.get(fieldId).element);
    row.append(...parts.map(([, part]) => part), control);
    document.querySelector("form").append(row);
    elements[fieldId] = { ...Object.fromEntries(parts), row, control };
    controls.bind(fieldId, elements[fieldId]);
  }
  const dispatch = (control, type) => control.dispatchEvent(new window.Event(type, { bubbles: true }));
  const type = async (fieldId, text) => {
    const { control } = elements[fieldId];
    control.value = text;
    dispatch(control, control.localName === "select" ? "change" : "input");
    await settled();
  };
  const leave = (fieldId) => dispatch(elements[fieldId].control, "blur");
  await settled();
  return { document, controls, elements, requests, type, leave };
}

const idsOf = (select) => [...select.options].map(({ value }) => value);

test("labels, hints, prefixes and problems belong to their controls", async (t) => {
  const { document, controls, elements, leave, type } = await open(t);
  const { control, label, prefix, hint, problem } = elements.PHONE;
  assert.deepEqual([control.type, control.inputMode, control.autocomplete], ["tel", "tel", "off"]);
  assert.equal(label.control, control);
  assert.deepEqual([label.textContent, prefix.textContent, hint.textContent], ["Phone", "+52", "10 digits"]);
  assert.equal(control.getAttribute("aria-describedby"), `${prefix.id} ${hint.id}`);
  assert.deepEqual([problem.hidden, elements.CLABE.hint.hidden], [true, true]);
  assert.deepEqual([elements.NOTE.row.hidden, elements.CARD_ID.row.hidden], [true, true]);
  assert.equal(elements.CLABE.control.hasAttribute("maxlength"), false, "a paste loses no digits");

  leave("PHONE");
  assert.deepEqual([problem.hidden, problem.textContent], [false, "This field must be filled in."]);
  assert.deepEqual(
    [control.getAttribute("aria-invalid"), control.getAttribute("aria-describedby")],
    ["true", `${prefix.id} ${hint.id} ${problem.id}`],
  );
  await type("PHONE", "+52 1 55 1234 5678");
  assert.deepEqual([problem.hidden, control.getAttribute("aria-invalid")], [true, "false"]);
  await type("CLABE", "0321 8000 0118 3597 10");
  leave("CLABE");
  assert.match(elements.CLABE.problem.textContent, /typing mistake/);
  assert.equal(elements.CLABE.control.getAttribute("aria-invalid"), "false");

  const problems = controls.check().map(({ fieldId }) => fieldId);
  assert.deepEqual(problems, ["STATE", "CITY", "BRANCH"]);
  assert.equal(document.activeElement, elements.STATE.control, "the first wrong control has the focus");
});

test("a change clears what depends on it, to any depth, and the values can be sent", async (t) => {
  const { controls, elements, type } = await open(t);
  assert.deepEqual(idsOf(elements.STATE.control), ["", "JAL"]);
  assert.deepEqual(idsOf(elements.CITY.control), [""]);
  for (const fieldId of ["STATE", "CITY", "BRANCH"]) await type(fieldId, "JAL");
  assert.equal(elements.NOTE.row.hidden, false);
  await type("PHONE", "044 55 1234 5678");
  await type("CLABE", "0321 8000 0118 3597 19");
  await type("NOTE", "x");
  assert.deepEqual(controls.check(), []);
  assert.deepEqual(controls.toFields().slice(3, 5), [
    { id: "PHONE", value: { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" } },
    { id: "CLABE", value: "032180000118359719" },
  ]);
  await type("STATE", "");
  assert.deepEqual([controls.values.CITY, controls.values.BRANCH], [undefined, undefined]);
  assert.deepEqual(["CITY", "BRANCH"].map((id) => idsOf(elements[id].control)), [[""], [""]]);
  assert.equal(elements.NOTE.row.hidden, false, "what is filled in stays visible");
});

test("replies for other values do not count, and a failure can be tried again", async (t) => {
  const asked = [];
  const { controls, elements, type } = await open(t, ({ path, signal }) => {
    if (path === "/options/states") return [{ id: "JAL" }, { id: "MEX" }];
    return new Promise((resolve) => asked.push({ path, signal, resolve }));
  });
  await type("STATE", "JAL");
  await type("STATE", "MEX");
  assert.deepEqual(asked.map(({ path, signal }) => [path, signal.aborted]), [
    ["/options/JAL/cities", true], ["/options/MEX/cities", false],
  ]);
  asked[1].resolve([{ id: "of MEX" }]);
  asked[0].resolve([{ id: "of JAL" }]);
  await settled();
  assert.deepEqual(idsOf(elements.CITY.control), ["", "of MEX"]);

  await type("CITY", "of MEX");
  asked[2].resolve(refusal("AccessDenied", 403));
  await settled();
  assert.equal(elements.BRANCH.problem.textContent, controls.get("BRANCH").error.userMessage);
  controls.get("BRANCH").retry();
  await settled();
  assert.equal(controls.get("BRANCH").isLoading, true);
  asked[3].resolve([{ id: "B" }]);
  await settled();
  assert.deepEqual([idsOf(elements.BRANCH.control), elements.BRANCH.problem.hidden], [["", "B"], true]);
});

test("nothing is asked for a choice from before until it is known to be offered", async (t) => {
  const asked = [];
  const choices = ({ path }) => {
    asked.push(path);
    return [{ id: path === "/options/states" ? "JAL" : "of JAL" }];
  };
  const { controls, elements } = await open(t, choices, { values: { STATE: "TX", CITY: "Austin" } });
  assert.deepEqual([asked, controls.values], [["/options/states"], {}]);
  assert.deepEqual(idsOf(elements.STATE.control), ["", "JAL"]);

  const saved = await open(t, choices, { values: { STATE: "JAL", CITY: "of JAL" } });
  assert.deepEqual(asked.slice(1), ["/options/states", "/options/JAL/cities", "/options/of%20JAL/branches"]);
  assert.deepEqual(saved.controls.values, { STATE: "JAL", CITY: "of JAL" });
});

test("the page hears of changes until it destroys the controls", async (t) => {
  const { controls, type, requests } = await open(t);
  const listener = t.mock.fn();
  const stop = controls.onChange(listener);
  controls.setValue("NOTE", "x");
  assert.equal(listener.mock.callCount(), 1);
  stop();
  controls.touch("NOTE");
  assert.equal(listener.mock.callCount(), 1);
  controls.onChange(listener);
  controls.destroy();
  const { length } = requests;
  await type("NOTE", "y");
  assert.deepEqual([listener.mock.callCount(), requests.length], [1, length]);
  await assertRefused((fieldId) => controls.get(fieldId), [["NONE", "fieldId"]]);
});

test("a wrong argument is named, and what fails in a page's function stands at its field", async (t) => {
  const { controls } = await open(t);
  for (const form of [undefined, Promise.resolve({}), {}, FIELDS]) {
    await assertRefused(() => createFieldControls(form), [[form, "form"]]);
  }
  const form = { fieldSets: [] };
  for (const name of ["filter", "filterOptions"]) {
    await assertRefused((given) => createFieldControls(form, { [name]: given }), [[{}, name], ["STATE", name]]);
  }
  await assertRefused((listener) => controls.onChange(listener), [[undefined, "listener"], [{}, "listener"]]);
  assert.equal(controls.showProblems(undefined), false, "of an error without any");

  const fails = [async (_, choices) => choices, () => [null], (_, [first]) => first.name.nothing.at(0)];
  for (const filterOptions of fails) {
    const { controls, elements } = await open(t, undefined, { filterOptions, values: { STATE: "JAL" } });
    const { error, options } = controls.get("STATE");
    assert.deepEqual([error.code, error.option, options], ["InvalidRequest", "filterOptions", [{ id: "JAL" }]]);
    assert.equal(elements.STATE.problem.textContent, error.userMessage);
    assert.equal(controls.values.STATE, "JAL", "nobody has to choose again");
    assert.equal(controls.get("CLABE").error, undefined);
  }
});
