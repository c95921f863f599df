// What a kit returns: field forms, transfer attempts and card forms.

import { changed } from "./changes.mjs";
import { asJson, NOT_JSON, parseQuery, same } from "./json.mjs";
import { anyOptions, mostly, themeDifference, uuid } from "./kit-subjects.mjs";
import { REQUESTS } from "./samples.mjs";
import { anyArguments, callOptions, cut, isUnusable, listed } from "./sending.mjs";
import { hostile } from "./values.mjs";

const isBlank = (value) => typeof value === "string" && /^\p{White_Space}*$/u.test(value);
const isText = (value) => typeof value === "string" && value !== "";
const composed = (value) => (typeof value === "string" ? value.normalize("NFC") : value);
const bare = (value) =>
  typeof value === "string" ? value.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "") : value;
const withSubject = (prefix, subjects) =>
  Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [`${prefix}.${name}`, subject]));
/** Whether a call had a value, which must fulfil a condition. */
const must = (holds, says) => (args, { outcome }) =>
  "value" in outcome && !holds(outcome.value, ...args) ? says : undefined;

const ofValues = mostly(REQUESTS.values);

const ofRecord = mostly(() => ({
  firstName: "Ana",
  fields: Object.entries(REQUESTS.values()).map(([id, value]) => ({ id, name: id, type: "TEXT", value })),
}));

const onFieldForm = (name, make, difference) => ({
  make,
  call: async (bench, args) => (await bench.fieldForm())[name](...args),
  difference,
});

const findsProblems = (name) =>
  onFieldForm(name, ofValues, ([values], { outcome }) => {
    if (!("value" in outcome)) return undefined;
    // A value that is not JSON at first is read again: a getter may then return something else.
    if (asJson(values) === NOT_JSON && asJson(values) === NOT_JSON) return "what is not JSON was checked";
    const isProblem = ({ fieldId, code, message }) => [fieldId, code, message].every(isText);
    return outcome.value.every(isProblem) ? undefined : "a problem without its members";
  });

/** Whether a phone number was only freed of punctuation and of what stands before it. */
function isSameNumber(typed, sent) {
  if (typed === sent) return true;
  const digits = typed.replace(/\P{Nd}/gu, "");
  const isSame = /^[0-9]*$/.test(digits) ? digits.endsWith(sent) : [...digits].length >= sent.length;
  return /^[0-9]+$/.test(sent) && isSame;
}

const fieldForm = {
  check: findsProblems("check"),
  warnings: findsProblems("warnings"),
  dependents: onFieldForm(
    "dependents",
    (chance, world) => [chance.happens(70) ? "NOTE" : hostile(chance, world)],
    must((ids, id) => same(ids, id === "NOTE" ? ["LIST"] : []), "other dependents"),
  ),
  isRequired: onFieldForm(
    "isRequired",
    (chance, world) => [chance.happens(70) ? "LIST" : hostile(chance, world), ...ofValues(chance, world)],
    must((value) => typeof value === "boolean", "neither required nor not"),
  ),
  toFields: onFieldForm("toFields", ofValues, ([values], { outcome }) => {
    if (!("value" in outcome)) return undefined;
    const input = asJson(values);
    if (isUnusable(input)) return "fields of what is not JSON";
    const filled = Object.entries(input).filter(([, value]) => value !== null && !isBlank(value));
    const sent = asJson(outcome.value);
    const numberOf = (fields) => fields.find(({ id }) => id === "PHONE")?.value?.number;
    // Accents are joined to their letters; the form's text, NOTE, has no blanks around it.
    const wanted = filled.map(([id, value]) => {
      const typed = composed(value);
      return { id, value: id === "NOTE" ? bare(typed) : typed };
    });
    const [typed, number] = [numberOf(wanted), numberOf(sent)];
    if (isText(typed) && isText(number) && isSameNumber(typed, number)) {
      wanted.find(({ id }) => id === "PHONE").value.number = number;
    }
    const isSame = same(sent, wanted);
    return isSame ? undefined : `fields became ${cut(JSON.stringify(outcome.value))}`;
  }),
  valuesOf: onFieldForm(
    "valuesOf",
    ofRecord,
    must((values) => Object.values(values).every((value) => (value ?? null) !== null), "an empty value"),
  ),
  options: onFieldForm(
    "options",
    (chance, world) => {
      if (chance.happens(15)) return anyArguments(chance, world);
      const id = chance.happens(80) ? "LIST" : hostile(chance, world);
      const values = changed({ ...REQUESTS.values(), NOTE: "a b&c=d/é" }, chance, world);
      return [id, values, callOptions(chance, world)];
    },
    ([, values], { requests }) => {
      const input = values === undefined ? {} : asJson(values);
      const note = typeof input?.NOTE === "object" ? undefined : String(input?.NOTE);
      const isRight = ({ path, query }) =>
        path.endsWith("-fields") || (path === "/v1/choices" && same(parseQuery(query), [["of", note]]));
      const wrong = requests.find((request) => !isRight(request));
      return wrong && `asked for ${wrong.path}?${cut(wrong.query)}`;
    },
  ),
};

const onAttempt = (name) => ({
  make: (chance, world) => [uuid(chance), anyOptions(chance, world)],
  async call({ kit }, [quoteHistoryId, ...args]) {
    const attempt = await kit.prepareTransfer(REQUESTS.transfer(quoteHistoryId));
    return attempt[name](...args);
  },
  difference([quoteHistoryId], { requests }) {
    const posts = requests.filter(({ method }) => method === "POST");
    const most = ["discard", "acknowledge"].includes(name) ? 0 : 1;
    const shown = posts.map(({ path, body }) => `${path} ${body}`).join(" and ");
    return posts.length <= most ? undefined : `for ${quoteHistoryId} was sent: ${shown}`;
  },
});

const ATTEMPT_METHODS = ["submit", "resume", "discard", "acknowledge"];
const transferAttempt = Object.fromEntries(ATTEMPT_METHODS.map((name) => [name, onAttempt(name)]));

const onCardForm = (call, make = anyArguments, difference = () => undefined) => ({
  make,
  call: async (bench, args) => call(await bench.cardForm(), args),
  difference,
});

const cardForm = {
  secondsLeft: onCardForm(
    (form, args) => form.secondsLeft(...args),
    anyArguments,
    // Undefined where the clock is evidently wrong, as the virtual one may be.
    must((value) => value === undefined || value > 0, "no time is left"),
  ),
  on: onCardForm(
    (form, args) => form.on(...args)(),
    (chance, world) => {
      const error = hostile(chance, world, 0);
      const listener = () => {
        throw error;
      };
      return listed(changed(["READY", listener, undefined], chance, world));
    },
  ),
  "[asyncIterator]": onCardForm((form, args) => form[Symbol.asyncIterator](...args).return(...args)),
  update: onCardForm(
    (form, args) => {
      form.update(...args);
      return form.url;
    },
    (chance, world) => [changed({ theme: REQUESTS.theme() }, chance, world)],
    ([{ theme }], { outcome }) => ("value" in outcome ? themeDifference(theme, outcome.value) : undefined),
  ),
  renew: onCardForm(
    (form, args) => form.renew(...args),
    (chance, world) => [anyOptions(chance, world)],
  ),
  focus: onCardForm((form, args) => form.focus(...args)),
  destroy: onCardForm((form, args) => form.destroy(...args)),
  "[dispose]": onCardForm((form, args) => form[Symbol.dispose](...args)),
};

export const formSubjects = {
  ...withSubject("FieldForm", fieldForm),
  ...withSubject("TransferAttempt", transferAttempt),
  ...withSubject("CardForm", cardForm),
};
