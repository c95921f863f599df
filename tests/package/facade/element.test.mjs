import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { closePage, EXPIRED, FAIL, frameOf, openPage, sessionId, Sessions, START, SUCCESS, violate } from "./card-page.mjs";
import { spied } from "./spied.mjs";
import { errorOf, ID, kit as kitOf, OTHER, refusal, settled, unpacked } from "./kit.mjs";

const watched = await spied();
const { calls, forms, load } = watched;
const { defineRemitCardForm } = await load("element.js");
const { THEME_ATTRIBUTES } = await load("element/theme-attributes.js");

let remit;
let sessions;
const newKit = async () => (await kitOf(sessions.answer, {}, watched)).remit;

beforeEach(async () => {
  openPage("<!doctype html>");
  sessions = new Sessions();
  remit = await newKit();
  calls.length = 0;
  forms.length = 0;
  defineRemitCardForm();
});
afterEach(() => closePage());

const TYPES = "ready loadfailed cardvalidationstart cardvalidationstopfail cardvalidationstopexpired change completed error".split(" ");

/** An element on the page, what it has told, and what its form's frame does. */
async function shown(properties = {}, attributes = {}) {
  const element = document.createElement("remit-card-form");
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  const told = [];
  for (const type of TYPES) {
    element.addEventListener(type, ({ detail }) => told.push(detail?.cardId ?? detail?.code ?? detail?.reason ?? type));
  }
  Object.assign(element, { remit, ...properties });
  document.body.append(element);
  await settled();
  const say = (...messages) => {
    frameOf(element.cardForm).say(...messages);
    return settled();
  };
  const pay = async (cardId) => {
    await frameOf(element.cardForm).load();
    sessions.cards.set(element.cardForm.sessionId, cardId);
    await say(START, SUCCESS);
  };
  return { element, told, say, pay, frame: element.shadowRoot?.querySelector("iframe") };
}

/** Fails to load, as the page's policy forbids it. */
async function fail(element) {
  violate("frame-src", element.cardForm.url);
  await settled();
}

test("a child in the slot load-error replaces the default load error", async () => {
  const { element, told, pay } = await shown();
  const root = element.shadowRoot;
  await fail(element);
  assert.equal(root.querySelector("button").textContent, "Try again");
  element.focus();
  assert.equal(root.activeElement.localName, "button");
  element.append(Object.assign(document.createElement("p"), { slot: "load-error" }));
  await element.renew();
  await fail(element);
  assert.deepEqual([root.querySelector("slot").name, root.querySelector("button")], ["load-error", null]);
  await element.renew();
  await pay("c");
  assert.equal(root.querySelector("slot"), null);
  element.focus();
  assert.equal(root.activeElement.localName, "iframe");
  assert.deepEqual(told.slice(0, 3), ["blocked", "blocked", "ready"], "what it comes to was open");
  assert.equal(told.at(-1), "c");
});

test("loadError wins over its attribute, which can turn the message off", async () => {
  const failed = async (properties, attributes) => {
    const { element, told } = await shown(properties, attributes);
    await fail(element);
    return [element.shadowRoot.querySelector("[role=alert]")?.textContent, ...told];
  };
  assert.deepEqual(await failed({}, { "load-error": "never" }), [undefined, "blocked", "CardFormLoadFailed"]);
  assert.deepEqual(await failed({ loadError: { message: "Own" } }, { "load-error": "never" }), ["Own", "blocked"]);
  assert.deepEqual((await shown({}, { "load-error": "none" })).told, ["InvalidRequest"]);
});

test("with autofocus the form takes the focus", async () => {
  const { element } = await shown({}, { autofocus: "" });
  await frameOf(element.cardForm).load();
  assert.equal(element.shadowRoot.activeElement?.localName, "iframe");
});

const callsOf = (name) => calls.filter((call) => call[0] === name);
const asked = () => callsOf("cardForm").map(([, { container, ...options }]) => JSON.parse(JSON.stringify(options)));
const frames = (element) => element.shadowRoot.querySelectorAll("iframe").length;

test("servers and workers define no element, and nothing breaks", () => {
  closePage();
  defineRemitCardForm();
  defineRemitCardForm("Not a name");
  openPage("<!doctype html>");
  assert.equal(customElements.get("remit-card-form"), undefined);
});

test("an invalid or taken name is refused, another copy's is not", async () => {
  for (const name of ["card", "Remit-Card", "", 7, null, "remit card-form", Symbol("remit-card")]) {
    const error = await errorOf(() => defineRemitCardForm(name));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "tagName"], String(name));
  }
  customElements.define("other-card", class extends HTMLElement {});
  assert.equal((await errorOf(() => defineRemitCardForm("other-card"))).option, "tagName");
  (await (await unpacked()).load("element.js")).defineRemitCardForm();
});

test("the theme attributes are exactly the theme's parameters", async () => {
  const types = await readFile(join(import.meta.dirname, "../../../pkg-template/types/card.d.ts"), "utf8");
  const [, body] = /export interface Theme \{(.*?)^\}/ms.exec(types);
  const parameters = [...body.matchAll(/^  (\w+)\?:/gm)].map(([, name]) => name);
  assert.equal(parameters.length, 24);
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  assert.deepEqual(THEME_ATTRIBUTES, parameters.map((name) => `theme-${kebab(name)}`));
});

test("properties set in the same turn make one form", async () => {
  const properties = { theme: { primary: "#0a7", lng: "en" }, height: 500, frameTitle: "Card", sessionId: ID, loadTimeoutMs: 900 };
  const { element } = await shown(properties, {
    "theme-lng": "es-MX",
    "theme-show-step": "",
    "theme-show-card-animation": "false",
    "theme-button-radius": "8px",
  });
  const theme = { primary: "#0a7", lng: "es-MX", buttonRadius: "8px", showStep: true, showCardAnimation: false };
  assert.deepEqual(asked(), [{ theme, title: "Card", height: 500, sessionId: ID, loadTimeoutMs: 900 }]);
  assert.equal(frames(element), 1);
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
  assert.equal(asked().length, 0);
  resolve(remit);
  await settled();
  assert.equal(asked().length, 1);
});

test("events and the card arrive in order, and completed gives the card", async () => {
  const { element, told, say, pay } = await shown();
  const { completed } = element;
  await frameOf(element.cardForm).load();
  await say(START, FAIL);
  await pay("c");
  assert.deepEqual(told, ["ready", "cardvalidationstart", "cardvalidationstopfail", "cardvalidationstart", "change", "c"]);
  assert.deepEqual(await completed, { cardId: "c", sessionId: sessionId(1) });
  assert.deepEqual([element.value, element.completed], ["c", completed]);
});

test("an end without a card rejects completed; a renewal can succeed", async () => {
  const { element, told, say, pay } = await shown();
  const { completed } = element;
  await say(EXPIRED);
  assert.equal((await errorOf(completed)).code, "InvalidCardOnboardingSession");
  await element.renew();
  assert.notEqual(element.completed, completed);
  await pay("c");
  assert.equal((await element.completed).cardId, "c");
  const again = ["ready", "cardvalidationstart", "change", "c"];
  assert.deepEqual(told, ["ready", "cardvalidationstopexpired", "InvalidCardOnboardingSession", ...again]);
});

test("a failed renewal rejects, and so does completed", async () => {
  const { element, pay } = await shown();
  await pay("c");
  sessions.open = () => refusal("AccessDenied", 403);
  assert.equal((await errorOf(element.renew())).code, "AccessDenied");
  assert.equal((await errorOf(element.completed)).code, "AccessDenied");
  assert.equal(element.value, "");
});

test("a card from before a renewal is not the element's value", async () => {
  const { element, told, pay } = await shown();
  const held = sessions.hold();
  const renewed = element.renew();
  await settled();
  await pay("c");
  assert.equal(element.value, "c");
  await held[0]();
  await renewed;
  assert.equal(element.value, "");
  await pay("new");
  assert.equal(element.value, "new");
  assert.equal((await element.completed).cardId, "new");
  const each = (card) => ["ready", "cardvalidationstart", "change", card];
  assert.deepEqual(told, [...each("c"), ...each("new")]);
});

test("a form that cannot be shown reports once, and shows on renewal", async () => {
  const { open } = sessions;
  sessions.open = () => refusal("AccessDenied", 403);
  const { element, told } = await shown();
  assert.deepEqual([told, element.cardForm], [["AccessDenied"], undefined]);
  sessions.open = open;
  await element.renew();
  assert.equal(frames(element), 1);
  assert.deepEqual(told, ["AccessDenied"]);
});

test("a form appears once a refused first theme or height is fixed", async () => {
  const { element, told } = await shown({ theme: { primary: "not a colour" }, height: -5 });
  assert.deepEqual([told, element.cardForm], [["InvalidConfiguration"], undefined]);
  element.height = "-5";
  await settled();
  assert.equal(told.length, 1, "the same wrong again is not told again");
  element.theme = { primary: "#0a7" };
  await settled();
  assert.deepEqual([told.length, element.cardForm], [2, undefined]);
  element.height = 500;
  await settled();
  assert.equal(told.length, 2);
  assert.equal(element.cardForm?.sessionId, sessionId(1));
  assert.equal(asked().length, 3);
});

test("a form appears when its theme is fixed while the refusal is pending", async () => {
  const { element, told } = await shown({ remit: undefined, theme: { primary: "not a colour" } });
  element.remit = Promise.resolve(remit);
  await null;
  await null;
  element.theme = { primary: "#0a7" };
  await settled();
  assert.deepEqual([told, asked().length], [["InvalidConfiguration"], 2]);
  assert.ok(element.cardForm);
});

test("removing the title gives the frame its default title", async () => {
  const { element, frame } = await shown({ frameTitle: "Card of Ana Rojas" });
  element.frameTitle = "Card of Ben";
  await settled();
  assert.equal(frame.title, "Card of Ben");
  element.frameTitle = null;
  await settled();
  assert.equal(frame.title, "Card details");
});

test("a form is unavailable once its kit has ended", async () => {
  for (const isPaid of [false, true]) {
    const own = await newKit();
    const { element, pay } = await shown({ remit: own });
    if (isPaid) await pay("c");
    assert.ok(element.cardForm);
    own.destroy();
    await settled();
    assert.equal(element.cardForm, undefined);
  }
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
  assert.deepEqual([frame.title, frame.style.height], ["Other", "500px"]);
  assert.equal(asked().length, 1);
  const { completed } = element;
  element.sessionId = OTHER;
  await settled();
  assert.equal((await errorOf(completed)).code, "CardFormDestroyed");
  element.remit = await newKit();
  await settled();
  assert.deepEqual([asked().length, callsOf("destroyForm").length], [3, 2]);
  assert.equal(frames(element), 1);
  element.remit = null;
  await settled();
  assert.equal(frames(element), 0);
});

test("a moved element keeps its form; a removed one gets another on return", async () => {
  const { element, pay } = await shown();
  await pay("c");
  document.body.prepend(element);
  element.remove();
  document.body.append(element);
  await settled();
  assert.deepEqual([asked().length, callsOf("destroyForm").length], [1, 0]);
  const { completed } = element;
  element.remove();
  await settled();
  assert.deepEqual([callsOf("destroyForm").length, element.cardForm, element.value], [1, undefined, ""]);
  assert.equal((await completed).cardId, "c");
  document.body.append(element);
  await settled();
  assert.equal(asked().length, 2);
});

test("in a document without a window it has no form until moved back", async () => {
  const { element } = await shown();
  const sheets = [];
  class Sheet {
    #document = document;
    replaceSync() {}
    set of(target) {
      if (target !== this.#document) {
        throw new DOMException("of another document", "NotAllowedError");
      }
    }
  }
  globalThis.CSSStyleSheet = window.CSSStyleSheet = Sheet;
  Object.defineProperty(element.shadowRoot, "adoptedStyleSheets", {
    set([sheet]) {
      sheet.of = element.ownerDocument;
      sheets.push(sheet);
    },
  });
  const reported = [];
  window.addEventListener("error", (event) => {
    event.preventDefault();
    reported.push(event.message);
  });
  const elsewhere = document.implementation.createHTMLDocument();
  elsewhere.body.append(element);
  await settled();
  assert.deepEqual(reported, []);
  assert.deepEqual([callsOf("destroyForm").length, element.cardForm], [1, undefined]);
  assert.equal(asked().length, 1, "no session for a form that nobody sees");
  document.body.append(element);
  await settled();
  assert.equal(asked().length, 2);
  assert.ok(element.cardForm);
  assert.equal(sheets.length, 1);
  delete globalThis.CSSStyleSheet;
});

test("removing the element while its form is being made leaves none", async () => {
  const held = sessions.hold();
  const { element, told } = await shown();
  element.remove();
  await settled();
  assert.equal(callsOf("cardForm")[0][2].signal.aborted, true);
  await held[0]();
  assert.deepEqual([frames(element), told], [0, []]);
});

test("properties set before the element is defined take effect", async () => {
  const element = document.createElement("pay-card");
  Object.assign(element, { remit, theme: { lng: "es-MX" }, height: 300 });
  document.body.append(element);
  defineRemitCardForm("pay-card");
  await settled();
  assert.deepEqual(asked(), [{ theme: { lng: "es-MX" }, height: 300 }]);
  assert.deepEqual([Object.keys(element), element.getAttribute("height")], [[], "300"]);
});

test("several elements on a page are independent", async () => {
  const one = await shown();
  const other = await shown();
  await one.pay("c");
  assert.deepEqual([one.element.value, other.element.value], ["c", ""]);
});

test("invalid properties fire an error event that does not bubble", async () => {
  const bubbled = [];
  document.body.addEventListener("error", () => bubbled.push("error"));
  for (const properties of [
    { height: "tall" },
    { remit: {} },
    { remit: Promise.resolve() },
    { theme: { primary: NaN } },
  ]) {
    const { told } = await shown(properties);
    assert.match(String(told), /^Invalid(Configuration|Request)$/, JSON.stringify(properties));
  }
  assert.deepEqual(bubbled, []);
});
