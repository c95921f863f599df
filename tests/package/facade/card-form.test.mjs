import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPIRED, FAIL, formTest, frameOf, sessionId, Sessions, START, SUCCESS, typesOf, withPage } from "./card-page.mjs";
import { errorOf, ID, kit, refusal, settled, stopTime, watchUnhandled } from "./kit.mjs";

test("a form follows its options, in its own session or the named one", () =>
  withPage(async ({ container }) => {
    const sessions = new Sessions();
    const { remit } = await kit(sessions.answer);
    const theme = { primary: "#0a7", showStep: true };
    const first = await remit.cardForm({ container: "#card", theme, height: 520, title: "Card" });
    const { element, url } = first;
    assert.deepEqual([element.parentNode, element.title, element.style.height], [container, "Card", "520px"]);
    assert.match(url, new RegExp(`/v2/add-card/${sessionId(1)}\\?primary=%230a7&showStep=1$`));
    assert.equal(element.src, url);
    const second = await remit.cardForm({ container, sessionId: ID });
    assert.deepEqual([second.sessionId, sessions.opened.length], [ID, 1]);
  }));

test("an invalid container is refused before a session is created", () =>
  withPage(async () => {
    const { remit, requests } = await kit();
    for (const container of [undefined, null, "#other", "##", 7, {}, { nodeType: 1 }, Object.create(null), [], () => {}]) {
      const error = await errorOf(remit.cardForm({ container }));
      assert.deepEqual([error.kind, error.option], ["invalid_request", "container"]);
    }
    assert.equal((await errorOf(remit.cardForm(undefined))).option, "options");
    const theme = { text: Symbol("x") };
    assert.equal((await errorOf(remit.cardForm({ container: "#card", theme }))).option, "theme.text");
    assert.deepEqual(requests, []);
  }));

test("an invalid height or timeout is refused before a session is created", () =>
  withPage(async () => {
    const { remit, requests } = await kit();
    for (const [name, range] of [["height", "100 to 4000"], ["loadTimeoutMs", "100 to 120000"]]) {
      for (const value of [-5, 0, 150.5, 1e6, "500", true]) {
        const error = await errorOf(remit.cardForm({ container: "#card", [name]: value }));
        assert.deepEqual([error.kind, error.option, error.message], ["configuration", name, `${name} must be a whole number from ${range}.`]);
      }
    }
    assert.deepEqual(requests, []);
  }));

test("on a server cardForm says that it needs a page", async () => {
  const { remit } = await kit();
  assert.equal((await errorOf(remit.cardForm({ container: "#card" }))).option, "container");
});

formTest("session, address, expiry and element can be read, also after destroy", async ({ form, sessions }) => {
  const { url, element } = form;
  for (const when of ["before", "after"]) {
    assert.deepEqual([form.sessionId, form.url, form.expirationDate], [sessionId(1), url, sessions.expirationDate], when);
    assert.equal(form.element, element);
    form.destroy();
  }
});

formTest("the seconds left follow the clock", async ({ form, sessions, t }) => {
  const now = t.mock.method(Date, "now");
  const leftAt = (time) => (now.mock.mockImplementation(() => Date.parse(time)), form.secondsLeft());
  assert.equal(form.expiresAt, Date.UTC(2030, 0, 1));
  for (const [time, seconds] of [
    ["2029-12-31T23:59:00.000Z", 60],
    ["2029-12-31T23:59:00.001Z", 60],
    ["2029-12-31T23:59:59.999Z", 1],
    ["2030-01-01T00:00:00.000Z", 0],
    ["2031-01-01T00:00:00.000Z", 0],
  ]) {
    assert.equal(leftAt(time), seconds, time);
  }
  sessions.expirationDate = "2030-01-01T00:20:00.1234567Z";
  await form.renew();
  assert.equal(form.expiresAt, Date.UTC(2030, 0, 1, 0, 20, 0, 123));
  form.destroy();
  assert.equal(leftAt("2030-01-01T00:19:00Z"), 61);
});

formTest("an unreadable expiration date does not fail the form", async ({ form, sessions }) => {
  sessions.expirationDate = "soon";
  await form.renew();
  assert.deepEqual([form.expirationDate, form.expiresAt, form.secondsLeft()], ["soon", undefined, undefined]);
});

formTest("completed settles once", async ({ form, pay }) => {
  await pay("first");
  await pay("second");
  form.destroy();
  assert.deepEqual(await form.completed, { cardId: "first", sessionId: sessionId(1) });
});

formTest("a success unknown to the service fails the form", async ({ form, say }) => {
  say(START, SUCCESS);
  assert.deepEqual([(await errorOf(form.completed)).code], ["InvalidCardOnboardingSession"]);
});

formTest("an unobserved rejection of completed is not reported", async ({ form, say, t }) => {
  const unhandled = watchUnhandled(t);
  say(EXPIRED);
  await settled();
  assert.equal(unhandled.callCount(), 0);
  const { code, kind } = await errorOf(form.completed);
  assert.deepEqual([code, kind], ["InvalidCardOnboardingSession", "card"]);
});

formTest("renewing after a failure gives a new session and a new completed", async ({ form, frame, say, pay }) => {
  const before = form.completed;
  say(EXPIRED);
  await settled();
  await form.renew();
  assert.equal(form.sessionId, sessionId(2));
  await frame.load();
  await pay("c");
  assert.equal((await errorOf(before)).code, "InvalidCardOnboardingSession");
  assert.deepEqual(await form.completed, { cardId: "c", sessionId: sessionId(2) });
  const all = [];
  for await (const event of form) {
    all.push(event);
  }
  assert.deepEqual(typesOf(all), ["READY", EXPIRED, "READY", START, SUCCESS]);
});

formTest("renewing after a success takes another card, for the same listeners", async ({ form, frame, pay }) => {
  const heard = [];
  form.on(SUCCESS, ({ type }) => heard.push(type));
  const before = form.completed;
  await pay("first");
  await form.renew();
  await frame.load();
  await pay("second");
  assert.deepEqual([(await before).cardId, (await form.completed).cardId], ["first", "second"]);
  assert.deepEqual(heard, [SUCCESS, SUCCESS]);
});

for (const outcome of ["old", "InvalidCardOnboardingSession"]) {
  formTest(`during a renewal the old session's result stays its own: ${outcome}`, async (it) => {
    const { form, frame, say, pay, sessions } = it;
    const held = sessions.hold();
    const before = form.completed;
    const renewed = form.renew();
    await settled();
    if (outcome === "old") {
      await pay("old");
    } else {
      say(EXPIRED);
    }
    assert.equal(await before.then(({ cardId }) => cardId, ({ code }) => code), outcome);
    await held[0]();
    await renewed;
    assert.notEqual(form.completed, before);
    await frame.load();
    const heard = [];
    form.on(START, ({ type }) => heard.push(type));
    heard.length = 0;
    await pay("new");
    assert.ok(heard.includes(START));
    assert.deepEqual(await form.completed, { cardId: "new", sessionId: sessionId(2) });
  });
}

formTest("of two renewals the later one is shown, in either order of arrival", async ({ form, frame, pay, sessions }) => {
  const held = sessions.hold();
  const renewals = [form.renew(), form.renew()];
  await settled();
  await held[1]();
  await renewals[1];
  await frame.load();
  await pay("c");
  assert.equal((await form.completed).cardId, "c");
  await held[0]();
  await renewals[0];
  assert.deepEqual([form.sessionId, form.element.src], [sessionId(3), form.url]);
  assert.equal((await form.completed).cardId, "c");
});

test("a form that loads late after all has a completed that can succeed", (t) =>
  withPage(async () => {
    const time = stopTime(t);
    const sessions = new Sessions();
    const { remit } = await kit(sessions.answer);
    const form = await remit.cardForm({ container: "#card", loadTimeoutMs: 5000, loadError: "never" });
    const before = form.completed;
    // Asked for meanwhile, its server answers.
    await time.pass(2000);
    await time.pass(3000);
    assert.equal((await errorOf(before)).code, "CardFormLoadFailed");
    assert.equal(form.completed, before);
    const frame = frameOf(form);
    await frame.load();
    assert.notEqual(form.completed, before);
    sessions.cards.set(form.sessionId, "c");
    frame.say(START, SUCCESS);
    assert.equal((await time.whileTimePasses(form.completed)).cardId, "c");
  }));

formTest("a failed renewal rejects and leaves a working form", async (it) => {
  const { form, frame, say, pay, sessions } = it;
  const { open } = sessions;
  sessions.open = () => refusal("AccessDenied", 403);
  const { completed } = form;
  assert.equal((await errorOf(form.renew())).code, "AccessDenied");
  assert.equal(form.completed, completed);
  assert.equal(await Promise.race([completed, settled()]), undefined);
  say(EXPIRED);
  await settled();
  const refused = await errorOf(form.renew());
  assert.equal(refused.code, "AccessDenied");
  assert.equal(await errorOf(form.completed), refused);
  sessions.open = open;
  await form.renew();
  await frame.load();
  await pay("c");
  assert.equal((await form.completed).cardId, "c");
});

formTest("update shows the same session in another theme", async ({ form }) => {
  form.update({ theme: { lng: "es-MX" } });
  assert.deepEqual([form.sessionId, new URL(form.url).search, form.element.src], [sessionId(1), "?lng=es-MX", form.url]);
  assert.equal((await errorOf(() => form.update({}))).option, "theme");
  assert.equal((await errorOf(() => form.update())).option, "options");
});

formTest("destroy ends every consumer, once", async ({ form, say }) => {
  const heard = [];
  form.on(START, () => heard.push(START));
  const iterator = form[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value.type, "READY");
  const waiting = [iterator.next(), iterator.next(), iterator.next()];
  say(START, FAIL);
  await settled();
  form.on(FAIL, () => heard.push(FAIL));
  form.destroy();
  form.destroy();
  say(START);
  await settled();
  const [first, second, third] = await Promise.all(waiting);
  assert.deepEqual([first.value.type, second.value.type, third], [START, FAIL, { done: true, value: undefined }]);
  assert.deepEqual(heard, [START]);
  for (const refused of [form.completed, form.renew(), () => form.update({ theme: {} })]) {
    assert.equal((await errorOf(refused)).code, "CardFormDestroyed");
  }
  assert.equal(form.element.isConnected, false);
});

formTest("a renewal rejects when its form is destroyed meanwhile", async ({ form, remit, sessions }) => {
  const held = sessions.hold();
  const renewed = errorOf(form.renew());
  await settled();
  form.destroy();
  await held[0]();
  assert.equal((await renewed).code, "CardFormDestroyed");
  assert.ok((await remit.nonce()).nonce, "the kit is sound");
});

formTest("destroying the kit ends its forms", async ({ form, remit }) => {
  const iterator = form[Symbol.asyncIterator]();
  await iterator.next();
  const waiting = iterator.next();
  await remit.destroy();
  assert.equal((await waiting).done, true);
  assert.equal((await errorOf(form.completed)).code, "Destroyed");
  assert.equal(form.element.isConnected, false);
  form.destroy();
});

test("a kit destroyed during mounting hands out no form", () =>
  withPage(async ({ container }) => {
    const sessions = new Sessions();
    const held = sessions.hold();
    const { remit } = await kit(sessions.answer);
    const mounting = errorOf(remit.cardForm({ container: "#card" }));
    await settled();
    const destroyed = remit.destroy();
    await held[0]();
    await destroyed;
    assert.equal((await mounting).code, "Destroyed");
    assert.equal(container.children.length, 0);
  }));
