// What the element adds to the controller that it shares with React's component, and to its test in Chromium.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import * as page from "./card-page.mjs";
import { assertRefused, errorOf, ID, kit, OTHER, settled, unpacked } from "./kit.mjs";
import { spied } from "./spied.mjs";

const { closePage, EXPIRED, FAIL, frameOf, openPage, sessionId, Sessions, START, SUCCESS, violate } = page;
const watched = await spied();
const { calls, callsOf, created, load } = watched;
const { defineRemitCardForm } = await load("element.js");

let remit;
let sessions;
const newKit = async () => (await kit(sessions.answer, {}, watched)).remit;

beforeEach(async () => {
  openPage("<!doctype html>");
  sessions = new Sessions();
  remit = await newKit();
  calls.length = 0;
  defineRemitCardForm();
});
afterEach(() => closePage());

const frames = (element) => element.shadowRoot.querySelectorAll("iframe").length;

const EVENTS = ["start", "stopfail", "stopexpired"].map((name) => `cardvalidation${name}`);
const TYPES = ["ready", "loadfailed", ...EVENTS, "change", "completed", "error"];

/** Puts an element on the page; `heard` are its events, `say` and `verify` play its form's frame. */
async function shown(properties = {}, attributes = {}) {
  const element = document.createElement("remit-card-form");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const heard = [];
  const hear = ({ type, detail }) => heard.push(detail?.cardId ?? detail?.code ?? detail?.reason ?? type);
  for (const type of TYPES) element.addEventListener(type, hear);
  Object.assign(element, { remit, ...properties });
  document.body.append(element);
  await settled();
  const say = (...messages) => frameOf(element.cardForm).say(...messages);
  const verify = async (cardId) => {
    await frameOf(element.cardForm).load();
    sessions.cards.set(element.cardForm.sessionId, cardId);
    await say(START, SUCCESS);
  };
  return { element, heard, say, verify, frame: element.shadowRoot?.querySelector("iframe") };
}

/** Fails a form to load, blocked by the page's policy. */
const block = (element) => violate("frame-src", element.cardForm.url);

test("a child in the slot load-error replaces the default load error", async () => {
  const { element, heard, verify } = await shown();
  const root = element.shadowRoot;
  await block(element);
  assert.equal(root.querySelector("button").textContent, "Try again");
  element.focus();
  assert.equal(root.activeElement.localName, "button");
  const own = Object.assign(document.createElement("button"), { slot: "load-error" });
  element.append(own);
  await element.renew();
  await block(element);
  assert.deepEqual([root.querySelector("slot").name, root.querySelector("button")], ["load-error", null]);
  own.focus();
  await element.renew();
  await verify("c");
  assert.equal(root.querySelector("slot"), null);
  assert.equal(root.activeElement.localName, "iframe", "who had the focus in the slot has it in the form");
  assert.deepEqual(heard.slice(0, 3), ["blocked", "blocked", "ready"], "the outcome stays open");
});

test("the property loadError wins over the attribute", async () => {
  const failed = async (properties, attributes) => {
    const { element, heard } = await shown(properties, attributes);
    await block(element);
    return [element.shadowRoot.querySelector("[role=alert]")?.textContent, ...heard];
  };
  const never = { "load-error": "never" };
  assert.deepEqual(await failed({}, never), [undefined, "blocked", "CardFormLoadFailed"]);
  assert.deepEqual(await failed({ loadError: { message: "Own" } }, never), ["Own", "blocked"]);
});

test("with autofocus the form takes the focus", async () => {
  const { element } = await shown({}, { autofocus: "" });
  await frameOf(element.cardForm).load();
  assert.equal(element.shadowRoot.activeElement?.localName, "iframe");
});

test("servers and workers define no element, and nothing breaks", () => {
  closePage();
  defineRemitCardForm();
  defineRemitCardForm("Not a name");
  openPage("<!doctype html>");
  assert.equal(customElements.get("remit-card-form"), undefined);
});

test("an invalid or taken name is refused, another copy's is not", async () => {
  customElements.define("other-card", class extends HTMLElement {});
  const names = ["card", "Remit-Card", "", 7, null, "remit card-form", Symbol("remit-card"), "other-card"];
  await assertRefused(defineRemitCardForm, names.map((name) => [name, "tagName"]), "InvalidConfiguration");
  (await (await unpacked()).load("element.js")).defineRemitCardForm();
});

test("properties set in the same turn make one form; attributes win over the theme", async () => {
  const data = { height: 500, sessionId: ID, loadTimeoutMs: 900 };
  const { element } = await shown(
    { ...data, theme: { primary: "#0a7", lng: "en" }, frameTitle: "Card" },
    {
      "theme-lng": "es-MX",
      "theme-show-step": "",
      "theme-show-card-animation": "false",
      "theme-button-radius": "8px",
    },
  );
  const switches = { showStep: true, showCardAnimation: false };
  const theme = { primary: "#0a7", lng: "es-MX", buttonRadius: "8px", ...switches };
  assert.deepEqual(created(), [{ ...data, theme, title: "Card" }]);
  assert.equal(element.shadowRoot.firstChild.style.height, "500px");
});

test("the element reserves its space before it has a kit", async () => {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  const { element } = await shown({ remit: undefined });
  assert.equal(element.shadowRoot.firstChild.style.height, "620px");
  assert.equal((await errorOf(element.renew())).code, "CardFormDestroyed");
  element.remit = promise;
  await settled();
  assert.equal(created().length, 0);
  resolve(remit);
  await settled();
  assert.equal(created().length, 1);
});

test("a renewal after an end without a card opens completed again", async () => {
  const { element, heard, say, verify } = await shown();
  const { completed } = element;
  await frameOf(element.cardForm).load();
  await say(START, FAIL, EXPIRED);
  assert.equal((await errorOf(completed)).code, "InvalidCardOnboardingSession");
  await element.renew();
  assert.notEqual(element.completed, completed);
  await verify("c");
  assert.deepEqual(await element.completed, { cardId: "c", sessionId: sessionId(2) });
  const ended = ["ready", ...EVENTS, "InvalidCardOnboardingSession"];
  assert.deepEqual(heard, [...ended, "ready", "cardvalidationstart", "change", "c"]);
});

test("a card from before a renewal is not the element's value", async () => {
  const { element, verify } = await shown();
  const held = sessions.hold();
  const renewed = element.renew();
  await settled();
  await verify("c");
  assert.equal(element.value, "c");
  await held[0]();
  await renewed;
  assert.equal(element.value, "");
  await verify("new");
  assert.deepEqual([element.value, (await element.completed).cardId], ["new", "new"]);
});

test("theme, title and height update the form; session and kit replace it", async () => {
  const { element, frame } = await shown({ theme: { lng: "en" } });
  element.theme = { lng: "en" };
  await settled();
  assert.equal(callsOf("update").length, 0);
  element.setAttribute("theme-primary", "#0a7");
  Object.assign(element, { theme: null, height: 500, frameTitle: "Other" });
  await settled();
  assert.deepEqual(callsOf("update"), [["update", { theme: { primary: "#0a7" } }]]);
  assert.deepEqual([frame.title, frame.style.height, created().length], ["Other", "500px", 1]);
  element.sessionId = OTHER;
  await settled();
  element.remit = await newKit();
  await settled();
  assert.deepEqual([created().length, callsOf("destroyForm").length, frames(element)], [3, 2, 1]);
  element.remit = null;
  await settled();
  assert.equal(frames(element), 0);
});

test("invalid properties fire an error event that does not bubble", async () => {
  const bubbled = [];
  document.body.addEventListener("error", () => bubbled.push("error"));
  for (const properties of [
    { height: "tall" },
    { remit: {} },
    { remit: Promise.resolve() },
    { theme: { primary: NaN } },
    { loadError: "none" },
  ]) {
    const { heard } = await shown(properties);
    assert.match(String(heard), /^Invalid(Configuration|Request)$/, JSON.stringify(properties));
  }
  assert.deepEqual(bubbled, []);
});
