// The card form as React component and as element, under a strict policy, its frame on another origin.

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { buildWithVite, cardService, IN_PAGE, page, REPORT, reportOf } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { runModule, serveAll, shop } from "./packed.mjs";

/** A form in which the customer verifies a card when the page says so. */
const CARD = `<!doctype html><title>Card</title><script>
onmessage = async () => {
  parent.postMessage("CARD_VALIDATION_START", "*");
  await new Promise((resolve) => setTimeout(resolve, 50));
  parent.postMessage("CARD_VALIDATION_STOP_SUCCESS", "*");
};
</script>`;

const card = await serveAll("text/html", () => CARD);

const policy = (service) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    `connect-src 'self' ${service} ${card}`,
    `frame-src ${card}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

const SHARED = (service) => `${REPORT}
export const options = { baseUrl: "${service}", cardUrl: "${card}", token: "t" };
const troubles = [];
addEventListener("securitypolicyviolation", ({ blockedURI }) => troubles.push("violation " + blockedURI));
addEventListener("error", (event) => troubles.push(String(event.message ?? event.type)));
addEventListener("unhandledrejection", (event) => troubles.push(String(event.reason)));
console.error = (...args) => troubles.push(args.join(" "));
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const until = async (condition, what) => {
  for (let i = 0; !condition(); i += 1) {
    if (i > 600) throw new Error("never: " + what);
    await pause(50);
  }
};
export const verify = (frame) => frame.contentWindow.postMessage("verify", "*");
export async function tell(story) {
  const found = await story().catch((error) => (troubles.push(error.stack), {}));
  await pause(300);
  await report({ ...found, troubles });
}`;

/** Returns what a shop's page reports, which must have had no trouble. */
async function reportOfShop(service, root) {
  const headers = { "content-security-policy": policy(service.origin) };
  const found = await reportOf(await buildWithVite(root), {}, { headers });
  assert.deepEqual(found.troubles, []);
  return found;
}

const SHOP = `
import { StrictMode, createElement as h } from "react";
import { CardForm, RemitKitProvider } from "remitkit/react";
export const shop = (options, props) => {
  const content = [h("h1", null, "Pay"), h(CardForm, props), h("p", { id: "below" })];
  return h(StrictMode, null, h(RemitKitProvider, { options }, ...content));
};`;

const RENDER = `
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
import * as react from "remitkit/react";
import { shop } from "./shop.js";
const options = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
const Hooks = () => {
  const [quote, fields] = [react.useQuote({ amount: 1 }), react.useFieldForm("sender", {})];
  const answers = [quote, fields, react.usePendingTransfers()];
  const seconds = react.useSecondsLeft({ expirationDate: "2999-01-01T00:00:00Z" }) ?? "no seconds";
  return [...answers.map(({ isLoading }) => isLoading), seconds].join();
};
const hooks = renderToString(h(react.RemitKitProvider, { options }, h(Hooks)));
console.log(JSON.stringify({ hooks, html: renderToString(shop(options, { id: "card", theme: {} })) }));`;

const REACT_MAIN = `
import { hydrateRoot } from "react-dom/client";
import { shop } from "./shop.js";
import { options, tell, until, verify } from "./shared.js";

tell(async () => {
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const below = () => document.querySelector("#below").getBoundingClientRect().top;
  const root = document.querySelector("#root");
  const { ariaBusy } = document.querySelector("#card");
  const served = { ariaBusy, styled: root.querySelectorAll("[style]").length, below: below() };
  const heard = [];
  const listeners = {
    onReady: () => heard.push("ready"),
    onEvent: ({ type }) => heard.push(type),
    onError: ({ code }) => heard.push(code),
    onCompleted: ({ cardId }) => heard.push(cardId),
  };
  const props = { id: "card", theme: { primary: "#0a7" }, ...listeners };
  const page = hydrateRoot(root, shop(options, props));
  await until(() => document.querySelector("#card[aria-busy=false]"), "no longer busy");
  const [frame, ...others] = document.querySelectorAll("iframe");
  const place = { below: below(), height: frame.getBoundingClientRect().height, others: others.length };
  page.render(shop(options, { ...props, theme: { primary: "#00f", lng: "es-MX" } }));
  await until(() => heard.filter((type) => type === "ready").length === 2, "ready in another theme");
  verify(document.querySelector("iframe"));
  await until(() => heard.includes("card-1"), "the card");
  page.render(null);
  await until(() => document.querySelector("iframe") === null, "removed");
  return { served, place, heard, shifts, left: root.innerHTML };
});`;

test("<CardForm> hydrates in StrictMode under a strict policy", IN_PAGE, async () => {
  const service = await cardService();
  const files = { "shop.js": SHOP, "shared.js": SHARED(service.origin), "main.js": REACT_MAIN };
  const root = await shop(files);
  for (const name of ["react", "react-dom", "scheduler"]) await link(root, name);
  const { hooks, html: served } = await runModule(root, RENDER);
  assert.equal(hooks, "true,true,true,no seconds");
  await writeFile(join(root, "index.html"), page(`<div id="root">${served}</div>`));
  const found = await reportOfShop(service, root);
  const { below } = found.place;
  assert.deepEqual(found.served, { ariaBusy: "true", styled: 0, below });
  assert.deepEqual(found.place, { below, height: 620, others: 0 });
  const ready = ["READY", "ready"];
  const verified = ["CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS", "card-1"];
  assert.deepEqual(found.heard, [...ready, ...ready, ...verified]);
  assert.deepEqual([found.shifts, found.left], [[], ""]);
  assert.equal(service.sessions, 1, "StrictMode costs no session");

  const assets = join(root, "dist/assets");
  const html = await readFile(join(root, "dist/index.html"), "utf8");
  const first = (await readdir(assets)).find((name) => name.endsWith(".js") && html.includes(name));
  const code = await readFile(join(assets, first), "utf8");
  const later = ["_bg.wasm", "submitTransfer", "CARD_ID"];
  const unused = ["pendingTransfers", "senderFields", "optionsSource", "delegatesFocus"];
  for (const name of [...later, ...unused]) assert.ok(!code.includes(name), `${name} in the first load`);
});

const ELEMENT_MAIN = `
import { createRemitKit } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import { options, pause, tell, until, verify } from "./shared.js";

tell(async () => {
  const TYPES = ["ready", "cardvalidationstart", "cardvalidationstopsuccess", "change", "completed", "error"];
  const watch = (element) => {
    const heard = [];
    const hear = ({ type, detail }) => heard.push(detail?.cardId ?? detail?.code ?? type);
    for (const type of TYPES) element.addEventListener(type, hear);
    return heard;
  };
  const frameOf = (element) => element.shadowRoot.querySelector("iframe");
  const remit = await createRemitKit(options);
  const form = document.querySelector("form");
  const first = form.querySelector("remit-card-form");
  const state = () => {
    const carried = [...new FormData(form)].map(([name, value]) => name + "=" + value);
    const { value, validity } = first;
    return { value, valid: form.checkValidity(), missing: validity.valueMissing, carried };
  };

  // Properties set before the element is defined.
  first.remit = Promise.resolve(remit);
  first.theme = { primary: "#0a7", lng: "en" };
  const heard = watch(first);
  defineRemitCardForm();
  defineRemitCardForm();
  const { display } = getComputedStyle(first);
  const before = { ...state(), says: first.validationMessage !== "", form: first.form === form };
  await until(() => heard.includes("ready"), "ready");
  const frame = frameOf(first);
  const heights = [frame, first].map((element) => element.getBoundingClientRect().height);
  const shown = { lng: first.cardForm.url.includes("es-MX"), heights, title: frame.title };
  verify(frame);
  const { cardId } = await first.completed;
  await until(() => heard.includes("card-1"), "completed");
  const after = { ...state(), cardId };

  heard.length = 0;
  form.reset();
  const reset = state();
  first.required = false;
  const optional = state().valid;
  first.required = true;
  await until(() => heard.includes("ready"), "ready after the reset");
  verify(frameOf(first));
  const again = (await first.completed).cardId;
  first.disabled = true;
  const disabled = { carried: state().carried, inert: frameOf(first).closest("[inert]") !== null };
  first.disabled = false;

  // In the shadow root of another component, by properties and attributes alone.
  const host = document.createElement("div");
  const inner = host.attachShadow({ mode: "closed" });
  const second = document.createElement("remit-card-form");
  Object.assign(second, { remit, height: 500, frameTitle: "Second" });
  const composed = watch(host);
  const own = watch(second);
  inner.append(second);
  document.body.append(host);
  await until(() => own.includes("ready"), "the second one");
  const moving = frameOf(second);
  const session = second.cardForm.sessionId;
  const isSame = () => frameOf(second) === moving && second.cardForm.sessionId === session;
  second.height = 510;
  second.setAttribute("theme-lng", "es-MX");
  await until(() => own.filter((type) => type === "ready").length === 2, "another language");
  const { height } = moving.getBoundingClientRect();
  const changed = { lng: second.cardForm.url.includes("es-MX"), height, isSame: isSame() };

  // Moved in one turn: the session goes on, the frame loads again.
  const loaded = new Promise((resolve) => moving.addEventListener("load", resolve, { once: true }));
  document.querySelector("#aside").append(second);
  await loaded;
  verify(moving);
  const moved = { card: (await second.completed).cardId, isSame: isSame() };

  // Moved without being removed, where the engine can: the frame goes on too.
  const loads = [];
  moving.addEventListener("load", () => loads.push("load"));
  document.body.moveBefore?.(second, null);
  await pause(100);
  const kept = { loads, isSame: isSame() };

  // A document without a window shows no form, and costs no session.
  document.implementation.createHTMLDocument().body.append(second);
  await pause(100);
  const parked = second.cardForm === undefined;
  document.body.append(second);
  await until(() => second.cardForm !== undefined, "the form after its return");

  // Another document has another window for messages, and no style sheet of this one.
  const { sessionId } = second.cardForm;
  const { contentDocument, contentWindow } = document.body.appendChild(document.createElement("iframe"));
  contentDocument.body.append(second);
  await until(() => (second.cardForm ?? { sessionId }).sessionId !== sessionId, "another form");
  const adopted = contentWindow.getComputedStyle(second).display;

  await remit.destroy();
  const states = { before, shown, after, reset, optional, again, disabled, changed };
  return { display, ...states, moved, kept, parked, adopted, composed, heard };
});`;

const ELEMENT_PAGE = page(`
<form>
  <remit-card-form name="card" required theme-lng="es-MX" frame-title="Your card" height="400">
  </remit-card-form>
</form>
<aside id="aside"></aside>`);

test("<remit-card-form> in forms and shadow roots, under a strict policy", IN_PAGE, async () => {
  const service = await cardService();
  const shared = SHARED(service.origin);
  const files = { "index.html": ELEMENT_PAGE, "shared.js": shared, "main.js": ELEMENT_MAIN };
  const { troubles, ...found } = await reportOfShop(service, await shop(files));
  const empty = { value: "", valid: false, missing: true, carried: [] };
  const filled = { value: "card-1", valid: true, missing: false, carried: ["card=card-1"] };
  assert.deepEqual(found, {
    display: "block",
    before: { ...empty, says: true, form: true },
    shown: { lng: true, heights: [400, 400], title: "Your card" },
    after: { ...filled, cardId: "card-1" },
    reset: empty,
    optional: true,
    again: "card-2",
    disabled: { carried: [], inert: true },
    heard: ["ready", "cardvalidationstart", "cardvalidationstopsuccess", "change", "card-2"],
    changed: { lng: true, height: 510, isSame: true },
    moved: { card: "card-3", isSame: true },
    kept: { loads: [], isSame: true },
    parked: true,
    adopted: "block",
    // Composed events reach the host while the element is in it.
    composed: ["ready", "ready"],
  });
  assert.equal(service.sessions, 5);
});
