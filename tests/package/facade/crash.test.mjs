// What a trap ends. `tests/package/crash.test.mjs` has a real one; here any call of an export can trap.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { trap } from "./trapping.mjs"; // before the first instance
import { sessionId, Sessions, withPage } from "./card-page.mjs";
import { errorOf, ID, kit, service, settled } from "./kit.mjs";

const never = () => new Promise(() => {});
const crash = (remit) => trap(() => remit.contentSecurityPolicy());

test("a crash ends its call, pending calls and later ones as internal", async () => {
  const { remit } = await kit(never);
  const pending = errorOf(remit.senderId());
  await settled();
  const crashed = await trap(() => remit.nonce());
  assert.ok(crashed.cause instanceof WebAssembly.RuntimeError);
  const later = [await errorOf(remit.nonce()), await errorOf(() => remit.contentSecurityPolicy())];
  for (const error of [crashed, await pending, ...later]) {
    assert.deepEqual([error.code, error.kind], ["Internal", "internal"]);
  }
});

test("a crash on a reply ends the calls that would otherwise wait forever", async () => {
  let reply;
  const { remit } = await kit(({ path }) => (path === "/v1/nonce" ? new Promise((resolve) => (reply = resolve)) : never()));
  const pending = [errorOf(remit.nonce()), errorOf(remit.senderId())];
  await settled();
  const failing = Promise.all(pending);
  const crashed = trap(async () => {
    reply({ nonce: ID });
    await settled();
    throw await failing;
  });
  assert.deepEqual((await crashed).map(({ kind }) => kind), ["internal", "internal"]);
});

test("the next kit gets a fresh instance, and the old one stays ended", async () => {
  const [{ remit }, { remit: other }] = [await kit(), await kit()];
  await crash(remit);
  const { remit: again } = await kit();
  assert.ok((await again.nonce()).nonce);
  assert.equal((await errorOf(remit.nonce())).kind, "internal");
  assert.equal((await errorOf(other.nonce())).kind, "internal");
  await crash(again);
  assert.equal((await errorOf(again.nonce())).kind, "internal");
  assert.ok((await (await kit()).remit.nonce()).nonce);
});

test("a kit that crashed can be destroyed", async () => {
  const { remit } = await kit();
  await crash(remit);
  await remit.destroy();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
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
    assert.equal((await errorOf(form.completed)).kind, "internal");
    assert.deepEqual([[...listening], form.element.isConnected], [[], false]);
    const events = [];
    for await (const event of form) events.push(event);
    assert.deepEqual(events, []);
    assert.equal((await errorOf(() => form.update({ theme: {} }))).kind, "internal");
    assert.equal((await errorOf(form.renew())).kind, "internal");
    form.destroy();
    assert.equal(form.sessionId, sessionId(1));
  }));

test("a call that fails immediately leaves no listener on its signal", async () => {
  const { remit } = await kit();
  await crash(remit);
  const { signal } = new AbortController();
  assert.equal((await errorOf(remit.nonce({ signal }))).kind, "internal");
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a crash while a transfer is sent leaves its outcome unknown", async () => {
  const { remit } = await kit();
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  service.answer = never;
  const pending = errorOf(attempt.submit());
  await settled();
  await crash(remit);
  const error = await pending;
  assert.deepEqual([error.code, error.kind, error.resolution], ["OutcomeUnknown", "outcome_unknown", "resume_attempt"]);
  assert.equal(error.attempt, attempt);
  assert.equal(attempt.state, "SENT");
  assert.equal(error.cause.kind, "internal");
});
