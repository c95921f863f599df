import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { errorOf, kit, OPTIONS, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";

const never = () => new Promise(() => {});

test("a crash in a call ends it, every pending call and every later one with internal", async () => {
  const { remit, control } = await kit(never);
  const pending = errorOf(remit.senderId());
  control.answer = () => control.trap();
  const crashed = await errorOf(remit.nonce());
  assert.ok(crashed.cause instanceof WebAssembly.RuntimeError);
  control.answer = () => null;
  for (const error of [
    crashed,
    await pending,
    await errorOf(remit.nonce()),
    await errorOf(() => remit.contentSecurityPolicy()),
  ]) {
    assert.deepEqual([error.code, error.kind], ["Internal", "internal"]);
  }
});

test("a crash in a callback that no call waits for ends the calls that would wait for ever", async () => {
  const { remit, control } = await kit(never);
  const pending = errorOf(remit.nonce());
  await null;
  assert.throws(() => control.trap(), WebAssembly.RuntimeError);
  assert.equal((await pending).kind, "internal");
});

test("the next kit gets a fresh instance, and the old one stays ended", async () => {
  const { remit, control, createRemitKit } = await kit();
  const other = await createRemitKit(OPTIONS);
  assert.throws(() => control.trap());
  const again = await createRemitKit(OPTIONS);
  assert.equal(control.resets, 1);
  assert.equal(control.inits.length, 1);
  assert.equal(await again.nonce(), null);
  assert.equal((await errorOf(remit.nonce())).kind, "internal");
  assert.equal((await errorOf(other.nonce())).kind, "internal");
  assert.throws(() => control.trap());
  assert.equal((await errorOf(again.nonce())).kind, "internal");
  assert.equal(await (await createRemitKit(OPTIONS)).nonce(), null);
  assert.equal(control.resets, 2);
});

test("a kit that crashed can be destroyed", async () => {
  const { remit, control } = await kit();
  assert.throws(() => control.trap());
  await remit.destroy();
  assert.equal((await errorOf(remit.nonce())).code, "Destroyed");
});

test("a crash closes the card form, so that nobody enters a card into it", async () => {
  await withPage(async ({ container }) => {
    const { remit, control } = await kit();
    const form = await remit.cardForm({ container });
    const events = collect(form);
    assert.throws(() => control.trap());
    assert.equal((await errorOf(form.completed)).kind, "internal");
    assert.deepEqual(await events, []);
    assert.equal(form.element.removed, 1);
    assert.equal((await errorOf(() => form.update({ theme: {} }))).kind, "internal");
    assert.equal((await errorOf(form.renew())).kind, "internal");
    form.destroy();
    assert.equal(form.sessionId, "session-1");
  });
});

test("a call that is refused at once leaves nothing on its signal", async () => {
  const { remit, control } = await kit();
  assert.throws(() => control.trap());
  const { signal } = new AbortController();
  assert.equal((await errorOf(remit.nonce({ signal }))).kind, "internal");
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a crash while a transfer is sent leaves its outcome unknown, never 'not sent'", async () => {
  const record = { quoteHistoryId: "q", nonce: "n", createdAt: 1, state: "PREPARED" };
  const { remit, control } = await kit((name) =>
    name === "prepareTransfer" ? JSON.stringify(record) : never(),
  );
  const attempt = await remit.prepareTransfer({});
  const pending = errorOf(attempt.submit());
  await settled();
  assert.throws(() => control.trap());
  const error = await pending;
  assert.deepEqual(
    [error.code, error.kind, error.resolution],
    ["OutcomeUnknown", "outcome_unknown", "resume_attempt"],
  );
  assert.equal(error.attempt, attempt);
  assert.equal(attempt.state, "SENT");
  assert.equal(error.cause.kind, "internal");
});

async function collect(events) {
  const all = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}
