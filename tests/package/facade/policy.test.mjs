// A request that the page's content security policy keeps back. `tests/fetch.rs` asks browsers the same.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { errorOf, kit, OPTIONS, settled, stopTime } from "./kit.mjs";

const NONCE = `${OPTIONS.baseUrl}/v1/nonce`;

let listeners;
beforeEach(() => {
  listeners = new Set();
  globalThis.document = {
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
});
afterEach(() => delete globalThis.document);

function violate(blockedURI) {
  const event = { isTrusted: true, disposition: "enforce", effectiveDirective: "connect-src", blockedURI };
  listeners.forEach((listener) => listener(event));
}

/** What calls come to, each with what happens as its request fails. */
async function outcomes(t, ...happenings) {
  const time = stopTime(t);
  const told = [];
  for (const happens of happenings) {
    const { remit } = await kit(() => {
      happens();
      throw new TypeError("Failed to fetch");
    });
    const { code, option } = await time.whileTimePasses(errorOf(remit.nonce()));
    told.push(option ?? code);
  }
  assert.equal(listeners.size, 0);
  return told;
}

test("a request the policy blocks is reported as such, even late", async (t) => {
  assert.deepEqual(await outcomes(t, () => violate(NONCE), () => setTimeout(violate, 5, NONCE)), ["connect-src", "connect-src"]);
});

test("only violations of the request's own address during it count", async (t) => {
  const others = () => violate(`${NONCE}?other`);
  const failure = "NetworkFailure";
  assert.deepEqual(await outcomes(t, () => {}, others, () => violate(NONCE), () => {}), [failure, failure, "connect-src", failure]);
});

test("one violation counts for both requests to the same address", async () => {
  const { remit } = await kit(() => settled().then(() => Promise.reject(new TypeError("Failed to fetch"))));
  const calls = [errorOf(remit.nonce()), errorOf(remit.nonce())];
  await new Promise((resolve) => setImmediate(resolve));
  violate(NONCE);
  assert.deepEqual((await Promise.all(calls)).map(({ option }) => option), ["connect-src", "connect-src"]);
});

test("violations of other addresses are not collected", async (t) => {
  const kept = [];
  for (const [collection, method] of [[Map, "set"], [Set, "add"]]) {
    const own = collection.prototype[method];
    t.mock.method(collection.prototype, method, function (...entry) {
      kept.push(entry[0]);
      return own.apply(this, entry);
    });
  }
  const addresses = Array.from({ length: 100 }, (_, at) => `https://ads.example/${at}`);
  await outcomes(t, () => addresses.forEach(violate));
  assert.deepEqual(addresses.filter((address) => kept.includes(address)), []);
});

test("an aborted request stops listening though its fetch never settles", async () => {
  const { remit } = await kit(() => new Promise(() => {}));
  const controller = new AbortController();
  const call = errorOf(remit.nonce({ signal: controller.signal }));
  await settled();
  assert.equal(listeners.size, 1);
  controller.abort();
  assert.equal((await call).code, "Aborted");
  assert.equal(listeners.size, 0);
});
