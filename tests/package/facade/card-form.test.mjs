import assert from "node:assert/strict";
import { test } from "node:test";
import { FAIL, START, SUCCESS, formTest, typesOf } from "./card-form.mjs";
import { errorOf, kit, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";

test("the core gets the element and the options, without the container", () =>
  withPage(async ({ container }) => {
    const { remit, control } = await kit();
    const { signal } = new AbortController();
    await remit.cardForm(
      { container: "#card", theme: { primary: "#0a7", showStep: true }, height: 520 },
      { signal },
    );
    await remit.cardForm({ container, sessionId: "s" });
    const [first, second] = control.calls;
    assert.deepEqual(first.slice(0, 3), [
      "cardForm",
      container,
      '{"theme":{"primary":"#0a7","showStep":true},"height":520}',
    ]);
    assert.ok(first[4] instanceof AbortSignal);
    assert.deepEqual(second.slice(0, 3), ["cardForm", container, '{"sessionId":"s"}']);
  }));

test("a container that is none is refused before a session is created", () =>
  withPage(async () => {
    const { remit, control } = await kit();
    for (const container of [
      undefined,
      null,
      "#other",
      "##",
      7,
      {},
      { nodeType: 1 },
      Object.create(null),
      [],
      () => {},
    ]) {
      const error = await errorOf(remit.cardForm({ container }));
      assert.deepEqual([error.kind, error.option], ["invalid_request", "container"]);
    }
    assert.equal((await errorOf(remit.cardForm(undefined))).option, "options");
    assert.equal(
      (await errorOf(remit.cardForm({ container: "#card", theme: { text: Symbol("x") } }))).option,
      "theme.text",
    );
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

/** Runs with a clock that stands at a time. */
function at(time, work) {
  const { now } = Date;
  Date.now = () => Date.parse(time);
  try {
    return work();
  } finally {
    Date.now = now;
  }
}

formTest("the seconds that are left are those of the clock, without a timer", async ({ form, control }) => {
  const { setTimeout, setInterval } = globalThis;
  globalThis.setTimeout = globalThis.setInterval = () => assert.fail("a timer was started");
  try {
    assert.equal(form.expiresAt, Date.UTC(2030, 0, 1));
    for (const [time, seconds] of [
      ["2029-12-31T23:59:00.000Z", 60],
      ["2029-12-31T23:59:00.001Z", 60],
      ["2029-12-31T23:59:59.999Z", 1],
      ["2030-01-01T00:00:00.000Z", 0],
      ["2031-01-01T00:00:00.000Z", 0],
    ]) {
      assert.equal(
        at(time, () => form.secondsLeft()),
        seconds,
        time,
      );
    }
    control.expirationDate = "2030-01-01T00:20:00.1234567Z";
    await form.renew();
    assert.equal(form.expiresAt, Date.UTC(2030, 0, 1, 0, 20, 0, 123));
    form.destroy();
    assert.equal(
      at("2030-01-01T00:19:00Z", () => form.secondsLeft()),
      61,
    );
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval });
  }
});

formTest("a date that cannot be read is no reason to fail", async ({ form, control }) => {
  control.expirationDate = "soon";
  await form.renew();
  assert.deepEqual([form.expirationDate, form.expiresAt, form.secondsLeft()], ["soon", undefined, undefined]);
});

formTest("completed settles once", async ({ form, deliver, RemitError }) => {
  deliver("COMPLETED", { cardId: "first" });
  deliver("COMPLETED", { cardId: "second" });
  deliver("FAILED", new RemitError("Internal", "…", { kind: "internal" }));
  deliver(START);
  await settled();
  form.destroy();
  assert.equal((await form.completed).cardId, "first");
});

formTest(
  "completed that fails, and that nobody looks at, disturbs nobody",
  async ({ form, deliver, RemitError }) => {
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
  },
);

formTest(
  "after a failure renew gives a new session with a completed of its own",
  async ({ form, deliver, control, RemitError }) => {
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
    assert.ok(control.calls.at(-1)[1] instanceof AbortSignal);
    assert.equal(form.sessionId, "session-2");
    assert.equal(await errorOf(before), expired);
    assert.equal((await form.completed).sessionId, "session-2");
    const all = [];
    for await (const event of form) {
      all.push(event);
    }
    assert.deepEqual(typesOf(all), ["CARD_VALIDATION_STOP_EXPIRED", "READY", SUCCESS]);
  },
);

formTest("renew after a success takes another card, for the same listeners", async ({ form, deliver }) => {
  const heard = [];
  form.on(SUCCESS, () => heard.push(SUCCESS));
  const before = form.completed;
  deliver(SUCCESS);
  deliver("COMPLETED", { cardId: "first" });
  await settled();
  await form.renew();
  deliver(SUCCESS);
  deliver("COMPLETED", { cardId: "second" });
  assert.equal((await before).cardId, "first");
  assert.equal((await form.completed).cardId, "second");
  assert.deepEqual(heard, [SUCCESS, SUCCESS]);
});

formTest(
  "what the old session comes to while it is renewed is not what the new one comes to",
  async ({ form, deliver, control, RemitError }) => {
    const over = new RemitError("InvalidCardOnboardingSession", "…", { kind: "card" });
    for (const [type, detail] of [
      ["COMPLETED", { cardId: "old" }],
      ["FAILED", over],
    ]) {
      let finish;
      control.answer = (name) => name === "renew" && new Promise((resolve) => (finish = resolve));
      const before = form.completed;
      const renewed = form.renew();
      await settled();
      deliver(type, detail);
      assert.equal(await before.then(({ cardId }) => cardId, (error) => error), detail.cardId ?? over);
      finish();
      await renewed;
      assert.notEqual(form.completed, before, type);
      const heard = [];
      const forget = form.on(START, () => heard.push(START));
      deliver(START);
      deliver(SUCCESS);
      await settled();
      assert.deepEqual(heard, [START], type);
      forget();
    }
    deliver("COMPLETED", { cardId: "new" });
    assert.equal((await form.completed).cardId, "new");
  },
);

formTest(
  "of two renewals the one that comes last takes nothing from the session that is shown",
  async ({ form, deliver, control }) => {
    const finish = [];
    control.answer = (name) => name === "renew" && new Promise((resolve) => finish.push(resolve));
    const renewals = [form.renew(), form.renew()];
    await settled();
    finish[1]();
    await renewals[1];
    deliver("COMPLETED", { cardId: "c" });
    assert.equal((await form.completed).cardId, "c");
    finish[0]();
    await renewals[0];
    assert.equal((await form.completed).cardId, "c");
  },
);

formTest(
  "a form that loads after all has a completed that can succeed",
  async ({ form, deliver, RemitError }) => {
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
  },
);

formTest(
  "a renewal that fails says so and leaves a form that still works as it was",
  async ({ form, deliver, control, RemitError }) => {
    const offline = new RemitError("NetworkFailure", "…", { kind: "unavailable" });
    control.answer = () => Promise.reject(offline);
    const { completed } = form;
    assert.equal(await errorOf(form.renew()), offline);
    assert.equal(form.completed, completed);
    const pending = settled().then(() => "pending");
    assert.equal(await Promise.race([completed, pending]), "pending");
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
  deliver(FAIL);
  await settled();
  form.on(FAIL, () => heard.push(FAIL));
  form.destroy();
  form.destroy();
  deliver(START);
  await settled();
  const [first, second] = await Promise.all(waiting);
  assert.equal(first.value.type, FAIL);
  assert.deepEqual(second, { done: true, value: undefined });
  assert.deepEqual(heard, []);
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
  assert.equal((await errorOf(form.renew())).code, "CardFormDestroyed");
  assert.equal((await errorOf(() => form.update({ theme: {} }))).code, "CardFormDestroyed");
  assert.equal(control.calls.filter(([name]) => name === "destroyForm").length, 1);
});

formTest(
  "a form that is destroyed while it is renewed says so and is left alone",
  async ({ form, remit, control }) => {
    let finish;
    control.answer = (name) => name === "renew" && new Promise((resolve) => (finish = resolve));
    const renewed = errorOf(form.renew());
    await settled();
    form.destroy();
    finish();
    assert.equal((await renewed).code, "CardFormDestroyed");
    assert.equal(await remit.nonce(), false, "the kit is sound");
  },
);

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
    const { remit } = await kit(
      (name) => name === "cardForm" && new Promise((resolve) => (finish = resolve)),
    );
    const mounting = errorOf(remit.cardForm({ container: "#card" }));
    await settled();
    const destroyed = remit.destroy();
    finish();
    await destroyed;
    assert.equal((await mounting).code, "Destroyed");
  }));
