// What crosses between JavaScript and the module in the calls of docs/walkthrough.md, by the names in the glue of
// `wasm-pack build --features js`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, serveFolder } from "../package/packed.mjs";
import { fileSandbox, installed } from "../package/testing.mjs";
import { browser } from "./app.mjs";

const OPTIONS = { skip: browser === undefined && "there is no Chromium here" };
const { REMITKIT_WASM_PACK } = process.env;
assert.ok(REMITKIT_WASM_PACK, "REMITKIT_WASM_PACK names the built module, as cargo xtask test does");

/** Counts in `window.crossings` what is called. */
const COUNTING = `
window.crossings = {};
const counting = (functions, way) => Object.fromEntries(Object.entries(functions).map(([name, given]) => [
  name,
  typeof given !== "function" ? given : (...values) => {
    const key = way + " " + name.replace(/^__wbg_|_[0-9a-f]{16}$/g, "");
    window.crossings[key] = (window.crossings[key] ?? 0) + 1;
    return given(...values);
  },
]));`;
/** Where the glue hands functions to the module, and gets those of the module. */
const PLACES = [
  ["wasm = instance.exports;", "wasm = counting(instance.exports, 'in');"],
  ['"./remitkit_bg.js": import0,', '"./remitkit_bg.js": counting(import0, "out"),'],
];

async function countingGlue() {
  let glue = await readFile(join(REMITKIT_WASM_PACK, "remitkit.js"), "utf8");
  for (const [place, edited] of PLACES) {
    assert.equal(glue.split(place).length, 2, `the glue has ${place} once`);
    glue = glue.replace(place, edited);
  }
  return glue + COUNTING;
}

const { fillCardForm, startSandbox, testCards } = await installed();
const sandbox = await fileSandbox(startSandbox);
const { baseUrl, cardUrl } = sandbox;
const url = await serveFolder(REMITKIT_WASM_PACK, {
  "/": '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body>',
  "/remitkit.js": await countingGlue(),
});

/** In the page: a kit, and functions that count what crosses in a call. */
async function prepare({ baseUrl, cardUrl, token }) {
  const module = await import("/remitkit.js");
  await module.default();
  const host = { token: async () => token, journal: "memory", isWatched: false };
  const kit = new module.RemitKit({ baseUrl, cardUrl }, host);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 200));
  const forget = () => Object.keys(crossings).forEach((name) => delete crossings[name]);
  const counted = async (work) => {
    await settled();
    forget();
    await work();
    return { ...crossings };
  };
  const text = ({ fieldId }) => {
    if (/NUMBER|CLABE/.test(fieldId)) return "032180000118359719";
    return /EMAIL/.test(fieldId) ? "ana@example.com" : "Ana";
  };
  async function fields(form) {
    const values = {};
    for (const field of form.fieldSets.flatMap((set) => set.fields)) {
      if (!form.isRequired(field.fieldId, JSON.stringify(values))) continue;
      const options = await form.options(field.fieldId, JSON.stringify(values));
      const phone = { number: "5512345678", countryIso3Code: "MEX" };
      values[field.fieldId] = options[0]?.id ?? (field.fieldType === "PHONE_NUMBER" ? phone : text(field));
    }
    return form.toFields(JSON.stringify(values));
  }
  const destination = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
  const price = { ...destination, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550 };
  const query = JSON.stringify({ ...destination, recipientType: "PERSON" });
  Object.assign(globalThis, { kit, counted, forget, fields, destination, price, query });
  await kit.quote(JSON.stringify(price));
}

async function countQuote() {
  return counted(() => kit.quote(JSON.stringify(price)));
}

async function countSubmit() {
  const person = { ...destination, userType: "PERSON", fields: await fields(await kit.recipientFields(query)) };
  const { recipientId } = await kit.createRecipient(JSON.stringify(person));
  const account = { ...destination, fields: await fields(await kit.recipientAccountFields(query)) };
  const { recipientAccountId } = await kit.createRecipientAccount(recipientId, JSON.stringify(account));
  const whole = { ...price, recipientAccountId };
  const { quoteHistoryId } = await kit.quote(JSON.stringify(whole));
  const form = await kit.transferFields(JSON.stringify(whole));
  const request = { ...whole, quoteHistoryId, recipientId, fields: await fields(form) };
  const attempt = await kit.prepareTransfer(JSON.stringify(request));
  return counted(() => attempt.submit());
}

/** Counts from a form's message of success to its card. */
async function countCard() {
  const container = document.body.appendChild(document.createElement("div"));
  return new Promise((resolve, reject) => {
    const listener = (type, detail) => {
      if (type === "CARD_VALIDATION_START") forget();
      if (type === "COMPLETED") resolve({ ...crossings });
      if (type === "FAILED") reject(detail);
    };
    // Kept: one that is collected is removed.
    kit.cardForm(container, {}, listener).then((form) => (globalThis.form = form), reject);
  });
}

/** What the walkthrough counts in its rows; what is in no other is what `fetch` needs. */
const KINDS = {
  "by name":
    /^in (?!_|wasm_)|^out (parse|granted|release|isTrusted|source|contentWindow|data|origin|neverReadSession)$/,
  "clocks and timers": /^out (now|setTimeout|clearTimeout)$/,
  "promises and functions":
    /invoke__|closure|^out (new_typed|call|run|then|queueMicrotask|_wbg_cb_unref|__wbindgen_generic)$/,
  "texts and values": /__(wbindgen_malloc|wbindgen_is_|wbindgen_string_get|wbindgen_jsval_eq|externref)|^out length$/,
};
const FETCH = "what `fetch` needs";

function byKind(counts) {
  const sums = Object.fromEntries([...Object.keys(KINDS), FETCH].map((kind) => [kind, 0]));
  for (const [name, count] of Object.entries(counts)) {
    const [kind] = Object.entries(KINDS).find(([, names]) => names.test(name)) ?? [FETCH];
    sums[kind] += count;
  }
  return sums;
}

/** Returns the walkthrough's table as rows by their first cell. */
async function table() {
  const text = await readFile(join(ROOT, "docs/walkthrough.md"), "utf8");
  const rows = text.split("\n").filter((line) => /^\| [^|]+ \|( \d+ \|){3}$/.test(line));
  const cells = rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
  return new Map(cells.map(([name, ...counts]) => [name, counts.map(Number)]));
}

test("no more crosses than the walkthrough says", { ...OPTIONS, timeout: 120_000 }, async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(url);
  await page.evaluate(prepare, { baseUrl, cardUrl, token: JSON.stringify(await sandbox.token()) });
  const quote = await page.evaluate(countQuote);
  const submit = await page.evaluate(countSubmit);
  const counting = page.evaluate(countCard);
  await Promise.all([counting, fillCardForm(page, { card: testCards.success })]);
  const counted = [quote, submit, await counting].map(byKind);
  t.diagnostic(JSON.stringify(counted));
  const said = await table();
  assert.deepEqual([...said.keys()], Object.keys(counted[0]));
  for (const [kind, most] of said) {
    const found = counted.map((sums) => sums[kind]);
    const isTrue = found.every((count, i) => count > 0 && count <= most[i]);
    assert.ok(isTrue, `${kind}: ${found}, said to be at most ${most}`);
  }
});
