import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../../chaos/chance.mjs";
import { FAIL, formTest, frameOf, Sessions, START, SUCCESS, typesOf, violate, withPage } from "./card-page.mjs";
import { errorOf, kit, settled, stopTime } from "./kit.mjs";

/** All that an iterator still gives. */
async function readAll(form) {
  const all = [];
  for await (const event of form) {
    all.push(event);
  }
  return all;
}

formTest("events before anyone listens are kept, in order, for each reader", async (it) => {
  const { form, say, pay } = it;
  say(START, FAIL);
  await settled();
  const heard = [];
  form.on("READY", (event) => heard.push(event.type));
  form.on(FAIL, (event) => heard.push(event.type));
  assert.deepEqual(heard, [], "never before `on` has returned");
  await pay("c");
  const iterated = await readAll(form);
  assert.deepEqual(heard, ["READY", FAIL]);
  assert.deepEqual(iterated, ["READY", START, FAIL, START, SUCCESS].map((type) => ({ type })));
  assert.ok(iterated.every(Object.isFrozen));
  assert.equal((await form.completed).cardId, "c");
});

formTest("all consumers see the same order, whenever they start", async ({ form, say }) => {
  const seen = { first: [], second: [], heard: [] };
  const read = async (name) => {
    for await (const { type } of form) {
      seen[name].push(type);
    }
  };
  const both = [read("first"), read("second")];
  for (const type of ["READY", START, FAIL]) {
    form.on(type, () => seen.heard.push(type));
  }
  const sent = ["READY"];
  for (let i = 0; i < 300; i += 1) {
    sent.push([START, FAIL][i % 2]);
    say(sent.at(-1));
    if (i % 7 === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await settled();
  form.destroy();
  await Promise.all(both);
  // What was kept goes to the iterator that asks first.
  assert.deepEqual(seen, { first: sent, second: sent.slice(1), heard: sent });
});

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
      const said = [...Array.from({ length: chance.between(0, 4) }, () => [START, FAIL]).flat(), START, SUCCESS];
      const seen = { iterated: [], heard: [] };
      const beginnings = [
        async () => {
          seen.iterated.push(...typesOf(await readAll(form)), "end");
        },
        () => {
          for (const type of [SUCCESS, FAIL, START, "READY"]) {
            form.on(type, (event) => seen.heard.push(event.type));
          }
        },
        async () => {
          await form.completed;
          seen.heard.push("completed");
        },
      ].map((begin) => ({ begin, at: chance.between(0, said.length) }));
      for (const [step, type] of [...said, undefined].entries()) {
        beginnings.filter(({ at }) => at === step).forEach(({ begin }) => begin());
        if (type !== undefined) {
          frame.say(type);
        }
        if (chance.happens(50)) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      await form.completed;
      await settled();
      const all = ["READY", ...said];
      const [, listeners, completed] = beginnings;
      assert.deepEqual(seen.heard.filter((type) => type !== "completed"), all, `listeners, seed ${seed}`);
      assert.equal(seen.heard.length, all.length + 1, `completed, seed ${seed}`);
      if (listeners.at <= completed.at) {
        assert.equal(seen.heard.at(-1), "completed", `completed comes last, seed ${seed}`);
      }
      assert.deepEqual(seen.iterated, [...all, "end"], `iterator, seed ${seed}`);
      form.destroy();
    }
  }));

formTest("an iterator goes on where the last one stopped, without repeating", async ({ form, say, pay }) => {
  say(START, FAIL);
  await pay("c");
  for await (const { type } of form) {
    if (type === FAIL) {
      break;
    }
  }
  assert.deepEqual(typesOf(await readAll(form)), [START, SUCCESS]);
});

formTest("a listener registered again does not hear old events again", async ({ form, say }) => {
  const heard = [];
  const off = form.on(FAIL, () => heard.push("first"));
  say(START, FAIL);
  await settled();
  off();
  off();
  form.on(FAIL, () => heard.push("second"));
  await settled();
  assert.deepEqual(heard, ["first"]);
  say(START, FAIL);
  await settled();
  assert.deepEqual(heard, ["first", "second"]);
});

test("a failed load says why and names the directive that blocked it", (t) =>
  withPage(async () => {
    const time = stopTime(t);
    const { remit } = await kit(new Sessions().answer);
    const form = await remit.cardForm({ container: "#card", loadError: "never" });
    const told = [];
    form.on("LOAD_FAILED", (event) => told.push(event));
    violate("frame-src", form.url);
    await settled();
    assert.deepEqual(told, [{ type: "LOAD_FAILED", reason: "blocked", directive: "frame-src" }]);
    assert.equal((await errorOf(form.completed)).code, "CardFormLoadFailed");
    const other = await remit.cardForm({ container: "#card" });
    other.on("LOAD_FAILED", (event) => told.push(event));
    frameOf(other).fire("error");
    await time.pass(1000);
    assert.deepEqual(told[1], { type: "LOAD_FAILED", reason: "unreachable" });
  }));

formTest("only the newest 64 unread events are kept", async ({ form, say, pay }) => {
  for (let i = 0; i < 50; i += 1) {
    say(START, FAIL);
  }
  await pay("c");
  const types = typesOf(await readAll(form));
  assert.equal(types.length, 64);
  assert.deepEqual(types.slice(-3), [FAIL, START, SUCCESS]);
});

formTest("a throwing listener affects no other; a removed one hears no more", async ({ form, say, t }) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error);
  t.after(() => delete globalThis.reportError);
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
  say(START, FAIL, START);
  await settled();
  assert.deepEqual(heard, ["once", "always", "always"]);
  assert.deepEqual(reported, [failure, failure]);
});

formTest("a listener removed amid kept events hears no more of them", async ({ form, say }) => {
  say(START, FAIL, START);
  await settled();
  let heard = 0;
  const off = form.on(START, () => {
    heard += 1;
    off();
  });
  await settled();
  assert.equal(heard, 1);
});

formTest("after the card is completed there is nothing more to read", async ({ form, say, pay }) => {
  await pay("c");
  say(START);
  await settled();
  assert.deepEqual(typesOf(await readAll(form)), ["READY", START, SUCCESS]);
});

formTest("a listener may call the form and the kit", async ({ form, remit, say, t }) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error);
  t.after(() => delete globalThis.reportError);
  form.on(START, () => {
    remit.contentSecurityPolicy();
    form.update({ theme: { lng: "en" } });
    form.destroy();
  });
  say(START);
  await settled();
  assert.deepEqual(reported, []);
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
});

formTest("an invalid event type or listener is refused", async ({ form }) => {
  for (const type of ["CARD_VALIDATION_STOP_SUCESS", "COMPLETED", "toString", undefined, {}]) {
    assert.equal((await errorOf(() => form.on(type, () => {}))).option, "type");
  }
  for (const listener of [undefined, null, {}, { handleEvent() {} }]) {
    assert.equal((await errorOf(() => form.on(START, listener))).option, "listener");
  }
});

formTest("leaving an iterator ends its own waiting reader", async ({ form, say }) => {
  const iterator = form[Symbol.asyncIterator]();
  await iterator.next();
  const waiting = iterator.next();
  assert.deepEqual(await iterator.return(), { done: true, value: undefined });
  assert.deepEqual(await waiting, { done: true, value: undefined });
  say(START);
  await settled();
  assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  assert.equal((await form[Symbol.asyncIterator]().next()).value.type, START);
});

formTest("listeners of a destroyed form hear nothing, not even kept events", async ({ form, say }) => {
  say(START);
  await settled();
  const heard = [];
  form.on(START, () => heard.push("before"));
  form.destroy();
  const off = form.on(START, () => heard.push("after"));
  await settled();
  assert.deepEqual(heard, []);
  assert.equal(off(), undefined);
  assert.equal((await errorOf(() => form.on("COMPLETED", () => {}))).option, "type");
});
