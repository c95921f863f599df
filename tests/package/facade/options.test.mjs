import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { documented } from "../../fuzz/service.mjs";
import { assertRefused, errorOf, fakeTime, ID, kit, never, OPTIONS, OTHER, remitkit } from "./kit.mjs";
import { replaceGlobal, service, settled } from "./kit.mjs";

const { createRemitKit } = remitkit;
const request = REQUESTS.transfer(OTHER);
const pending = async (remit) => (await remit.pendingTransfers()).length;
const throwing = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

test("requests use baseUrl and `locale`, and time out after timeoutMs", async (t) => {
  const time = fakeTime(t);
  const { remit, requests } = await kit(never, { locale: "es-MX", timeoutMs: 5000 });
  remit.quote(REQUESTS.quote()).catch(() => {});
  await time.pass(4999);
  const [{ origin, headers, signal, init }] = requests;
  // A redirect would carry the token, or a second copy of a POST, elsewhere.
  const isolated = { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" };
  assert.deepEqual(init, { cache: "no-store", ...isolated });
  assert.deepEqual([origin, headers["accept-language"], signal.aborted], [OPTIONS.baseUrl, "es-MX", false]);
  await time.pass(1);
  assert.equal(signal.aborted, true);
});

test("a token is text, the endpoint's reply, or a function giving either", async () => {
  const reply = { access_token: "abc", expires_in: 60, token_type: "Bearer" };
  const thenable = { then: (resolve) => resolve("abc") };
  for (const token of ["abc", reply, () => "abc", async () => reply, () => thenable]) {
    const { remit, requests } = await kit(undefined, { token });
    await remit.nonce();
    assert.equal(requests[0].headers.authorization, "Bearer abc");
  }
  for (const [reply, kind] of [
    [undefined, "authentication"],
    [7, "authentication"],
    [new Response("{}"), "configuration"],
    [{ access_token: "t", client_secret: "sesame" }, "configuration"],
  ]) {
    const { remit, requests } = await kit(undefined, { token: () => reply });
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.kind, error.option, requests.length], [kind, "token", 0]);
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /sesame/);
  }
});

test("session and store are shared; memory, and a session without storage, are the kit's own", async (t) => {
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
  const value = sessionStorage;
  for (const [journal, storage, shared] of [
    ["memory", { value }, 0],
    ["session", { value }, 1],
    [undefined, { value }, 1],
    ["session", { get: throwing }, 0],
    ["session", { value: null }, 0],
    [new Map([[7, "not ours"], ["a", "neither"]]), { value }, 1],
  ]) {
    replaceGlobal(t, "sessionStorage", storage);
    items.clear();
    const { remit: one } = await kit(undefined, { journal });
    const { remit: other } = await kit(undefined, { journal });
    const attempt = await one.prepareTransfer(request);
    assert.deepEqual([await pending(one), await pending(other)], [1, shared]);
    await attempt.discard();
    assert.deepEqual([await pending(one), await pending(other), items.size], [0, 0, 0]);
  }
});

test("a journal that is full, broken or silent blocks no call forever", async (t) => {
  const time = fakeTime(t);
  const broken = { get: () => ({ not: "text" }), set() {}, delete() {}, keys: () => [] };
  function* endless() {
    for (;;) yield "k";
  }
  replaceGlobal(t, "sessionStorage", { value: { length: 0, getItem: () => null, setItem: throwing } });
  replaceGlobal(t, "indexedDB", { value: { open: () => ({}) } });
  const prepare = (remit) => remit.prepareTransfer(request);
  const [failed, misused] = [["unavailable", true], ["configuration", false]];
  for (const [journal, call, expected] of [
    ["session", prepare, failed],
    [broken, prepare, misused],
    [{ ...broken, get() {}, set: () => Promise.reject(new Error("full")) }, prepare, failed],
    [{ ...broken, keys: endless }, pending, misused],
    ["local", pending, failed],
    [{ get: never, set: never, delete: never, keys: never }, pending, failed],
  ]) {
    const { remit } = await kit(undefined, { journal });
    const refused = errorOf(call(remit));
    const destroyed = remit.destroy();
    const { kind, retryable, option } = await time.untilSettled(refused);
    assert.deepEqual([kind, retryable, option], [...expected, "journal"]);
    assert.equal(await time.untilSettled(destroyed), undefined);
  }
});

test("a store lists an attempt once, and one whose text is damaged or far too long, too", async () => {
  const store = new Map();
  const journal = {
    get: (key) => store.get(key),
    set: (key, text) => store.set(key, text),
    delete: (key) => store.delete(key),
    keys: () => [...store.keys(), ...store.keys()],
  };
  const quote = JSON.parse(documented({ method: "GET", path: "/v1/quote" }));
  const answer = ({ path }) => (path === `/v1/quote/${OTHER}` ? { ...quote, senderId: ID } : undefined);
  const senderId = ID;
  const { remit } = await kit(answer, { journal, senderId });
  await remit.prepareTransfer(request);
  assert.equal(await pending(remit), 1);
  for (const text of ["{", "x".repeat(4_000_001)]) {
    store.set(`remitkit.attempt.${OTHER}`, text);
    const { remit } = await kit(answer, { journal, senderId });
    const [attempt, ...others] = await remit.pendingTransfers();
    assert.deepEqual([attempt.quoteHistoryId, attempt.state, others.length], [OTHER, "SENT", 0]);
  }
});

const measures = () =>
  performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("remitkit:"));

test("each request is reported and measured in the page's timeline", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  t.after(() => performance.clearMeasures());
  performance.clearMeasures();
  const entries = [];
  const onDiagnostic = (entry) => {
    entries.push(entry);
    throw new Error("in the page");
  };
  const answer = () => new Response('{"nonce":"n"}', { headers: { "request-id": "r-1" } });
  const { remit } = await kit(answer, { onDiagnostic });
  await remit.nonce();
  await settled();
  const [{ durationMs, ...entry }] = entries;
  const facts = { operation: "nonce", attempt: 1, status: 200 };
  assert.deepEqual(entry, { ...facts, method: "GET", requestId: "r-1" });
  assert.ok(reported.mock.callCount() >= 1, "the listener's error is reported");
  const [measure, ...others] = measures();
  assert.deepEqual([measure.name, others], ["remitkit:nonce", []]);
  assert.deepEqual(measure.detail, facts);
  assert.ok(Math.abs(measure.duration - durationMs) < 1, `${measure.duration} ms, not ${durationMs}`);
});

test("invalid options are refused by name before the wasm loads", async () => {
  service.requests.length = 0;
  const options = { ...OPTIONS, wasm: "https://shop.example/x.wasm" };
  const unreadable = (name) => Object.defineProperty({}, name, { get: throwing, enumerable: true });
  const addresses = [undefined, "api.example", "http://api.example", "https://u:p@api.example"];
  const tokens = [undefined, 7, unreadable("access_token"), { eyJhbGciOi: 1n }];
  const journals = ["cloud", null, "toString", new Proxy(() => {}, { get: throwing })];
  const rows = [
    ...addresses.map((baseUrl) => [{ baseUrl }, "baseUrl"]),
    [{ cardUrl: "https://" }, "cardUrl"],
    [{ timeoutMs: Number.NaN }, "timeoutMs"],
    [{ baseURL: "https://a.example" }, "baseURL"],
    ...tokens.map((token) => [{ token }, "token"]),
    ...journals.map((journal) => [{ journal }, "journal"]),
    [{ journal: { get() {}, set() {}, delete() {} } }, "journal.keys"],
    [{ onDiagnostic: console }, "onDiagnostic"],
  ];
  await assertRefused((change) => createRemitKit({ ...options, ...change }), rows, "InvalidConfiguration");
  const none = [undefined, "https://api.example", unreadable("locale"), new Proxy({}, { ownKeys: throwing })];
  await assertRefused(createRemitKit, none.map((options) => [options, "options"]), "InvalidConfiguration");
  assert.deepEqual(service.requests, []);
  const error = await errorOf(createRemitKit({ ...options, token: { eyJhbGciOi: 1n } }));
  assert.doesNotMatch(JSON.stringify(error) + error.stack, /eyJ/, "a member's name may be a token");
});
