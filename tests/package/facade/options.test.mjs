import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, facade, OPTIONS, settled } from "./facade.mjs";

async function created(options) {
  const loaded = await facade();
  const remit = await loaded.createRemitKit({ ...OPTIONS, ...options });
  return { remit, ...loaded, settings: JSON.parse(loaded.control.calls[0][1]), host: loaded.control.host };
}

test("settings go to the core as data, the rest stays in the page", async () => {
  const { settings, host } = await created({
    locale: "en-US",
    timeoutMs: 5000,
    journal: "memory",
    onDiagnostic() {},
  });
  assert.deepEqual(settings, {
    baseUrl: OPTIONS.baseUrl,
    cardUrl: OPTIONS.cardUrl,
    locale: "en-US",
    timeoutMs: 5000,
  });
  assert.equal(typeof host.diagnostic, "function");
});

test("what the package does not know is left for the core to refuse by name", async () => {
  const { settings } = await created({ baseURL: "https://typo.example" });
  assert.equal(settings.baseURL, "https://typo.example");
});

test("a token may be text, the token endpoint's reply, or a function that gives either", async () => {
  const reply = { access_token: "abc", expires_in: 60, token_type: "Bearer" };
  for (const [token, expected] of [
    ["abc", "abc"],
    [reply, reply],
    [() => "abc", "abc"],
    [async () => reply, reply],
    [() => ({ then: (resolve) => resolve("abc") }), "abc"],
    [() => undefined, undefined],
    [() => 7, 7],
  ]) {
    const { host } = await created({ token });
    assert.deepEqual(await host.token(), expected);
  }
});

test("a token function is asked each time and its failure is handed on", async () => {
  let asked = 0;
  const failure = new Error("offline");
  const { host } = await created({
    token() {
      asked += 1;
      throw failure;
    },
  });
  assert.equal(asked, 0);
  assert.equal(await errorOf(host.token()), failure);
  assert.equal(await errorOf(host.token()), failure);
  assert.equal(asked, 2);
});

test("no function of the page runs inside a call of the core", async () => {
  const ran = [];
  const journal = {
    get: () => ran.push("get"),
    set: () => ran.push("set"),
    delete: () => ran.push("delete"),
    keys: () => [ran.push("keys")],
  };
  const { host } = await created({
    token: () => ran.push("token"),
    journal,
    onDiagnostic: () => ran.push("diagnostic"),
  });
  const asked = [
    host.token(),
    host.journal.get("a"),
    host.journal.set("a", "b"),
    host.journal.delete("a"),
    host.journal.keys(),
  ];
  host.diagnostic("{}");
  assert.deepEqual(ran, []);
  await Promise.allSettled(asked);
  assert.deepEqual(ran.sort(), ["delete", "diagnostic", "get", "keys", "set", "token"]);
});

test("what is no data never reaches the core as a token", async () => {
  const { host, isRemitError } = await created({ token: () => new Response("{}") });
  const error = await errorOf(host.token());
  assert.ok(isRemitError(error));
  assert.deepEqual([error.kind, error.option], ["configuration", "token"]);
});

test("the local journal is a store of the package's own, which fails where the host has none", async () => {
  const { host } = await created({ journal: "local" });
  for (const work of [() => host.journal.get("a"), () => host.journal.set("a", "1"), () => host.journal.keys()]) {
    await assert.rejects(work(), ReferenceError);
  }
});

test("the journals of the page keep what they are given, each for itself", async (t) => {
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
  ]) {
    items.clear();
    const [one, other] = [await created({ journal }), await created({ journal })].map(({ host }) => host.journal);
    assert.equal(await one.get("a"), undefined);
    assert.equal(await one.set("a", "1"), undefined);
    assert.equal(await one.set("b", "2"), undefined);
    assert.equal(await one.get("a"), "1");
    assert.equal(await other.get("a"), shares ? "1" : undefined);
    assert.deepEqual(await one.keys(), ["a", "b"]);
    assert.equal(await one.delete("a"), undefined);
    assert.deepEqual(await one.keys(), ["b"]);
    assert.equal(items.size, shares ? 1 : 0);
  }
});

test("where the tab has no storage, attempts are kept in memory; where it is full, that is told", async (t) => {
  t.after(() => delete globalThis.sessionStorage);
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  Object.defineProperty(globalThis, "sessionStorage", { get: refuse, configurable: true });
  const { host } = await created({});
  await host.journal.set("a", "1");
  assert.equal(await host.journal.get("a"), "1");
  Object.defineProperty(globalThis, "sessionStorage", { value: { setItem: refuse }, configurable: true });
  await assert.rejects((await created({})).host.journal.set("a", "1"), DOMException);
});

test("a journal that there is not is refused by name", async () => {
  const hostile = new Proxy(() => {}, {
    get() {
      throw new Error("hostile");
    },
  });
  for (const journal of ["cloud", "", 7, null, "toString", Symbol("session"), hostile]) {
    const error = await errorOf(created({ journal }));
    assert.deepEqual([error.kind, error.option], ["configuration", "journal"]);
  }
});

test("what is far longer than an attempt was not kept by the package, and stays out of the core", async () => {
  const kept = new Map([["a", "x".repeat(4_000_000)], ["b", "x".repeat(4_000_001)]]);
  const { journal } = (await created({ journal: kept })).host;
  assert.equal((await journal.get("a")).length, 4_000_000);
  assert.equal(await journal.get("b"), undefined);
});

test("a store of one's own keeps the journal, and gives back nothing but what it was given", async () => {
  const store = new Map();
  const { host } = await created({ journal: store });
  assert.equal(await host.journal.get("a"), undefined);
  assert.equal(await host.journal.set("a", "1"), undefined);
  assert.equal(await host.journal.get("a"), "1");
  store.set(7, "not ours");
  assert.deepEqual(await host.journal.keys(), ["a"]);
  assert.equal(await host.journal.delete("a"), undefined);
  assert.equal(await host.journal.get("a"), undefined);
  store.set("a", { not: "text" });
  assert.equal((await errorOf(host.journal.get("a"))).kind, "configuration");
});

test("diagnostics come as objects, later, and a listener that throws is reported", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  const entries = [];
  const { host } = await created({
    onDiagnostic(entry) {
      entries.push(entry);
      throw new Error("in the page");
    },
  });
  host.diagnostic('{"event":"request"}');
  assert.deepEqual(entries, []);
  await settled();
  assert.deepEqual(entries, [{ event: "request" }]);
  assert.equal(reported.mock.callCount(), 1);
});

const TRACE = { operation: "quote", method: "GET", attempt: 2, status: 200, durationMs: 5 };
const measures = () => performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("remitkit:"));

test("each request that is told of is a measure in the page's timeline", async (t) => {
  t.after(() => performance.clearMeasures());
  performance.clearMeasures();
  performance.measure("the page's own");
  const { host } = await created({ onDiagnostic() {} });
  host.diagnostic(JSON.stringify({ ...TRACE, requestId: "of the service" }));
  // Longer than the page is there: its clock was set.
  host.diagnostic(JSON.stringify({ ...TRACE, operation: "nonce", status: 0, durationMs: 1e15 }));
  await settled();
  // By when they began.
  const [nonce, quote] = measures();
  assert.equal(quote.name, "remitkit:quote");
  assert.deepEqual(quote.detail, { operation: "quote", attempt: 2, status: 200 });
  assert.ok(Math.abs(quote.duration - 5) < 0.01, String(quote.duration));
  assert.deepEqual([nonce.name, nonce.startTime], ["remitkit:nonce", 0]);
  assert.equal(measures().length, 2);
  assert.equal(performance.getEntriesByName("the page's own").length, 1);
});

test("without a listener nothing is measured, and without the means to measure the listener hears all the same", async (t) => {
  performance.clearMeasures();
  t.after(() => delete performance.measure);
  const { host } = await created({});
  assert.equal(host.diagnostic, undefined);
  for (const value of [undefined, () => assert.fail("takes no options")]) {
    Object.defineProperty(performance, "measure", { value, configurable: true });
    const entries = [];
    const { host: listening } = await created({ onDiagnostic: (entry) => entries.push(entry) });
    listening.diagnostic(JSON.stringify(TRACE));
    await settled();
    assert.deepEqual(entries, [TRACE]);
  }
  assert.deepEqual(measures(), []);
});

test("options that cannot be are refused before the wasm is loaded", async () => {
  const { createRemitKit, control, isRemitError } = await facade();
  const wrong = [
    [undefined, "options"],
    [null, "options"],
    ["https://api.example", "options"],
    [
      {
        ...OPTIONS,
        get locale() {
          throw 1;
        },
      },
      "options",
    ],
    [
      new Proxy(
        {},
        {
          ownKeys() {
            throw 1;
          },
        },
      ),
      "options",
    ],
    [{ ...OPTIONS, baseUrl: () => "https://api.example" }, "baseUrl"],
    [{ ...OPTIONS, timeoutMs: Number.NaN }, "timeoutMs"],
    [{ ...OPTIONS, token: undefined }, "token"],
    [{ ...OPTIONS, token: 7 }, "token"],
    [{ ...OPTIONS, token: null }, "token"],
    [
      {
        ...OPTIONS,
        token: {
          get access_token() {
            throw 1;
          },
        },
      },
      "token",
    ],
    [{ ...OPTIONS, journal: {} }, "journal.get"],
    [{ ...OPTIONS, journal: { get() {}, set() {}, delete() {} } }, "journal.keys"],
    [{ ...OPTIONS, onDiagnostic: console }, "onDiagnostic"],
  ];
  for (const [options, option] of wrong) {
    const error = await errorOf(createRemitKit(options));
    assert.ok(isRemitError(error), String(error));
    assert.deepEqual(
      [error.code, error.kind, error.option],
      ["InvalidConfiguration", "configuration", option],
    );
  }
  assert.deepEqual(control.inits, []);
});

test("what the core refuses about the options is the caller's error", async () => {
  const { createRemitKit, control, RemitError } = await facade();
  const refusal = new RemitError("InvalidConfiguration", "baseUrl must be https.", {
    kind: "configuration",
    retryable: false,
  });
  control.answer = () => {
    throw refusal;
  };
  assert.equal(await errorOf(createRemitKit(OPTIONS)), refusal);
});
