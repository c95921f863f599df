import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPIRED, FAIL, Sessions, START, SUCCESS, withPage } from "./card-page.mjs";
import { errorOf, kit, settled } from "./kit.mjs";
import { testing } from "./testing.mjs";

const { fakeCardForm, fakeRemitKit, isRemitError } = await testing();

/** Own members and those of the class, but for the constructor. */
const membersOf = (object) => {
  const prototype = Object.getPrototypeOf(object);
  const own = prototype === Object.prototype ? object : prototype;
  return Reflect.ownKeys(own)
    .filter((name) => name !== "constructor")
    .map(String)
    .sort();
};

test("a fake form is a card form: it has a real one's members", () =>
  withPage(async () => {
    const { remit } = await kit(new Sessions().answer);
    const real = await remit.cardForm({ container: "#card" });
    const { form } = await fakeCardForm();
    assert.deepEqual(membersOf(form), membersOf(real));
    assert.ok(membersOf(form).length >= 13);
  }));

test("a fake kit has a real one's members, all of them functions", async () => {
  const { remit } = await kit();
  const fake = fakeRemitKit().remit;
  assert.deepEqual(membersOf(fake), membersOf(remit));
  for (const name of Reflect.ownKeys(fake)) {
    assert.equal(typeof fake[name], "function", String(name));
  }
});

test("every kind of reader hears events in the order played", async () => {
  const fake = await fakeCardForm({ events: ["READY", START] });
  const heard = [];
  for (const type of ["READY", START, FAIL, SUCCESS]) {
    fake.form.on(type, (event) => heard.push(event.type));
  }
  await settled();
  assert.deepEqual(heard, ["READY", START], "what came before is kept");
  await fake.emit(FAIL, START, SUCCESS);
  assert.deepEqual(heard, ["READY", START, FAIL, START, SUCCESS], "heard when emit is fulfilled");
  const iterated = [];
  for await (const event of fake.form) {
    iterated.push(event);
  }
  assert.deepEqual(
    iterated,
    ["READY", START, FAIL, START, SUCCESS].map((type) => ({ type })),
    "and no more than a real event carries",
  );
});

test("a success completes the form with the given card", async () => {
  const usual = await fakeCardForm({ cardId: "1", sessionId: "s", events: [START, SUCCESS] });
  assert.deepEqual(await usual.form.completed, { cardId: "1", sessionId: "s" });
  const other = await fakeCardForm();
  await other.emit({ type: SUCCESS, cardId: "2" });
  assert.deepEqual(await other.form.completed, { cardId: "2", sessionId: other.form.sessionId });
});

test("a success unknown to the service fails the form", async () => {
  const { form } = await fakeCardForm({ events: [START, { type: SUCCESS, cardId: null }] });
  const error = await errorOf(form.completed);
  assert.ok(isRemitError(error));
  assert.deepEqual([error.code, error.kind], ["InvalidCardOnboardingSession", "card"]);
});

test("an expired form can be renewed in place, or fail to renew", async () => {
  const fake = await fakeCardForm({ events: [START, EXPIRED] });
  const { form } = fake;
  const before = { completed: form.completed, sessionId: form.sessionId };
  assert.equal((await errorOf(before.completed)).resolution, "start_new_card_session");
  const { RemitError } = await testing().then(({ load }) => load("index.js"));
  const offline = new RemitError("NetworkFailure", "…", { kind: "unavailable", retryable: true });
  fake.failRenewal(offline);
  assert.equal(await errorOf(form.renew()), offline);
  fake.failRenewal(undefined);
  await form.renew();
  assert.equal(fake.renewals, 1);
  assert.notEqual(form.sessionId, before.sessionId);
  await fake.emit(START, SUCCESS);
  assert.equal((await form.completed).sessionId, form.sessionId);
});

test("a form that fails to load says why and can still load later", async () => {
  for (const [event, reason] of [
    ["LOAD_FAILED", "unreachable"],
    [{ type: "LOAD_FAILED", reason: "blocked", directive: "frame-src" }, "blocked"],
  ]) {
    const fake = await fakeCardForm({ loadError: "never" });
    const seen = [];
    fake.form.on("LOAD_FAILED", (failed) => seen.push(failed.reason));
    await fake.emit(event);
    assert.deepEqual(seen, [reason]);
    assert.equal((await errorOf(fake.form.completed)).code, "CardFormLoadFailed");
    await fake.emit("READY", START, SUCCESS);
    assert.ok((await fake.form.completed).cardId);
  }
});

test("a form that failed to load can be renewed and take a card", async () => {
  const fake = await fakeCardForm({ events: ["LOAD_FAILED"] });
  const { completed } = fake.form;
  await fake.form.renew();
  await fake.emit("READY", START, SUCCESS);
  assert.ok((await completed).cardId);
});

test("update, the clock and destroy behave like a real form's", async () => {
  const fake = await fakeCardForm({ lifetimeMs: 60_000 });
  fake.form.update({ theme: { lng: "es" } });
  assert.deepEqual(fake.themes, [{ lng: "es" }]);
  assert.ok(fake.form.secondsLeft() > 55 && fake.form.secondsLeft() <= 60);
  const heard = [];
  fake.form.on(START, () => heard.push(START));
  fake.form.destroy();
  await fake.emit(START);
  assert.deepEqual([heard, fake.isDestroyed], [[], true]);
  assert.equal((await errorOf(fake.form.completed)).code, "CardFormDestroyed");
});

test("an event that no form has is refused", async () => {
  const fake = await fakeCardForm();
  for (const event of ["COMPLETED", "card_validation_start", undefined, null, 7, {}, { type: "FAILED" }]) {
    const error = await errorOf(fake.emit(event));
    assert.equal(error.kind, "invalid_request", String(event));
    assert.equal((await errorOf(fakeCardForm({ events: [event] }))).kind, "invalid_request");
  }
});

test("in jsdom a component gets a form with an empty frame in its container", () =>
  withPage(async ({ container }) => {
    const { remit, cardForms, calls } = fakeRemitKit();
    const form = await remit.cardForm({ container, theme: { lng: "en" } });
    assert.equal(container.querySelector("iframe"), form.element);
    assert.deepEqual(calls, [["cardForm", { container, theme: { lng: "en" } }]]);
    const ready = [];
    form.on("READY", () => ready.push("READY"));
    await cardForms[0].emit(START, SUCCESS);
    assert.deepEqual(ready, ["READY"]);
    assert.ok((await form.completed).cardId);
    form.destroy();
    assert.equal(container.children.length, 0);
  }));

test("a fake kit answers as told, records calls and names missing methods", async () => {
  const quote = { quoteHistoryId: "q" };
  const { remit, calls } = fakeRemitKit({
    quote: async () => quote,
    contentSecurityPolicy: () => ({ "frame-src": [] }),
  });
  assert.equal(await remit.quote({ amount: 5 }), quote);
  assert.deepEqual(remit.contentSecurityPolicy(), { "frame-src": [] });
  const error = await errorOf(remit.transfer({ amount: 5 }));
  assert.ok(isRemitError(error));
  assert.deepEqual([error.code, error.option], ["InvalidRequest", "methods.transfer"]);
  assert.match((await errorOf(() => remit.pushToCard({}))).message, /no pushToCard/);
  assert.deepEqual(calls, [
    ["quote", { amount: 5 }],
    ["contentSecurityPolicy"],
    ["transfer", { amount: 5 }],
    ["pushToCard", {}],
  ]);
  assert.equal((await errorOf(() => fakeRemitKit({ quotes: () => {} }))).option, "methods.quotes");
  assert.equal((await errorOf(() => fakeRemitKit({ quote: quote }))).option, "methods.quote");
});

test("a fake kit's form has the requested session", async () => {
  const { remit } = fakeRemitKit();
  const form = await remit.cardForm({ container: "#card", sessionId: "s" });
  assert.equal(form.sessionId, "s");
  assert.ok(form.url.endsWith("/s"));
  await form.renew();
  assert.notEqual(form.sessionId, "s");
});

test("destroying a fake kit ends its forms and refuses calls", async () => {
  const { remit } = fakeRemitKit({ nonce: async () => "n" });
  const form = await remit.cardForm({});
  await remit.destroy();
  await remit.destroy();
  assert.equal((await errorOf(form.completed)).code, "Destroyed");
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

const never = () => new Promise(() => {});
const ended = (work) => Promise.race([errorOf(work), settled()]);

test("an aborted fake call ends like a real one; late results are ignored", async () => {
  let fail;
  const { remit, calls } = fakeRemitKit({
    quote: () => new Promise((_, reject) => (fail = reject)),
    nonce: never,
    request: never,
    createRecipient: never,
    releaseCustomerHold: never,
  });
  const get = { method: "GET", path: "/v1/later" };
  for (const [call, code] of [
    [(options) => remit.quote({ amount: 5 }, options), "Aborted"],
    [(options) => remit.nonce(options), "Aborted"],
    [(options) => remit.request(get, options), "Aborted"],
    // What was sent may have been done.
    [(options) => remit.request({ ...get, method: "POST" }, options), "OutcomeUnknown"],
    [(options) => remit.createRecipient({}, options), "OutcomeUnknown"],
    [(options) => remit.releaseCustomerHold("t", options), "OutcomeUnknown"],
  ]) {
    const controller = new AbortController();
    const error = ended(call({ signal: controller.signal }));
    controller.abort();
    assert.ok(isRemitError(await error), String(call));
    assert.equal((await error).code, code, String(call));
  }
  fail(new Error("nobody waits for it"));
  await settled();
  assert.equal(calls.length, 6);
});

test("a fake kit's method may abort its own call", async () => {
  const controller = new AbortController();
  const { remit } = fakeRemitKit({
    quote: () => {
      controller.abort();
      return never();
    },
  });
  assert.equal((await ended(remit.quote({}, { signal: controller.signal }))).code, "Aborted");
});

test("a fake call with an aborted signal is recorded but has no effect", async () => {
  const happened = [];
  const { remit, calls, cardForms } = fakeRemitKit({ createRecipient: async () => happened.push("created") });
  const options = { signal: AbortSignal.abort() };
  for (const call of [() => remit.createRecipient({}, options), () => remit.cardForm({}, options)]) {
    const error = await errorOf(call);
    assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
  }
  assert.deepEqual([happened, cardForms, calls.length], [[], [], 2]);
});

test("a fake kit removes a form whose call was aborted meanwhile", () =>
  withPage(async ({ container }) => {
    const { remit, cardForms } = fakeRemitKit();
    const controller = new AbortController();
    const mounted = errorOf(remit.cardForm({ container }, { signal: controller.signal }));
    controller.abort();
    assert.equal((await mounted).code, "Aborted");
    await settled();
    assert.deepEqual([container.children.length, cardForms], [0, []]);
  }));

test("a fake kit's transfer settles despite its signal", async () => {
  let settle;
  const { remit } = fakeRemitKit({ transfer: () => new Promise((resolve) => (settle = resolve)) });
  const controller = new AbortController();
  const transfer = remit.transfer({}, { signal: controller.signal });
  controller.abort();
  settle("made");
  assert.equal(await transfer, "made");
});

test("a fake kit leaves no listener on the signal of a finished call", async () => {
  const { signal } = new AbortController();
  const listening = new Set();
  signal.addEventListener = (_, listener) => listening.add(listener);
  signal.removeEventListener = (_, listener) => listening.delete(listener);
  const { remit } = fakeRemitKit({ nonce: async () => "n" });
  assert.equal(await remit.nonce({ signal }), "n");
  await settled();
  assert.equal(listening.size, 0);
});
