// The token source is called while the wasm loads, and its token serves the first call.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, errorOf, fakeTime, kit, OPTIONS, service } from "./kit.mjs";
import { settled, unpacked, wasmReply, watchUnhandled } from "./kit.mjs";

const WITHIN_MS = 10_000;

/** A token source whose calls the test settles. */
function source() {
  const asked = [];
  const token = () => new Promise((resolve, reject) => asked.push({ resolve, reject }));
  return { token, asked };
}

const bearers = (requests) => requests.map(({ headers }) => headers.authorization);

test("the token is requested while the wasm loads, once for the first calls", async () => {
  const { createRemitKit } = await (await unpacked()).load("index.js");
  const { token, asked } = source();
  let serve;
  service.requests.length = 0;
  const wasm = new Promise((resolve) => (serve = resolve));
  service.answer = ({ path }) => (path.endsWith(".wasm") ? wasm : undefined);
  const { wasm: _, ...options } = OPTIONS;
  const making = createRemitKit({ ...options, token });
  assert.deepEqual([service.requests.length, asked.length], [1, 0]);
  await settled();
  assert.deepEqual([service.requests.length, asked.length], [1, 1]);
  serve(wasmReply(bytes));
  const remit = await making;
  const calls = Promise.all([remit.nonce(), remit.corridors()]);
  await settled();
  asked[0].resolve("early");
  await calls;
  assert.equal(asked.length, 1);
});

test("a token failure before any call is dropped, and the call asks again", async () => {
  let asked = 0;
  const token = () => {
    asked += 1;
    if (asked === 1) throw new Error("not signed in yet");
    return "later";
  };
  const { remit, requests } = await kit(undefined, { token });
  await settled();
  assert.equal(asked, 1);
  await remit.nonce();
  assert.deepEqual([asked, bearers(requests)], [2, ["Bearer later"]]);
});

for (const [what, passedMs, clockMs, bearer] of [
  ["waited almost too long is used", WITHIN_MS - 1, 0, "Bearer 1"],
  ["waited too long is not used", WITHIN_MS, 0, "Bearer 2"],
  ["came before the clock was set back is not used", 0, -3_600_000, "Bearer 2"],
]) {
  test(`an early token that ${what}`, async (t) => {
    const time = fakeTime(t);
    let asked = 0;
    const { remit, requests } = await kit(undefined, { token: () => `${(asked += 1)}` });
    await time.pass(passedMs);
    t.mock.timers.setTime(Date.now() + clockMs);
    await remit.nonce();
    assert.deepEqual(bearers(requests), [bearer]);
  });
}

test("a destroyed kit ignores its early token", async (t) => {
  const unhandled = watchUnhandled(t);
  const { token, asked } = source();
  for (const settle of [({ reject }) => reject(new Error("late")), ({ resolve }) => resolve("late")]) {
    const { remit } = await kit(undefined, { token });
    await remit.destroy();
    settle(asked.at(-1));
    assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
  }
  await settled();
  assert.deepEqual([unhandled.callCount(), asked.length], [0, 2]);
});
