// What a trap ends.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { trap } from "./trapping.mjs"; // before the first instance
import { readAll, sessionId, Sessions, withPage } from "./card-page.mjs";
import { errorOf, ID, kit, never, OPTIONS, service, settled, unpacked } from "./kit.mjs";

const crash = (remit) => trap(() => remit.contentSecurityPolicy());
const kindOf = async (call) => (await errorOf(call)).kind;

test("a crash ends its call, pending calls and later ones as internal", async () => {
  const { remit } = await kit(never);
  const pending = errorOf(remit.senderId());
  await settled();
  const crashed = await trap(() => remit.nonce());
  assert.ok(crashed.cause instanceof WebAssembly.RuntimeError);
  const { signal } = new AbortController();
  const later = [await errorOf(remit.nonce({ signal })), await errorOf(() => remit.contentSecurityPolicy())];
  for (const { code, kind } of [crashed, await pending, ...later]) {
    assert.deepEqual([code, kind], ["Internal", "internal"]);
  }
  assert.equal(getEventListeners(signal, "abort").length, 0);
  await remit.destroy();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("a crash on a reply ends the calls that would otherwise wait forever", async () => {
  let reply;
  const answer = ({ path }) => (path === "/v1/nonce" ? new Promise((resolve) => (reply = resolve)) : never());
  const { remit } = await kit(answer);
  const pending = [kindOf(remit.nonce()), kindOf(remit.senderId())];
  await settled();
  const kinds = trap(async () => {
    reply({ nonce: ID });
    await settled();
    throw await Promise.all(pending);
  });
  assert.deepEqual(await kinds, ["internal", "internal"]);
});

test("a crash closes the card form and removes its page listeners", () =>
  withPage(async ({ window }) => {
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
    await crash(remit);
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
  await crash(remit);
  const error = await pending;
  assert.deepEqual([error.code, error.resolution], ["OutcomeUnknown", "resume_attempt"]);
  assert.deepEqual([error.kind, error.cause.kind], ["outcome_unknown", "internal"]);
  assert.deepEqual([error.attempt, attempt.state], [attempt, "SENT"]);
});

// No call of the API makes the module trap, so this asks its allocator for more memory than there is.
test("a trap of the real module ends its kits; the next kit gets another instance", async () => {
  const { folder, load } = await unpacked();
  const [{ createRemitKit }, glue] = [await load("index.js"), await load("remitkit_core.js")];
  const wasm = await readFile(join(folder, "remitkit_core_bg.wasm"));
  const remit = await createRemitKit({ ...OPTIONS, wasm });
  service.answer = never;
  const pending = kindOf(remit.nonce());
  await settled();
  // Exports have short names: this one is called where the glue passes a text.
  const text = await readFile(join(folder, "remitkit_core.js"), "utf8");
  const { exports } = glue;
  const malloc = exports[/passStringToWasm0\(\w+, wasm\.(\w+),/.exec(text)[1]];
  const exhaust = () => [1, 2, 3].forEach(() => malloc(0x7fffffff, 1));
  assert.ok((await errorOf(exhaust)) instanceof WebAssembly.RuntimeError);
  const next = await createRemitKit({ ...OPTIONS, wasm });
  assert.deepEqual([await pending, await kindOf(remit.nonce())], ["internal", "internal"]);
  assert.notEqual(glue.exports, exports);
  assert.deepEqual(next.contentSecurityPolicy()["frame-src"], [OPTIONS.cardUrl]);
});
