import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { errorOf, kit, settled } from "./facade.mjs";

const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const OTHER = "9d1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

// Each method with its arguments, and the operation, ids and input that the core must get.
const CALLS = [
  ["quote", [{ amount: 5 }], [], '{"amount":5}'],
  ["getQuote", [ID], [ID]],
  ["createSender", [{ a: 1 }], [], '{"a":1}'],
  ["updateSender", [ID, { a: 1 }], [ID], '{"a":1}'],
  ["replaceSender", [ID, { a: 1 }], [ID], '{"a":1}'],
  ["getSender", [ID], [ID]],
  ["deleteSender", [ID], [ID]],
  ["senderId", [], []],
  ["createRecipient", [{ a: 1 }], [], '{"a":1}'],
  ["replaceRecipient", [ID, { a: 1 }], [ID], '{"a":1}'],
  ["getRecipient", [ID], [ID]],
  ["deleteRecipient", [ID], [ID]],
  ["recipients", [{ senderId: ID }], [], `{"senderId":"${ID}"}`],
  ["createRecipientAccount", [ID, { a: 1 }], [ID], '{"a":1}'],
  ["replaceRecipientAccount", [ID, OTHER, { a: 1 }], [ID, OTHER], '{"a":1}'],
  ["getRecipientAccount", [ID, OTHER], [ID, OTHER]],
  ["deleteRecipientAccount", [ID, OTHER], [ID, OTHER]],
  ["recipientAccounts", [ID], [ID]],
  ["createCardSession", [{ entityMode: "SENDER" }], [], '{"entityMode":"SENDER"}'],
  ["getCardSession", [ID], [ID]],
  ["nonce", [], []],
  ["getTransfer", [ID], [ID]],
  ["transfers", [{ limit: 5 }], [], '{"limit":5}'],
  ["transferStatuses", [ID], [ID]],
  ["transferProgress", [ID], [ID]],
  ["transferReceipt", [ID], [ID]],
  ["transferRequest", [ID], [ID]],
  ["releaseCustomerHold", [ID], [ID]],
  ["cancelCustomerHold", [ID, { reason: "CUSTOMER_REQUEST" }], [ID], '{"reason":"CUSTOMER_REQUEST"}'],
  ["request", [{ method: "GET", path: "/v1/x" }], [], '{"method":"GET","path":"/v1/x"}'],
];

for (const [name, args, ids, input] of CALLS) {
  test(`${name} hands ids, input and signal to the core and gives back its reply untouched`, async () => {
    const reply = { reply: name };
    const { remit, control } = await kit(() => reply);
    const { signal } = new AbortController();
    assert.equal(await remit[name](...args, { signal }), reply);
    assert.deepEqual(control.calls, [["call", name, ids, input, signal]]);
  });
}

test("lists need no filter, and a card session is the recipient's unless said otherwise", async () => {
  const { remit, control } = await kit(() => []);
  await remit.transfers();
  await remit.recipients();
  await remit.createCardSession();
  assert.deepEqual(
    control.calls.map((call) => call[3]),
    ["{}", "{}", '{"entityMode":"RECIPIENT"}'],
  );
});

test("an id that is no string never reaches the core", async () => {
  const { remit, control, isRemitError } = await kit();
  const noStrings = [
    undefined,
    null,
    7,
    {},
    [ID],
    Symbol("id"),
    { toString: () => ID },
    new String(ID),
    "\ud800",
  ];
  for (const id of noStrings) {
    const error = await errorOf(remit.replaceRecipientAccount(ID, id, {}));
    assert.ok(isRemitError(error));
    assert.deepEqual([error.code, error.kind, error.option], ["InvalidRecipientAccountId", "invalid_request", "accId"]);
  }
  assert.deepEqual(control.calls, []);
});

test("the core gets a signal of our own, so that one with methods that throw cannot harm it", async () => {
  const { remit, control } = await kit();
  const controller = new AbortController();
  const throwing = () => assert.fail("a method of the caller's");
  Object.assign(controller.signal, { addEventListener: throwing, removeEventListener: throwing });
  let settle;
  control.answer = () => new Promise((resolve) => (settle = resolve));
  const call = remit.nonce({ signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve));
  const given = control.calls.at(-1).at(-1);
  assert.notEqual(given, controller.signal);
  assert.equal(given.aborted, false);
  controller.abort("anything");
  assert.equal(given.aborted, true);
  settle(null);
  await call;
});

test("a signal that is none is refused before anything is sent", async () => {
  const { remit, control, isRemitError } = await kit();
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
    assert.ok(isRemitError(error));
    assert.deepEqual([error.kind, error.option], ["invalid_request", option]);
  }
  assert.deepEqual(control.calls, []);
});

test("an error of the core passes as it is, anything else becomes internal", async () => {
  const { remit, control, RemitError } = await kit();
  const refusal = new RemitError("QuoteAmountChanged", "The rate has changed.", {
    kind: "quote",
    retryable: false,
    quote: {},
  });
  control.answer = () => {
    throw refusal;
  };
  assert.equal(await errorOf(remit.nonce()), refusal);
  for (const thrown of [undefined, null, "text", new TypeError("x"), { kind: "quote" }]) {
    control.answer = () => Promise.reject(thrown);
    const error = await errorOf(remit.nonce());
    assert.ok(error instanceof RemitError);
    assert.deepEqual([error.code, error.kind, error.cause], ["Internal", "internal", thrown]);
  }
});

test("contentSecurityPolicy and cardFormUrl answer at once", async () => {
  const { remit, control } = await kit((name) =>
    name === "contentSecurityPolicy" ? '{"frame-src":["https://card.example"]}' : "https://card.example/x",
  );
  assert.deepEqual(remit.contentSecurityPolicy(), { "frame-src": ["https://card.example"] });
  assert.equal(remit.cardFormUrl(ID, { primary: "#0a7" }), "https://card.example/x");
  assert.equal(remit.cardFormUrl(ID), "https://card.example/x");
  assert.deepEqual(control.calls.slice(1), [
    ["cardFormUrl", ID, '{"primary":"#0a7"}'],
    ["cardFormUrl", ID, undefined],
  ]);
  assert.equal((await errorOf(() => remit.cardFormUrl(7))).option, "sessionId");
  assert.equal((await errorOf(() => remit.cardFormUrl(ID, "dark"))).option, "theme");
});

test("a field form shows what the core asked for and hands values on as JSON", async () => {
  const fieldSets = [{ fieldSetId: "card", fields: [] }];
  const answers = {
    fieldForm: { fieldSets, requiresCard: true },
    check: [{ fieldId: "CARD_ID", code: "MissingRequiredField", message: "…" }],
    toFields: [{ id: "CARD_ID", value: "c" }],
    options: [{ id: "JAL", name: "Jalisco" }],
  };
  const { remit, control } = await kit((name) => answers[name]);
  for (const name of ["senderFields", "recipientFields", "recipientAccountFields", "transferFields"]) {
    control.calls.length = 0;
    const form = await remit[name]({ transferMethod: "PUSH_TO_CARD" });
    assert.equal(form.fieldSets, fieldSets);
    assert.equal(form.requiresCard, true);
    assert.deepEqual(form.check({ CARD_ID: "" }), answers.check);
    assert.deepEqual(form.toFields({ CARD_ID: "c" }), answers.toFields);
    assert.deepEqual(control.calls, [
      ["fieldForm", name, '{"transferMethod":"PUSH_TO_CARD"}', undefined],
      ["check", '{"CARD_ID":""}'],
      ["toFields", '{"CARD_ID":"c"}'],
    ]);
    assert.equal(await form.options("STATE", { COUNTRY: "MEX" }), answers.options);
    assert.deepEqual(control.calls.at(-1), ["options", "STATE", '{"COUNTRY":"MEX"}', undefined]);
    assert.equal((await errorOf(() => form.options(7))).option, "fieldId");
    assert.equal((await errorOf(() => form.check(undefined))).option, "values");
    assert.equal((await errorOf(() => form.toFields([Number.NaN]))).option, "[0]");
  }
});

test("after destroy every call says so, and destroy may be called again", async () => {
  const { remit, control } = await kit();
  const first = remit.destroy();
  assert.equal(remit.destroy(), first);
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
  assert.equal((await errorOf(() => remit.contentSecurityPolicy())).code, "Destroyed");
  assert.equal(await first, undefined);
  assert.deepEqual(control.calls, [["end"]]);
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("destroy lets the calls in flight come to their end and waits for them", async () => {
  const endings = {};
  const { remit } = await kit(
    (name, operation) => new Promise((resolve, reject) => (endings[operation ?? name] = { resolve, reject })),
  );
  const calls = [remit.senderId(), errorOf(remit.nonce())];
  await settled();
  let isOver = false;
  const destroyed = remit.destroy().then(() => (isOver = true));
  await settled();
  endings.nonce.reject(new Error("x"));
  await settled();
  assert.equal(isOver, false);
  endings.senderId.resolve("s");
  await destroyed;
  assert.equal(await calls[0], "s");
  assert.equal((await calls[1]).kind, "internal");
});

test("a kit can be disposed of", { skip: Symbol.dispose === undefined }, async () => {
  const { remit, control } = await kit();
  remit[Symbol.dispose]();
  await settled();
  assert.deepEqual(control.calls, [["end"]]);
});

test("calls that are over leave nothing behind", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const { remit, control } = await kit();
  const used = [];
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < 10_000; i += 1) {
      await remit.nonce();
      control.calls.length = 0;
    }
    collect();
    used.push(process.memoryUsage().heapUsed);
  }
  const growth = (used[3] - used[1]) / 20_000;
  assert.ok(growth < 50, `${growth} bytes a call`);
});
