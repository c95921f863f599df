// Shows that the fuzzer can fail: each verdict on something that is wrong on purpose.

import assert from "node:assert/strict";
import { test } from "node:test";
import { growth } from "./browser.mjs";
import { Clock } from "./clock.mjs";
import { Figures, isClean, lineOf } from "./figures.mjs";
import { asJson, NOT_JSON, parse, same } from "./json.mjs";
import { OPERATIONS } from "./operations.mjs";
import { BASE_URL, ID, REPLIES, REQUESTS, TOKEN } from "./samples.mjs";
import { differenceOf, transferDifference } from "./sending.mjs";
import { namesOf } from "./surface.mjs";
import { faultsOf, faultsOfEnd } from "./verdict.mjs";

class OurError extends Error {
  kind = "invalid_request";
}
const isOurs = (error) => error instanceof OurError;
const named = (faults) => faults.map(({ fault }) => fault);
const verdict = (outcome) => named(faultsOf({ outcome, isOurs }));
const end = (outcome, more) => named(faultsOfEnd(outcome, { isOurs, what: "x", ...more }));

test("a call may return a value or reject with one of the SDK's errors", () => {
  assert.deepEqual(verdict({ value: undefined }), []);
  assert.deepEqual(verdict({ error: new OurError("x") }), []);
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
  assert.deepEqual(end(outcome), ["unsettled"]);
  const scope = { Date: {}, setTimeout, clearTimeout };
  clock.install(scope);
  const began = Date.now();
  const late = new Promise((resolve) => scope.setTimeout(resolve, 600_000, "late"));
  assert.deepEqual(await clock.settle(late), { value: "late" });
  assert.ok(Date.now() - began < 5_000, "virtual time takes no time");
  assert.equal(clock.pending, 0);
});

test("a request must carry its input unchanged", () => {
  const input = REQUESTS.quote();
  const request = (changes) => {
    const query = new URLSearchParams({ ...input, ...changes }).toString();
    return { method: "GET", origin: BASE_URL, path: "/v1/quote", query, bearer: `Bearer ${TOKEN}` };
  };
  const difference = (sent, given = input, operation = OPERATIONS.quote) =>
    differenceOf(operation, [given], [sent], { value: {} });
  assert.equal(difference(request()), undefined);
  for (const [pattern, ...args] of [
    [/amount=9007199254740992/, request({ amount: 9007199254740992n })],
    [/RECEIVE/, request({ quoteBy: "RECEIVE_AMOUNT" })],
    [/not JSON/, request(), { ...input, amount: Number.NaN }],
    [/quote/, request(), { ...input, amount: "9007199254740994" }],
    [/token/, { ...request(), bearer: "Bearer x" }],
    [/evil/, { ...request(), origin: "https://evil.example" }],
    [/instead of/, { ...request(), path: "/v1/quote/x", query: "" }, ID, OPERATIONS.getQuote],
  ]) {
    assert.match(difference(...args), pattern);
  }
  assert.match(differenceOf(OPERATIONS.getQuote, [ID], [], { value: {} }), /0 requests/);
  const transfer = asJson(REQUESTS.transfer(ID));
  assert.equal(transferDifference(transfer, JSON.stringify(transfer)), undefined);
  assert.match(transferDifference(transfer, JSON.stringify({ ...transfer, amount: 12551 })), /12551/);
  assert.match(transferDifference(NOT_JSON, "{}"), /not JSON/);
});

test("JSON is compared digit by digit", () => {
  const text = '{"a":9007199254740993,"b":"9007199254740993","c":0.1234567890123456789}';
  assert.deepEqual(parse(text), { a: 9007199254740993n, b: "9007199254740993", c: 0.12345678901234568 });
  assert.ok(same(asJson({ a: 5n, toJSON: undefined }), { a: 5 }));
  assert.ok(!same({ a: 9007199254740993n }, { a: 9007199254740992 }));
  assert.ok(!same({ a: "5" }, { a: 5 }));
  for (const value of [{ a: Number.NaN }, [undefined], { a: new Map() }, { a: () => {} }]) {
    assert.equal(asJson(value), NOT_JSON);
  }
});

test("re-entrance, a trap and a foreign error are found in a story", () => {
  const message = "recursive use of an object detected which would lead to unsafe aliasing in rust";
  assert.deepEqual(end({ error: new OurError(message) }), ["recursiveUse"]);
  assert.deepEqual(end({ error: new WebAssembly.RuntimeError("unreachable") }), ["recursiveUse"]);
  assert.deepEqual(end({ error: new TypeError("x") }), ["wrongEnds"]);
  assert.deepEqual(end({ error: new OurError("x") }), []);
});

test("after destroy every call rejects with Destroyed", () => {
  const coded = (code) => ({ error: Object.assign(new OurError("x"), { code }) });
  assert.deepEqual(end(coded("Destroyed"), { destroyed: true }), []);
  assert.deepEqual(end(coded("Aborted"), { destroyed: true }), ["wrongEnds"]);
  assert.deepEqual(end({ value: 1 }, { destroyed: true }), ["wrongEnds"]);
});

test("leftovers and growth of a page are measured", () => {
  const counts = { frames: 1, nodes: 10, listeners: 4, timers: 0, elements: 0 };
  const before = { heapBytes: 1e6, wasmBytes: 65536, ...counts };
  assert.equal(growth(before, before).leftOver, 0);
  for (const name of Object.keys(counts)) {
    assert.equal(growth(before, { ...before, [name]: before[name] + 1 }).leftOver, 1);
  }
  assert.equal(growth(before, { ...before, heapBytes: before.heapBytes + 2 ** 21 }).growthMb, 2);
  assert.equal(growth(before, { ...before, wasmBytes: 65536 + 2 ** 20 }).growthMb, 1);
});

test("every export and member has a name in the surface", () => {
  class Kit {
    quote() {}
    get id() {
      return 1;
    }
    [Symbol.asyncIterator]() {}
  }
  assert.deepEqual(namesOf({ create() {} }, { Kit }), ["Kit.[asyncIterator]", "Kit.id", "Kit.quote", "create"]);
});

test("every operation has a sample of its reply", () => {
  // Without one, each call would be rejected, which the fuzzer accepts.
  const replies = Object.values(OPERATIONS).flatMap(({ reply }) => reply ?? []);
  assert.deepEqual(replies.filter((reply) => !REPLIES[reply]), []);
});

test("one fault of any kind makes the run unclean", () => {
  const run = (proof, message, changes) => {
    const figures = new Figures();
    if (message) figures.of(proof)(message);
    const mounted = { growthMb: 0.1, leftOver: 0, faults: 0, ...changes };
    return figures.result({ seed: 1, inputs: 10, interleavings: 1, mounts: 1, exports: 2, mounted });
  };
  assert.ok(isClean(run()));
  assert.match(
    lineOf(run()),
    /^fuzz: 10 inputs to 2 exports, panics 0, .*; 1 interleavings, unsettled 0, .*; 1 mounts, growth 0.1 MB, .*; seed 1$/,
  );
  const inputs = ["panics", "runtimeErrors", "foreignErrors", "hangs", "changedValues", "unsound"];
  for (const fault of inputs) assert.ok(!isClean(run("inputs", { fault })), fault);
  const stories = ["unsettled", "recursiveUse", "wrongEnds", "hangs"];
  for (const fault of stories) assert.ok(!isClean(run("stories", { fault })), fault);
  for (const changes of [{ growthMb: 1.1 }, { leftOver: 1 }, { faults: 1 }]) {
    assert.ok(!isClean(run(undefined, undefined, changes)));
  }
  assert.deepEqual(new Figures().uncalled(["a"]), ["a"]);
});
