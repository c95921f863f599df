// A card form in pages, browsers and devices that get in its way.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./card-page.mjs";
import { errorOf, kit, settled, speedUp } from "./kit.mjs";

const { EXPIRED, FAIL, formTest, frameOf, Sessions, START, SUCCESS, withPage } = page;

/** Declares a test of a form in a page that `prepare` has changed. `heard` are the form's events. */
function pageTest(name, prepare, work, options) {
  test(name, (t) =>
    withPage(async (it) => {
      const sessions = new Sessions();
      prepare?.({ ...it, t, sessions });
      const { remit, requests } = await kit(sessions.answer, { locale: "en" });
      const form = await remit.cardForm({ container: "#card", ...options });
      const heard = [];
      for (const type of ["READY", "LOAD_FAILED", START, SUCCESS, FAIL, EXPIRED]) {
        form.on(type, (event) => heard.push(event));
      }
      const alert = () => it.container.querySelector("[role=alert]");
      const pass = async (ms) => {
        for (let left = ms; left > 0; left -= 1000) {
          t.mock.timers.tick(Math.min(left, 1000));
          await settled();
        }
      };
      const comeBack = () => (it.window.dispatchEvent(new it.window.Event("focus")), settled());
      const frame = frameOf(form);
      await work({ ...it, t, remit, requests, form, frame, sessions, heard, alert, pass, comeBack });
      form.destroy();
    }),
  );
}

const NOW = Date.parse("2030-01-01T00:00:00Z");

const isShown = ({ element }) => element.style.display !== "none";
const typesOf = (events) => events.map(({ type }) => type);
const isOpen = ({ completed }) =>
  Promise.race([completed.then(() => false, () => false), settled().then(() => true)]);

const offline = ({ window }) => Object.defineProperty(window.navigator, "onLine", { get: () => false });
/** Has time pass by `pass` alone. */
function fakeTime({ t }) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
  const { now } = Date;
  t.mock.method(performance, "now", () => now.call(Date) - NOW);
}
const endIn = ({ sessions }, ms) => (sessions.expirationDate = new Date(NOW + ms).toISOString());
const blockChecks = ({ window }) => {
  window.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
};

pageTest("a browser that says it is offline does not fail a form that has loaded", offline, async (it) => {
  await it.frame.load();
  assert.deepEqual([typesOf(it.heard), isShown(it.form), it.alert()], [["READY"], true, null]);
});

pageTest(
  "a loaded form stays usable although a blocker stops the check of its server",
  (it) => (blockChecks(it), fakeTime(it)),
  async ({ form, frame, heard, alert, pass, sessions }) => {
    await frame.load();
    await pass(300);
    await settled();
    assert.deepEqual(heard, [{ type: "LOAD_FAILED", reason: "unreachable", hasLoaded: true }]);
    assert.equal(isShown(form), true);
    assert.equal(alert().textContent, "If the card form is not shown here, please try again.");
    assert.equal(form.element.nextSibling.style.minHeight, "");
    sessions.cards.set(form.sessionId, "c");
    await frame.say(START);
    assert.deepEqual([typesOf(heard), isShown(form), alert()], [["LOAD_FAILED", "READY", START], true, null]);
    await frame.say(SUCCESS);
    await pass(1000);
    assert.equal((await form.completed).cardId, "c");
  },
);

pageTest(
  "a form that loads after it was reported is shown, also if the check fails",
  (it) => (blockChecks(it), fakeTime(it)),
  async ({ form, frame, heard, alert, pass }) => {
    await pass(500);
    await settled();
    assert.deepEqual([heard, isShown(form)], [[{ type: "LOAD_FAILED", reason: "timeout" }], false]);
    await frame.load();
    await pass(300);
    await settled();
    assert.deepEqual([heard.at(-1).hasLoaded, isShown(form)], [true, true]);
    assert.match(alert().textContent, /is not shown here/);
  },
  { loadTimeoutMs: 500 },
);

pageTest(
  "a card that was verified is found although a script stops all messages, when the customer returns",
  ({ window }) => window.addEventListener("message", (event) => event.stopImmediatePropagation(), true),
  async ({ form, frame, heard, sessions, comeBack, requests }) => {
    await frame.load();
    const reads = () => requests.filter(({ method }) => method === "GET").length;
    sessions.cards.set(form.sessionId, "c");
    await frame.say(START, SUCCESS);
    assert.deepEqual([typesOf(heard), await isOpen(form)], [["READY"], true]);
    await comeBack();
    assert.equal((await form.completed).cardId, "c");
    assert.deepEqual(typesOf(heard), ["READY", SUCCESS]);
    const before = reads();
    await comeBack();
    assert.equal(reads(), before, "nothing is left to be read");
  },
);

test("a verified card whose session could not be read is found when the customer returns", (t) =>
  withPage(async ({ window }) => {
    speedUp(t);
    const sessions = new Sessions();
    let isOffline = false;
    const { remit } = await kit((request) => {
      if (isOffline && request.method === "GET") throw new TypeError("Failed to fetch");
      return sessions.answer(request);
    });
    const form = await remit.cardForm({ container: "#card" });
    const heard = [];
    form.on(SUCCESS, (event) => heard.push(event));
    const frame = frameOf(form);
    await frame.load();
    sessions.cards.set(form.sessionId, "c");
    isOffline = true;
    await frame.say(START, SUCCESS);
    assert.equal((await errorOf(form.completed)).code, "NetworkFailure");
    isOffline = false;
    window.dispatchEvent(new window.Event("focus"));
    for (let i = 0; i < 5; i += 1) await settled();
    const { cardId, sessionId } = await form.completed;
    assert.deepEqual([cardId, sessionId, heard.length], ["c", form.sessionId, 1]);
    form.destroy();
  }));

pageTest("a customer who returns to an unfinished form changes nothing", undefined, async (it) => {
  const { form, frame, heard, comeBack, requests, sessions } = it;
  await frame.load();
  for (let i = 0; i < 3; i += 1) await comeBack();
  assert.equal(requests.filter(({ method }) => method === "GET").length, 1, "nor are they noticed");
  assert.deepEqual([typesOf(heard), await isOpen(form)], [["READY"], true]);
  sessions.cards.set(form.sessionId, "c");
  await frame.say(START, SUCCESS);
  assert.equal((await form.completed).cardId, "c");
});

pageTest(
  "a card that was verified is found shortly before its session ends",
  (it) => (fakeTime(it), endIn(it, 60_000)),
  async ({ form, frame, pass, sessions }) => {
    await frame.load();
    sessions.cards.set(form.sessionId, "c");
    await pass(44_000);
    assert.ok(await isOpen(form));
    await pass(2000);
    assert.equal((await form.completed).cardId, "c");
  },
);

pageTest(
  "the end of a session is noticed without its message",
  (it) => (fakeTime(it), endIn(it, 60_000)),
  async ({ form, frame, heard, pass, sessions }) => {
    await frame.load();
    await pass(59_000);
    assert.deepEqual([typesOf(heard), form.secondsLeft()], [["READY"], 1]);
    sessions.status = "EXPIRED";
    await pass(5000);
    assert.deepEqual(typesOf(heard), ["READY", EXPIRED]);
    assert.equal((await errorOf(form.completed)).code, "InvalidCardOnboardingSession");
  },
);

pageTest(
  "a form whose container a script empties rejects, and can be renewed",
  (it) => fakeTime(it),
  async ({ form, frame, container, pass, heard }) => {
    await frame.load();
    const { completed } = form;
    container.replaceChildren();
    await pass(1000);
    assert.ok(await isOpen(form), "it may only be moved");
    await pass(1000);
    const { code, kind, message } = await errorOf(completed);
    assert.deepEqual([code, kind], ["CardFormRemoved", "frame"]);
    assert.match(message, /removed from the page/);
    await form.renew();
    assert.equal(form.element.parentNode, container);
    await frame.load();
    assert.ok(await isOpen(form));
    assert.deepEqual(typesOf(heard), ["READY", "READY"]);
  },
);

pageTest(
  "a form that is moved, or completed, or destroyed, is not reported as removed",
  (it) => fakeTime(it),
  async ({ form, frame, container, document = container.ownerDocument, pass, sessions, remit }) => {
    await frame.load();
    container.remove();
    await pass(1000);
    document.body.append(container);
    await pass(3000);
    assert.ok(await isOpen(form));
    sessions.cards.set(form.sessionId, "c");
    await frame.say(START, SUCCESS);
    await pass(1000);
    const card = await form.completed;
    container.remove();
    await pass(3000);
    assert.equal(await form.completed, card);
    document.body.append(container);
    const destroyed = await remit.cardForm({ container });
    destroyed.destroy();
    await pass(3000);
    assert.equal((await errorOf(destroyed.completed)).code, "CardFormDestroyed");
  },
);
