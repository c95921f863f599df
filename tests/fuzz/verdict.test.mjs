// Shows that the fuzzer can fail: each verdict on something that is wrong on purpose.

import assert from "node:assert/strict";
import { test } from "node:test";
import { growth } from "./browser.mjs";
import { Clock } from "./clock.mjs";
import { asJson, NOT_JSON, parse, same } from "./json.mjs";
import { OPERATIONS } from "./operations.mjs";
import { BASE_URL, ID, REPLIES, REQUESTS, TOKEN } from "./samples.mjs";
import { differenceOf, transferDifference } from "./sending.mjs";
import { FAULTS, faultOfUncaught, faultsAfterDestroy, faultsOf, figuresOf, isClean } from "./verdict.mjs";

class OurError extends Error {
  kind = "invalid_request";
}
const isOurs = (error) => error instanceof OurError;
const named = (faults) => faults.map(({ fault }) => fault);
const verdict = (outcome) => named(faultsOf({ outcome, isOurs }));
const trap = new WebAssembly.RuntimeError("unreachable");

test("a call may return a value or reject with one of the SDK's errors", () => {
  const panic = Object.assign(new OurError("x", { cause: trap }), { kind: "internal" });
  for (const [outcome, ...faults] of [
    [{ value: undefined }],
    [{ error: new OurError("x") }],
    [{ error: new OurError("") }, "foreignErrors"],
    [{ error: new TypeError("x") }, "foreignErrors"],
    [{ error: undefined }, "foreignErrors"],
    [{ error: Object.create(null) }, "foreignErrors"],
    [{ error: trap }, "runtimeErrors", "foreignErrors"],
    [{ error: panic }, "runtimeErrors", "panics"],
  ]) {
    assert.deepEqual(verdict(outcome), faults);
  }
  const uncaught = [trap, new TypeError("x")].map((error) => faultOfUncaught(error).fault);
  assert.deepEqual(uncaught, ["runtimeErrors", "foreignErrors"]);
});

test("a promise that never settles is a hang", async () => {
  const clock = new Clock();
  assert.deepEqual(verdict(await clock.settle(new Promise(() => {}))), ["hangs"]);
  const scope = { Date: {}, setTimeout, clearTimeout };
  clock.install(scope);
  const began = Date.now();
  const late = new Promise((resolve) => scope.setTimeout(resolve, 600_000, "late"));
  assert.deepEqual(await clock.settle(late), { value: "late" });
  assert.ok(Date.now() - began < 5_000, "virtual time takes no time");
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

test("after destroy every call rejects with Destroyed", () => {
  const coded = (code) => ({ error: Object.assign(new OurError("x"), { code }) });
  assert.deepEqual(faultsAfterDestroy(coded("Destroyed")), []);
  for (const outcome of [coded("Aborted"), { value: 1 }, undefined]) {
    assert.deepEqual(named(faultsAfterDestroy(outcome)), ["callsAfterDestroy"]);
  }
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

test("every operation has a sample of its reply", () => {
  // Without one, each call would be rejected, which the fuzzer accepts.
  const replies = Object.values(OPERATIONS).flatMap(({ reply }) => reply ?? []);
  assert.deepEqual(replies.filter((reply) => !REPLIES[reply]), []);
});

test("one fault of any kind makes the run unclean", () => {
  const isRunClean = (faults, changes) =>
    isClean(figuresOf({ faults, mounted: { growthMb: 0.1, leftOver: 0, faults: 0, ...changes } }));
  assert.ok(isRunClean([]));
  for (const fault of FAULTS) assert.ok(!isRunClean([{ fault }]), fault);
  for (const changes of [{ growthMb: 1.1 }, { leftOver: 1 }, { faults: 1 }]) {
    assert.ok(!isRunClean([], changes));
  }
});
