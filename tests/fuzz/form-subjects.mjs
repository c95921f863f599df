// What a kit gives out: field forms, transfer attempts, and in a page card forms.

import { changed } from "./changes.mjs";
import { themeDifference, uuid } from "./kit-subjects.mjs";
import { readQuery, same, said, UNSAYABLE } from "./said.mjs";
import { REQUESTS } from "./samples.mjs";
import { anyArguments, callOptions, cut, listed } from "./sending.mjs";
import { hostile } from "./values.mjs";

const BLANK = /^\p{White_Space}*$/u;

const isFilled = (value) => value !== null && !(typeof value === "string" && BLANK.test(value));

const ofValues = (chance, world) => (chance.happens(15) ? anyArguments(chance, world) : [changed(REQUESTS.values(), chance, world)]);

const ofRecord = (chance, world) => {
  const fields = Object.entries(REQUESTS.values()).map(([id, value]) => ({ id, name: id, type: "TEXT", value }));
  return chance.happens(15) ? anyArguments(chance, world) : [changed({ firstName: "Ana", fields }, chance, world)];
};

/** A member that is read: whatever else was done before, it says the same. */
const member = (of, name, holds) => ({
  make: () => [],
  call: async (bench) => (await bench[of]())[name],
  difference: (_, { outcome }) => (!("value" in outcome) || holds(outcome.value) ? undefined : `${name} changed`),
});

const isText = (value) => typeof value === "string" && value !== "";

const fieldForm = {
  "FieldForm.fieldSets": member("fieldForm", "fieldSets", (sets) => sets[0].fields.length === 4),
  "FieldForm.requiresCard": member("fieldForm", "requiresCard", (required) => required === true),
  "FieldForm.check": {
    make: ofValues,
    call: async (bench, args) => (await bench.fieldForm()).check(...args),
    difference([values], { outcome }) {
      if (!("value" in outcome)) return undefined;
      // What is no plain text at the first look is read once more: a getter in it may then say something.
      if (said(values) === UNSAYABLE && said(values) === UNSAYABLE) return "what cannot be said was checked";
      const isProblem = (problem) => [problem.fieldId, problem.code, problem.message].every(isText);
      return outcome.value.every(isProblem) ? undefined : "a problem without its members";
    },
  },
  "FieldForm.isRequired": {
    make: (chance, world) => [chance.happens(70) ? "LIST" : hostile(chance, world), ...ofValues(chance, world)],
    call: async (bench, args) => (await bench.fieldForm()).isRequired(...args),
    difference: (_, { outcome }) => (!("value" in outcome) || typeof outcome.value === "boolean" ? undefined : "neither required nor not"),
  },
  "FieldForm.toFields": {
    make: ofValues,
    call: async (bench, args) => (await bench.fieldForm()).toFields(...args),
    difference([values], { outcome }) {
      if (!("value" in outcome)) return undefined;
      const input = said(values);
      if (input === UNSAYABLE || input === undefined) return "fields of what cannot be said";
      const wanted = Object.entries(input).filter(([, value]) => isFilled(value)).map(([id, value]) => ({ id, value }));
      return same(said(outcome.value), wanted) ? undefined : `fields became ${cut(JSON.stringify(outcome.value))}`;
    },
  },
  "FieldForm.valuesOf": {
    make: ofRecord,
    call: async (bench, args) => (await bench.fieldForm()).valuesOf(...args),
    difference: (_, { outcome }) =>
      "value" in outcome && Object.values(outcome.value).some((value) => (value ?? null) === null) ? "a value that is none" : undefined,
  },
  "FieldForm.options": {
    make(chance, world) {
      if (chance.happens(15)) return anyArguments(chance, world);
      const id = chance.happens(80) ? "LIST" : hostile(chance, world);
      return [id, changed({ ...REQUESTS.values(), NOTE: "a b&c=d/é" }, chance, world), callOptions(chance, world)];
    },
    call: async (bench, args) => (await bench.fieldForm()).options(...args),
    difference([, values], { requests }) {
      const input = values === undefined ? {} : said(values);
      for (const { path, query } of requests) {
        if (path.endsWith("-fields")) continue;
        const note = typeof input?.NOTE === "object" ? undefined : String(input?.NOTE);
        if (path !== "/v1/choices" || !same(readQuery(query), [["of", note]])) return `asked for ${path}?${cut(query)}`;
      }
      return undefined;
    },
  },
};

const attempt = (name) => ({
  make: (chance, world) => [uuid(chance), chance.happens(50) ? callOptions(chance, world) : hostile(chance, world)],
  async call({ kit }, [quoteHistoryId, ...args]) {
    const prepared = await kit.prepareTransfer(REQUESTS.transfer(quoteHistoryId));
    return prepared[name](...args);
  },
  difference(_, { requests }) {
    const posts = requests.filter((request) => request.method === "POST").length;
    return posts <= (["discard", "acknowledge"].includes(name) ? 0 : 1) ? undefined : `${posts} transfers were sent`;
  },
});

const attemptMember = (name, holds) => ({
  make: (chance) => [uuid(chance)],
  call: async ({ kit }, [quoteHistoryId]) => (await kit.prepareTransfer(REQUESTS.transfer(quoteHistoryId)))[name],
  difference: ([quoteHistoryId], { outcome }) => (!("value" in outcome) || holds(outcome.value, quoteHistoryId) ? undefined : `${name} changed`),
});

const transferAttempt = {
  "TransferAttempt.submit": attempt("submit"),
  "TransferAttempt.resume": attempt("resume"),
  "TransferAttempt.discard": attempt("discard"),
  "TransferAttempt.acknowledge": attempt("acknowledge"),
  "TransferAttempt.quoteHistoryId": attemptMember("quoteHistoryId", (value, wanted) => value === wanted),
  "TransferAttempt.nonce": attemptMember("nonce", (value) => value === REQUESTS.transfer().nonce),
  "TransferAttempt.createdAt": attemptMember("createdAt", Number.isSafeInteger),
  "TransferAttempt.state": attemptMember("state", (value) => value === "PREPARED"),
  ...Object.fromEntries(
    ["expiresAt", "transferId", "sendAmount", "receiveAmount", "totalCost"].map((name) => [
      `TransferAttempt.${name}`,
      attemptMember(name, (value) => value === undefined),
    ]),
  ),
  ...Object.fromEntries(
    [
      "amount",
      "quoteBy",
      "srcCurrencyIso3Code",
      "dstCurrencyIso3Code",
      "dstCountryIso3Code",
      "transferMethod",
      "recipientId",
      "recipientAccountId",
    ].map((name) => [`TransferAttempt.${name}`, attemptMember(name, (value) => value === REQUESTS.transfer()[name])]),
  ),
};

const onForm = (call, make = anyArguments, difference = () => undefined) => ({
  onlyInPage: true,
  make,
  call: async (bench, args) => call(await bench.cardForm(), args, bench),
  difference,
});

const formMember = (name, holds) => ({ ...member("cardForm", name, holds), onlyInPage: true });

const cardForm = {
  "CardForm.sessionId": formMember("sessionId", isText),
  "CardForm.url": formMember("url", isText),
  "CardForm.expirationDate": formMember("expirationDate", isText),
  "CardForm.expiresAt": formMember("expiresAt", (value) => value === Date.UTC(2030, 0, 1)),
  "CardForm.secondsLeft": onForm((form, args) => form.secondsLeft(...args), anyArguments, (_, { outcome }) => (outcome.value > 0 ? undefined : "no time is left")),
  "CardForm.element": formMember("element", (element) => element.localName === "iframe"),
  "CardForm.completed": onForm((form) => form.completed instanceof Promise, () => [], (_, { outcome }) => (outcome.value ? undefined : "no promise")),
  "CardForm.on": onForm(
    (form, args) => form.on(...args)(),
    (chance, world) => listed(changed(["READY", () => { throw hostile(chance, world, 0); }, undefined], chance, world)),
  ),
  "CardForm.[asyncIterator]": onForm((form, args) => form[Symbol.asyncIterator](...args).return(...args)),
  "CardForm.update": onForm(
    (form, args) => {
      form.update(...args);
      return form.url;
    },
    (chance, world) => [changed({ theme: REQUESTS.theme() }, chance, world)],
    ([options], { outcome }) => ("value" in outcome ? themeDifference(options.theme, outcome.value) : undefined),
  ),
  "CardForm.renew": onForm((form, args) => form.renew(...args), (chance, world) => [chance.happens(50) ? callOptions(chance, world) : hostile(chance, world)]),
  "CardForm.focus": onForm((form, args) => form.focus(...args)),
  "CardForm.destroy": onForm((form, args) => form.destroy(...args)),
  "CardForm.[dispose]": onForm((form, args) => {
    const key = Object.getOwnPropertySymbols(Object.getPrototypeOf(form)).find((symbol) => symbol !== Symbol.asyncIterator);
    return form[key](...args);
  }),
};

export const formSubjects = { ...fieldForm, ...transferAttempt, ...cardForm };
