// Whatever fields a service asks for, <remit-fields> shows them, a keyboard alone fills them in, and they are
// sent as the core sends what was typed, in each engine. Services are random: REMITKIT_FIELDS_SEED names the
// first, REMITKIT_FIELDS_SERVICES how many there are, and REMITKIT_FIELDS_SECONDS for how long there are
// more.

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "../chaos/chance.mjs";
import { pageOf } from "./chromium.mjs";
import { engineTest } from "./engines.mjs";
import { serveFolder, shop } from "./packed.mjs";

const {
  REMITKIT_FIELDS_SEED: GIVEN_SEED,
  REMITKIT_FIELDS_SERVICES: SERVICES = 12,
  REMITKIT_FIELDS_SECONDS: SECONDS = 0,
} = process.env;
/** Each service may take this long on a busy machine, and the start of a browser. */
const LIMITS_MS = { service: 20_000, start: 240_000 };
const timeout = Number(SERVICES) * LIMITS_MS.service + Number(SECONDS) * 1_000 + LIMITS_MS.start;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Patterns, and what customers type for them. */
const PATTERNS = [
  ["^[0-9]{18}$", ["032180000118359719", "0321 8000-0118 359719", " 032180000118359719 "]],
  ["^[A-Z]{4}[0-9]{2}$", ["abcd12", "ABCD12", "Ab Cd 12"]],
  ["^\\p{L}+([ '-]\\p{L}+)*$", ["Ana", "José María", "O'Brien"]],
  ["^\\d{3}-\\d{4}$", ["123-4567"]],
  ["(?i)^[a-z]+@[a-z]+\\.[a-z]+$", ["Ana@example.COM"]],
];
const TEXTS = ["Calle 5", "x", "  Ana ", "<b>&amp;\"'", "ñandú", "0"];
const PHONES = ["5512345678", "044 55 1234 5678", "+52 1 (55) 1234-5678", "12"];
const DATES = ["1990-03-15", "2001-12-01", "2030-06-30"];
/** Ids that a page could take for something else. */
const ODD_IDS = ["__proto__", "constructor", "a b", 'a"b', "a.b[0]", "ÑAME", "form", "-1"];
const OPERATORS = ["EQUAL_TO", "NOT_EQUAL_TO", "GREATER_THAN", "LESS_THAN"];
const VISIBILITIES = ["SHOW_AND_REQUIRED", "SHOW_AND_OPTIONAL", "HIDE_AND_OPTIONAL", "HIDE_AND_REQUIRED"];
const TYPES = ["TEXT", "TEXT", "TEXT", "DROPDOWN", "DROPDOWN", "DATE", "PHONE_NUMBER", "SIGNATURE"];

const optionsOf = (chance, prefix) =>
  Array.from({ length: chance.between(1, 4) }, (_, at) => ({ id: `${prefix}${at}`, name: `${LETTERS[at]} ${prefix}` }));

/** Returns the sets of fields of a random service, and the choices by number. */
function randomService(chance) {
  const fields = [];
  const choices = {};
  for (let left = chance.between(1, 8); left > 0; left -= 1) {
    const at = fields.length;
    const odd = chance.pick(ODD_IDS);
    const fieldId = chance.happens(15) && !fields.some((field) => field.fieldId === odd) ? odd : `FIELD_${at}`;
    fields.push(randomField(chance, fieldId, fields, choices));
  }
  const sets = [];
  for (let from = 0; from < fields.length;) {
    const some = fields.slice(from, (from += chance.between(1, 4)));
    sets.push({ fieldSetId: `set${sets.length}`, fieldSetName: `Set ${sets.length}`, fields: some });
  }
  return { fieldSets: sets, choices };
}

function randomField(chance, fieldId, earlier, choices) {
  const fieldType = chance.pick(TYPES);
  const visibility = chance.pick(chance.happens(70) ? VISIBILITIES.slice(0, 2) : VISIBILITIES);
  const name = `${chance.pick(["Name", "<i>", "Dirección", "שם"])} ${earlier.length}`;
  const field = { fieldId, fieldType, name, visibility, isRequired: visibility.endsWith("REQUIRED"), placeholderText: "" };
  if (chance.happens(30)) field.label = `${name} *`;
  if (chance.happens(30)) field.hintText = "As on the card.";
  if (chance.happens(30)) field.sortOrder = chance.between(1, 9);
  if (fieldType === "TEXT" && chance.happens(50)) field.regex = chance.pick(PATTERNS)[0];
  else if (fieldType === "TEXT" && chance.happens(50)) field.maxLength = chance.between(4, 30);
  if (fieldType === "DATE" && chance.happens(50)) field.maxValue = "2025-01-01";
  if (fieldType === "DROPDOWN") {
    const parents = earlier.filter((one) => one.fieldType === "DROPDOWN" && one.fieldId.startsWith("FIELD_"));
    const parent = parents.length > 0 && chance.happens(60) ? chance.pick(parents) : undefined;
    if (chance.happens(40) && !parent) field.options = optionsOf(chance, fieldId.length);
    else {
      const place = `/options?of=${earlier.length}`;
      field.optionsSource = parent ? `${place}&for={${parent.fieldId}}` : place;
      choices[earlier.length] = optionsOf(chance, earlier.length);
    }
  }
  const watched = earlier.length > 0 && chance.happens(25) ? chance.pick(earlier) : undefined;
  if (watched) {
    const comparisonValues = [chance.pick(["Calle 5", "0", `${watched.fieldId.length}0`, "2000-01-01"])];
    field.dependencies = {
      isRequired: [{ fieldId: watched.fieldId, comparisonOperator: chance.pick(OPERATORS), comparisonValues }],
    };
    field.isRequired = false;
  }
  return field;
}

/** Returns what a customer types into a field, valid or not. */
function typedInto(chance, { fieldType, regex, maxLength }) {
  if (fieldType === "DATE") return chance.pick(DATES);
  if (fieldType === "PHONE_NUMBER") return chance.pick(PHONES);
  const fitting = regex && !chance.happens(15) ? PATTERNS.find(([pattern]) => pattern === regex)[1] : TEXTS;
  return chance.pick(fitting).slice(0, maxLength);
}

const SCRIPT = `
import { createRemitKit } from "/index.js";
import { defineRemitFields } from "/fields.js";
defineRemitFields();
const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
const creating = createRemitKit({ baseUrl: location.origin, cardUrl: "https://card.example", token: "t", journal: "memory" });
window.troubles = [];
addEventListener("error", ({ message }) => troubles.push(message));
addEventListener("unhandledrejection", ({ reason }) => troubles.push(String(reason)));
let element, core;
window.open_ = async (values) => {
  const kit = await creating;
  core = await kit.transferFields(query);
  element = document.createElement("remit-fields");
  Object.assign(element, { kind: "transfer", query, name: "fields", required: true, remit: kit });
  const ready = new Promise((resolve, reject) => {
    element.addEventListener("ready", resolve);
    element.addEventListener("error", ({ detail }) => reject(detail));
  });
  document.querySelector("form").replaceChildren(element);
  await ready;
  for (const [fieldId, value] of values) element.setValue(fieldId, value);
  document.querySelector("#before").focus();
};
window.focused = () => {
  const control = element.shadowRoot.activeElement;
  if (document.activeElement.id === "after") return { isAfter: true };
  if (control?.name === undefined) return {};
  const isBusy = control.getAttribute("aria-busy") === "true";
  return { fieldId: control.name, type: control.type, options: control.options?.length, isBusy, value: control.value };
};
const isFilled = (value) => (typeof value === "object" ? value.number : value ?? "") !== "";
window.judge = (entries) => {
  const fields = core.fieldSets.flatMap((set) => set.fields);
  const typed = new Map(entries);
  // The core sends them in the order of what it gets, the element in that of the fields.
  const ids = fields.map(({ fieldId }) => fieldId).filter((fieldId) => typed.has(fieldId));
  const values = { __proto__: null, ...Object.fromEntries(ids.map((fieldId) => [fieldId, typed.get(fieldId)])) };
  const shows = ({ fieldId, visibility, dependencies }) => {
    const isRequired = core.isRequired(fieldId, values);
    if (visibility === "HIDE_AND_REQUIRED") return false;
    if (visibility === "HIDE_AND_OPTIONAL") return dependencies !== undefined && isRequired;
    return dependencies === undefined || isRequired || isFilled(values[fieldId]);
  };
  const root = element.shadowRoot;
  const isOf = (id) => (node) => node.dataset.field === id;
  const rowOf = ({ fieldId }) => [...root.querySelectorAll("[part=field]")].find(isOf(fieldId));
  const namesOf = ({ fieldId, label, name }) => {
    const control = rowOf({ fieldId }).querySelector("[part~=control]");
    const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
    const isLost = described.some((id) => !root.getElementById(id)?.textContent);
    return [control.labels[0]?.textContent === (label || name), isLost];
  };
  const found = (problems) => problems.map(({ fieldId, code }) => [fieldId, code]);
  const sent = new FormData(element.form).get("fields");
  return {
    shown: [fields.filter((field) => rowOf(field).checkVisibility()).map(({ fieldId }) => fieldId),
      fields.filter(shows).map(({ fieldId }) => fieldId)],
    named: [fields.filter(shows).map(namesOf), fields.filter(shows).map(() => [true, false])],
    problems: [found(element.problems), found(core.check(values))],
    fields: [element.toFields(), core.toFields(values)],
    sent: [sent && JSON.parse(sent), core.check(values).length > 0 || core.toFields(values).length === 0 ? null : core.toFields(values)],
    valid: [element.form.checkValidity(), core.check(values).length === 0],
    troubles: [troubles, []],
  };
};
window.isReady = true;`;

/** Types into the focused control. Returns the value, or undefined if it cannot be filled in yet. */
async function type(page, chance, field, { type, options, value }) {
  if (typeof options === "number") {
    if (options < 2 || value !== "") return undefined;
    for (let presses = chance.between(1, options - 1); presses > 0; presses -= 1) await page.press("ArrowDown");
    return (await page.evaluate("focused()")).value;
  }
  const text = typedInto(chance, field);
  if (type === "date") {
    const [year, month, day] = text.split("-");
    // WebKit's for Linux goes on to the next part only after a sign.
    const sign = page.engine === "webkit" ? "-" : "";
    await page.typeKeys([month, day, year].join(sign));
    return text;
  }
  await page.typeKeys(text);
  return type === "tel" ? { number: text, countryIso3Code: "MEX" } : text;
}

/** Fills in what is shown until nothing is left. Returns the entries of what was typed. */
async function fillIn(page, chance, fields, values) {
  const typed = new Map(values);
  const skipped = new Set();
  for (let isNew = true; isNew;) {
    isNew = false;
    await page.evaluate("document.querySelector('#before').focus()");
    for (let tabs = 0; tabs < 100; tabs += 1) {
      await page.press("Tab");
      let at = await page.evaluate("focused()");
      for (let tries = 0; at.isBusy && tries < 100; tries += 1) {
        await sleep(5);
        at = await page.evaluate("focused()");
      }
      if (at.isAfter) break;
      if (at.fieldId === undefined || typed.has(at.fieldId) || skipped.has(at.fieldId)) continue;
      const field = fields.find(({ fieldId }) => fieldId === at.fieldId);
      if (!field.isRequired && chance.happens(25)) {
        skipped.add(at.fieldId);
        continue;
      }
      const value = await type(page, chance, field, at);
      if (value === undefined) continue;
      typed.set(at.fieldId, value);
      isNew = true;
    }
  }
  // Another Tab would lead out of the document.
  await page.evaluate("document.querySelector('#before').focus()");
  return [...typed];
}

let service;
const json = (value) => (reply) => reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
const BODY = '<button id="before">Before</button><form onsubmit="return false"></form><button id="after">After</button>';
const url = await serveFolder(join(await shop(), "node_modules/remitkit"), {
  "/": pageOf(SCRIPT, BODY),
  "/v1/transfer-fields": (_, reply) => json({ fieldSets: service.fieldSets })(reply),
  "/options": (request, reply) => {
    const { searchParams } = new URL(request.url, url);
    const parent = searchParams.get("for");
    const nameOf = ({ id, name }) => ({ id: parent ? `${parent}-${id}` : id, name });
    json(service.choices[searchParams.get("of")].map(nameOf))(reply);
  },
});

engineTest("random fields are shown, filled in by keyboard and sent as the core does", async (t, page) => {
  await page.open(url, "globalThis.isReady");
  const first = Number(GIVEN_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${first}`);
  let [count, sent] = [0, 0];
  for (const end = Date.now() + SECONDS * 1_000; count < Number(SERVICES) || Date.now() < end; count += 1) {
    const seed = first + count;
    const chance = new Chance(seed, "fields");
    service = randomService(chance);
    const fields = service.fieldSets.flatMap((set) => set.fields);
    const ofPage = fields.filter(({ visibility }) => visibility === "HIDE_AND_REQUIRED");
    const values = ofPage.filter(({ fieldType }) => fieldType === "TEXT").map(({ fieldId }) => [fieldId, "0"]);
    const what = () => `REMITKIT_FIELDS_SEED=${seed} REMITKIT_FIELDS_SERVICES=1: ${JSON.stringify(service)}`;
    await page.evaluate(`open_(${JSON.stringify(values)})`).catch((error) => assert.fail(`${error}; ${what()}`));
    const typed = await fillIn(page, chance, fields, values);

    const judged = await page.evaluate(`judge(${JSON.stringify(typed)})`);
    for (const [claim, [actual, expected]] of Object.entries(judged)) {
      assert.deepEqual(actual, expected, `${claim}, typed ${JSON.stringify(typed)}, ${what()}`);
    }
    if (judged.sent[0] !== null) sent += 1;
  }
  t.diagnostic(`${count} services, of which ${sent} got their fields`);
  assert.ok(sent > 0 || count < 20, "no service got its fields");
}, { timeout });
