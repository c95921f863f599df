// The fakes of `remitkit/testing`: a card form, a kit, an attempt and a field form.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPIRED, readAll, START, SUCCESS, withPage } from "./card-page.mjs";
import { assertRefused, errorOf, load, never, remitkit, settled } from "./kit.mjs";

const { fakeCardForm, fakeFieldForm, fakeRemitKit, fakeTransferAttempt } = await load("testing.js");
const { isRemitError, RemitError } = remitkit;
const failure = (code, kind) => new RemitError(code, "…", { kind, retryable: false });
const codeOf = async (work) => (await errorOf(work)).code;

test("a success completes the form, unless the service does not know it", async () => {
  const usual = await fakeCardForm({ cardId: "1", sessionId: "s", events: [START, SUCCESS] });
  assert.deepEqual(await usual.form.completed, { cardId: "1", sessionId: "s" });
  const other = await fakeCardForm();
  await other.emit({ type: SUCCESS, cardId: "2" });
  assert.deepEqual(await other.form.completed, { cardId: "2", sessionId: other.form.sessionId });
  const { form } = await fakeCardForm({ events: [START, { type: SUCCESS, cardId: null }] });
  const error = await errorOf(form.completed);
  assert.ok(isRemitError(error));
  assert.deepEqual([error.code, error.kind], ["InvalidCardOnboardingSession", "card"]);
});

test("an expired form can be renewed in place, or fail to renew", async () => {
  const fake = await fakeCardForm({ events: [START, EXPIRED] });
  const { form } = fake;
  const { sessionId } = form;
  assert.equal((await errorOf(form.completed)).resolution, "start_new_card_session");
  const offline = failure("NetworkFailure", "unavailable");
  fake.failRenewal(offline);
  assert.equal(await errorOf(form.renew()), offline);
  fake.failRenewal(undefined);
  await form.renew();
  assert.equal(fake.renewals, 1);
  assert.notEqual(form.sessionId, sessionId);
  await fake.emit(START, SUCCESS);
  assert.equal((await form.completed).sessionId, form.sessionId);
});

test("a form fails with the errors of the core", async () => {
  const shown = "The card form could not be shown. Try again.";
  const expired = "The card form has expired. Start again.";
  for (const [event, message, userMessage, kind] of [
    ["LOAD_FAILED", "The card form could not be reached. Try again.", shown, "frame"],
    [{ type: "LOAD_FAILED", reason: "timeout" }, "The card form did not load in time.", shown, "frame"],
    [{ type: "LOAD_FAILED", reason: "new" }, shown, shown, "frame"],
    [EXPIRED, expired, expired, "card"],
    [
      { type: SUCCESS, cardId: null },
      "The card form reported a success that the service does not know of. Start again.",
      expired,
      "card",
    ],
  ]) {
    const { form } = await fakeCardForm({ loadError: "never", events: [event] });
    const error = await errorOf(form.completed);
    assert.deepEqual([error.message, error.userMessage, error.kind], [message, userMessage, kind]);
    assert.deepEqual([error.resolution, error.retryable], ["start_new_card_session", false]);
  }
});

test("a form that fails to load can still load later", async () => {
  const fake = await fakeCardForm({ loadError: "never", events: ["LOAD_FAILED"] });
  assert.equal(await codeOf(fake.form.completed), "CardFormLoadFailed");
  await fake.emit("READY", START, SUCCESS);
  assert.ok((await fake.form.completed).cardId);
});

test("update, the clock and destroy behave like a real form's", async () => {
  const fake = await fakeCardForm({ lifetimeMs: 60_000 });
  fake.form.update({ theme: { lng: "es" } });
  assert.deepEqual(fake.themes, [{ lng: "es" }]);
  assert.ok(fake.form.secondsLeft() > 55 && fake.form.secondsLeft() <= 60);
  fake.form.destroy();
  assert.equal(fake.isDestroyed, true);
  assert.equal(await codeOf(fake.form.completed), "CardFormDestroyed");
});

test("in jsdom a component gets a form with an empty frame in its container", () =>
  withPage(async ({ container }) => {
    const { remit, cardForms, calls } = fakeRemitKit();
    const form = await remit.cardForm({ container, theme: { lng: "en" } });
    assert.equal(container.querySelector("iframe"), form.element);
    assert.deepEqual(calls, [["cardForm", { container, theme: { lng: "en" } }]]);
    await cardForms[0].emit(START, SUCCESS);
    assert.deepEqual((await readAll(form)).map(({ type }) => type), ["READY", START, SUCCESS]);
    form.destroy();
    const controller = new AbortController();
    const aborted = codeOf(remit.cardForm({ container }, { signal: controller.signal }));
    controller.abort();
    assert.equal(await aborted, "Aborted");
    await settled();
    assert.deepEqual([container.children.length, cardForms.length], [0, 1]);
  }));

test("a fake kit answers as told, records calls and names missing methods", async () => {
  const quote = { quoteHistoryId: "q" };
  const contentSecurityPolicy = () => ({ "frame-src": [] });
  const { remit, calls } = fakeRemitKit({ quote: async () => quote, contentSecurityPolicy });
  assert.equal(await remit.quote({ amount: 5 }), quote);
  assert.deepEqual(remit.contentSecurityPolicy(), { "frame-src": [] });
  await assertRefused((request) => remit.transfer(request), [[{ amount: 5 }, "methods.transfer"]]);
  assert.match((await errorOf(() => remit.pushToCard({}))).message, /no pushToCard/);
  assert.deepEqual(calls, [
    ["quote", { amount: 5 }],
    ["contentSecurityPolicy"],
    ["transfer", { amount: 5 }],
    ["pushToCard", {}],
  ]);
  await assertRefused(fakeRemitKit, [[{ quotes: () => {} }, "methods.quotes"], [{ quote }, "methods.quote"]]);
});

test("an aborted fake call ends like a real one; a transfer settles despite its signal", async () => {
  let settle;
  const transfer = () => new Promise((resolve) => (settle = resolve));
  const { remit } = fakeRemitKit({ transfer, nonce: never, request: never, createRecipient: never });
  const get = { method: "GET", path: "/v1/later" };
  const aborting = (call) => {
    const controller = new AbortController();
    const ended = call({ signal: controller.signal });
    controller.abort();
    return ended;
  };
  for (const [call, code] of [
    [(options) => remit.nonce(options), "Aborted"],
    [(options) => remit.request(get, options), "Aborted"],
    // These may have had their effect.
    [(options) => remit.request({ ...get, method: "POST" }, options), "OutcomeUnknown"],
    [(options) => remit.createRecipient({}, options), "OutcomeUnknown"],
  ]) {
    assert.equal(await codeOf(aborting(call)), code, String(call));
  }
  const transferred = aborting((options) => remit.transfer({}, options));
  settle("made");
  assert.equal(await transferred, "made");
});

test("a fake call with an aborted signal is recorded but has no effect", async () => {
  const happened = [];
  const { remit, calls, cardForms } = fakeRemitKit({ createRecipient: async () => happened.push("created") });
  const options = { signal: AbortSignal.abort() };
  assert.equal(await codeOf(remit.createRecipient({}, options)), "Aborted");
  assert.equal(await codeOf(remit.cardForm({}, options)), "Aborted");
  assert.deepEqual([happened, cardForms, calls.length], [[], [], 2]);
});

test("a fake attempt is made once, however often it is submitted", async () => {
  const outcome = { confirmationNumber: "77" };
  const fake = fakeTransferAttempt({ amount: 12550, quoteBy: "SEND_AMOUNT", outcome });
  const { attempt } = fake;
  assert.deepEqual([attempt.state, attempt.amount, fake.submissions], ["PREPARED", 12550, 0]);
  assert.equal((await errorOf(attempt.acknowledge())).kind, "invalid_request");
  const { confirmationNumber, transferId, recovered } = await attempt.submit();
  assert.deepEqual([confirmationNumber, typeof transferId, recovered], ["77", "string", false]);
  assert.equal((await attempt.resume()).transferId, transferId);
  assert.deepEqual([attempt.state, fake.submissions, attempt.transferId], ["CREATED", 1, transferId]);
  assert.equal((await errorOf(attempt.discard())).kind, "conflict");
  await attempt.acknowledge();
});

test("an unknown outcome's error carries its attempt, which can resume", async () => {
  const fake = fakeTransferAttempt({ outcome: () => failure("OutcomeUnknown", "outcome_unknown") });
  const error = await errorOf(fake.attempt.submit());
  assert.deepEqual([error.attempt, fake.attempt.state], [fake.attempt, "SENT"]);
  for (const method of ["discard", "acknowledge"]) {
    assert.equal((await errorOf(fake.attempt[method]())).kind, "outcome_unknown");
  }
  fake.settle({ transferId: "t" });
  assert.equal((await error.attempt.resume()).transferId, "t");
  assert.deepEqual([fake.attempt.state, fake.submissions], ["CREATED", 2]);
  const silent = fakeTransferAttempt({ outcome: never });
  const { kind } = await errorOf(silent.attempt.submit({ signal: AbortSignal.timeout(20) }));
  assert.deepEqual([kind, silent.attempt.state], ["outcome_unknown", "SENT"]);
});

test("a fake attempt can be refused or discarded", async () => {
  const fake = fakeTransferAttempt({ outcome: failure("InsufficientFunds", "invalid_request") });
  assert.equal(await codeOf(fake.attempt.submit()), "InsufficientFunds");
  const { attempt } = fakeTransferAttempt();
  await attempt.discard();
  assert.deepEqual([fake.attempt.state, attempt.state], ["REFUSED", "DISCARDED"]);
});

test("a fake field form has the given fields and finds missing values", async () => {
  const options = [{ id: "JA", name: "Jalisco" }];
  const form = fakeFieldForm([
    { fieldId: "firstName", isRequired: true },
    "EMAIL_ADDRESS",
    { fieldId: "ADDRESS_STATE", fieldType: "DROPDOWN", options },
    { fieldId: "CARD_ID", isRequired: true },
  ]);
  const [{ fields }] = form.fieldSets;
  assert.deepEqual(fields.map(({ fieldId, visibility }) => [fieldId, visibility]), [
    ["firstName", "SHOW_AND_REQUIRED"],
    ["EMAIL_ADDRESS", "SHOW_AND_OPTIONAL"],
    ["ADDRESS_STATE", "SHOW_AND_OPTIONAL"],
    ["CARD_ID", "HIDE_AND_REQUIRED"],
  ]);
  assert.equal(form.requiresCard, true);
  const [problem, ...others] = form.check({ firstName: " ", CARD_ID: "1" });
  assert.deepEqual([problem.fieldId, problem.code, others], ["firstName", "MissingRequiredField", []]);
  assert.deepEqual(fields.map(({ fieldId }) => form.isRequired(fieldId, { firstName: "Ana" })), [
    true, false, false, true,
  ]);
  assert.equal((await errorOf(() => form.isRequired("none"))).option, "fieldId");
  const values = { firstName: "Ana", EMAIL_ADDRESS: "", other: null };
  assert.deepEqual(form.toFields(values), [{ id: "firstName", value: "Ana" }]);
  const record = { firstName: "Ana", fields: [{ id: "ADDRESS_STATE", value: "JA" }] };
  assert.deepEqual(form.valuesOf(record), { firstName: "Ana", ADDRESS_STATE: "JA" });
  assert.deepEqual([await form.options("ADDRESS_STATE"), await form.options("EMAIL_ADDRESS")], [options, []]);
});
