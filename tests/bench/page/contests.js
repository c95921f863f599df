// What is compared. A contest has variants that do the same work; `sample` measures one of them, and `result`
// returns the value on which all variants must agree.

import { fieldSets, fieldValues } from "./fields.js";
import { answerWith } from "./network.js";
import { corridors, touch } from "./rows.js";
import { CORRIDOR, FIELDS_QUERY, QUOTE, QUOTE_REQUEST } from "./samples.js";
import { client, handBuilt, remitkit, sharedKit } from "./subjects.js";

const HAND_BUILT = ["mini", "full"];

/** Variants that call one method of the SDK and of a client of each hand-built variant. */
function callers(call) {
  const variants = { sdk: async () => call(await sharedKit()) };
  for (const name of HAND_BUILT) {
    let made;
    variants[name] = () => call((made ??= client(name)));
  }
  return variants;
}

function quote() {
  const body = JSON.stringify(QUOTE);
  const ready = (count) => answerWith(body, count);
  return contest(callers((shop) => shop.quote(QUOTE_REQUEST)), { ready, isAsync: true });
}

function list(count, kind) {
  let body;
  const variants = callers((shop) => shop.corridors());
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
  const check = (name) => [name, () => forms[name].check(values)];
  const variants = Object.fromEntries(["sdk", ...HAND_BUILT, "loop"].map(check));
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
const VALUES = [12550, 5, 9_999_999, 700, 123_456_780, 9_007_199_254_740_993n];

function money(work) {
  const variants = { sdk: () => work(remitkit), plain: () => work(handBuilt.mini) };
  const use = (values) => values.length;
  return contest(variants, { normal: (values) => values.map(String), use, per: TEXTS.length });
}

/**
 * @param variants by name what does one operation
 * @param ready prepares `count` operations @param use reads a result, so that no engine skips the work
 * @param normal makes results comparable @param per the operations of one call
 */
function contest(variants, { ready = () => {}, isAsync, normal = (value) => value, use = () => 0, per = 1 }) {
  const kept = { sum: 0 };
  return {
    kept,
    variants: Object.keys(variants),
    /** Returns the mean milliseconds of `count` operations in sequence. */
    async sample(variant, count) {
      await ready(count);
      const work = variants[variant];
      const began = performance.now();
      if (isAsync) for (let at = 0; at < count; at += 1) kept.sum += use(await work());
      else for (let at = 0; at < count; at += 1) kept.sum += use(work());
      return (performance.now() - began) / count / per;
    },
    /** Returns the result of one operation as text. */
    async result(variant) {
      await ready(1);
      return JSON.stringify(sorted(normal(await variants[variant]())));
    },
  };
}

/** Sorts members: a schema returns them in its own order. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

const KINDS = ["repeating", "distinct"];
const lists = (counts, name) =>
  Object.fromEntries(counts.flatMap((count) => KINDS.map((kind) => [name(count, kind), list(count, kind)])));

export const CONTESTS = {
  "warm quote": quote(),
  ...lists([10, 1_000, 10_000], (count, kind) => `corridors ${count} ${kind}`),
  "form right": form(50, "right"),
  "form wrong": form(50, "wrong"),
  toMinorUnits: money(({ toMinorUnits }) => TEXTS.map((text) => toMinorUnits(text, USD))),
  formatAmount: money(({ formatAmount }) =>
    VALUES.map((value) => formatAmount({ value, currency: USD }, "en-US")),
  ),
};

/** Returns contests with other numbers of rows and fields, for the curves. */
export function growingContests({ rows, fields }) {
  const forms = fields.map((count) => [`fields ${count}`, form(count, "right")]);
  return { ...lists(rows, (count, kind) => `rows ${kind} ${count}`), ...Object.fromEntries(forms) };
}

/** Calls in sequence, for what they leave in memory. */
export async function manyQuotes(count) {
  const kit = await sharedKit();
  answerWith(JSON.stringify(QUOTE), 0);
  for (let at = 0; at < count; at += 1) await kit.quote(QUOTE_REQUEST);
}
