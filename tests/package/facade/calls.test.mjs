import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REPLIES } from "../../fuzz/samples.mjs";
import { documented } from "../../fuzz/service.mjs";
import { errorOf, fieldsOf, ID, kit, OTHER, service, settled } from "./kit.mjs";

const plain = (value) => JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item)));

for (const [name, { method, path, ids, sample, as, default: leftOut, before }] of Object.entries(OPERATIONS)) {
  test(`${name} sends one request, and gives back its reply`, async () => {
    const { remit, requests } = await kit(undefined, { senderId: OTHER });
    const given = ids.map((_, index) => [ID, OTHER][index]);
    const address = path.replace(/\{(\d)\}/g, (_, index) => given[index]);
    for (const input of leftOut === undefined ? [sample?.()] : [sample(), undefined]) {
      requests.length = 0;
      const reply = await remit[name](...given, ...(input === undefined ? [] : [input]));
      const [sent, ...others] = requests.filter((request) => request.path !== before);
      assert.deepEqual([sent.method, sent.path, others], [method, address, []]);
      assert.equal(sent.headers.Authorization, "Bearer token");
      const expected = input ?? leftOut ?? {};
      assert.deepEqual(sent.body, as === "body" ? expected : undefined);
      const texts = Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, String(value)]));
      assert.deepEqual(sent.query, as === "query" ? { ...sent.query, ...texts } : {});
      const text = documented(sent);
      if (name === "transferReceipt") {
        assert.equal(await reply.text(), text);
      } else if (!name.endsWith("Fields")) {
        assert.deepEqual(plain(reply ?? null), text === "" ? null : name === "nonce" ? reply : JSON.parse(text));
      }
    }
  });
}

test("a signal whose methods throw does no harm and ends the call", async () => {
  const { remit } = await kit(() => new Promise(() => {}));
  const controller = new AbortController();
  const throwing = () => assert.fail("a method of the caller's");
  Object.assign(controller.signal, { addEventListener: throwing, removeEventListener: throwing });
  const call = errorOf(remit.nonce({ signal: controller.signal }));
  await settled();
  controller.abort("anything");
  const error = await call;
  assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
  assert.equal(service.requests[0].signal.aborted, true);
});

test("an invalid signal is refused before anything is sent", async () => {
  const { remit, requests } = await kit();
  const { signal } = new AbortController();
  const wrong = [
    [signal, "options"],
    [null, "options"],
    ["signal", "options"],
    [{ signal: {} }, "signal"],
    [{ signal: null }, "signal"],
    [{ signal: { aborted: false, addEventListener() {} } }, "signal"],
    [{ signal: Object.create(AbortSignal.prototype) }, "signal"],
    [
      {
        get signal() {
          throw 1;
        },
      },
      "options.signal",
    ],
  ];
  for (const [options, option] of wrong) {
    const error = await errorOf(remit.nonce(options));
    assert.deepEqual([error.name, error.kind, error.option], ["RemitError", "invalid_request", option]);
  }
  assert.deepEqual(requests, []);
});

test("a field form holds its fields, checks values and packs them", async () => {
  const { remit, requests } = await kit();
  for (const name of ["senderFields", "recipientFields", "recipientAccountFields", "transferFields"]) {
    const { path, sample } = OPERATIONS[name];
    const asksForCard = name === "recipientAccountFields";
    const form = await remit[name](sample());
    assert.equal(requests.at(-1).path, path);
    assert.deepEqual(form.fieldSets, JSON.parse(asksForCard ? REPLIES.accountFields : REPLIES.fields).fieldSets);
    assert.equal(form.requiresCard, asksForCard);
    const problems = form.check({ NOTE: "<" }).map(({ fieldId, code }) => [fieldId, code]);
    assert.deepEqual(problems.at(0), ["NOTE", "ValueRegexFailure"]);
    assert.deepEqual(form.toFields({ NOTE: "a" }), [{ id: "NOTE", value: "a" }]);
    assert.deepEqual(await form.options("LIST", { NOTE: "a b" }), JSON.parse(REPLIES.choices));
    assert.deepEqual([requests.at(-1).path, requests.at(-1).query], ["/v1/choices", { of: "a b" }]);
    assert.equal((await errorOf(() => form.options(7))).option, "fieldId");
    assert.equal((await errorOf(() => form.check(undefined))).option, "values");
    assert.equal((await errorOf(() => form.toFields([Number.NaN]))).option, "[0]");
  }
});

/** A form that asks for one field, and maybe a company's name. */
async function formOf(field) {
  const { remit } = await kit(({ path }) => (path.endsWith("-fields") ? fieldsOf({ fieldId: "name", ...field }) : undefined));
  return { remit, form: await remit.senderFields({ senderType: "BUSINESS" }) };
}

test("a fetched record converts to the values its form takes", async () => {
  const ids = ["FIRST_NAME", "lastName", "CITY", "PHONE", "NOTE", "__proto__"];
  const fields = ids.map((fieldId) => ({ fieldId, isRequired: false, ...(fieldId === "PHONE" && { fieldType: "PHONE_NUMBER" }) }));
  const { remit } = await kit(({ path }) => (path.endsWith("-fields") ? fieldsOf(...fields) : undefined));
  const form = await remit.recipientFields(OPERATIONS.recipientFields.sample());
  const PHONE = { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" };
  const record = {
    recipientId: ID,
    recipientType: "PERSON",
    firstName: "Ana",
    lastName: "Old",
    CITY: "not a field of the record",
    fields: [
      { id: "lastName", name: "Last name", type: "TEXT", value: "Rojas" },
      { id: "CITY", name: "City", type: "TEXT", value: "Puebla" },
      { id: "PHONE", type: "PHONE_NUMBER", value: PHONE },
      { id: "NOTE", value: null },
      { id: "__proto__", value: "own" },
      { id: "NO_MORE_ASKED_FOR", value: "1" },
    ],
  };
  const values = form.valuesOf(record);
  assert.deepEqual(Object.entries(values), [
    ["FIRST_NAME", "Ana"],
    ["lastName", "Rojas"],
    ["CITY", "Puebla"],
    ["PHONE", PHONE],
    ["__proto__", "own"],
  ]);
  assert.deepEqual(form.check(values), []);
  assert.equal(form.toFields(values).length, 5);
  assert.deepEqual(form.valuesOf({ companyName: "Any", fields: null }), {});
  assert.deepEqual(form.valuesOf({ fields: [null, 7, { value: "of nothing" }] }), {});
  for (const [wrong, option] of [[undefined, "record"], ["Ana", "record"], [{ fields: {} }, "record.fields"], [{ fields: [{ id: "CITY", value: 1n }] }, "fields[0].value"]]) {
    const error = await errorOf(() => form.valuesOf(wrong));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", option]);
  }
});

test("values must be an object; unknown members are checked as data", async () => {
  const { form } = await formOf({ isRequired: true, maxLength: 3 });
  for (const values of [[], ["a"], null, "text", 7, new Date(0)]) {
    const { code, option } = await errorOf(() => form.check(values));
    assert.deepEqual([code, option], ["InvalidRequest", "values"]);
  }
  assert.equal((await errorOf(() => form.check({ name: "a", other: () => {} }))).option, "other");
  for (const name of ["abcd", 7]) {
    const [{ fieldId, code }, ...others] = form.check({ name, companyName: "c" });
    assert.deepEqual([fieldId, code, others], ["name", "ValueRegexFailure", []]);
  }
});

// With long text such a pattern overflows the stack of the engine's RegExp; the error would end the core.
test("text too long for the engine's RegExp is left to the service", async () => {
  const { remit, form } = await formOf({ isRequired: false, regex: "^(?:(a)(b)?(c)?(d)?(e)?(f)?)*$" });
  const name = "a".repeat(900_000);
  assert.deepEqual(form.check({ name, companyName: "c" }), []);
  const fields = [{ id: "name", value: name }, { id: "companyName", value: "c" }];
  assert.equal((await remit.createSender({ senderType: "BUSINESS", fields })).senderId, ID);
  assert.ok((await remit.nonce()).nonce, "the kit is sound");
});

test("after destroy every call says so, and destroy may be called again", async () => {
  const { remit, requests } = await kit();
  const first = remit.destroy();
  assert.equal(remit.destroy(), first);
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
  assert.equal((await errorOf(() => remit.contentSecurityPolicy())).code, "Destroyed");
  assert.equal(await first, undefined);
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
  assert.deepEqual(requests, []);
});

test("destroy waits for calls in flight to finish", async () => {
  const answers = {};
  const { remit } = await kit(({ path }) => new Promise((resolve) => (answers[path] = resolve)));
  const calls = [remit.senderId(), remit.nonce()];
  await settled();
  let isOver = false;
  const destroyed = remit.destroy().then(() => (isOver = true));
  answers["/v1/nonce"]({ nonce: ID });
  await settled();
  assert.equal(isOver, false);
  answers["/v1/sender-id"]({ senderId: ID });
  await destroyed;
  assert.deepEqual(await Promise.all(calls), [{ senderId: ID }, { nonce: ID }]);
});

test("a kit can be disposed of", { skip: Symbol.dispose === undefined }, async () => {
  const { remit } = await kit();
  remit[Symbol.dispose]();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("finished calls leave no memory behind", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const { remit, requests } = await kit(() => '{"nonce":"n"}');
  const { signal } = new AbortController();
  const usedAfter = async (calls) => {
    for (let i = 0; i < calls; i += 1) {
      await remit.nonce({ signal });
      requests.length = 0;
    }
    await settled();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await usedAfter(4_000);
  const growth = ((await usedAfter(5_000)) - before) / 5_000;
  assert.ok(growth < 120, `${growth} bytes a call`);
});
