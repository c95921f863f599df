import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./card-page.mjs";
import { assertRefused, errorOf, ID, kit, refusal, settled, watchUnhandled } from "./kit.mjs";

const { EXPIRED, FAIL, START, SUCCESS } = page;
const { formTest, readAll, sessionId, Sessions, typesOf, withPage } = page;
const HOUR = 3_600_000;
const codeOf = async (work) => (await errorOf(work)).code;

test("a form follows its options, in a new session or the given one", () =>
  withPage(async ({ container }) => {
    const sessions = new Sessions();
    const { remit } = await kit(sessions.answer);
    const theme = { primary: "#0a7", showStep: true };
    const { element, url } = await remit.cardForm({ container: "#card", theme, height: 520, title: "Card" });
    assert.deepEqual([element.parentNode, element.title, element.style.height], [container, "Card", "520px"]);
    assert.match(url, new RegExp(`/v2/add-card/${sessionId(1)}\\?primary=%230a7&showStep=1$`));
    assert.equal(element.src, url);
    const second = await remit.cardForm({ container, sessionId: ID });
    assert.deepEqual([second.sessionId, sessions.opened.length], [ID, 1]);
  }));

test("invalid options are refused before a session is created", async () => {
  const { remit, requests } = await kit();
  await assertRefused(() => remit.cardForm({ container: "#card" }), [[undefined, "container"]]);
  await withPage(async () => {
    const containers = [undefined, "#other", "##", 7, { nodeType: 1 }];
    const rows = containers.map((container) => [container, "container"]);
    await assertRefused((container) => remit.cardForm({ container }), rows);
    const cardForm = (options) => remit.cardForm(options && { container: "#card", ...options });
    await assertRefused(cardForm, [
      [undefined, "options"],
      [{ theme: { text: Symbol("x") } }, "theme.text"],
      [{ loadError: "none" }, "loadError"],
      [{ autoFocus: "yes" }, "autoFocus"],
    ]);
    for (const [name, range] of [["height", "100 to 4000"], ["loadTimeoutMs", "100 to 120000"]]) {
      for (const value of [0, 150.5, 1e6, "500"]) {
        const { kind, message } = await errorOf(cardForm({ [name]: value }));
        assert.deepEqual([kind, message], ["configuration", `${name} must be a whole number from ${range}.`]);
      }
    }
  });
  assert.deepEqual(requests, []);
});

formTest("session, address, expiry and element can be read, also after destroy", async (it) => {
  const { form, sessions, t } = it;
  const { url, element } = form;
  const start = Date.now();
  sessions.expirationDate = new Date(start + 60_000).toISOString();
  t.mock.method(Date, "now", () => start);
  const now = t.mock.method(performance, "now", () => 0);
  await form.renew();
  const secondsLeftAt = (ms) => (now.mock.mockImplementation(() => ms), form.secondsLeft());
  for (const [ms, seconds] of [[0, 60], [1, 60], [59_999, 1], [60_000, 0], [HOUR, 0]]) {
    assert.equal(secondsLeftAt(ms), seconds, `after ${ms} ms`);
  }
  form.destroy();
  const read = [form.sessionId, form.url, form.element, form.expirationDate, form.expiresAt];
  assert.deepEqual(read, [sessionId(2), form.url, element, sessions.expirationDate, start + 60_000]);
  assert.notEqual(form.url, url);
  assert.equal(secondsLeftAt(0), 0, "what has ended stays so");
});

formTest("completed settles once, and its rejection may go unobserved", async ({ form, verify, say, t }) => {
  const unhandled = watchUnhandled(t);
  await verify("first");
  await verify("second");
  assert.deepEqual(await form.completed, { cardId: "first", sessionId: sessionId(1) });
  await form.renew();
  await say(EXPIRED);
  assert.equal(unhandled.callCount(), 0);
  const { code, kind } = await errorOf(form.completed);
  assert.deepEqual([code, kind], ["InvalidCardOnboardingSession", "card"]);
});

formTest("renewing after an end gives a new session and a new completed", async (it) => {
  const { form, frame, say, verify } = it;
  const heard = [];
  form.on(SUCCESS, ({ type }) => heard.push(type));
  const failed = form.completed;
  await say(EXPIRED);
  await form.renew();
  assert.equal(await codeOf(failed), "InvalidCardOnboardingSession");
  await frame.load();
  await verify("first");
  const first = form.completed;
  await form.renew();
  await frame.load();
  await verify("second");
  assert.deepEqual(await first, { cardId: "first", sessionId: sessionId(2) });
  assert.deepEqual(await form.completed, { cardId: "second", sessionId: sessionId(3) });
  assert.deepEqual(heard, [SUCCESS, SUCCESS]);
  const each = ["READY", START, SUCCESS];
  assert.deepEqual(typesOf(await readAll(form)), ["READY", EXPIRED, ...each, ...each]);
});

for (const outcome of ["old", "InvalidCardOnboardingSession"]) {
  formTest(`during a renewal the old session's result stays its own: ${outcome}`, async (it) => {
    const { form, frame, say, verify, sessions } = it;
    const held = sessions.hold();
    const before = form.completed;
    const renewed = form.renew();
    await settled();
    await (outcome === "old" ? verify("old") : say(EXPIRED));
    assert.equal(await before.then(({ cardId }) => cardId, ({ code }) => code), outcome);
    await held[0]();
    await renewed;
    assert.notEqual(form.completed, before);
    await frame.load();
    await verify("new");
    assert.deepEqual(await form.completed, { cardId: "new", sessionId: sessionId(2) });
  });
}

/** Asks for two renewals and shows the later one. Returns a function that lets the earlier one arrive. */
async function laterRenewal({ form, frame, sessions }) {
  const held = sessions.hold();
  const renewals = [form.renew(), form.renew()];
  await settled();
  await held[1]();
  await renewals[1];
  await frame.load();
  return async () => {
    await held[0]();
    await renewals[0];
  };
}

formTest("of two renewals the later one is shown, in either order of arrival", async (it) => {
  const { form, verify } = it;
  const earlier = await laterRenewal(it);
  await verify("c");
  await earlier();
  assert.deepEqual([form.sessionId, form.element.src], [sessionId(3), form.url]);
  assert.equal((await form.completed).cardId, "c");
});

formTest("a renewal that arrives late does not reopen a form that has expired meanwhile", async (it) => {
  const { form, say } = it;
  const earlier = await laterRenewal(it);
  await say(EXPIRED);
  const { completed } = form;
  await earlier();
  assert.equal(form.completed, completed);
  assert.equal(await codeOf(completed), "InvalidCardOnboardingSession");
});

formTest("a failed renewal rejects and leaves a working form", async (it) => {
  const { form, frame, say, verify, sessions } = it;
  const { open } = sessions;
  sessions.open = () => refusal("AccessDenied", 403);
  const { completed } = form;
  assert.equal(await codeOf(form.renew()), "AccessDenied");
  assert.equal(form.completed, completed);
  assert.equal(await Promise.race([completed, settled()]), undefined);
  await say(EXPIRED);
  assert.equal(await errorOf(form.renew()), await errorOf(form.completed));
  sessions.open = open;
  await form.renew();
  await frame.load();
  await verify("c");
  assert.equal((await form.completed).cardId, "c");
});

formTest("update shows the same session in another theme", async ({ form }) => {
  form.update({ theme: { lng: "es-MX" } });
  const shown = [form.sessionId, new URL(form.url).search, form.element.src];
  assert.deepEqual(shown, [sessionId(1), "?lng=es-MX", form.url]);
  await assertRefused((options) => form.update(options), [[{}, "theme"], [undefined, "options"]]);
});

formTest("destroy ends every consumer, once", async ({ form, say }) => {
  const heard = [];
  form.on(START, ({ type }) => heard.push(type));
  const iterator = form[Symbol.asyncIterator]();
  const waiting = [1, 2, 3, 4].map(() => iterator.next());
  await say(START, FAIL);
  form.on(FAIL, ({ type }) => heard.push(type));
  const { completed } = form;
  const undelivered = say(START);
  form.destroy();
  form.destroy();
  await undelivered;
  await say(START);
  assert.equal(form.completed, completed);
  form.on(FAIL, ({ type }) => heard.push(type));
  await settled();
  const read = (await Promise.all(waiting)).map(({ value, done }) => (done ? "end" : value.type));
  assert.deepEqual([read, heard], [["READY", START, FAIL, "end"], [START]]);
  for (const refused of [form.completed, form.renew(), () => form.update({ theme: {} })]) {
    assert.equal(await codeOf(refused), "CardFormDestroyed");
  }
  assert.equal(form.element.isConnected, false);
});

formTest("a renewal rejects when its form is destroyed meanwhile", async ({ form, remit, sessions }) => {
  const held = sessions.hold();
  const renewed = codeOf(form.renew());
  await settled();
  form.destroy();
  await held[0]();
  assert.equal(await renewed, "CardFormDestroyed");
  assert.ok((await remit.nonce()).nonce, "the kit still works");
});

formTest("destroying the kit ends its forms, also one that is being mounted", async (it) => {
  const { form, remit, container, sessions } = it;
  const held = sessions.hold();
  const mounting = codeOf(remit.cardForm({ container }));
  await settled();
  const destroyed = remit.destroy();
  await held[0]();
  await destroyed;
  assert.deepEqual([await mounting, await codeOf(form.completed)], ["Destroyed", "Destroyed"]);
  assert.equal(container.children.length, 0);
  assert.deepEqual(typesOf(await readAll(form)), ["READY"]);
  form.destroy();
});
