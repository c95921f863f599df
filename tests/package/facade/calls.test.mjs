import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { documented } from "../../fuzz/service.mjs";
import { assertRefused, errorOf, ID, kit, load, never, OTHER, service, settled } from "./kit.mjs";

const { RemitKit } = await load("core/remitkit_core.js");

const numbers = (_, value) => (typeof value === "bigint" ? Number(value) : value);
const withoutBigints = (value) => JSON.parse(JSON.stringify(value, numbers));

for (const [name, operation] of Object.entries(OPERATIONS)) {
  const { method, path, ids, sample, as, default: omitted, before } = operation;
  test(`${name} sends one request and returns its reply`, async () => {
    const { remit, requests } = await kit(undefined, { senderId: OTHER });
    const given = ids.map((_, index) => [ID, OTHER][index]);
    const address = path.replace(/\{(\d)\}/g, (_, index) => given[index]);
    for (const input of omitted === undefined ? [sample?.()] : [sample(), undefined]) {
      requests.length = 0;
      const reply = await remit[name](...given, ...(input === undefined ? [] : [input]));
      const [sent, ...others] = requests.filter((request) => request.path !== before);
      assert.deepEqual([sent.method, sent.path, others], [method, address, []]);
      assert.equal(sent.headers.authorization, "Bearer token");
      const expected = input ?? omitted ?? {};
      assert.deepEqual(sent.body, as === "body" ? expected : undefined);
      const texts = Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, String(value)]));
      assert.deepEqual(sent.query, as === "query" ? { ...sent.query, ...texts } : {});
      const text = documented(sent);
      if (name === "transferReceipt") {
        assert.equal(await reply.text(), text);
      } else if (!name.endsWith("Fields")) {
        const value = text === "" ? null : name === "nonce" ? reply : JSON.parse(text);
        assert.deepEqual(withoutBigints(reply ?? null), value);
      }
    }
  });
}

test("the filter narrows the listed corridors and is not sent", async () => {
  const currency = { name: "Any", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD" };
  const currencies = (codes) => codes.map((iso3Code) => ({ ...currency, iso3Code }));
  const rows = [
    ["MEX", "PUSH_TO_CARD", ["USD"], ["MXN"]],
    ["MEX", "BANK_ACCOUNT", ["USD", "EUR"], ["MXN", "USD"]],
    ["IND", "BANK_ACCOUNT", ["USD"], ["INR"]],
  ].map(([iso3Code, transferMethod, from, to]) => ({
    destinationCountry: { iso3Code, iso2Code: "XX", name: "Any" },
    transferMethod,
    sourceCurrency: currencies(from),
    destinationCurrency: currencies(to),
  }));
  const { remit, requests } = await kit(() => rows);
  const texts = rows.map((row) => JSON.stringify(row));
  for (const [filter, found] of [
    [undefined, [0, 1, 2]],
    [{ dstCountryIso3Code: undefined }, [0, 1, 2]],
    [{ dstCountryIso3Code: "MEX" }, [0, 1]],
    [{ transferMethod: "BANK_ACCOUNT" }, [1, 2]],
    [{ dstCurrencyIso3Code: "USD" }, [1]],
    [{ srcCurrencyIso3Code: "EUR", dstCountryIso3Code: "MEX" }, [1]],
    [{ srcCurrencyIso3Code: "EUR", dstCountryIso3Code: "IND" }, []],
  ]) {
    const listed = await remit.corridors(filter);
    assert.deepEqual(listed.map((row) => texts.indexOf(JSON.stringify(row))), found, JSON.stringify(filter));
  }
  assert.ok(requests.every(({ path, query }) => path === "/v1/corridors" && Object.keys(query).length === 0));
});

test("a filter that could never match is refused before anything is sent", async () => {
  const { remit, requests } = await kit();
  await assertRefused((filter) => remit.corridors(filter), [
    [{ dstCountryIso3Code: "mex" }, "dstCountryIso3Code"],
    [{ dstCurrencyIso3Code: ["MXN"] }, "dstCurrencyIso3Code"],
    [{ transferMethod: "push to card" }, "transferMethod"],
    [JSON.parse('{"__proto__":"MEX"}'), "__proto__"],
    [null, "filter"],
    ["MEX", "filter"],
  ]);
  assert.deepEqual(requests, []);
});

test("a shared signal ends its open calls, whatever methods the page has given it", async () => {
  const { remit, requests } = await kit(({ path }) => (path === "/v1/nonce" ? undefined : never()));
  const controller = new AbortController();
  const { signal } = controller;
  const throwing = () => assert.fail("in the page");
  Object.assign(signal, { addEventListener: throwing, removeEventListener: throwing });
  const open = errorOf(remit.senderId({ signal }));
  assert.ok((await remit.nonce({ signal })).nonce);
  controller.abort("anything");
  assert.equal((await open).code, "Aborted");
  assert.equal(requests.find(({ path }) => path === "/v1/sender-id").signal.aborted, true);
});

test("a signal aborts calls in a browser that gives no reason", async (t) => {
  const reason = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "reason");
  delete AbortSignal.prototype.reason;
  t.after(() => Object.defineProperty(AbortSignal.prototype, "reason", reason));
  const { remit } = await kit(never);
  const controller = new AbortController();
  const open = errorOf(remit.nonce({ signal: controller.signal }));
  await settled();
  controller.abort();
  for (const call of [open, errorOf(remit.nonce({ signal: controller.signal }))]) {
    assert.equal((await call).code, "Aborted");
  }
});

test("an invalid signal is refused before anything is sent", async () => {
  const { remit, requests } = await kit();
  const throwing = () => assert.fail("in the page");
  await assertRefused((options) => remit.nonce(options), [
    ...[new AbortController().signal, null, "signal"].map((options) => [options, "options"]),
    [Object.defineProperty({}, "signal", { get: throwing }), "options.signal"],
    ...[{}, null, { aborted: false, addEventListener() {} }, Object.create(AbortSignal.prototype)].map(
      (signal) => [{ signal }, "signal"],
    ),
  ]);
  assert.deepEqual(requests, []);
});

test("destroy waits for calls in flight, and later calls are refused", async (t) => {
  const { mock } = t.mock.method(RemitKit.prototype, "free");
  const answers = {};
  const { remit, requests } = await kit(({ path }) => new Promise((resolve) => (answers[path] = resolve)));
  const calls = [remit.senderId(), remit.nonce()];
  await settled();
  let isOver = false;
  const destroyed = remit.destroy();
  destroyed.then(() => (isOver = true));
  assert.equal(remit.destroy(), destroyed);
  for (const call of [remit.nonce(), () => remit.contentSecurityPolicy()]) {
    assert.equal((await errorOf(call)).code, "Destroyed");
  }
  answers["/v1/nonce"]({ nonce: ID });
  await settled();
  assert.deepEqual([isOver, mock.callCount()], [false, 0]);
  answers["/v1/sender-id"]({ senderId: ID });
  assert.equal(await destroyed, undefined);
  assert.equal(mock.callCount(), 1, "the kit is freed");
  assert.deepEqual(await Promise.all(calls), [{ senderId: ID }, { nonce: ID }]);
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
  assert.equal(requests.length, 2);
});

test("a kit can be disposed of", { skip: Symbol.dispose === undefined }, async () => {
  const { remit } = await kit();
  remit[Symbol.dispose]();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("finished calls leave no memory behind", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const { remit, requests } = await kit(() => '{"nonce":"n"}');
  const { signal } = new AbortController();
  const COUNT = 3_000;
  const usedAfterCalls = async () => {
    for (let i = 0; i < COUNT; i += 1) {
      await remit.nonce({ signal });
      requests.length = 0;
    }
    // What ends in a finalizer is gone only after a second collection.
    for (let i = 0; i < 2; i += 1) {
      await settled();
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await usedAfterCalls();
  const growth = ((await usedAfterCalls()) - before) / COUNT;
  assert.ok(growth < 120, `${growth} bytes a call`);
});
