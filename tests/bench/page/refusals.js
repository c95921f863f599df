// "Speed is never bought with a check": malformed values go to the SDK and to the hand-built
// code, and each says whether it accepted them.

import { fieldSets, fieldValues } from "./fields.js";
import { forgeries } from "./forgeries.js";
import { spoiled } from "./mutations.js";
import { answerBy, replyOf } from "./network.js";
import { FIELDS_QUERY, ID, OTHER_ID, QUOTE } from "./samples.js";
import { BROKEN_TEXTS, FIELDS_BEFORE, INPUTS, REPLIES, WRONG_INPUTS } from "./refusal-samples.js";
import { client, handBuilt, kit, remitkit } from "./subjects.js";

const AT_ONCE = 200;
/** What waits longer is a request's time limit, and not the pause before the next attempt. */
const LONGEST_PAUSE_MS = 6_000;

/**
 * Returns `[{ group, what, sdk, handBuilt, good }]`: whether each refused a value. Tries one in
 * `share` of the spoiled values, and all others.
 */
export async function refusals(share = 1) {
  const rows = [];
  const { setTimeout } = globalThis;
  answerBy(serve);
  globalThis.setTimeout = (work, ms, ...rest) => setTimeout(work, ms < LONGEST_PAUSE_MS ? 0 : ms, ...rest);
  try {
    const list = [...replyCases(), ...inputCases()].filter(({ spoiled, good }, at) => good || !spoiled || at % share === 0);
    for (let at = 0; at < list.length; at += AT_ONCE) rows.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(tried))));
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  rows.push(...(await valueCases()), ...amountCases(), ...(await forgeries()));
  return rows;
}

function* replyCases() {
  for (const { operation, args, reply } of REPLIES) {
    const one = (what, body) => ({ group: `reply of ${operation}`, what, operation, args, body });
    yield { ...one("good", JSON.stringify(reply)), good: true };
    for (const { what, value } of spoiled(reply)) yield { ...one(what, JSON.stringify(value)), spoiled: true };
    for (const [what, spoil] of BROKEN_TEXTS) yield one(what, spoil(JSON.stringify(reply)));
  }
}

function* inputCases() {
  for (const { operation, sdkOperation = operation, ids = [], input } of INPUTS) {
    const one = (what, given) => ({ group: `input of ${operation}`, what, operation, sdkOperation, args: [...ids, given] });
    yield { ...one("good", input), good: true };
    for (const { what, value } of spoiled(input, WRONG_INPUTS)) yield { ...one(what, value), spoiled: true };
    yield one("a member too many", { ...input, unknown: 1 });
  }
  for (const id of ["", "7", "not-a-uuid", `${ID}/..`, 7, null, undefined, {}]) {
    yield { group: "id", what: `${typeof id} ${String(id)}`, operation: "getTransfer", args: [id] };
  }
}

let cases = 0;

/** Each case has a service of its own, and so a kit, so that retries of one hold no other up. */
async function tried({ group, what, operation, sdkOperation = operation, args, body, good = false }) {
  cases += 1;
  const own = cases;
  const side = (name) => {
    const baseUrl = `https://${name}-${own}.remitkit.example`;
    served.set(baseUrl, body);
    return baseUrl;
  };
  const [sdk, mini, full] = await Promise.all([
    kit(side("sdk")).then((open) => refuses(() => open[sdkOperation](...args)).finally(() => open.destroy())),
    refuses(() => client("mini", side("mini"))[operation](...args)),
    refuses(() => client("full", side("full"))[operation](...args)),
  ]);
  return { group, what, sdk, handBuilt: mini || full, good };
}

const served = new Map();

function serve(url) {
  const { origin, pathname } = new URL(url);
  const body = served.get(origin);
  if (body !== undefined) return replyOf(body);
  if (pathname.endsWith("-fields")) return replyOf(JSON.stringify(FIELDS_BEFORE));
  if (pathname.endsWith("/nonce")) return replyOf(JSON.stringify({ nonce: OTHER_ID }));
  const found = INPUTS.find(({ path }) => pathname.startsWith(path));
  return replyOf(JSON.stringify(found?.reply ?? REPLIES.find(({ operation }) => operation === "getTransfer").reply));
}

async function refuses(work) {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}

/** What a field's rules make of values, field by field. */
async function valueCases() {
  const count = 10;
  const definition = fieldSets(count);
  served.set("https://sdk-form.remitkit.example", JSON.stringify(definition));
  const open = await kit("https://sdk-form.remitkit.example");
  const sdk = await open.recipientAccountFields(FIELDS_QUERY);
  const others = [...Object.values(handBuilt).map((one) => one.createFieldForm(definition)), handBuilt.mini.createFieldLoop(definition)];
  const right = fieldValues(count, "right");
  const wrong = fieldValues(count, "wrong");
  const of = (form, values, fieldId) => {
    try {
      return form.check(values).some((problem) => problem.fieldId === fieldId);
    } catch {
      return true;
    }
  };
  const rows = [];
  for (const { fieldId, fieldType, regex } of definition.fieldSets[0].fields) {
    const bad = [wrong[fieldId], undefined, null, "", " ", 7, true, "\u0000", {}, [], { number: "" }, { number: 7 }, "2021-02-29", "2021-13-01", "1899-12-31"];
    for (const [at, value] of [right[fieldId], ...bad].entries()) {
      const values = { ...right, [fieldId]: value };
      const what = `${fieldType} ${regex ?? ""} = ${JSON.stringify(value)}`;
      const row = { group: "value of a field", what, sdk: of(sdk, values, fieldId), good: at === 0 };
      rows.push({ ...row, handBuilt: others.some((form) => of(form, values, fieldId)) });
    }
  }
  await open.destroy();
  return rows;
}

const TEXTS = ["", " ", "1.005", "-1", "+1", "1e3", "1,000", ".5", "1.", "0x10", "1 ", "NaN", "Infinity", "٣", "92233720368547758.08", "9".repeat(40), 7, null, {}];

function amountCases() {
  const throws = (work) => {
    try {
      work();
      return false;
    } catch {
      return true;
    }
  };
  const currency = QUOTE.sendAmount.currency;
  const of = ({ toMinorUnits }, text) => throws(() => toMinorUnits(text, currency));
  const row = (text, good = false) => ({ group: "amount as text", what: JSON.stringify(text), sdk: of(remitkit, text), handBuilt: of(handBuilt.mini, text), good });
  return [row("125.50", true), ...TEXTS.map((text) => row(text))];
}
