// The card form as React component and as element, under a strict policy, its frame on another origin.

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { built, IN_PAGE, told } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { listening, run, shop } from "./packed.mjs";

/** A service that makes sessions, each of which has come to a card when it is read. */
async function fakeService() {
  const service = { sessions: 0 };
  service.origin = await listening(
    createServer((request, reply) => {
      if (request.method === "POST") service.sessions += 1;
      const [, read] = /sessions\/[-0-9a-f]*?(\d+)$/.exec(request.url) ?? [];
      const head = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": "application/json" };
      const session = {
        id: `3f2504e0-4f89-41d3-9a0c-${String(read ?? service.sessions).padStart(12, "0")}`,
        status: read ? "SUCCEEDED" : "INCOMPLETE",
        expirationDate: "2999-01-01T00:00:00Z",
        cardId: read ? `card-${Number(read)}` : null,
      };
      reply.writeHead(200, head).end(JSON.stringify(session));
    }),
  );
  return service;
}

/** A form in which the customer verifies a card when the page says so. */
const CARD = `<!doctype html><title>Card</title><script>
onmessage = async () => {
  parent.postMessage("CARD_VALIDATION_START", "*");
  await new Promise((resolve) => setTimeout(resolve, 50));
  parent.postMessage("CARD_VALIDATION_STOP_SUCCESS", "*");
};
</script>`;

const card = await listening(createServer((_, reply) => reply.setHeader("content-type", "text/html").end(CARD)));

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

const SHARED = (service) => `
export const options = { baseUrl: "${service}", cardUrl: "${card}", token: "t" };
const violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
const errors = [];
addEventListener("error", (event) => errors.push(String(event.message ?? event.type)));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
const { error } = console;
console.error = (...args) => (errors.push(args.join(" ")), error(...args));
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const until = async (condition, what) => {
  for (let i = 0; !condition(); i += 1) {
    if (i > 600) {
      throw new Error("never: " + what);
    }
    await pause(50);
  }
};
export const verify = (frame) => frame.contentWindow.postMessage("verify", "*");
export async function tell(story) {
  let told;
  try {
    told = await story();
  } catch (error) {
    told = { failed: String(error), stack: error.stack };
  }
  await pause(300);
  await fetch("/told", { method: "POST", body: JSON.stringify({ ...told, violations, errors }) });
}
`;

/** What the page of a shop tells, which must have had no trouble. */
async function toldBy(service, root) {
  const headers = { "content-security-policy": policy(service.origin) };
  const found = await told(await built(root), {}, { headers });
  assert.deepEqual([found.failed, found.errors, found.violations], [undefined, [], []], JSON.stringify(found));
  return found;
}

const SHOP = `
import { StrictMode, createElement as h } from "react";
import { CardForm, RemitKitProvider } from "remitkit/react";
export const shop = (options, props) =>
  h(StrictMode, null, h(RemitKitProvider, { options }, h("h1", null, "Pay"), h(CardForm, props), h("p", { id: "below" }, "Below")));
`;

const REACT_MAIN = `
import { hydrateRoot } from "react-dom/client";
import { createRef } from "react";
import { shop } from "./shop.js";
import { options, pause, tell, until, verify } from "./shared.js";

tell(async () => {
  const shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });
  const below = () => document.querySelector("#below").getBoundingClientRect().top;
  const root = document.querySelector("#root");
  const served = { styled: root.querySelectorAll("[style]").length, below: below() };
  const told = [];
  const ref = createRef();
  let props = {
    ref,
    id: "card",
    theme: { primary: "#0a7" },
    onReady: () => told.push("ready"),
    onEvent: ({ type }) => told.push(type),
    onError: ({ code }) => told.push(code),
  };
  const page = hydrateRoot(root, shop(options, props));
  const frames = () => [...document.querySelectorAll("iframe")];
  await until(() => told.includes("ready"), "ready");
  await until(() => document.querySelector("#card[aria-busy=false]"), "no longer busy");
  const place = { below: below(), frame: frames()[0].getBoundingClientRect().height, title: frames()[0].title };
  const { form } = ref.current;
  const before = form.url;
  told.length = 0;
  props = { ...props, theme: { primary: "#00f", lng: "es-MX" }, title: "Tarjeta", onCompleted: ({ cardId }) => told.push(cardId) };
  page.render(shop(options, props));
  await until(() => told.includes("ready"), "ready in another theme");
  const themed = { sameForm: ref.current.form === form, moved: form.url !== before, lng: form.url.includes("es-MX"), title: form.element.title, frames: frames().length };
  verify(form.element);
  await until(() => told.some((one) => one.startsWith("card-")), "the card");
  await ref.current.renew();
  await until(() => told.filter((one) => one === "ready").length === 2, "ready anew");
  verify(form.element);
  await until(() => told.filter((one) => one.startsWith("card-")).length === 2, "another card");
  page.render(null);
  await until(() => frames().length === 0, "removed");
  return { served, place, themed, told, shifts, left: root.innerHTML };
});
`;

test("<CardForm> hydrates in StrictMode under a strict policy", IN_PAGE, async () => {
  const service = await fakeService();
  const root = await shop({ "shop.js": SHOP, "shared.js": SHARED(service.origin), "main.js": REACT_MAIN });
  for (const name of ["react", "react-dom", "scheduler"]) await link(root, name);
  const render = `
    import { renderToString } from "react-dom/server";
    import { shop } from "./shop.js";
    console.log(renderToString(shop({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" }, { id: "card", theme: {} })));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", render], { cwd: root });
  const page = `<!doctype html><title>Shop</title><div id="root">${stdout.trim()}</div><script type="module" src="/main.js"></script>`;
  await writeFile(join(root, "index.html"), page);
  const found = await toldBy(service, root);
  assert.deepEqual(found.served, { styled: 0, below: found.place.below });
  assert.deepEqual(found.place, { below: found.place.below, frame: 620, title: "Card details" });
  assert.deepEqual(found.themed, { sameForm: true, moved: true, lng: true, title: "Tarjeta", frames: 1 });
  const start = ["CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS"];
  const ready = ["READY", "ready"];
  assert.deepEqual(found.told, [...ready, ...start, "card-1", ...ready, ...start, "card-2"]);
  assert.deepEqual([found.shifts, found.left], [[], ""], "nothing moves, and nothing stays");
  assert.equal(service.sessions, 2, "StrictMode costs no session");

  const assets = join(root, "dist/assets");
  const html = await readFile(join(root, "dist/index.html"), "utf8");
  const first = (await readdir(assets)).find((name) => name.endsWith(".js") && html.includes(name));
  const code = await readFile(join(assets, first), "utf8");
  for (const later of ["_bg.wasm", "submitTransfer", "CARD_ID"]) {
    assert.ok(!code.includes(later), `${later} is loaded with the page`);
  }
  for (const unused of ["pendingTransfers", "senderFields", "optionsSource", "delegatesFocus"]) {
    assert.ok(!code.includes(unused), `${unused}, which the page does not use`);
  }
});

const ELEMENT_MAIN = `
import { createRemitKit } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import { options, tell, until, verify } from "./shared.js";

tell(async () => {
  const TYPES = ["ready", "cardvalidationstart", "cardvalidationstopsuccess", "change", "completed", "error"];
  const watch = (element) => {
    const heard = [];
    for (const type of TYPES) {
      element.addEventListener(type, (event) => heard.push(event.detail?.cardId ?? event.detail?.code ?? type));
    }
    return heard;
  };
  const frameOf = (element) => element.shadowRoot.querySelector("iframe");
  const remit = await createRemitKit(options);
  const form = document.querySelector("form");
  const first = form.querySelector("remit-card-form");
  const carried = () => [...new FormData(form)].map(([name, value]) => name + "=" + value);

  // What is set before the element is known, and found when it is.
  first.remit = Promise.resolve(remit);
  first.theme = { primary: "#0a7", lng: "en" };
  const heard = watch(first);
  defineRemitCardForm();
  defineRemitCardForm();
  const display = getComputedStyle(first).display;
  const before = { valid: form.checkValidity(), missing: first.validity.valueMissing, says: first.validationMessage !== "", carried: carried(), form: first.form === form };
  await until(() => heard.includes("ready"), "ready");
  const shown = { url: first.cardForm.url.includes("es-MX"), height: frameOf(first).getBoundingClientRect().height, title: frameOf(first).title, place: first.getBoundingClientRect().height };
  verify(frameOf(first));
  const { cardId } = await first.completed;
  await until(() => heard.includes("card-1"), "completed");
  const after = { cardId, value: first.value, valid: form.checkValidity(), missing: first.validity.valueMissing, carried: carried() };

  heard.length = 0;
  form.reset();
  const reset = { value: first.value, valid: form.checkValidity(), carried: carried() };
  await until(() => heard.includes("ready"), "ready after the reset");
  verify(frameOf(first));
  const again = (await first.completed).cardId;
  first.disabled = true;
  const disabled = { carried: carried(), inert: frameOf(first).closest("[inert]") !== null };
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
  const session = second.cardForm.sessionId;
  second.height = 510;
  second.setAttribute("theme-lng", "es-MX");
  await until(() => own.filter((one) => one === "ready").length === 2, "another language");
  const changed = { lng: second.cardForm.url.includes("es-MX"), height: frameOf(second).getBoundingClientRect().height, session: second.cardForm.sessionId === session };

  // Moved in one turn: the session goes on, the frame loads anew.
  const frame = frameOf(second);
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.querySelector("#aside").append(second);
  await loaded;
  verify(frame);
  const moved = { card: (await second.completed).cardId, frame: frameOf(second) === frame, session: second.cardForm.sessionId === session };

  await remit.destroy();
  return { display, before, shown, after, reset, again, disabled, composed, changed, moved, heard };
});
`;

const ELEMENT_PAGE = `<!doctype html><title>Shop</title>
<form><remit-card-form name="card" required theme-lng="es-MX" frame-title="Your card" height="400"></remit-card-form></form>
<aside id="aside"></aside>
<script type="module" src="/main.js"></script>`;

test("<remit-card-form> in forms and shadow roots, under a strict policy", IN_PAGE, async () => {
  const service = await fakeService();
  const root = await shop({ "index.html": ELEMENT_PAGE, "shared.js": SHARED(service.origin), "main.js": ELEMENT_MAIN });
  const found = await toldBy(service, root);
  assert.equal(found.display, "block");
  assert.deepEqual(found.before, { valid: false, missing: true, says: true, carried: [], form: true });
  assert.deepEqual(found.shown, { url: true, height: 400, title: "Your card", place: 400 });
  assert.deepEqual(found.after, { cardId: "card-1", value: "card-1", valid: true, missing: false, carried: ["card=card-1"] });
  assert.deepEqual(found.reset, { value: "", valid: false, carried: [] });
  assert.equal(found.again, "card-2");
  assert.deepEqual(found.disabled, { carried: [], inert: true });
  assert.deepEqual(found.heard, ["ready", "cardvalidationstart", "cardvalidationstopsuccess", "change", "card-2"]);
  assert.deepEqual(found.changed, { lng: true, height: 510, session: true });
  assert.deepEqual(found.moved, { card: "card-3", frame: true, session: true });
  assert.deepEqual(found.composed, ["ready", "ready"], "what is composed reaches the host, but for what happens elsewhere");
  assert.equal(service.sessions, 3);
});
