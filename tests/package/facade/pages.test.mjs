// What a page does to the built-ins and to the objects that it holds changes nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documented } from "../../fuzz/service.mjs";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { formTest, readAll, START, SUCCESS, typesOf } from "./card-page.mjs";
import { errorOf, ID, kit, remitkit, replaceGlobal, service } from "./kit.mjs";
import { OPTIONS as FLOW } from "./push-to-card.mjs";

const { parseAmount, formatAmount } = remitkit;
const USD = { iso3Code: "USD", decimalPlaces: 2 };

/** Gives built-ins other members for one test. */
function redefine(t, target, members) {
  for (const [name, value] of Object.entries(members)) {
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    t.after(() => (own ? Object.defineProperty(target, name, own) : delete target[name]));
  }
}

/** A tab's storage, with what is in it. */
function storage(t) {
  const items = new Map();
  const value = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
    removeItem: (key) => void items.delete(key),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
  replaceGlobal(t, "sessionStorage", { value });
  return items;
}

const slice = (list) => Array.prototype.slice.call(list);
function values(object) {
  const all = [];
  for (const name in object) all.push(object[name]);
  return all;
}
const quoted = () => '"by the page"';

// As Prototype 1.6 and 1.7, and MooTools 1.4, have them.
const LIBRARIES = {
  "Array.from ignores its function": (t) => redefine(t, Array, { from: slice }),
  "Object.values and Array.prototype.entries are others": (t) => {
    redefine(t, Object, { values });
    redefine(t, Array.prototype, { entries() { return slice(this); }, keys() { return slice(this); } });
  },
  "lists, texts, numbers and dates have toJSON": (t) => {
    for (const { prototype } of [Array, String, Number, Boolean, Date]) redefine(t, prototype, { toJSON: quoted });
  },
  "all objects have toJSON": (t) => redefine(t, Object.prototype, { toJSON: quoted }),
};

for (const [library, load] of Object.entries(LIBRARIES)) {
  test(`calls, journal and amounts are the same where ${library}`, async (t) => {
    storage(t);
    const run = async () => {
      const { remit, requests } = await kit(undefined, { journal: "session" });
      const corridors = await remit.corridors();
      const created = await remit.request({
        method: "POST", path: "/v1/later", body: { list: [1, ["a", { at: new Date(0) }]], none: null },
      });
      const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
      const pending = await remit.pendingTransfers();
      const form = await remit.senderFields(REQUESTS.senderFields());
      const facts = [
        corridors,
        created,
        pending.map(({ state, amount }) => [state, amount]),
        form.check({}),
        await form.toFields({}),
        await remit.getTransfer(ID),
        parseAmount("1,250.50", USD, "en-US"),
        formatAmount({ value: 125050, currency: USD }, "en-US"),
        requests.map(({ method, path, text, query }) => [method, path, text?.replace(/"nonce":"[^"]+"/, ""), query]),
      ];
      await attempt.discard();
      return facts;
    };
    const { stringify } = JSON;
    // The service is none of the page.
    const answer = (request) => new Response(written(documented(request)));
    const written = (value) => stringify(value, function (key) { return this[key]; });
    const expected = await run();
    service.answer = answer;
    load(t);
    assert.deepEqual(await run(), expected);
  });
}

test("a list of keys that is none is a failed journal, never an empty one", async (t) => {
  const items = storage(t);
  const { remit } = await kit(undefined, { journal: "session" });
  await remit.prepareTransfer(REQUESTS.transfer(ID));
  assert.equal((await remit.pendingTransfers()).length, 1);
  const store = { get: (key) => items.get(key), set() {}, delete() {} };
  for (const keys of [undefined, null, {}, 7, "remitkit", [undefined], [null], { length: 1 }, Array(1)]) {
    const { remit } = await kit(undefined, { journal: { ...store, keys: () => keys } });
    const { code, option } = await errorOf(remit.pendingTransfers());
    assert.deepEqual([code, option], ["InvalidConfiguration", "journal"], String(keys));
  }
  const { remit: other } = await kit(undefined, { journal: { ...store, keys: () => [7, ...items.keys()] } });
  assert.equal((await other.pendingTransfers()).length, 1);
});

/** Wraps an object, and what it hands out, as Vue does: in proxies that methods get as their `this`. */
function reactive(target) {
  if (typeof target !== "object" || target === null || target instanceof Promise) return target;
  return new Proxy(target, { get: (object, name, self) => reactive(Reflect.get(object, name, self)) });
}

test("kits, attempts, forms and flows work wrapped into a framework's proxies", async () => {
  const { remit } = await kit();
  const held = reactive({ remit }).remit;
  assert.equal((await held.quote(REQUESTS.quote())).quoteHistoryId.length, ID.length);
  assert.ok(held.contentSecurityPolicy()["frame-src"]);
  const { attempt, form } = reactive({
    attempt: await held.prepareTransfer(REQUESTS.transfer(ID)),
    form: await held.senderFields(REQUESTS.senderFields()),
  });
  const [{ fields }] = form.fieldSets;
  assert.ok(form.check({}).length > 0);
  assert.equal(form.isRequired(fields[0].fieldId), fields[0].isRequired);
  assert.ok(Array.isArray(form.toFields({})) && form.requiresCard !== undefined);
  assert.equal(attempt.state, "PREPARED");
  await attempt.discard();
  assert.equal(attempt.state, "DISCARDED");
  const { flow } = reactive({ flow: held.pushToCard(FLOW) });
  assert.equal((await flow.next()).value.type, "CORRIDOR");
  await flow.return();
  await held.destroy();
  assert.equal((await errorOf(held.quote(REQUESTS.quote()))).code, "Destroyed");
});

formTest("a card form works wrapped into a framework's proxies", async ({ form, verify }) => {
  const held = reactive({ form }).form;
  const seen = [];
  held.on(START, ({ type }) => seen.push(type));
  const events = readAll(held);
  await verify("card-1");
  assert.deepEqual([await held.completed, seen], [{ cardId: "card-1", sessionId: held.sessionId }, [START]]);
  assert.deepEqual(typesOf(await events), ["READY", START, SUCCESS]);
  held.update({ theme: { primary: "#076" } });
  held.focus();
  assert.equal(held.secondsLeft(), form.secondsLeft());
  assert.ok(held.element.isConnected);
  held.destroy();
  assert.equal(form.element.isConnected, false);
});

formTest("events are read where a page has frozen the engine's prototypes", async ({ t, form, verify }) => {
  // As `Object.freeze` does, but for this test alone: inherited names cannot be assigned.
  const { prototype } = Object.getPrototypeOf(async function* () {});
  const own = Object.getOwnPropertyDescriptor(prototype, "return");
  Object.defineProperty(prototype, "return", { ...own, writable: false });
  t.after(() => Object.defineProperty(prototype, "return", own));
  const events = readAll(form);
  await verify("card-1");
  assert.deepEqual(typesOf(await events), ["READY", START, SUCCESS]);
});
