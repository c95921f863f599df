// The fuzzer can fail: each verdict against a subject that is wrong on purpose.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "./clock.mjs";
import { faultsOfEnd } from "./ends.mjs";
import { Figures, isClean, lineOf } from "./figures.mjs";
import { compareMeasures } from "./growth.mjs";
import { OPERATIONS } from "./operations.mjs";
import { read, said, same, UNSAYABLE } from "./said.mjs";
import { BASE_URL, ID, REQUESTS, TOKEN } from "./samples.mjs";
import { differenceOf, transferDifference } from "./sending.mjs";
import { compare, surfaceOf } from "./surface.mjs";
import { faultsOf } from "./verdict.mjs";

class OurError extends Error {
  kind = "invalid_request";
}
const isOurs = (error) => error instanceof OurError;
const named = (faults) => faults.map(({ fault }) => fault);
const verdict = (outcome, difference) => named(faultsOf({ outcome, isOurs, difference }));

test("a value or one of the SDK's own errors is no fault", () => {
  assert.deepEqual(verdict({ value: undefined }), []);
  assert.deepEqual(verdict({ error: new OurError("x") }), []);
});

test("any other error is foreign, whatever its type", () => {
  for (const error of [new TypeError("x"), undefined, null, 1, Object.create(null)]) {
    assert.deepEqual(verdict({ error }), ["foreignErrors"]);
  }
});

test("a trap is found, even as the cause of one of the SDK's errors", () => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  assert.deepEqual(verdict({ error: trap }), ["runtimeErrors", "foreignErrors"]);
  const error = Object.assign(new OurError("x", { cause: trap }), { kind: "internal" });
  assert.deepEqual(verdict({ error }), ["runtimeErrors", "panics"]);
});

test("a promise that never settles is a hang, or unsettled in a story", async () => {
  const clock = new Clock();
  const outcome = await clock.settle(new Promise(() => {}));
  assert.deepEqual(verdict(outcome), ["hangs"]);
  assert.deepEqual(named(faultsOfEnd(outcome, { isOurs, what: "x" })), ["unsettled"]);
  assert.deepEqual(await clock.settle(Promise.resolve(5)), { value: 5 });
});

test("a wait takes no time, and one that ends is no hang", async () => {
  const scope = { Date: {}, setTimeout, clearTimeout };
  const clock = new Clock();
  clock.install(scope);
  const began = Date.now();
  const late = new Promise((resolve) => scope.setTimeout(resolve, 600_000, "late"));
  assert.deepEqual(await clock.settle(late), { value: "late" });
  assert.ok(Date.now() - began < 5_000);
  assert.equal(clock.pending, 0);
});

const quoteRequest = (query) => ({ method: "GET", origin: BASE_URL, path: "/v1/quote", query, bearer: `Bearer ${TOKEN}` });
const request = { ...REQUESTS.quote(), amount: 9_007_199_254_740_993n };
const sent = (changes = {}) => new URLSearchParams(Object.entries({ ...request, ...changes })).toString();

test("only a request that carries its input unchanged has no difference", () => {
  const difference = (query, given = request, outcome = { value: {} }) => differenceOf(OPERATIONS.quote, [given], [quoteRequest(query)], outcome);
  assert.equal(difference(sent()), undefined);
  assert.match(difference(sent({ amount: 9007199254740992n })), /amount=9007199254740992/);
  assert.match(difference(sent({ quoteBy: "RECEIVE_AMOUNT" })), /RECEIVE/);
  assert.match(difference(sent(), { ...request, amount: Number.NaN }), /cannot be said/);
  assert.match(difference(sent(), { ...request, amount: "9007199254740994" }), /quote/);
  assert.match(differenceOf(OPERATIONS.getQuote, [ID], [], { value: {} }), /0 requests/);
  assert.match(differenceOf(OPERATIONS.getQuote, [ID], [{ ...quoteRequest(""), path: "/v1/quote/x" }], { value: {} }), /instead of/);
  assert.match(differenceOf(OPERATIONS.quote, [request], [{ ...quoteRequest(sent()), bearer: "Bearer x" }], { value: {} }), /token/);
  assert.match(differenceOf(OPERATIONS.quote, [request], [{ ...quoteRequest(sent()), origin: "https://evil.example" }], { value: {} }), /evil/);
});

test("a transfer of another amount is found", () => {
  const given = said(REQUESTS.transfer(ID));
  assert.equal(transferDifference(given, JSON.stringify(given)), undefined);
  assert.match(transferDifference(given, JSON.stringify({ ...given, amount: 12551 })), /12551/);
  assert.match(transferDifference(UNSAYABLE, "{}"), /cannot be said/);
});

test("JSON is read digit by digit, and says what a value is", () => {
  assert.deepEqual(read('{"a":9007199254740993,"b":"9007199254740993","c":0.1234567890123456789}'), {
    a: 9007199254740993n,
    b: "9007199254740993",
    c: 0.12345678901234568,
  });
  assert.ok(same(said({ a: 5n, toJSON: undefined }), { a: 5 }));
  assert.ok(!same({ a: 9007199254740993n }, { a: 9007199254740992 }));
  assert.ok(!same({ a: "5" }, { a: 5 }));
  for (const value of [{ a: Number.NaN }, [undefined], { a: new Map() }, { a: () => {} }]) assert.equal(said(value), UNSAYABLE);
});

test("recursive use, a trap and a foreign error are found in a story", () => {
  const end = (error, more) => named(faultsOfEnd({ error }, { isOurs, what: "x", ...more }));
  assert.deepEqual(end(new OurError("recursive use of an object detected which would lead to unsafe aliasing in rust")), ["recursiveUse"]);
  assert.deepEqual(end(new WebAssembly.RuntimeError("unreachable")), ["recursiveUse"]);
  assert.deepEqual(end(new TypeError("x")), ["wrongEnds"]);
  assert.deepEqual(end(new OurError("x")), []);
});

test("after destroy everything ends in Destroyed", () => {
  const end = (outcome) => named(faultsOfEnd(outcome, { isOurs, what: "x", destroyed: true }));
  assert.deepEqual(end({ error: Object.assign(new OurError("x"), { code: "Destroyed" }) }), []);
  assert.deepEqual(end({ error: Object.assign(new OurError("x"), { code: "Aborted" }) }), ["wrongEnds"]);
  assert.deepEqual(end({ value: 1 }), ["wrongEnds"]);
});

test("leftover listeners, frames and timers and a grown heap are measured", () => {
  const before = { heapBytes: 1e6, wasmBytes: 65536, frames: 1, nodes: 10, listeners: 4, timers: 0, elements: 0 };
  assert.equal(compareMeasures(before, before).leftOver, 0);
  for (const name of ["listeners", "frames", "timers", "nodes", "elements"]) {
    assert.equal(compareMeasures(before, { ...before, [name]: before[name] + 1 }).leftOver, 1);
  }
  assert.equal(compareMeasures(before, { ...before, heapBytes: before.heapBytes + 2 * 1024 * 1024 }).growthMb, 2);
  assert.equal(compareMeasures(before, { ...before, wasmBytes: 65536 + 1024 * 1024 }).growthMb, 1);
});

test("an export without a subject is found, and so is a removed one", () => {
  class Kit {
    quote() {}
    get id() {
      return 1;
    }
    [Symbol.asyncIterator]() {}
  }
  const surface = surfaceOf({ create() {} }, { Kit });
  assert.deepEqual(surface, ["Kit.[asyncIterator]", "Kit.id", "Kit.quote", "create"]);
  assert.deepEqual(compare(surface, ["create", "Kit.id", "Kit.quote", "Kit.gone"]), {
    forgotten: ["Kit.[asyncIterator]"],
    stale: ["Kit.gone"],
  });
});

test("one fault of any kind makes the run not clean", () => {
  const mounted = { growthMb: 0.1, leftOver: 0, faults: 0 };
  const run = (messages, changes = {}) => {
    const figures = new Figures();
    for (const [proof, message] of messages) figures.of(proof)(message);
    return figures.result({ seed: 1, inputs: 10, interleavings: 1, mounts: 1, exports: 2, mounted: { ...mounted, ...changes } });
  };
  assert.ok(isClean(run([])));
  assert.match(lineOf(run([])), /^fuzz: 10 inputs to 2 exports, panics 0, RuntimeErrors 0, .*; 1 interleavings, unsettled 0, .*; 1 mounts, growth 0.1 MB, .*; seed 1$/);
  for (const fault of ["panics", "runtimeErrors", "foreignErrors", "hangs", "changedValues", "unsound"]) assert.ok(!isClean(run([["inputs", { fault }]])), fault);
  for (const fault of ["unsettled", "recursiveUse", "wrongEnds", "hangs"]) assert.ok(!isClean(run([["stories", { fault }]])), fault);
  for (const changes of [{ growthMb: 1.1 }, { leftOver: 1 }, { faults: 1 }]) assert.ok(!isClean(run([], changes)));
  assert.deepEqual(new Figures().uncalled(["a"]), ["a"]);
});
