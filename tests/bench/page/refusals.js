// "Speed is never bought with a check": malformed values go to the SDK and to the hand-built code, and each
// says whether it accepted them. Forged messages of the card form are left to the proof `forge`.

import { fieldSets, fieldValues } from "./fields.js";
import { spoiled } from "./mutations.js";
import { answerBy, replaceNetwork, replyOf } from "./network.js";
import { BROKEN_TEXTS, FIELDS_BEFORE, INPUTS, REPLIES, WRONG_INPUTS } from "./refusal-samples.js";
import { FIELDS_QUERY, ID, OTHER_ID, QUOTE } from "./samples.js";
import { client, handBuilt, kit, remitkit } from "./subjects.js";

const AT_ONCE = 200;
/** A longer timer is a request's time limit, not the pause before the next attempt. */
const LONGEST_PAUSE_MS = 6_000;

/**
 * Returns `[{ group, what, sdk, handBuilt, good }]`: whether each refused a value. Tries one in `share` of
 * the spoiled values, and all others.
 */
export async function refusals(share = 1) {
  const rows = [];
  const { setTimeout } = globalThis;
  answerBy(serve);
  globalThis.setTimeout = (work, ms, ...rest) => setTimeout(work, ms < LONGEST_PAUSE_MS ? 0 : ms, ...rest);
  try {
    const isTried = ({ spoiled, good }, at) => good || !spoiled || at % share === 0;
    const list = [...replyCases(), ...inputCases()].filter(isTried);
    for (let at = 0; at < list.length; at += AT_ONCE) {
      rows.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(tryOut))));
    }
    rows.push(...(await valueCases()), ...amountCases());
  } finally {
    globalThis.setTimeout = setTimeout;
    replaceNetwork();
  }
  return rows;
}

function* replyCases() {
  for (const { operation, args, reply } of REPLIES) {
    const one = (what, body) => ({ group: `reply of ${operation}`, what, operation, args, body });
    const text = JSON.stringify(reply);
    yield { ...one("good", text), good: true };
    for (const { what, value } of spoiled(reply)) {
      yield { ...one(what, JSON.stringify(value)), spoiled: true };
    }
    for (const [what, spoil] of BROKEN_TEXTS) yield one(what, spoil(text));
  }
}

function* inputCases() {
  for (const { operation, sdkOperation, ids = [], input } of INPUTS) {
    const one = (what, given) => ({
      group: `input of ${operation}`,
      what,
      operation,
      sdkOperation,
      args: [...ids, given],
    });
    yield { ...one("good", input), good: true };
    for (const { what, value } of spoiled(input, WRONG_INPUTS)) yield { ...one(what, value), spoiled: true };
    yield one("a member too many", { ...input, unknown: 1 });
  }
  for (const id of ["", "7", "not-a-uuid", `${ID}/..`, 7, null, undefined, {}]) {
    yield { group: "id", what: `${typeof id} ${String(id)}`, operation: "getTransfer", args: [id] };
  }
}

const served = new Map();
let cases = 0;

/** Each case has its own service, and so its own kit: the retries of one delay no other. */
async function tryOut({ group, what, operation, sdkOperation = operation, args, body, good = false }) {
  cases += 1;
  const baseUrlOf = (name) => {
    const baseUrl = `https://${name}-${cases}.remitkit.example`;
    served.set(baseUrl, body);
    return baseUrl;
  };
  const callHandBuilt = (variant, baseUrl) => refuses(() => client(variant, baseUrl)[operation](...args));
  const urls = ["sdk", "mini", "full"].map(baseUrlOf);
  const [sdk, mini, full] = await Promise.all([
    kit(urls[0]).then((open) => refuses(() => open[sdkOperation](...args)).finally(() => open.destroy())),
    callHandBuilt("mini", urls[1]),
    callHandBuilt("full", urls[2]),
  ]);
  return { group, what, sdk, handBuilt: mini || full, good };
}

function serve(url) {
  const { origin, pathname } = new URL(url);
  const body = served.get(origin);
  if (body !== undefined) return replyOf(body);
  if (pathname.endsWith("-fields")) return replyOf(JSON.stringify(FIELDS_BEFORE));
  if (pathname.endsWith("/nonce")) return replyOf(JSON.stringify({ nonce: OTHER_ID }));
  const found = INPUTS.find(({ path }) => pathname.startsWith(path));
  const transfer = REPLIES.find(({ operation }) => operation === "getTransfer");
  return replyOf(JSON.stringify((found ?? transfer).reply));
}

async function refuses(work) {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}

/** Checks values by the rules of fields, field by field. */
async function valueCases() {
  const count = 10;
  const definition = fieldSets(count);
  const baseUrl = "https://sdk-form.remitkit.example";
  served.set(baseUrl, JSON.stringify(definition));
  const open = await kit(baseUrl);
  const sdk = await open.recipientAccountFields(FIELDS_QUERY);
  const others = Object.values(handBuilt).map((one) => one.createFieldForm(definition));
  others.push(handBuilt.mini.createFieldLoop(definition));
  const [right, wrong] = [fieldValues(count, "right"), fieldValues(count, "wrong")];
  const refuses = (form, values, fieldId) => {
    try {
      return form.check(values).some((problem) => problem.fieldId === fieldId);
    } catch {
      return true;
    }
  };
  const rows = [];
  const BAD = [undefined, null, "", " ", 7, true, "\u0000", {}, [], { number: "" }, { number: 7 }];
  const DAYS = ["2021-02-29", "2021-13-01", "1899-12-31"];
  for (const { fieldId, fieldType, regex } of definition.fieldSets[0].fields) {
    for (const [at, value] of [right[fieldId], wrong[fieldId], ...BAD, ...DAYS].entries()) {
      const values = { ...right, [fieldId]: value };
      rows.push({
        group: "value of a field",
        what: `${fieldType} ${regex ?? ""} = ${JSON.stringify(value)}`,
        sdk: refuses(sdk, values, fieldId),
        handBuilt: others.some((form) => refuses(form, values, fieldId)),
        good: at === 0,
      });
    }
  }
  await open.destroy();
  return rows;
}

const TEXTS = ["", " ", "1.005", "-1", "+1", "1e3", "1,000", ".5", "1.", "0x10", "1 ", "NaN", "Infinity"];
const AMOUNTS = [...TEXTS, "92233720368547758.08", "9".repeat(40), 7, null, {}];

function amountCases() {
  const currency = QUOTE.sendAmount.currency;
  const throws = ({ toMinorUnits }, text) => {
    try {
      toMinorUnits(text, currency);
      return false;
    } catch {
      return true;
    }
  };
  const row = (text, good) => {
    const [sdk, byHand] = [throws(remitkit, text), throws(handBuilt.mini, text)];
    return { group: "amount as text", what: JSON.stringify(text), sdk, handBuilt: byHand, good };
  };
  return [row("125.50", true), ...AMOUNTS.map((text) => row(text, false))];
}
