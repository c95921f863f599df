import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, kit, OPTIONS, OTHER, remitkit, service, settled, stopTime } from "./kit.mjs";

const { createRemitKit } = remitkit;
const request = REQUESTS.transfer(OTHER);
const pending = async (remit) => (await remit.pendingTransfers()).length;

test("requests use baseUrl and `locale`, and time out after timeoutMs", async (t) => {
  const time = stopTime(t);
  const { remit, requests } = await kit(() => new Promise(() => {}), { locale: "es-MX", timeoutMs: 5000 });
  remit.quote(REQUESTS.quote()).catch(() => {});
  await time.pass(4999);
  const [{ origin, headers, signal }] = requests;
  assert.deepEqual([origin, headers["Accept-Language"], signal.aborted], [OPTIONS.baseUrl, "es-MX", false]);
  await time.pass(1);
  assert.equal(signal.aborted, true);
});

test("a token is text, the endpoint's reply, or a function giving either", async () => {
  const reply = { access_token: "abc", expires_in: 60, token_type: "Bearer" };
  for (const token of [
    "abc",
    reply,
    () => "abc",
    async () => reply,
    () => ({ then: (resolve) => resolve("abc") }),
  ]) {
    const { remit, requests } = await kit(undefined, { token });
    await remit.nonce();
    assert.equal(requests[0].headers.Authorization, "Bearer abc");
  }
  for (const [token, kind] of [
    [() => undefined, "authentication"],
    [() => 7, "authentication"],
    [() => new Response("{}"), "configuration"],
  ]) {
    const { remit, requests } = await kit(undefined, { token });
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.name, error.kind, error.option, requests.length], ["RemitError", kind, "token", 0]);
  }
});

test("the page's functions may call the kit at any time", async () => {
  const ran = new Set();
  const calling = (name, work) => (...args) => {
    ran.add(name);
    made.contentSecurityPolicy();
    return work(...args);
  };
  const store = new Map();
  const methods = ["get", "set", "delete", "keys"].map((name) => [name, calling(name, (...args) => store[name](...args))]);
  const given = { token: calling("token", () => "t"), journal: Object.fromEntries(methods), onDiagnostic: calling("onDiagnostic", () => {}) };
  const { remit: made } = await kit(undefined, given);
  const attempt = await made.prepareTransfer(request);
  await made.pendingTransfers();
  await attempt.discard();
  await settled();
  assert.deepEqual([...ran].sort(), ["delete", "get", "keys", "onDiagnostic", "set", "token"]);
});

test("a memory journal is the kit's own; session and store are shared", async (t) => {
  const items = new Map();
  const sessionStorage = {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, String(value)),
    removeItem: (key) => void items.delete(key),
  };
  Object.defineProperty(globalThis, "sessionStorage", { value: sessionStorage, configurable: true });
  t.after(() => delete globalThis.sessionStorage);
  for (const [journal, shares] of [
    ["memory", false],
    ["session", true],
    [undefined, true],
    [new Map([[7, "not ours"], ["a", "neither"]]), true],
  ]) {
    items.clear();
    const [{ remit: one }, { remit: other }] = [await kit(undefined, { journal }), await kit(undefined, { journal })];
    const attempt = await one.prepareTransfer(request);
    assert.deepEqual([await pending(one), await pending(other)], [1, shares ? 1 : 0]);
    await attempt.discard();
    assert.deepEqual([await pending(one), await pending(other), items.size], [0, 0, 0]);
  }
});

test("without tab storage attempts stay in memory; full storage rejects", async (t) => {
  t.after(() => delete globalThis.sessionStorage);
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  Object.defineProperty(globalThis, "sessionStorage", { get: refuse, configurable: true });
  const { remit } = await kit(undefined, { journal: "session" });
  await remit.prepareTransfer(request);
  assert.equal(await pending(remit), 1);
  const full = { length: 0, getItem: () => null, setItem: refuse };
  Object.defineProperty(globalThis, "sessionStorage", { value: full, configurable: true });
  const error = await errorOf((await kit(undefined, { journal: "session" })).remit.prepareTransfer(request));
  assert.deepEqual([error.kind, error.option], ["configuration", "journal"]);
});

test("a store that returns no text or an unknown journal is refused", async () => {
  const broken = { get: () => ({ not: "text" }), set() {}, delete() {}, keys: () => [] };
  const endless = { ...broken, *keys() { for (;;) yield "k"; } };
  assert.equal((await errorOf((await kit(undefined, { journal: endless })).remit.pendingTransfers())).option, "journal");
  const error = await errorOf((await kit(undefined, { journal: broken })).remit.prepareTransfer(request));
  assert.deepEqual([error.kind, error.option], ["configuration", "journal"]);
  const hostile = new Proxy(() => {}, {
    get() {
      throw new Error("hostile");
    },
  });
  for (const journal of ["cloud", "", 7, null, "toString", Symbol("session"), hostile]) {
    const error = await errorOf(createRemitKit({ ...OPTIONS, journal }));
    assert.deepEqual([error.kind, error.option], ["configuration", "journal"]);
  }
});

test("a journal that never answers blocks nothing forever", async (t) => {
  const time = stopTime(t);
  globalThis.indexedDB = { open: () => ({}) };
  t.after(() => delete globalThis.indexedDB);
  const never = () => new Promise(() => {});
  for (const journal of ["local", { get: never, set: never, delete: never, keys: never }]) {
    const { remit } = await kit(undefined, { journal });
    const refused = errorOf(remit.pendingTransfers());
    const destroyed = remit.destroy();
    assert.equal((await time.whileTimePasses(refused)).option, "journal");
    assert.equal(await time.whileTimePasses(destroyed), undefined);
  }
});

const measures = () => performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("remitkit:"));

test("each request is reported and measured in the page's timeline", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  t.after(() => performance.clearMeasures());
  performance.clearMeasures();
  performance.measure("the page's own");
  const entries = [];
  const { remit } = await kit(() => new Response('{"nonce":"n"}', { headers: { "request-id": "r-1" } }), {
    onDiagnostic(entry) {
      entries.push(entry);
      throw new Error("in the page");
    },
  });
  await remit.nonce();
  await settled();
  const [{ durationMs, ...entry }] = entries;
  assert.deepEqual(entry, { operation: "nonce", method: "GET", attempt: 1, status: 200, requestId: "r-1" });
  assert.ok(reported.mock.callCount() >= 1, "what the listener throws is reported");
  const [measure] = measures();
  assert.equal(measure.name, "remitkit:nonce");
  assert.deepEqual(measure.detail, { operation: "nonce", attempt: 1, status: 200 });
  assert.ok(Math.abs(measure.duration - durationMs) < 1, `${measure.duration} ms, not ${durationMs}`);
  assert.equal(measures().length, 1);
  assert.equal(performance.getEntriesByName("the page's own").length, 1);
});

test("without a listener no measures; without measure still diagnostics", async (t) => {
  performance.clearMeasures();
  t.after(() => delete performance.measure);
  await (await kit()).remit.nonce();
  for (const value of [undefined, () => assert.fail("takes no options")]) {
    Object.defineProperty(performance, "measure", { value, configurable: true });
    const entries = [];
    await (await kit(undefined, { onDiagnostic: (entry) => entries.push(entry) })).remit.nonce();
    await settled();
    assert.deepEqual(entries.map(({ operation }) => operation), ["nonce"]);
  }
  assert.deepEqual(measures(), []);
});

test("invalid options are refused before the wasm loads", async () => {
  service.requests.length = 0;
  const options = { ...OPTIONS, wasm: "https://shop.example/x.wasm" };
  const throwing = () => {
    throw 1;
  };
  const wrong = [
    [undefined, "options"],
    [null, "options"],
    ["https://api.example", "options"],
    [Object.defineProperty({ ...options }, "locale", { get: throwing, enumerable: true }), "options"],
    [new Proxy({}, { ownKeys: throwing }), "options"],
    ...[undefined, () => "https://api.example", "api.example", "http://api.example", "https://user:secret@api.example", "javascript:alert(1)", "https://api.example/v1"].map(
      (baseUrl) => [{ ...options, baseUrl }, "baseUrl"],
    ),
    [{ ...options, cardUrl: "https://" }, "cardUrl"],
    [{ ...options, timeoutMs: Number.NaN }, "timeoutMs"],
    [{ ...options, locale: "no locale" }, "locale"],
    [{ ...options, baseURL: "https://a.example" }, "baseURL"],
    [{ ...options, token: undefined }, "token"],
    [{ ...options, token: 7 }, "token"],
    [{ ...options, token: null }, "token"],
    [{ ...options, token: Object.defineProperty({}, "access_token", { get: throwing, enumerable: true }) }, "token"],
    [{ ...options, journal: {} }, "journal.get"],
    [{ ...options, journal: { get() {}, set() {}, delete() {} } }, "journal.keys"],
    [{ ...options, onDiagnostic: console }, "onDiagnostic"],
  ];
  for (const [given, option] of wrong) {
    const error = await errorOf(createRemitKit(given));
    assert.equal(error.name, "RemitError", String(error));
    assert.deepEqual([error.code, error.kind, error.option], ["InvalidConfiguration", "configuration", option]);
  }
  assert.deepEqual(service.requests, []);
});
