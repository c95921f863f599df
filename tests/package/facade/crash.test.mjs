// What a trap ends.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { readAll, sessionId, Sessions, withPage } from "./card-page.mjs";
import { errorOf, folder, ID, kit, load, never, service, settled, watchUnhandled } from "./kit.mjs";

const glue = await load("core/remitkit_core.js");
const { FrameGuard } = await load("core/frame.js");
// Exports have short names: this one is called where the glue passes a text.
const text = await readFile(join(folder, "core/remitkit_core.js"), "utf8");
const [, MALLOC] = /passStringToWasm0\(\w+, wasm\.(\w+),/.exec(text);

/** Makes the module trap, which no call of the API does: asks its allocator for more memory than there is. */
async function crash() {
  const malloc = glue.exports[MALLOC];
  const error = await errorOf(() => [1, 2, 3].forEach(() => malloc(0x7fffffff, 1)));
  assert.ok(error instanceof WebAssembly.RuntimeError);
}

const kindOf = async (call) => (await errorOf(call)).kind;

test("a crash ends pending and later calls as internal; the next kit gets another instance", async () => {
  const [{ remit }, { remit: other }] = [await kit(never), await kit(never)];
  const pending = errorOf(remit.senderId());
  await settled();
  const { exports } = glue;
  await crash();
  const { signal } = new AbortController();
  const later = [await errorOf(remit.nonce({ signal })), await errorOf(() => other.contentSecurityPolicy())];
  for (const { code, kind, cause } of [await pending, ...later]) {
    assert.deepEqual([code, kind, cause instanceof WebAssembly.RuntimeError], ["Internal", "internal", true]);
  }
  assert.equal(getEventListeners(signal, "abort").length, 0);
  const { remit: next } = await kit();
  assert.ok((await next.nonce()).nonce);
  assert.notEqual(glue.exports, exports);
  assert.equal(await kindOf(remit.nonce()), "internal");
  await remit.destroy();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("a crash closes the card form and removes its page listeners", (t) =>
  withPage(async ({ window }) => {
    const { mock } = t.mock.method(FrameGuard.prototype, "abandon");
    const listening = new Set();
    for (const [method, note] of [["addEventListener", "add"], ["removeEventListener", "delete"]]) {
      const own = window[method];
      window[method] = (type, ...more) => {
        listening[note](type);
        return own.call(window, type, ...more);
      };
    }
    const { remit } = await kit(new Sessions().answer);
    const form = await remit.cardForm({ container: "#card" });
    assert.ok(listening.has("message"));
    await crash();
    assert.equal(mock.callCount(), 1, "without the core, whose state is invalid");
    for (const call of [form.completed, form.renew(), () => form.update({ theme: {} })]) {
      assert.equal(await kindOf(call), "internal");
    }
    assert.deepEqual([[...listening], form.element.isConnected, await readAll(form)], [[], false, []]);
    form.destroy();
    assert.equal(form.sessionId, sessionId(1));
  }));

test("a crash while a transfer is sent leaves its outcome unknown", async () => {
  const { remit } = await kit();
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  service.answer = never;
  const pending = errorOf(attempt.submit());
  await settled();
  await crash();
  const error = await pending;
  assert.deepEqual([error.code, error.resolution], ["OutcomeUnknown", "resume_attempt"]);
  assert.deepEqual([error.kind, error.cause.kind], ["outcome_unknown", "internal"]);
  assert.deepEqual([error.attempt, attempt.state], [attempt, "SENT"]);
});

test("what the browser calls after a crash throws nothing in the page", async (t) => {
  const unhandled = watchUnhandled(t);
  const given = [];
  const { remit } = await kit(() => new Promise((resolve) => given.push(resolve)));
  const pending = errorOf(remit.senderId());
  await settled();
  await crash();
  given.forEach((resolve) => resolve("{}"));
  assert.equal((await pending).code, "Internal");
  await settled();
  assert.deepEqual([given.length, unhandled.callCount()], [1, 0]);
});
