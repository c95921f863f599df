// What is compared. A contest has variants that do the same work; `prepare` returns one operation, and
// `result` the value on which all variants have to agree.

import { fieldSets, fieldValues } from "./fields.js";
import { answerWith } from "./network.js";
import { corridors, touch } from "./rows.js";
import { CORRIDOR, FIELDS_QUERY, QUOTE, QUOTE_REQUEST } from "./samples.js";
import { client, handBuilt, remitkit, sharedKit } from "./subjects.js";

const HAND_BUILT = ["mini", "full"];

function quote() {
  const body = JSON.stringify(QUOTE);
  const variants = { sdk: async () => (await sharedKit()).quote(QUOTE_REQUEST) };
  for (const name of HAND_BUILT) {
    let made;
    variants[name] = () => (made ??= client(name)).quote(QUOTE_REQUEST);
  }
  return contest(variants, { ready: (count) => answerWith(body, count), isAsync: true });
}

function listed(count, kind) {
  let body;
  const variants = { sdk: async () => (await sharedKit()).corridors() };
  for (const name of HAND_BUILT) {
    let made;
    variants[name] = () => (made ??= client(name)).corridors();
  }
  variants.bare = async () => (await fetch("/v1/corridors")).json();
  const ready = (times) => {
    body ??= JSON.stringify(corridors(count, kind));
    answerWith(body, times);
  };
  return contest(variants, { ready, isAsync: true, use: touch });
}

function form(count, which) {
  const definition = fieldSets(count);
  const values = fieldValues(count, which);
  const forms = {};
  const variants = Object.fromEntries(["sdk", ...HAND_BUILT, "loop"].map((name) => [name, () => forms[name].check(values)]));
  const ready = async () => {
    if (forms.sdk) return;
    answerWith(JSON.stringify(definition), 1);
    forms.sdk = await (await sharedKit()).recipientAccountFields(FIELDS_QUERY);
    for (const name of HAND_BUILT) forms[name] = handBuilt[name].createFieldForm(definition);
    forms.loop = handBuilt.mini.createFieldLoop(definition);
  };
  const normal = (problems) => problems.map(({ fieldId, code }) => ({ fieldId, code }));
  return contest(variants, { ready, normal, use: (problems) => problems.length });
}

const USD = CORRIDOR.sourceCurrency[0];
const TEXTS = ["125.50", "0.05", "99999.99", "7", "1234567.8", "90071992547409.93"];
const AMOUNTS = [12550, 5, 9_999_999, 700, 123_456_780, 9_007_199_254_740_993n].map((value) => ({ value, currency: USD }));

function money(work) {
  const variants = { sdk: () => work(remitkit), plain: () => work(handBuilt.mini) };
  return contest(variants, { normal: (values) => values.map(String), use: (values) => values.length, per: TEXTS.length });
}

function contest(variants, { ready = () => {}, isAsync = false, normal = (value) => value, use = () => 0, per = 1 }) {
  let kept = 0;
  return {
    variants: Object.keys(variants),
    /** Milliseconds that one operation took, of `count` after another. */
    async sample(variant, count) {
      await ready(count);
      const work = variants[variant];
      const began = performance.now();
      if (isAsync) for (let at = 0; at < count; at += 1) kept += use(await work());
      else for (let at = 0; at < count; at += 1) kept += use(work());
      return (performance.now() - began) / count / per;
    },
    /** What one operation comes to, as text. */
    async result(variant) {
      await ready(1);
      return JSON.stringify(sorted(normal(await variants[variant]())));
    },
    get kept() {
      return kept;
    },
  };
}

/** With members in one order: what a schema gives has that of the schema. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

export const CONTESTS = {
  "warm quote": quote(),
  ...Object.fromEntries(
    [10, 1_000, 10_000].flatMap((count) =>
      ["repeating", "distinct"].map((kind) => [`corridors ${count} ${kind}`, listed(count, kind)]),
    ),
  ),
  "form right": form(50, "right"),
  "form wrong": form(50, "wrong"),
  toMinorUnits: money(({ toMinorUnits }) => TEXTS.map((text) => toMinorUnits(text, USD))),
  formatAmount: money(({ formatAmount }) => AMOUNTS.map((amount) => formatAmount(amount, "en-US"))),
};

/** The same with other numbers of rows and fields, for the curves: `{ rows, fields }`. */
export function growingContests({ rows, fields }) {
  const contests = {};
  for (const count of rows) for (const kind of ["repeating", "distinct"]) contests[`rows ${kind} ${count}`] = listed(count, kind);
  for (const count of fields) contests[`fields ${count}`] = form(count, "right");
  return contests;
}

/** Calls one after the other, for what they leave in memory. */
export async function manyQuotes(count) {
  const kit = await sharedKit();
  answerWith(JSON.stringify(QUOTE), 0);
  for (let at = 0; at < count; at += 1) await kit.quote(QUOTE_REQUEST);
}
