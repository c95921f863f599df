// The fake card frame and the sandbox's own form, in a real page with the SDK.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { IN_PAGE, launchBrowser, page as pageText, serveFolder } from "./chromium.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const START = "CARD_VALIDATION_START";
const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
const FAIL = "CARD_VALIDATION_STOP_FAIL";
const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
const TYPES = ["READY", "LOAD_FAILED", START, SUCCESS, FAIL, EXPIRED];

const { fakeCardFrame, fillCardForm, folder, startSandbox, testCards } = await installed();
const browser = await launchBrowser();
const sandbox = await fileSandbox(startSandbox);
const frame = await fakeCardFrame({ sandbox });
after(() => frame.stop());
const shopUrl = await serveFolder(join(folder, "node_modules/remitkit"), {
  "/": pageText('<div id="card"></div>'),
  "/main.js": "",
});

/** Mounts a form of this origin in a page; `heard` and `completed` are what the SDK reports of it. */
async function mounted(t, cardUrl, options = {}, prepare = () => {}) {
  const page = await browser.newPage();
  await prepare(page);
  t.after(() => page.close());
  page.setDefaultTimeout(30_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(shopUrl);
  const token = await sandbox.token();
  await page.evaluate(
    async ({ baseUrl, cardUrl, token, options, types }) => {
      globalThis.heard = [];
      globalThis.arrived = [];
      addEventListener("message", ({ origin, data }) => globalThis.arrived.push([origin, data]));
      const { createRemitKit } = await import("/index.js");
      const remit = await createRemitKit({ baseUrl, cardUrl, token });
      const form = await remit.cardForm({ container: "#card", ...options });
      for (const type of types) form.on(type, (event) => globalThis.heard.push(event.reason ?? event.type));
      globalThis.completed = form.completed.then(({ sessionId }) => sessionId, ({ code }) => code);
    },
    { baseUrl: sandbox.baseUrl, cardUrl, token, options, types: TYPES },
  );
  return {
    page,
    errors,
    form: page.frameLocator("#card iframe"),
    completed: () => page.evaluate(() => globalThis.completed),
    /** Waits for as many events as these, and asserts that they are these. */
    async hears(...types) {
      await page.waitForFunction((count) => globalThis.heard.length >= count, types.length);
      assert.deepEqual(await page.evaluate(() => globalThis.heard), types);
    },
  };
}

/** Delays the requests of an address. */
const slowly = (address, ms) => (page) =>
  page.route(address, async (route) => {
    await sleep(ms);
    await route.continue();
  });

/** Asserts that the form has completed with a session of the service. */
async function assertCompleted(completed) {
  assert.match(await completed(), /^[0-9a-f-]{36}$/);
}

test("a script plays as written, and its success exists in the service", IN_PAGE, async (t) => {
  frame.play([START, { event: FAIL, delayMs: 200 }, START, SUCCESS]);
  const { hears, completed, errors } = await mounted(t, frame.cardUrl, { theme: { lng: "es-MX" } });
  const sessionId = await completed();
  await hears("READY", START, FAIL, START, SUCCESS);
  const [session] = await sandbox.cardSessions.list();
  assert.deepEqual([session.id, session.status], [sessionId, "SUCCEEDED"]);
  const opened = frame.opened.at(-1);
  assert.deepEqual([opened.sessionId, opened.parameters.lng, errors], [sessionId, "es-MX", []]);
});

test("an expiry, or a success unknown to the service, fails the form", IN_PAGE, async (t) => {
  for (const script of [
    [START, EXPIRED],
    [START, { event: SUCCESS, verify: false }],
    [START, { event: SUCCESS, card: testCards.invalid.number }],
  ]) {
    frame.play(script);
    const { completed } = await mounted(t, frame.cardUrl);
    assert.equal(await completed(), "InvalidCardOnboardingSession");
  }
});

// card-load.test.mjs tries one that is dropped, and one that loads late.
test("a frame that never loads fails; an unframeable one is READY and plays nothing", IN_PAGE, async (t) => {
  frame.play([START], { loading: "never" });
  const { hears, completed } = await mounted(t, frame.cardUrl, { loadTimeoutMs: 600, loadError: "never" });
  assert.equal(await completed(), "CardFormLoadFailed");
  await hears("timeout");
  frame.play([START], { loading: "unframeable" });
  const other = await mounted(t, frame.cardUrl);
  await other.hears("READY");
  await other.page.waitForTimeout(500);
  await other.hears("READY");
});

test("malformed messages and those of other frames and origins are ignored", IN_PAGE, async (t) => {
  frame.play([
    { event: START, from: "inner-frame" },
    { event: START, from: "other-origin" },
    { message: { type: START } },
    { message: "CARD_VALIDATION" },
    { until: "click" },
    START,
    // A message may be lost whose frame has navigated before it is delivered.
    { until: "click" },
    { move: "other-origin" },
    SUCCESS,
    { until: "click" },
    FAIL,
  ]);
  const { page, hears, form } = await mounted(t, frame.cardUrl);
  const goOn = form.getByRole("button", { name: "Continue" });
  await goOn.click();
  await hears("READY", START);
  await goOn.click();
  // Once the moved frame shows its button again, all earlier messages have arrived.
  await page.frameLocator(`#card iframe[src^="${frame.cardUrl}"]`).locator("#continue:visible").waitFor();
  await goOn.click();
  await page.waitForFunction(() => globalThis.arrived.length === 7);
  await hears("READY", START);
  const arrived = await page.evaluate(() => globalThis.arrived);
  const own = arrived.filter(([origin]) => origin === frame.cardUrl).map(([, data]) => data);
  assert.equal(own.length, 4);
  assert.deepEqual(own.filter((data) => data !== START), [{ type: START }, "CARD_VALIDATION"]);
});

test("fillCardForm enters cards into the sandbox's form, also where it loads slowly", IN_PAGE, async (t) => {
  const { page, hears, form, completed } = await mounted(t, sandbox.cardUrl);
  await fillCardForm(page, { card: testCards.prepaid });
  await hears("READY", START, FAIL);
  await fillCardForm(form, { card: testCards.success });
  await assertCompleted(completed);
  for (const late of ["**/assets/form.css", "**/assets/form.js"]) {
    const { page, completed } = await mounted(t, sandbox.cardUrl, {}, slowly(late, 700));
    await fillCardForm(page, { card: testCards.success });
    await assertCompleted(completed);
  }
});
