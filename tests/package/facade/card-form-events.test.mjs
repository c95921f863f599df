import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../../chaos/chance.mjs";
import * as page from "./card-page.mjs";
import { assertRefused, errorOf, fakeTime, kit, replaceGlobal, settled } from "./kit.mjs";

const { FAIL, formTest, frameOf, readAll, Sessions, START, SUCCESS, typesOf, violate, withPage } = page;

test("iterators, listeners and completed see one order, whenever they start", () =>
  withPage(async () => {
    const sessions = new Sessions();
    const { remit } = await kit(sessions.answer);
    for (let seed = 1; seed <= 60; seed += 1) {
      const chance = new Chance(seed, "events");
      const form = await remit.cardForm({ container: "#card" });
      const frame = frameOf(form);
      await frame.load();
      sessions.cards.set(form.sessionId, "c");
      const attempts = Array.from({ length: chance.between(0, 4) }, () => [START, FAIL]);
      const sent = [...attempts.flat(), START, SUCCESS];
      const seen = { iterated: [], heard: [] };
      const consumers = [
        async () => seen.iterated.push(...typesOf(await readAll(form)), "end"),
        () => {
          const hear = ({ type }) => seen.heard.push(type);
          for (const type of [SUCCESS, FAIL, START, "READY"]) form.on(type, hear);
        },
        async () => (await form.completed, seen.heard.push("completed")),
      ].map((start) => ({ start, at: chance.between(0, sent.length) }));
      for (const [step, type] of [...sent, undefined].entries()) {
        consumers.filter(({ at }) => at === step).forEach(({ start }) => start());
        if (type !== undefined) void frame.say(type);
        if (chance.happens(50)) await new Promise((resolve) => setImmediate(resolve));
      }
      await form.completed;
      await settled();
      const all = ["READY", ...sent];
      const [, listeners, completed] = consumers;
      const comesLast = listeners.at <= completed.at ? seen.heard.at(-1) : "completed";
      assert.equal(comesLast, "completed", `seed ${seed}`);
      assert.deepEqual(seen.heard.filter((type) => type !== "completed"), all, `listeners, seed ${seed}`);
      assert.deepEqual(seen.iterated, [...all, "end"], `iterator, seed ${seed}`);
      form.destroy();
    }
  }));

formTest("iterators share the newest 64 kept events and go on where the last stopped", async (it) => {
  const { form, say, verify } = it;
  await say(...Array.from({ length: 50 }, () => [START, FAIL]).flat());
  const first = form[Symbol.asyncIterator]();
  const kept = await Promise.all(Array.from({ length: 64 }, () => first.next()));
  assert.deepEqual(kept.slice(-2).map(({ value }) => value.type), [START, FAIL], "the newest 64");
  assert.ok(kept.every(({ value }) => Object.isFrozen(value)));
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

formTest("a listener may call the form and the kit", async ({ form, remit, say, t }) => {
  const reported = [];
  replaceGlobal(t, "reportError", { value: (error) => reported.push(error) });
  form.on(START, () => {
    remit.contentSecurityPolicy();
    form.update({ theme: { lng: "en" } });
    form.destroy();
  });
  await say(START);
  assert.deepEqual(reported, []);
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
});

test("a failed load says why and names the directive that blocked it", (t) =>
  withPage(async () => {
    const time = fakeTime(t);
    const { remit } = await kit(new Sessions().answer);
    const failures = [];
    const failing = async (fail) => {
      const form = await remit.cardForm({ container: "#card", loadError: "never" });
      form.on("LOAD_FAILED", (event) => failures.push(event));
      await fail(form);
      assert.equal((await errorOf(form.completed)).code, "CardFormLoadFailed");
    };
    await failing((form) => violate("frame-src", form.url));
    await failing((form) => (frameOf(form).fire("error"), time.pass(1000)));
    assert.deepEqual(failures, [
      { type: "LOAD_FAILED", reason: "blocked", directive: "frame-src" },
      { type: "LOAD_FAILED", reason: "unreachable" },
    ]);
  }));

formTest("an invalid event type or listener is refused", async ({ form }) => {
  const types = ["CARD_VALIDATION_STOP_SUCESS", "COMPLETED", "toString", undefined, {}];
  await assertRefused((type) => form.on(type, () => {}), types.map((type) => [type, "type"]));
  const listeners = [undefined, null, {}, { handleEvent() {} }].map((listener) => [listener, "listener"]);
  await assertRefused((listener) => form.on(START, listener), listeners);
});

formTest("listeners of a destroyed form hear nothing, not even kept events", async ({ form, say }) => {
  await say(START);
  const heard = [];
  form.on(START, () => heard.push("before"));
  form.destroy();
  const off = form.on(START, () => heard.push("after"));
  await settled();
  assert.deepEqual([heard, off()], [[], undefined]);
});
