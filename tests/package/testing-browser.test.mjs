// The fake card frame and the sandbox's own form, in a real page with the SDK.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { driven, IN_PAGE, served } from "./chromium.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const START = "CARD_VALIDATION_START";
const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
const FAIL = "CARD_VALIDATION_STOP_FAIL";
const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
const TYPES = ["READY", "LOAD_FAILED", START, SUCCESS, FAIL, EXPIRED];

const { fakeCardFrame, fillCardForm, folder, startSandbox, testCards } = await installed();
const browser = await driven();
const sandbox = await fileSandbox(startSandbox);
const frame = await fakeCardFrame({ sandbox });
after(() => frame.stop());
const PAGE = '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><div id="card"></div>';
const shopUrl = await served(join(folder, "node_modules/remitkit"), { "/": PAGE });

/** A page with a form of this origin; `heard` and `completed` are what the SDK tells of it. */
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
      globalThis.form = form;
      for (const type of types) {
        form.on(type, (event) => globalThis.heard.push(event.reason ?? event.type));
      }
      globalThis.completed = form.completed.then(
        ({ sessionId }) => ({ sessionId }),
        (error) => ({ code: error.code }),
      );
    },
    { baseUrl: sandbox.baseUrl, cardUrl, token, options, types: TYPES },
  );
  return {
    page,
    errors,
    heard: () => page.evaluate(() => globalThis.heard),
    completed: () => page.evaluate(() => globalThis.completed),
    hears: (count) => page.waitForFunction((count) => globalThis.heard.length >= count, count),
  };
}

test("a script plays as written, and its success exists in the service", IN_PAGE, async (t) => {
  frame.play([START, { event: FAIL, delayMs: 200 }, START, SUCCESS]);
  const { heard, completed, errors } = await mounted(t, frame.cardUrl, { theme: { lng: "es-MX" } });
  const { sessionId } = await completed();
  assert.deepEqual(await heard(), ["READY", START, FAIL, START, SUCCESS]);
  const [session] = await sandbox.cardSessions.list();
  assert.deepEqual([session.id, session.status], [sessionId, "SUCCEEDED"]);
  const opened = frame.opened.at(-1);
  assert.equal(opened.sessionId, sessionId);
  assert.equal(opened.parameters.lng, "es-MX");
  assert.deepEqual(errors, []);
});

test("an expiry, or a success unknown to the service, fails the form", IN_PAGE, async (t) => {
  for (const script of [
    [START, EXPIRED],
    [START, { event: SUCCESS, verify: false }],
    [START, { event: SUCCESS, card: testCards.invalid.number }],
  ]) {
    frame.play(script);
    const { completed } = await mounted(t, frame.cardUrl);
    assert.deepEqual(await completed(), { code: "InvalidCardOnboardingSession" });
  }
});

test("a frame that never loads fails to load", IN_PAGE, async (t) => {
  frame.play([START], { loading: "never" });
  const { heard, completed } = await mounted(t, frame.cardUrl, { loadTimeoutMs: 600, loadError: "never" });
  assert.deepEqual(await completed(), { code: "CardFormLoadFailed" });
  assert.deepEqual(await heard(), ["timeout"]);
});

test("a frame that loads late still works", IN_PAGE, async (t) => {
  frame.play([START], { delayMs: 1200 });
  const { heard, hears } = await mounted(t, frame.cardUrl, { loadTimeoutMs: 400 });
  await hears(3);
  assert.deepEqual(await heard(), ["timeout", "READY", START]);
});

test("a dropped frame is unreachable; an unframeable one sends only READY", IN_PAGE, async (t) => {
  // The browser's error page looks like any other, but with a broken connection the probe fails too.
  for (const [loading, told] of Object.entries({ dropped: "unreachable", unframeable: "READY" })) {
    frame.play([START], { loading });
    const { heard, hears, page } = await mounted(t, frame.cardUrl);
    await hears(1);
    await page.waitForTimeout(500);
    assert.deepEqual(await heard(), [told], loading);
  }
});

test("a form whose server is gone fails, and renews with a new session", IN_PAGE, async (t) => {
  frame.play([START], { loading: "dropped" });
  const { heard, hears, completed, page } = await mounted(t, frame.cardUrl);
  await page.getByRole("alert").waitFor();
  frame.play([START, SUCCESS]);
  await page.getByRole("button", { name: "Try again" }).click();
  await hears(4);
  assert.deepEqual(await heard(), ["unreachable", "READY", START, SUCCESS]);
  assert.ok((await completed()).sessionId, "which is the outcome that the page has waited for");
});

test("a success counts although a slow image delays the form's load", IN_PAGE, async (t) => {
  frame.play([START, { delayMs: 1500, event: SUCCESS }]);
  const slowly = async (page) => {
    await page.route("**/late.png", async (route) => {
      await sleep(1000);
      await route.abort();
    });
    await page.route("**/v2/add-card/*", async (route) => {
      const reply = await route.fetch();
      const body = (await reply.text()).replace("</html>", '<img src="/late.png" alt=""></html>');
      await route.fulfill({ response: reply, body });
    });
  };
  const { completed } = await mounted(t, frame.cardUrl, {}, slowly);
  assert.ok((await completed()).sessionId);
});

test("malformed messages and those of other frames and origins are ignored", IN_PAGE, async (t) => {
  frame.play([
    { event: START, from: "inner-frame" },
    { event: START, from: "other-origin" },
    { message: { type: START } },
    { message: "CARD_VALIDATION" },
    { until: "click" },
    START,
    // A message may be lost whose frame has gone on before it is delivered.
    { until: "click" },
    { move: "other-origin" },
    SUCCESS,
    { until: "click" },
    FAIL,
  ]);
  const { page, heard, hears } = await mounted(t, frame.cardUrl);
  const goOn = page.frameLocator("#card iframe").getByRole("button", { name: "Continue" });
  await goOn.click();
  await hears(2);
  await goOn.click();
  // Once the moved frame shows its button again, all earlier messages have arrived.
  await page.frameLocator(`#card iframe[src^="${frame.cardUrl}"]`).locator("#continue:visible").waitFor();
  await goOn.click();
  await page.waitForFunction(() => globalThis.arrived.length === 7);
  assert.deepEqual(await heard(), ["READY", START]);
  const arrived = await page.evaluate(() => globalThis.arrived);
  const own = arrived.filter(([origin]) => origin === frame.cardUrl).map(([, data]) => data);
  assert.equal(arrived.length - own.length, 3, "of another origin");
  assert.deepEqual(
    own.filter((data) => data !== START),
    [{ type: START }, "CARD_VALIDATION"],
  );
});

test("a script can vary per opening, and its failure shows in the frame", IN_PAGE, async (t) => {
  const openings = [];
  frame.play(({ opening }) => {
    openings.push(opening);
    if (openings.length > 1) {
      throw new Error("no more");
    }
    return [START];
  });
  const first = await mounted(t, frame.cardUrl);
  await first.hears(2);
  const second = await mounted(t, frame.cardUrl);
  assert.match(await second.page.frameLocator("#card iframe").locator("body").innerText(), /no more/);
  assert.deepEqual(openings, [openings[0], openings[0] + 1]);
});

test("the fake frame's buttons send the events they are labelled with", IN_PAGE, async (t) => {
  frame.play([]);
  const { page, completed } = await mounted(t, frame.cardUrl);
  const form = page.frameLocator("#card iframe");
  await form.getByRole("button", { name: START }).click();
  await form.getByRole("button", { name: SUCCESS }).click();
  assert.ok((await completed()).sessionId);
});

test("fillCardForm enters cards into the sandbox's own form", IN_PAGE, async (t) => {
  const { page, heard, hears, completed } = await mounted(t, sandbox.cardUrl);
  await fillCardForm(page, { card: testCards.prepaid });
  await hears(3);
  await fillCardForm(page.frameLocator("#card iframe"), { card: testCards.success });
  const { sessionId } = await completed();
  assert.ok(sessionId);
  assert.deepEqual(await heard(), ["READY", START, FAIL, START, SUCCESS]);
});

test("fillCardForm waits for a form with slow styles and scripts", IN_PAGE, async (t) => {
  for (const late of ["**/assets/form.css", "**/assets/form.js"]) {
    const slowly = (page) =>
      page.route(late, async (route) => {
        await sleep(700);
        await route.continue();
      });
    const { page, completed } = await mounted(t, sandbox.cardUrl, {}, slowly);
    await fillCardForm(page, { card: testCards.success });
    assert.ok((await completed()).sessionId, late);
  }
});

test("the form's button starts a verification whatever is entered", IN_PAGE, async (t) => {
  for (const [wrong, code] of [
    [{}, "ExpiryDateRequired"],
    [{ number: "4111111111111111", code: "123", name: "Ana Rojas" }, "ExpiryDateRequired"],
    [{ number: "4111111111111111", expiry: "12/34", code: "123", name: "Ana" }, "MinCardholderNames"],
    // No card number leaves the form as a name.
    [{ number: "4111", expiry: "12/34", code: "123", name: "4111 1111" }, "MinCardholderNames"],
    [{ number: "4111", expiry: "12/34", code: "123", name: "Ana Rojas" }, "CardProvidedCannotBeUsedForThisTransaction"],
    [{ number: "4111111111111111", expiry: "12/20", code: "123", name: "Ana Rojas" }, "CardProvidedCannotBeUsedForThisTransaction"],
  ]) {
    const { page, heard, hears } = await mounted(t, sandbox.cardUrl);
    const form = page.frameLocator("#card iframe");
    await form.locator("html[data-state=ready]").waitFor();
    for (const [name, value] of Object.entries(wrong)) await form.locator(`#card-${name}`).fill(value);
    const [reply] = await Promise.all([
      page.waitForResponse((reply) => reply.url().endsWith("/verify")),
      form.locator("#verify").click(),
    ]);
    assert.equal((await reply.json()).code, code, JSON.stringify(wrong));
    assert.ok(!/4111 1111/.test(reply.request().postDataJSON().name), "a number as a name");
    await hears(3);
    assert.deepEqual(await heard(), ["READY", START, FAIL]);
    await form.locator("[aria-invalid=true]").first().waitFor();
    await page.close();
  }
});

test("every test card gives the result its constant states", IN_PAGE, async (t) => {
  const ends = { fail: FAIL, expired: EXPIRED };
  for (const [name, card] of Object.entries(testCards)) {
    const { page, heard, hears } = await mounted(t, sandbox.cardUrl);
    await fillCardForm(page, { card });
    await hears(3);
    assert.deepEqual(await heard(), ["READY", START, ends[card.result] ?? SUCCESS], name);
    await page.close();
  }
});

test("in a page the entry point loads, and calls that need Node say so", IN_PAGE, async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(shopUrl);
  const said = await page.evaluate(async (addresses) => {
    const { connectSandbox, fakeCardFrame, fakeRemitKit, startSandbox } = await import("/testing.js");
    const ends = [];
    for (const start of [startSandbox, fakeCardFrame]) {
      await start().catch(({ code, message }) => ends.push(code, message));
    }
    const { remit } = fakeRemitKit();
    const form = await remit.cardForm({ container: "#card" });
    return [...ends, form.element.isConnected, (await connectSandbox(addresses).transfers()).length];
  }, sandbox.toJSON());
  assert.deepEqual(said, [
    "InvalidConfiguration",
    "startSandbox needs Node.js: call it in the test runner's process, not in a page.",
    "InvalidConfiguration",
    "fakeCardFrame needs Node.js: call it in the test runner's process, not in a page.",
    true,
    0,
  ]);
});
