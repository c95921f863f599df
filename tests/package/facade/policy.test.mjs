// A request that the page's content security policy blocks.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { errorOf, fakeTime, kit, never, OPTIONS, settled } from "./kit.mjs";

const NONCE = `${OPTIONS.baseUrl}/v1/nonce`;

let listeners;
beforeEach(() => {
  listeners = new Set();
  globalThis.document = Object.assign(new EventTarget(), {
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  });
});
afterEach(() => delete globalThis.document);

function violate(blockedURI) {
  const event = { isTrusted: true, disposition: "enforce", effectiveDirective: "connect-src", blockedURI };
  listeners.forEach((listener) => listener(event));
}

test("only a violation of the request's own address during it is its reason", async (t) => {
  const time = fakeTime(t);
  for (const [happens, reason] of [
    [() => violate(NONCE), "connect-src"],
    [() => setTimeout(violate, 5, NONCE), "connect-src"],
    [() => {}, "NetworkFailure"],
    [() => violate(`${NONCE}?other`), "NetworkFailure"],
  ]) {
    const { remit } = await kit(() => {
      happens();
      throw new TypeError("Failed to fetch");
    });
    const { code, option } = await time.untilSettled(errorOf(remit.nonce()));
    assert.equal(option ?? code, reason);
    assert.equal(listeners.size, 0);
  }
});

test("an aborted request stops listening though its fetch never settles", async () => {
  const { remit } = await kit(never);
  const controller = new AbortController();
  const call = errorOf(remit.nonce({ signal: controller.signal }));
  await settled();
  assert.equal(listeners.size, 1);
  controller.abort();
  assert.equal((await call).code, "Aborted");
  assert.equal(listeners.size, 0);
});
