// The token source is called while the wasm loads, and its token is for the first call.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, errorOf, kit, OPTIONS, remitkit, service, settled, stopTime, unpacked, watchUnhandled } from "./kit.mjs";

const { createRemitKit } = remitkit;
const WITHIN_MS = 10_000;

/** A token source that answers when it is told to. */
function source() {
  const asked = [];
  const token = () => new Promise((resolve, reject) => asked.push({ resolve, reject }));
  return { token, asked };
}

test("the token is requested while the wasm loads, once for the first calls", async () => {
  const { load } = await unpacked();
  const { createRemitKit } = await load("index.js");
  const { token, asked } = source();
  let serve;
  service.requests.length = 0;
  service.answer = ({ path }) => (path.endsWith(".wasm") ? new Promise((resolve) => (serve = resolve)) : undefined);
  const { wasm: _, ...options } = OPTIONS;
  const making = createRemitKit({ ...options, token });
  assert.deepEqual([service.requests.length, asked.length], [1, 0]);
  await settled();
  assert.deepEqual([service.requests.length, asked.length], [1, 1]);
  serve(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
  const remit = await making;
  const calls = Promise.all([remit.nonce(), remit.corridors()]);
  await settled();
  asked[0].resolve("early");
  await calls;
  assert.equal(asked.length, 1);
});

test("no token is requested for refused options or where one is given", async () => {
  const { token, asked } = source();
  const error = await errorOf(createRemitKit({ ...OPTIONS, token, journal: "none" }));
  assert.equal(error.option, "journal");
  await settled();
  assert.equal(asked.length, 0);
  const { remit, requests } = await kit(undefined, { token: "given" });
  await remit.nonce();
  assert.equal(requests[0].headers.Authorization, "Bearer given");
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
  assert.deepEqual([asked, requests.length, requests[0].headers.Authorization], [2, 1, "Bearer later"]);
});

test("a token failure rejects the waiting call, and the next asks again", async () => {
  const { token, asked } = source();
  const { remit, requests } = await kit(undefined, { token });
  const failed = errorOf(remit.nonce());
  await settled();
  const cause = new Error("the session is over");
  asked[0].reject(cause);
  const error = await failed;
  assert.deepEqual([error.code, error.cause, asked.length, requests.length], ["TokenUnavailable", cause, 1, 0]);
  const nonce = remit.nonce();
  await settled();
  asked[1].resolve("second");
  await nonce;
  assert.deepEqual([asked.length, requests[0].headers.Authorization], [2, "Bearer second"]);
});

test("a token that waited too long for a call is not used", async (t) => {
  for (const [waits, bearer] of [
    [WITHIN_MS - 1, "Bearer 1"],
    [WITHIN_MS, "Bearer 2"],
  ]) {
    const time = stopTime(t);
    let asked = 0;
    const { remit, requests } = await kit(undefined, { token: () => `${(asked += 1)}` });
    await time.pass(waits);
    await remit.nonce();
    assert.equal(requests[0].headers.Authorization, bearer);
    t.mock.timers.reset();
  }
});

test("a token from before the clock was set back is not used", async (t) => {
  stopTime(t);
  let asked = 0;
  const { remit, requests } = await kit(undefined, { token: () => `${(asked += 1)}` });
  t.mock.timers.setTime(Date.now() - 3_600_000);
  await remit.nonce();
  assert.equal(requests[0].headers.Authorization, "Bearer 2");
});

test("a slow token is waited for, however long the wasm took", async (t) => {
  const time = stopTime(t);
  const { token, asked } = source();
  const { remit } = await kit(undefined, { token });
  await time.pass(3 * WITHIN_MS);
  const nonce = remit.nonce();
  await settled();
  asked[0].resolve("slow");
  await nonce;
  assert.equal(asked.length, 1);
});

test("kits do not share early tokens, and a destroyed kit ignores its own", async (t) => {
  const unhandled = watchUnhandled(t);
  const { token, asked } = source();
  const { remit: one } = await kit(undefined, { token });
  const { remit: other } = await kit(undefined, { token });
  const { remit: third } = await kit(undefined, { token });
  assert.equal(asked.length, 3);
  await one.destroy();
  await other.destroy();
  asked[0].reject(new Error("too late"));
  asked[1].resolve("too late");
  assert.equal((await errorOf(one.nonce())).code, "Destroyed");
  asked[2].resolve("third");
  await third.nonce();
  await settled();
  assert.deepEqual([unhandled.callCount(), asked.length], [0, 3]);
});
