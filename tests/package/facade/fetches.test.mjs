// What a page's own `fetch` does: its errors are the cause of ours, and its faults are told from a network's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { JSDOM } from "jsdom";
import { listening } from "../packed.mjs";

const { fetch: native } = globalThis;
const { assertHidden, errorOf, ID, kit, replaceGlobal, speedUp } = await import("./kit.mjs");
const { REQUESTS } = await import("../../fuzz/samples.mjs");
const { createServer } = await import("node:http");

/** A kit whose page has replaced `fetch`; `sent` has the methods it was called with. */
async function patched(t, work) {
  speedUp(t);
  const { remit } = await kit();
  const sent = [];
  const { fetch } = globalThis;
  t.mock.method(globalThis, "fetch", (url, init) => {
    sent.push(init.method);
    return work(url, init, fetch);
  });
  return { remit, sent };
}

const CAUSE = new Error("the wrapper's own");
const FAULTS = {
  throws: () => {
    throw CAUSE;
  },
  "returns nothing": () => undefined,
  "resolves with nothing": async () => null,
  "resolves with data": async () => ({ ok: true, json: async () => ({}) }),
  "has read the body": async () => {
    const reply = Response.json({ nonce: ID });
    await reply.text();
    return reply;
  },
  "has no arrayBuffer()": async () => ({ ok: true, status: 200, headers: new Headers(), text: async () => "{}" }),
};

for (const [fault, work] of Object.entries(FAULTS)) {
  test(`a fetch that ${fault} is named at once, with its cause`, async (t) => {
    const { remit, sent } = await patched(t, work);
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.code, error.option, error.retryable], ["InvalidConfiguration", "fetch", false]);
    assert.equal(fault === "throws" ? error.cause : error.cause.name, fault === "throws" ? CAUSE : "Error");
    assert.deepEqual(sent, ["GET"]);
    // It may have been sent all the same.
    const create = { method: "POST", path: "/v1/later", body: {} };
    const created = await errorOf(remit.request(create));
    assert.deepEqual([created.kind, sent], ["outcome_unknown", ["GET", "POST"]]);
    assert.ok(created.cause instanceof Error);
  });
}

test("a transfer whose fetch fails as no network does is open, never unsent", async (t) => {
  let isFaulty = false;
  const { remit, sent } = await patched(t, (url, init, fetch) => {
    const reply = fetch(url, init);
    if (isFaulty && init.method === "POST") throw CAUSE;
    return reply;
  });
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  isFaulty = true;
  const outcome = await attempt.submit({ signal: AbortSignal.timeout(2000) }).catch((error) => error);
  assert.equal(outcome.kind ?? "made", "outcome_unknown");
  assert.ok(sent.includes("POST"));
});

test("without fetch nothing was sent, and a transfer stays prepared", async (t) => {
  const { remit } = await kit();
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  replaceGlobal(t, "fetch", { value: undefined });
  for (const call of [remit.nonce(), remit.createRecipient(REQUESTS.recipient()), attempt.submit()]) {
    const { code, option } = await errorOf(call);
    assert.deepEqual([code, option], ["InvalidConfiguration", "fetch"]);
  }
  assert.equal(attempt.state, "PREPARED");
});

test("a network's failure keeps its cause", async (t) => {
  const rejected = Object.assign(new TypeError("Failed to fetch"), {
    cause: Object.assign(new Error("ECONNREFUSED"), { code: "ECONNREFUSED", errors: [{ port: 443 }] }),
  });
  for (const thrown of [rejected, new DOMException("Load failed", "NetworkError"), "offline"]) {
    const { remit, sent } = await patched(t, () => Promise.reject(thrown));
    const { code, cause } = await errorOf(remit.nonce());
    assert.deepEqual([code, cause, sent.length], ["NetworkFailure", thrown, 3]);
    t.mock.restoreAll();
  }
});

const TOKEN = "eyJ0b2tlbg.planted-token.c2VjcmV0";
const BODY = { pan: 4242424242424242, name: "Planted \"Cardholder\"" };
class Holder extends Error {
  #headers;
  constructor(headers) {
    super("no");
    this.#headers = headers;
  }
  get headers() {
    return this.#headers;
  }
}
const nested = (depth) => (depth === 0 ? TOKEN : { inner: nested(depth - 1) });
const REVEALING = {
  "a message": () => new TypeError(`no: ${TOKEN}`),
  "the message of a DOMException": () => new DOMException(`no: ${TOKEN}`, "NetworkError"),
  "a name": () => Object.assign(new Error("no"), { name: TOKEN }),
  "a part of the token": () => new Error(`no: ${TOKEN.slice(4, 22)}…`),
  "the token in capitals": () => new Error(`no: ${TOKEN.toUpperCase()}`),
  "the token as in a URL": () => new Error(`no: ${TOKEN.replace(".", "%2E")}`),
  "plain headers": ({ headers }) => Object.assign(new Error("no"), { config: { headers } }),
  Headers: ({ headers }) => Object.assign(new Error("no"), { headers: new Headers(headers) }),
  "a Map": ({ headers }) => Object.assign(new Error("no"), { headers: new Map(Object.entries(headers)) }),
  "a Request": (init, url) => Object.assign(new Error("no"), { request: new Request(url, init) }),
  "a private member": ({ headers }) => new Holder(headers),
  "a function": ({ headers }) => Object.assign(new Error("no"), { toJSON: () => headers }),
  "depth 5": () => Object.assign(new Error("no"), nested(5)),
  "depth 9": () => Object.assign(new Error("no"), nested(9)),
  bytes: () => Object.assign(new Error("no"), { bytes: new TextEncoder().encode(TOKEN) }),
  "a number of the body": () => new Error(`no: ${BODY.pan}`),
  "a text of the body": ({ body }) => new Error(`no: ${body}`),
  "a member that throws": () =>
    Object.defineProperty(new Error(TOKEN), "own", { get: () => assert.fail("in the page") }),
};

for (const [what, thrown] of Object.entries(REVEALING)) {
  test(`a cause that has a secret in ${what} is replaced by its name and message`, async (t) => {
    const post = (url, init) => Promise.reject(thrown(init, url));
    speedUp(t);
    const { remit } = await kit(undefined, { token: TOKEN });
    t.mock.method(globalThis, "fetch", post);
    const { kind, cause } = await errorOf(remit.request({ method: "POST", path: "/v1/later", body: BODY }));
    assert.deepEqual([kind, Reflect.ownKeys(cause)], ["outcome_unknown", ["stack", "message", "name"]]);
    assert.ok(["no", ""].includes(cause.message), cause.message);
    assertHidden([TOKEN, "4242424242424242", "Cardholder"], inspect(cause));
    assert.doesNotMatch(inspect(cause), /planted/i);
  });
}

test("a cause is replaced also where the page has frozen the prototype of errors", async (t) => {
  const { name } = Error.prototype;
  const define = (writable) => Object.defineProperty(Error.prototype, "name", { value: name, writable });
  define(false);
  t.after(() => define(true));
  const { remit } = await patched(t, () => Promise.reject(Object.assign(new Error("no"), { retry() {} })));
  const { kind, cause } = await errorOf(remit.request({ method: "POST", path: "/v1/later", body: BODY }));
  assert.deepEqual([kind, cause.message, "retry" in cause], ["outcome_unknown", "no", false]);
  t.mock.restoreAll();
  assert.ok((await remit.nonce()).nonce, "the module runs on");
});

test("a large object on what fetch threw is not read", async (t) => {
  const nested = Array.from({ length: 100 }, () => Array(100).fill("x"));
  const huge = [new Uint8Array(5e6), Array(5e6).fill(0), nested];
  for (const data of huge) {
    const { remit } = await patched(t, () => Promise.reject(Object.assign(new Error("no"), { data })));
    const { cause } = await errorOf(remit.request({ method: "POST", path: "/v1/later", body: BODY }));
    assert.deepEqual([cause.message, "data" in cause], ["no", false]);
    t.mock.restoreAll();
  }
});

test("calls at the same time have their own causes, also while a policy's report is awaited", async (t) => {
  replaceGlobal(t, "document", { value: Object.assign(new EventTarget(), { documentElement: {} }) });
  const { remit } = await kit(undefined, { timeoutMs: 2_000 });
  const { fetch } = globalThis;
  const fail = (ms, text) => new Promise((_, reject) => setTimeout(() => reject(new TypeError(text)), ms));
  t.mock.method(globalThis, "fetch", (url, init) => {
    const [name] = /[^/]+$/.exec(url);
    if (name === "one") return fail(0, name);
    if (name === "two" || name === "corridors") return fail(20, name);
    return name === "never" ? new Promise(() => {}) : fetch(url, init);
  });
  const post = (name) => errorOf(remit.request({ method: "POST", path: `/v1/${name}`, body: {} }));
  const messageOf = async (call) => (await call).cause?.message;
  const calls = ["one", "two", "one"].map((name) => messageOf(post(name)));
  await new Promise((resolve) => setTimeout(resolve, 10));
  await remit.nonce();
  assert.deepEqual(await Promise.all(calls), ["one", "two", "one"]);
  // A timeout has no cause, least of all another call's.
  const controller = new AbortController();
  const aborted = errorOf(remit.corridors(undefined, { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  assert.equal((await aborted).code, "Aborted");
  const late = await post("never");
  assert.deepEqual([late.kind, "cause" in late], ["outcome_unknown", false]);
});

/** A real `Response` with members of its own, as a monitor that wraps replies leaves it. */
const replyWith = (members) => Object.defineProperties(new Response("{}"), members);
const value = (value) => ({ value });
const throwing = () => assert.fail("in the page");

const UNUSABLE = {
  "an arrayBuffer() that throws": { arrayBuffer: value(throwing) },
  "an arrayBuffer() without a value": { arrayBuffer: value(async () => undefined) },
  "an arrayBuffer() with a number": { arrayBuffer: value(async () => -1) },
  "an arrayBuffer() with a large number": { arrayBuffer: value(async () => 2e10) },
  "an arrayBuffer() with a text": { arrayBuffer: value(async () => '{"nonce":"x"}') },
  "headers that throw": { headers: value({ get: throwing }) },
  "no headers": { headers: value(undefined) },
  "a status that throws": { status: { get: throwing } },
  "no status": { status: value(undefined) },
};
for (const [what, members] of Object.entries(UNUSABLE)) {
  test(`a Response with ${what} is a fault of fetch, and ends nothing else`, async (t) => {
    const { remit } = await patched(t, async () => replyWith(members));
    for (const call of [remit.nonce(), remit.request({ method: "GET", path: "/v1/later" })]) {
      const { code, option, cause } = await errorOf(call);
      assert.deepEqual([code, option, cause instanceof Error], ["InvalidConfiguration", "fetch", true]);
    }
    t.mock.restoreAll();
    assert.ok((await remit.nonce()).nonce, "the module runs on");
  });
}

test("what a monitor changes of a Response is read once, with its types checked", async (t) => {
  const bytes = new TextEncoder().encode('[{"code":"InsufficientFunds"}]');
  const status = value(400);
  const arrayBuffer = value(async () => bytes.buffer);
  const headers = new Map([["retry-after", 5], ["date", new Date()], ["request-id", {}]]);
  for (const members of [
    { status, arrayBuffer, text: value(() => "not a promise"), ok: value(undefined), url: value(5) },
    { status, arrayBuffer, headers: value(headers) },
    { status: value("400"), arrayBuffer: value(() => bytes) },
    { status, arrayBuffer: value(async () => new DataView(bytes.buffer)) },
  ]) {
    const { remit } = await patched(t, async () => replyWith(members));
    const { code, httpStatus, requestId } = await errorOf(remit.nonce());
    assert.deepEqual([code, httpStatus, requestId], ["InsufficientFunds", 400, undefined]);
    t.mock.restoreAll();
  }
});

test("a wrapper's Response.error() is a failure of the network", async (t) => {
  const { remit, sent } = await patched(t, async () => Response.error());
  assert.equal((await errorOf(remit.nonce())).code, "NetworkFailure");
  assert.equal(sent.length, 3);
});

test("a document without events, as a test's page has, ends nothing", async (t) => {
  let document;
  replaceGlobal(t, "document", { get: () => document });
  for (document of [{}, { addEventListener: throwing }, { addEventListener: 5 }]) {
    const { remit } = await kit();
    assert.ok((await remit.nonce()).nonce);
  }
});

test("a test DOM's AbortSignal beside the engine's fetch works, as does the engine's signal", async (t) => {
  const origin = await listening(
    createServer((request, reply) => {
      if (request.url !== "/v1/nonce") return;
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ nonce: ID }));
    }),
  );
  const own = new AbortController();
  const { window } = new JSDOM("", { url: "https://shop.example/" });
  for (const name of ["AbortController", "AbortSignal", "EventTarget"]) {
    replaceGlobal(t, name, { value: window[name], writable: true });
  }
  t.mock.method(globalThis, "fetch", native);
  const { remit } = await kit(undefined, { baseUrl: origin });
  assert.equal((await remit.nonce()).nonce, ID);
  for (const controller of [own, new AbortController()]) {
    assert.equal((await remit.nonce({ signal: controller.signal })).nonce, ID);
    const aborted = errorOf(remit.corridors(undefined, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    assert.equal((await aborted).code, "Aborted");
  }
});
