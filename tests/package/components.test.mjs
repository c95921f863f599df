// The card form as React component and as element, under a strict policy, its frame on another origin.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { build, preview } from "vite";
import { opened, printed, run, shop } from "./packed.mjs";

const NO_CHROMIUM = "there is no Chromium here to run the page in";
const MODULES = join(import.meta.dirname, "node_modules");

async function listen(answer) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** A service that makes sessions, each of which has come to a card when it is read. */
async function fakeService() {
  const service = { sessions: 0 };
  service.told = new Promise((resolve) => (service.tell = resolve));
  service.origin = await listen(async (request, reply) => {
    reply.setHeader("access-control-allow-origin", "*");
    reply.setHeader("access-control-allow-headers", "*");
    reply.setHeader("content-type", "application/json");
    if (request.url === "/told") {
      service.tell(Buffer.concat(await request.toArray()).toString());
    } else if (request.method === "POST") {
      service.sessions += 1;
    }
    const [, read] = /sessions\/[-0-9a-f]*?(\d+)$/.exec(request.url) ?? [];
    const number = read ?? service.sessions;
    reply.end(
      JSON.stringify({
        id: `3f2504e0-4f89-41d3-9a0c-${String(number).padStart(12, "0")}`,
        status: read ? "SUCCEEDED" : "INCOMPLETE",
        expirationDate: "2999-01-01T00:00:00Z",
        cardId: read ? `card-${Number(read)}` : null,
      }),
    );
  });
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

const card = await listen((_, reply) => {
  reply.setHeader("content-type", "text/html");
  reply.end(CARD);
});

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
  await fetch("${service}/told", { method: "POST", body: JSON.stringify({ ...told, violations, errors }) });
}
`;

/** What a page of these files tells; undefined where there is no Chromium. */
async function toldBy(t, service, root) {
  const config = {
    root,
    configFile: false,
    logLevel: "error",
    build: { target: "esnext" },
    preview: { host: "127.0.0.1", headers: { "content-security-policy": policy(service.origin) } },
  };
  await build(config);
  const server = await preview(config);
  try {
    const text = await opened(server.resolvedUrls.local[0], service.told);
    if (text === undefined) {
      t.diagnostic(NO_CHROMIUM);
      return undefined;
    }
    return JSON.parse(text);
  } finally {
    await server.close();
  }
}

async function withReact(root) {
  for (const name of ["react", "react-dom", "scheduler"]) {
    await symlink(join(MODULES, name), join(root, "node_modules", name));
  }
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

test(
  "<CardForm> hydrates in StrictMode under a strict policy",
  { timeout: 240_000 },
  async (t) => {
    const service = await fakeService();
    const root = await shop({ "shop.js": SHOP, "shared.js": SHARED(service.origin), "main.js": REACT_MAIN });
    await withReact(root);
    const render = `
    import { renderToString } from "react-dom/server";
    import { shop } from "./shop.js";
    console.log(renderToString(shop({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" }, { id: "card", theme: {} })));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", render], { cwd: root });
    await writeFile(
      join(root, "index.html"),
      `<!doctype html><title>Shop</title><div id="root">${stdout.trim()}</div><script type="module" src="/main.js"></script>`,
    );
    const told = await toldBy(t, service, root);
    if (told === undefined) {
      return;
    }
    assert.deepEqual([told.failed, told.errors, told.violations], [undefined, [], []], JSON.stringify(told));
    assert.deepEqual(told.served, { styled: 0, below: told.place.below });
    assert.deepEqual(
      { ...told.place, below: undefined },
      { below: undefined, frame: 620, title: "Card details" },
    );
    assert.deepEqual(told.themed, { sameForm: true, moved: true, lng: true, title: "Tarjeta", frames: 1 });
    const start = ["CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS"];
    const ready = ["READY", "ready"];
    assert.deepEqual(told.told, [...ready, ...start, "card-1", ...ready, ...start, "card-2"]);
    assert.deepEqual([told.shifts, told.left], [[], ""], "nothing moves, and nothing stays");
    assert.equal(service.sessions, 2, "StrictMode costs no session");

    const assets = join(root, "dist/assets");
    const scripts = (await readdir(assets)).filter((name) => name.endsWith(".js"));
    const html = await readFile(join(root, "dist/index.html"), "utf8");
    const first = scripts.find((name) => html.includes(name));
    const code = await readFile(join(assets, first), "utf8");
    for (const later of ["_bg.wasm", "submitTransfer", "CARD_ID"]) {
      assert.ok(!code.includes(later), `${later} is loaded with the page`);
    }
    for (const unused of ["pendingTransfers", "senderFields", "optionsSource", "delegatesFocus"]) {
      assert.ok(!code.includes(unused), `${unused}, which the page does not use`);
    }
  },
);

const ELEMENT_MAIN = `
import { createRemitKit } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import { options, pause, tell, until, verify } from "./shared.js";

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

  // Taken out, and put in again later.
  const gone = second.completed;
  second.remove();
  await pause(50);
  const removed = { value: second.value, form: second.cardForm === undefined, frame: frameOf(second) === null, heard: own.includes("error") };
  own.length = 0;
  document.body.append(second);
  await until(() => own.includes("ready"), "the second one again");
  const readded = { other: second.cardForm.sessionId !== session, promise: second.completed !== gone, frames: second.shadowRoot.querySelectorAll("iframe").length };

  const waiting = second.completed;
  second.remove();
  const closed = await waiting.catch(({ code }) => code);
  const refused = await second.renew().catch(({ code }) => code);

  // What is wrong is told by an event, which does not reach the window.
  const third = document.createElement("remit-card-form");
  third.setAttribute("theme-primary", "blurple");
  third.remit = remit;
  const wrong = watch(third);
  document.body.append(third);
  await until(() => wrong.length > 0, "an error");
  const taken = (() => {
    customElements.define("shop-card", class extends HTMLElement {});
    try {
      defineRemitCardForm("shop-card");
    } catch ({ code, option }) {
      return [code, option];
    }
  })();
  defineRemitCardForm("pay-card");
  const named = document.createElement("pay-card") instanceof customElements.get("pay-card");
  await remit.destroy();
  return { display, before, shown, after, reset, again, disabled, composed, changed, moved, removed, readded, closed, refused, wrong, taken, named, heard };
});
`;

const ELEMENT_PAGE = `<!doctype html><title>Shop</title>
<form><remit-card-form name="card" required theme-lng="es-MX" frame-title="Your card" height="400"></remit-card-form></form>
<aside id="aside"></aside>
<script type="module" src="/main.js"></script>`;

test(
  "<remit-card-form> in forms and shadow roots, under a strict policy",
  { timeout: 240_000 },
  async (t) => {
    const service = await fakeService();
    const root = await shop({
      "index.html": ELEMENT_PAGE,
      "shared.js": SHARED(service.origin),
      "main.js": ELEMENT_MAIN,
    });
    const told = await toldBy(t, service, root);
    if (told === undefined) {
      return;
    }
    assert.deepEqual([told.failed, told.errors, told.violations], [undefined, [], []], JSON.stringify(told));
    assert.equal(told.display, "block");
    assert.deepEqual(told.before, { valid: false, missing: true, says: true, carried: [], form: true });
    assert.deepEqual(told.shown, { url: true, height: 400, title: "Your card", place: 400 });
    assert.deepEqual(told.after, {
      cardId: "card-1",
      value: "card-1",
      valid: true,
      missing: false,
      carried: ["card=card-1"],
    });
    assert.deepEqual(told.reset, { value: "", valid: false, carried: [] });
    assert.equal(told.again, "card-2");
    assert.deepEqual(told.disabled, { carried: [], inert: true });
    const verified = ["ready", "cardvalidationstart", "cardvalidationstopsuccess", "change", "card-2"];
    assert.deepEqual(told.heard, verified);
    assert.deepEqual(told.changed, { lng: true, height: 510, session: true });
    assert.deepEqual(told.moved, { card: "card-3", frame: true, session: true });
    assert.deepEqual(told.removed, { value: "", form: true, frame: true, heard: false });
    assert.deepEqual(told.readded, { other: true, promise: true, frames: 1 });
    assert.deepEqual([told.closed, told.refused], ["CardFormDestroyed", "CardFormDestroyed"]);
    assert.deepEqual(
      told.composed,
      ["ready", "ready"],
      "what is composed reaches the host, but for what happens elsewhere",
    );
    assert.deepEqual(told.wrong, ["InvalidConfiguration"]);
    assert.deepEqual(told.taken, ["InvalidConfiguration", "tagName"]);
    assert.equal(told.named, true);
    assert.equal(service.sessions, 4);
  },
);

const IMPORT = `
  const touched = [];
  for (const name of ["WebAssembly", "document", "window", "HTMLElement", "customElements", "fetch"]) {
    Object.defineProperty(globalThis, name, { configurable: true, get() { touched.push(name); } });
  }
  const loaded = { ...(await import("remitkit/react")), ...(await import("remitkit/element")) };
  const exports = Object.keys(loaded).sort();
  const imported = touched.splice(0).filter((name) => name === "WebAssembly" || name === "HTMLElement");
  loaded.defineRemitCardForm();
`;
const EXPORTS = [
  "CardForm",
  "RemitKitProvider",
  "defineRemitCardForm",
  "useCorridors",
  "useFieldForm",
  "useFieldOptions",
  "usePendingTransfers",
  "useQuote",
  "useRemitKit",
  "useSecondsLeft",
];

test("servers, workers and engines without WebAssembly import both parts", async () => {
  const folder = await shop();
  await withReact(folder);
  const inNode = `${IMPORT} console.log(JSON.stringify({ exports, imported }));`;
  assert.deepEqual(await printed(folder, inNode), { exports: EXPORTS, imported: [] });
  const worker = `import { parentPort } from "node:worker_threads"; ${IMPORT} parentPort.postMessage({ exports, imported });`;
  const inWorker = `
    import { writeFileSync } from "node:fs";
    import { Worker } from "node:worker_threads";
    writeFileSync("worker.mjs", ${JSON.stringify(worker)});
    new Worker("./worker.mjs", { execArgv: [] }).on("message", (found) => console.log(JSON.stringify(found)));`;
  assert.deepEqual(await printed(folder, inWorker), { exports: EXPORTS, imported: [] });
});

test("without React the element loads, and remitkit/react names the gap", async () => {
  const folder = await shop();
  const found = await printed(
    folder,
    `const error = await import("remitkit/react").catch((error) => error);
    const element = await import("remitkit/element");
    console.log(JSON.stringify([error.code, /react/.test(error.message), Object.keys(element)]));`,
  );
  assert.deepEqual(found, ["ERR_MODULE_NOT_FOUND", true, ["defineRemitCardForm"]]);
});

test("the types declare exactly what the parts export", async () => {
  const installed = join(await shop(), "node_modules/remitkit");
  const declared = [];
  for (const name of ["react.d.ts", "element.d.ts"]) {
    const types = await readFile(join(installed, name), "utf8");
    declared.push(
      ...[...types.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name),
    );
  }
  assert.deepEqual(declared.sort(), EXPORTS);
});

test("React's part starts with the 'use client' directive", async () => {
  const code = await readFile(join(await shop(), "node_modules/remitkit/react.js"), "utf8");
  assert.match(code, /^"use client";\n/);
  assert.ok(!/export \*/.test(code));
});
