import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, kit, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";

const START = "CARD_VALIDATION_START";
const FAIL = "CARD_VALIDATION_STOP_FAIL";
const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";

function formTest(name, work, answer) {
  test(name, () =>
    withPage(async ({ container }) => {
      const loaded = await kit(answer);
      const form = await loaded.remit.cardForm({ container: "#card" });
      const [core] = loaded.control.mounted;
      await work({ ...loaded, container, form, core, deliver: core.deliver });
    }),
  );
}

const types = (events) => events.map((event) => event.type);

test("the core gets the element and the options, without the container", () =>
  withPage(async ({ container }) => {
    const { remit, control } = await kit();
    const { signal } = new AbortController();
    await remit.cardForm({ container: "#card", theme: { primary: "#0a7", showStep: true }, height: 520 }, { signal });
    await remit.cardForm({ container, sessionId: "s" });
    const [first, second] = control.calls;
    assert.deepEqual(first.slice(0, 3), ["cardForm", container, '{"theme":{"primary":"#0a7","showStep":true},"height":520}']);
    assert.equal(first[4], signal);
    assert.deepEqual(second.slice(0, 3), ["cardForm", container, '{"sessionId":"s"}']);
  }));

test("a container that is none is refused before a session is created", () =>
  withPage(async () => {
    const { remit, control } = await kit();
    for (const container of [undefined, null, "#other", "##", 7, {}, { nodeType: 1 }, Object.create(null), [], () => {}]) {
      const error = await errorOf(remit.cardForm({ container }));
      assert.deepEqual([error.kind, error.option], ["invalid_request", "container"]);
    }
    assert.equal((await errorOf(remit.cardForm(undefined))).option, "options");
    assert.equal((await errorOf(remit.cardForm({ container: "#card", theme: { text: Symbol("x") } }))).option, "theme.text");
    assert.deepEqual(control.calls, []);
  }));

test("on a server cardForm says that it needs a page", async () => {
  const { remit } = await kit();
  assert.equal((await errorOf(remit.cardForm({ container: "#card" }))).option, "container");
});

formTest("session, address and expiry can be read, also after destroy", async ({ form, core }) => {
  const { sessionId, url, expirationDate, element } = core;
  for (const when of ["before", "after"]) {
    assert.deepEqual([form.sessionId, form.url, form.expirationDate], [sessionId, url, expirationDate], when);
    assert.equal(form.element, element);
    form.destroy();
  }
});

test("events that come before anyone listens are kept, in order, for every sort of reader", () =>
  withPage(async () => {
    const { remit, control } = await kit((name) => name === "cardForm" && control.mounted[0].deliver("READY"));
    const form = await remit.cardForm({ container: "#card" });
    const { deliver } = control.mounted[0];
    deliver(START);
    deliver(FAIL);
    await settled();
    const heard = [];
    form.on("READY", (event) => heard.push(event.type));
    form.on(FAIL, (event) => heard.push(event.type));
    assert.deepEqual(heard, [], "never before `on` has returned");
    deliver(START);
    deliver("COMPLETED", { cardId: "c", sessionId: "session-1" });
    const iterated = [];
    for await (const event of form) {
      iterated.push(event);
    }
    assert.deepEqual(heard, ["READY", FAIL]);
    assert.deepEqual(iterated, [{ type: "READY" }, { type: START }, { type: FAIL }, { type: START }]);
    assert.ok(iterated.every(Object.isFrozen));
    assert.deepEqual(await form.completed, { cardId: "c", sessionId: "session-1" });
  }));

formTest("all consumers see the same order, whenever they began", async ({ form, deliver }) => {
  const seen = { first: [], second: [], heard: [] };
  const read = async (name) => {
    for await (const { type } of form) {
      seen[name].push(type);
    }
  };
  const both = [read("first"), read("second")];
  for (const type of [START, FAIL, SUCCESS]) {
    form.on(type, () => seen.heard.push(type));
  }
  const sent = [];
  for (let i = 0; i < 300; i += 1) {
    sent.push([START, FAIL, START, SUCCESS][i % 4]);
    deliver(sent[i]);
    if (i % 7 === 0) {
      await settled();
    }
  }
  await settled();
  form.destroy();
  await Promise.all(both);
  assert.deepEqual(seen, { first: sent, second: sent, heard: sent });
});

formTest("an iterator goes on where the last one stopped, and does not repeat", async ({ form, deliver }) => {
  for (const type of [START, FAIL, START, SUCCESS]) {
    deliver(type);
  }
  for await (const { type } of form) {
    if (type === FAIL) {
      break;
    }
  }
  deliver("COMPLETED", {});
  const rest = [];
  for await (const { type } of form) {
    rest.push(type);
  }
  assert.deepEqual(rest, [START, SUCCESS]);
});

formTest("a listener registered anew does not hear again what was heard", async ({ form, deliver }) => {
  const heard = [];
  const off = form.on(FAIL, () => heard.push("first"));
  deliver(FAIL);
  await settled();
  off();
  off();
  form.on(FAIL, () => heard.push("second"));
  await settled();
  assert.deepEqual(heard, ["first"]);
  deliver(FAIL);
  await settled();
  assert.deepEqual(heard, ["first", "second"]);
});

formTest("no more than 64 unread events are kept, the newest", async ({ form, deliver }) => {
  for (let i = 0; i < 100; i += 1) {
    deliver("LOAD_FAILED", { reason: String(i) });
  }
  await settled();
  deliver("COMPLETED", {});
  const reasons = [];
  for await (const { reason } of form) {
    reasons.push(Number(reason));
  }
  assert.deepEqual([reasons.length, reasons[0], reasons[63]], [64, 36, 99]);
});

formTest("a listener that throws disturbs nobody, and one that stops listening hears nothing more", async ({ form, deliver }) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error);
  try {
    const heard = [];
    const failure = new Error("in the page");
    form.on(START, () => {
      throw failure;
    });
    const off = form.on(START, () => {
      heard.push("once");
      off();
    });
    form.on(START, () => heard.push("always"));
    deliver(START);
    deliver(START);
    await settled();
    assert.deepEqual(heard, ["once", "always", "always"]);
    assert.deepEqual(reported, [failure, failure]);
  } finally {
    delete globalThis.reportError;
  }
});

formTest("no listener runs inside a call of the core", async ({ form, deliver }) => {
  let isInCore = true;
  const seen = [];
  form.on(START, () => seen.push(isInCore));
  await settled();
  deliver(START);
  isInCore = false;
  await settled();
  assert.deepEqual(seen, [false]);
});

formTest("an event type or a listener that is none is refused", async ({ form }) => {
  for (const type of ["CARD_VALIDATION_STOP_SUCESS", "COMPLETED", "toString", undefined, {}]) {
    assert.equal((await errorOf(() => form.on(type, () => {}))).option, "type");
  }
  for (const listener of [undefined, null, {}, { handleEvent() {} }]) {
    assert.equal((await errorOf(() => form.on(START, listener))).option, "listener");
  }
});

formTest("completed settles once", async ({ form, deliver, RemitError }) => {
  deliver("COMPLETED", { cardId: "first" });
  deliver("COMPLETED", { cardId: "second" });
  deliver("FAILED", new RemitError("Internal", "…", { kind: "internal" }));
  await settled();
  form.destroy();
  assert.equal((await form.completed).cardId, "first");
});

formTest("completed that fails, and that nobody looks at, disturbs nobody", async ({ form, deliver, RemitError }) => {
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const expired = new RemitError("InvalidCardOnboardingSession", "…", { kind: "card" });
  deliver("FAILED", expired);
  await settled();
  await settled();
  process.off("unhandledRejection", note);
  assert.deepEqual(unhandled, []);
  assert.equal(await errorOf(form.completed), expired);
});

formTest("after a failure renew gives a new session with a completed of its own", async ({ form, deliver, control, RemitError }) => {
  const expired = new RemitError("InvalidCardOnboardingSession", "…", { kind: "card" });
  const before = form.completed;
  deliver("CARD_VALIDATION_STOP_EXPIRED");
  deliver("FAILED", expired);
  await settled();
  const { signal } = new AbortController();
  const renewed = form.renew({ signal });
  deliver("READY");
  deliver(SUCCESS);
  deliver("COMPLETED", { cardId: "c", sessionId: "session-2" });
  await renewed;
  assert.equal(control.calls.at(-1)[1], signal);
  assert.equal(form.sessionId, "session-2");
  assert.equal(await errorOf(before), expired);
  assert.equal((await form.completed).sessionId, "session-2");
  const all = [];
  for await (const event of form) {
    all.push(event);
  }
  assert.deepEqual(types(all), ["CARD_VALIDATION_STOP_EXPIRED", "READY", SUCCESS]);
});

formTest("a form that loads after all has a completed that can succeed", async ({ form, deliver, RemitError }) => {
  const late = new RemitError("CardFormLoadFailed", "…", { kind: "frame" });
  const before = form.completed;
  deliver("LOAD_FAILED", { reason: "timeout" });
  deliver("FAILED", late);
  await settled();
  assert.equal(form.completed, before);
  deliver("READY");
  await settled();
  assert.notEqual(form.completed, before);
  deliver("COMPLETED", { cardId: "c" });
  assert.equal(await errorOf(before), late);
  assert.equal((await form.completed).cardId, "c");
});

formTest(
  "a renewal that fails says so and leaves a form that still works as it was",
  async ({ form, deliver, control, RemitError }) => {
    const offline = new RemitError("NetworkFailure", "…", { kind: "unavailable" });
    control.answer = () => Promise.reject(offline);
    const { completed } = form;
    assert.equal(await errorOf(form.renew()), offline);
    assert.equal(form.completed, completed);
    deliver("FAILED", new RemitError("CardFormLoadFailed", "…", { kind: "frame" }));
    await settled();
    assert.equal(await errorOf(form.renew()), offline);
    assert.equal(await errorOf(form.completed), offline);
    control.answer = () => null;
    await form.renew();
    deliver("COMPLETED", { cardId: "c" });
    assert.equal((await form.completed).cardId, "c");
  },
);

formTest("update hands on the theme", async ({ form, control }) => {
  form.update({ theme: { lng: "es-MX" } });
  assert.deepEqual(control.calls.at(-1), ["update", '{"lng":"es-MX"}']);
  assert.equal((await errorOf(() => form.update({}))).option, "theme");
  assert.equal((await errorOf(() => form.update())).option, "options");
});

formTest("destroy ends every consumer, once", async ({ form, deliver, control }) => {
  const heard = [];
  form.on(START, () => heard.push(START));
  const iterator = form[Symbol.asyncIterator]();
  const waiting = [iterator.next(), iterator.next()];
  await settled();
  form.destroy();
  form.destroy();
  deliver(START);
  await settled();
  assert.deepEqual(await Promise.all(waiting), Array(2).fill({ done: true, value: undefined }));
  assert.deepEqual(heard, []);
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
  assert.equal((await errorOf(form.renew())).code, "CardFormDestroyed");
  assert.equal((await errorOf(() => form.update({ theme: {} }))).code, "CardFormDestroyed");
  assert.deepEqual(control.calls.slice(-2), [["destroyForm"], ["freeForm"]]);
});

formTest("a form that is destroyed while it is renewed says so and is left alone", async ({ form, remit, control }) => {
  let finish;
  control.answer = (name) => name === "renew" && new Promise((resolve) => (finish = resolve));
  const renewed = errorOf(form.renew());
  await settled();
  form.destroy();
  finish();
  assert.equal((await renewed).code, "CardFormDestroyed");
  assert.equal(await remit.nonce(), false, "the kit is sound");
});

formTest("an iterator that is left ends its own waiting reader", async ({ form, deliver }) => {
  const iterator = form[Symbol.asyncIterator]();
  const waiting = iterator.next();
  assert.deepEqual(await iterator.return(), { done: true, value: undefined });
  assert.deepEqual(await waiting, { done: true, value: undefined });
  deliver(START);
  await settled();
  assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  assert.equal((await form[Symbol.asyncIterator]().next()).value.type, START);
});

formTest("destroying the kit ends its forms", async ({ form, remit }) => {
  const iterator = form[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await remit.destroy();
  assert.equal((await waiting).done, true);
  assert.equal((await errorOf(form.completed)).code, "Destroyed");
  form.destroy();
});

test("a form whose kit is destroyed while it mounts is not handed out", () =>
  withPage(async () => {
    let finish;
    const { remit } = await kit((name) => name === "cardForm" && new Promise((resolve) => (finish = resolve)));
    const mounting = errorOf(remit.cardForm({ container: "#card" }));
    await settled();
    const destroyed = remit.destroy();
    finish();
    await destroyed;
    assert.equal((await mounting).code, "Destroyed");
  }));
