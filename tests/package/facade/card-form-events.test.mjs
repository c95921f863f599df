import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./card-page.mjs";
import { assertRefused, kit, replaceGlobal, settled } from "./kit.mjs";

const { FAIL, formTest, frameOf, readAll, Sessions, START, SUCCESS, typesOf, withPage } = page;

const SENT = ["READY", START, FAIL, START, SUCCESS];
for (let at = 0; at <= SENT.length; at += 1) {
  test(`readers that start after ${at} events see all of them in one order`, () =>
    withPage(async () => {
      const sessions = new Sessions();
      const { remit } = await kit(sessions.answer);
      const form = await remit.cardForm({ container: "#card" });
      const frame = frameOf(form);
      sessions.cards.set(form.sessionId, "c");
      const deliver = async (types) => {
        for (const type of types) await (type === "READY" ? frame.load() : frame.say(type));
      };
      await deliver(SENT.slice(0, at));
      const heard = [];
      for (const type of new Set(SENT)) form.on(type, ({ type }) => heard.push(type));
      const completed = form.completed.then(() => heard.push("completed"));
      const iterated = readAll(form);
      await deliver(SENT.slice(at));
      await completed;
      assert.deepEqual([heard, typesOf(await iterated)], [[...SENT, "completed"], SENT]);
    }));
}

formTest("iterators share the newest 64 kept events and go on where the last stopped", async (it) => {
  const { form, say, verify } = it;
  await say(...Array.from({ length: 50 }, () => [START, FAIL]).flat());
  const [first, slow] = [form[Symbol.asyncIterator](), form[Symbol.asyncIterator]()];
  const kept = await Promise.all(Array.from({ length: 64 }, () => first.next()));
  assert.deepEqual(kept.slice(-2).map(({ value }) => value.type), [START, FAIL], "the newest 64");
  assert.ok(kept.every(({ value }) => Object.isFrozen(value)));
  assert.equal((await slow.next()).value.type, START);
  const waiting = [first.next(), form[Symbol.asyncIterator]().next()];
  await say(START);
  assert.deepEqual((await Promise.all(waiting)).map(({ value }) => value.type), [START, START]);
  const left = first.next();
  const end = { done: true, value: undefined };
  assert.deepEqual([await first.return(), await left, await first.next()], [end, end, end]);
  await say(FAIL);
  for await (const { type } of form) {
    assert.equal(type, FAIL);
    break;
  }
  await verify("c");
  await say(START);
  assert.deepEqual(typesOf(await readAll(form)), [START, SUCCESS], "nothing follows a completed card");
});

formTest("an iteration ends with its card, even if the page renews the form at once", async (it) => {
  const { form, verify } = it;
  const iterated = readAll(form);
  const renewed = form.completed.then(() => form.renew());
  await verify("c");
  await renewed;
  const all = await Promise.race([iterated, settled()]);
  assert.deepEqual(typesOf(all ?? []), ["READY", START, SUCCESS]);
});

formTest("a listener hears each event once, and its error affects no other", async ({ form, say, t }) => {
  const reported = [];
  replaceGlobal(t, "reportError", { value: (error) => reported.push(error) });
  await say(START, FAIL, START);
  const heard = [];
  const failure = new Error("in the page");
  form.on(START, () => {
    throw failure;
  });
  const off = form.on(START, () => {
    heard.push("once");
    off();
  });
  form.on(START, () => heard.push("always"));
  assert.deepEqual(heard, [], "not before `on` has returned");
  await settled();
  assert.deepEqual(heard, ["once", "always", "always"]);
  form.on(START, () => heard.push("late"));
  await settled();
  assert.equal(heard.length, 3, "old events are not heard again");
  await say(FAIL, START);
  assert.deepEqual(heard.slice(3), ["always", "late"]);
  assert.deepEqual(reported, Array(3).fill(failure));
});

formTest("an invalid event type or listener is refused", async ({ form }) => {
  const types = ["CARD_VALIDATION_STOP_SUCESS", "COMPLETED", "toString", undefined, {}];
  await assertRefused((type) => form.on(type, () => {}), types.map((type) => [type, "type"]));
  const listeners = [undefined, null, {}, { handleEvent() {} }].map((listener) => [listener, "listener"]);
  await assertRefused((listener) => form.on(START, listener), listeners);
});
