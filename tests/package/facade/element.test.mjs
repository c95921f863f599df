import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { FAIL, START, SUCCESS } from "./card-form.mjs";
import { OPTIONS, errorOf, facadeFolder, settled } from "./facade.mjs";
import { closePage, deferred, openPage } from "./react-page.mjs";

const { load } = await facadeFolder();
const { createRemitKit, RemitError } = await load("index.js");
const { control } = await load("remitkit_core.js");
const { defineRemitCardForm } = await load("element.js");
const { THEME_ATTRIBUTES } = await load("element/theme-attributes.js");

const CARD = { cardId: "c", sessionId: "session-1" };

let remit;
beforeEach(async () => {
  openPage();
  Object.assign(control, {
    answer: () => null,
    frame(container) {
      const frame = document.createElement("iframe");
      container.append(frame);
      return frame;
    },
  });
  remit = await createRemitKit(OPTIONS);
  control.calls.length = 0;
  control.mounted.length = 0;
  defineRemitCardForm();
});
afterEach(() => closePage());

/** An element on the page, and what it has told. */
async function shown(properties = {}, attributes = {}) {
  const element = document.createElement("remit-card-form");
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  const told = [];
  for (const type of [
    "ready",
    "loadfailed",
    "cardvalidationstart",
    "cardvalidationstopfail",
    "cardvalidationstopexpired",
    "change",
    "completed",
    "error",
  ]) {
    element.addEventListener(type, ({ detail }) =>
      told.push(detail?.cardId ?? detail?.code ?? detail?.reason ?? type),
    );
  }
  Object.assign(element, { remit, ...properties });
  document.body.append(element);
  await settled();
  const deliver = async (...event) => {
    control.mounted.at(-1).deliver(...event);
    await settled();
  };
  return { element, told, deliver };
}

const callsOf = (name) => control.calls.filter((call) => call[0] === name);
const asked = () => callsOf("cardForm").map((call) => JSON.parse(call[2]));

test("on a server and in a worker nothing is defined, and nothing breaks", () => {
  closePage();
  defineRemitCardForm();
  defineRemitCardForm("Not a name");
  openPage();
  assert.equal(customElements.get("remit-card-form"), undefined);
});

test("a name that is none is refused, one that is taken by another element too, one of another copy not", async () => {
  for (const name of ["card", "Remit-Card", "", 7, null, "remit card-form"]) {
    const error = await errorOf(() => defineRemitCardForm(name));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "tagName"], String(name));
  }
  customElements.define("other-card", class extends HTMLElement {});
  assert.equal((await errorOf(() => defineRemitCardForm("other-card"))).option, "tagName");
  const { load } = await facadeFolder();
  (await load("element.js")).defineRemitCardForm();
});

test("the theme's attributes are the parameters of a theme, and no others", async () => {
  const types = await readFile(join(import.meta.dirname, "../../../pkg-template/types/card.d.ts"), "utf8");
  const [, body] = /export interface Theme \{(.*?)^\}/ms.exec(types);
  const parameters = [...body.matchAll(/^  (\w+)\?:/gm)].map(([, name]) => name);
  assert.equal(parameters.length, 24);
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  assert.deepEqual(
    THEME_ATTRIBUTES,
    parameters.map((name) => `theme-${kebab(name)}`),
  );
});

test("all that is set in one turn makes one form", async () => {
  const { element } = await shown(
    {
      theme: { primary: "#0a7", lng: "en" },
      height: 500,
      frameTitle: "Card",
      sessionId: "s",
      loadTimeoutMs: 900,
    },
    {
      "theme-lng": "es-MX",
      "theme-show-step": "",
      "theme-show-card-animation": "false",
      "theme-button-radius": "8px",
    },
  );
  assert.deepEqual(asked(), [
    {
      theme: { primary: "#0a7", lng: "es-MX", buttonRadius: "8px", showStep: true, showCardAnimation: false },
      title: "Card",
      height: 500,
      sessionId: "s",
      loadTimeoutMs: 900,
    },
  ]);
  assert.equal(element.shadowRoot.querySelectorAll("iframe").length, 1);
  assert.equal(element.shadowRoot.firstChild.style.height, "500px");
});

test("its place is reserved before there is a kit, and a promise of a kit is waited for", async () => {
  const { promise, resolve } = deferred();
  const { element } = await shown({ remit: undefined });
  assert.equal(element.shadowRoot.firstChild.style.height, "620px");
  assert.equal((await errorOf(element.renew())).code, "CardFormDestroyed");
  element.remit = promise;
  await settled();
  assert.equal(callsOf("cardForm").length, 0);
  resolve(remit);
  await settled();
  assert.equal(callsOf("cardForm").length, 1);
});

test("events and the card are told in order, and completed gives it", async () => {
  const { element, told, deliver } = await shown();
  const { completed } = element;
  for (const event of ["READY", START, FAIL, START]) {
    await deliver(event);
  }
  await deliver("LOAD_FAILED", { reason: "timeout" });
  await deliver(SUCCESS);
  await deliver("COMPLETED", CARD);
  assert.deepEqual(told, [
    "ready",
    "cardvalidationstart",
    "cardvalidationstopfail",
    "cardvalidationstart",
    "timeout",
    "change",
    "c",
  ]);
  assert.deepEqual(await completed, CARD);
  assert.deepEqual([element.value, element.completed], ["c", completed]);
});

test("an end without a card rejects completed and is told; renewed it comes to a card after all", async () => {
  const { element, told, deliver } = await shown();
  const { completed } = element;
  await deliver("FAILED", new Error("over"));
  assert.equal((await errorOf(completed)).code, "Internal");
  await element.renew();
  assert.notEqual(element.completed, completed);
  await deliver("COMPLETED", CARD);
  assert.deepEqual(await element.completed, CARD);
  assert.deepEqual(told, ["Internal", "change", "c"]);
});

test("a renewal that fails rejects, and completed with it", async () => {
  const { element, deliver } = await shown();
  await deliver("COMPLETED", CARD);
  control.answer = (name) => {
    if (name === "renew") {
      throw new Error("no");
    }
    return null;
  };
  assert.equal((await errorOf(element.renew())).code, "Internal");
  assert.equal((await errorOf(element.completed)).code, "Internal");
  assert.equal(element.value, "");
});

test("a card of the session before, verified while the form is renewed, is not the element's value", async () => {
  let finish;
  control.answer = (name) => (name === "renew" ? new Promise((resolve) => (finish = resolve)) : null);
  const { element, told, deliver } = await shown();
  const renewed = element.renew();
  await settled();
  await deliver("COMPLETED", CARD);
  assert.equal(element.value, "c");
  finish();
  await renewed;
  assert.equal(element.value, "");
  await deliver("COMPLETED", { cardId: "new", sessionId: "session-2" });
  assert.equal(element.value, "new");
  assert.equal((await element.completed).cardId, "new");
  assert.deepEqual(told, ["change", "c", "change", "new"]);
});

test("a form that could not be shown is told once, and renewed it is shown", async () => {
  control.answer = () => {
    throw new Error("no");
  };
  const { element, told } = await shown();
  assert.deepEqual([told, element.cardForm], [["Internal"], undefined]);
  control.answer = () => null;
  await element.renew();
  assert.ok(element.shadowRoot.querySelector("iframe"));
  assert.deepEqual(told, ["Internal"]);
});

test("a first theme or height that is refused brings a form once it is right", async () => {
  control.answer = (name, _, json) => {
    const { theme, height } = name === "cardForm" ? JSON.parse(json) : {};
    if (theme?.primary === "wrong" || height < 0) {
      throw new RemitError("InvalidConfiguration", "no", { kind: "configuration" });
    }
    return null;
  };
  const { element, told } = await shown({ theme: { primary: "wrong" }, height: -5 });
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
  assert.equal(element.cardForm?.sessionId, "session-1");
  assert.equal(callsOf("cardForm").length, 3);
});

test("a theme that is put right while a wrong one is being refused brings a form", async () => {
  const { promise, reject } = deferred();
  control.answer = (name) => (name === "cardForm" && callsOf("cardForm").length === 1 ? promise : null);
  const { element, told } = await shown({ theme: { primary: "wrong" } });
  element.theme = { primary: "#0a7" };
  await settled();
  reject(new RemitError("InvalidConfiguration", "no", { kind: "configuration" }));
  await settled();
  assert.deepEqual([told, callsOf("cardForm").length], [["InvalidConfiguration"], 2]);
  assert.ok(element.cardForm);
});

test("a title that is taken away leaves none of another person's on the frame", async () => {
  const { element } = await shown({ frameTitle: "Card of Ana Rojas" });
  const frame = element.shadowRoot.querySelector("iframe");
  element.frameTitle = "Card of Ben";
  await settled();
  assert.equal(frame.title, "Card of Ben");
  element.frameTitle = null;
  await settled();
  assert.equal(frame.title, "Card details");
});

test("after its kit has ended a form is no longer given out", async () => {
  for (const ends of [[], [["COMPLETED", CARD]]]) {
    const kit = await createRemitKit(OPTIONS);
    const { element, deliver } = await shown({ remit: kit });
    for (const event of ends) await deliver(...event);
    assert.ok(element.cardForm);
    kit.destroy();
    await settled();
    assert.equal(element.cardForm, undefined);
  }
});

test("another theme, title or height is taken on, another session or kit begins anew", async () => {
  const { element } = await shown({ theme: { lng: "en" } });
  const frame = element.shadowRoot.querySelector("iframe");
  element.theme = { lng: "en" };
  await settled();
  assert.equal(callsOf("update").length, 0);
  element.setAttribute("theme-primary", "#0a7");
  Object.assign(element, { theme: null, height: 500, frameTitle: "Other" });
  await settled();
  assert.deepEqual(
    callsOf("update").map(([, json]) => json),
    ['{"primary":"#0a7"}'],
  );
  assert.deepEqual([frame.title, frame.style.height], ["Other", "500px"]);
  assert.equal(callsOf("cardForm").length, 1);
  const { completed } = element;
  element.sessionId = "b";
  await settled();
  assert.equal((await errorOf(completed)).code, "CardFormDestroyed");
  element.remit = await createRemitKit(OPTIONS);
  await settled();
  assert.deepEqual([callsOf("cardForm").length, callsOf("destroyForm").length], [3, 2]);
  assert.equal(element.shadowRoot.querySelectorAll("iframe").length, 1);
  element.remit = null;
  await settled();
  assert.equal(element.shadowRoot.querySelector("iframe"), null);
});

test("moved in one turn it keeps its form, taken out it loses it, put in again it gets another", async () => {
  const { element } = await shown();
  document.body.prepend(element);
  element.remove();
  document.body.append(element);
  await settled();
  assert.deepEqual([callsOf("cardForm").length, callsOf("destroyForm").length], [1, 0]);
  const { completed } = element;
  element.remove();
  await settled();
  assert.deepEqual([callsOf("destroyForm").length, element.cardForm], [1, undefined]);
  assert.equal((await errorOf(completed)).code, "CardFormDestroyed");
  document.body.append(element);
  await settled();
  assert.equal(callsOf("cardForm").length, 2);
});

test("in a document that is shown nowhere it has no form, and brought back it gets another", async () => {
  const { element } = await shown();
  assert.equal(callsOf("cardForm").length, 1);
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
  assert.equal(callsOf("destroyForm").length, 1);
  assert.equal(element.cardForm, undefined);
  assert.equal(callsOf("cardForm").length, 1, "no session for a form that nobody sees");
  document.body.append(element);
  await settled();
  assert.equal(callsOf("cardForm").length, 2);
  assert.ok(element.cardForm);
  assert.equal(sheets.length, 1);
  delete globalThis.CSSStyleSheet;
});

test("taken out while its form is being made it leaves none", async () => {
  const { promise, resolve } = deferred();
  control.answer = (name) => (name === "cardForm" ? promise : null);
  const { element, told } = await shown();
  element.remove();
  await settled();
  assert.equal(callsOf("cardForm")[0].at(-1).aborted, true);
  resolve();
  await settled();
  assert.deepEqual([callsOf("destroyForm").length, told], [1, []]);
});

test("what was set before the element was known counts", async () => {
  const element = document.createElement("pay-card");
  Object.assign(element, { remit, theme: { lng: "es-MX" }, height: 300 });
  document.body.append(element);
  defineRemitCardForm("pay-card");
  await settled();
  assert.deepEqual(asked(), [{ theme: { lng: "es-MX" }, height: 300 }]);
  assert.deepEqual([Object.keys(element), element.getAttribute("height")], [[], "300"]);
});

test("several on a page are each their own", async () => {
  const one = await shown();
  const other = await shown();
  control.mounted[0].deliver("COMPLETED", CARD);
  await settled();
  assert.deepEqual([one.element.value, other.element.value], ["c", ""]);
});

test("what is wrong with what it is given is an error event, which does not bubble", async () => {
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
