import assert from "node:assert/strict";
import { test } from "node:test";
import { FAIL, START, SUCCESS, formTest, typesOf } from "./card-form.mjs";
import { errorOf, kit, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";

test("events that come before anyone listens are kept, in order, for every sort of reader", () =>
  withPage(async () => {
    const { remit, control } = await kit(
      (name) => name === "cardForm" && control.mounted[0].deliver("READY"),
    );
    const form = await remit.cardForm({ container: "#card" });
    const { deliver } = control.mounted[0];
    deliver(START);
    deliver(FAIL);
    await settled();
    const heard = [];
    form.on("READY", (event) => heard.push(event.type));
    form.on(FAIL, (event) => heard.push(event.type));
    assert.deepEqual(heard, [], "never before `on` has returned");
    deliver(START);
    deliver("COMPLETED", { cardId: "c", sessionId: "session-1" });
    const iterated = [];
    for await (const event of form) {
      iterated.push(event);
    }
    assert.deepEqual(heard, ["READY", FAIL]);
    assert.deepEqual(iterated, [{ type: "READY" }, { type: START }, { type: FAIL }, { type: START }]);
    assert.ok(iterated.every(Object.isFrozen));
    assert.deepEqual(await form.completed, { cardId: "c", sessionId: "session-1" });
  }));

formTest("all consumers see the same order, whenever they began", async ({ form, deliver }) => {
  const seen = { first: [], second: [], heard: [] };
  const read = async (name) => {
    for await (const { type } of form) {
      seen[name].push(type);
    }
  };
  const both = [read("first"), read("second")];
  for (const type of [START, FAIL, SUCCESS]) {
    form.on(type, () => seen.heard.push(type));
  }
  const sent = [];
  for (let i = 0; i < 300; i += 1) {
    sent.push([START, FAIL, START, SUCCESS][i % 4]);
    deliver(sent[i]);
    if (i % 7 === 0) {
      await settled();
    }
  }
  await settled();
  form.destroy();
  await Promise.all(both);
  assert.deepEqual(seen, { first: sent, second: sent, heard: sent });
});

/** Whole numbers below `limit`, the same ones for the same seed. */
function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % limit;
  };
}

formTest(
  "iterators, listeners and completed see one order, whenever they begin",
  async ({ remit, control }) => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = randomNumbers(seed);
      const form = await remit.cardForm({ container: "#card" });
      const { deliver } = control.mounted.at(-1);
      const sent = [
        "READY",
        ...Array.from({ length: random(5) }, () => [START, FAIL]).flat(),
        START,
        SUCCESS,
      ];
      const seen = { iterated: [], heard: [] };
      const beginnings = [
        async () => {
          for await (const { type } of form) {
            seen.iterated.push(type);
          }
          seen.iterated.push("end");
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
      ].map((begin) => ({ begin, at: random(sent.length + 2) }));
      for (const [step, type] of [...sent, "COMPLETED", undefined].entries()) {
        beginnings.filter(({ at }) => at === step).forEach(({ begin }) => begin());
        if (type !== undefined) {
          deliver(type);
        }
        if (random(2) === 0) {
          await settled();
        }
      }
      await settled();
      const [, listeners, completed] = beginnings;
      const heard = seen.heard.filter((type) => type !== "completed");
      assert.deepEqual(heard, sent, `listeners, seed ${seed}`);
      assert.equal(seen.heard.length, sent.length + 1, `completed, seed ${seed}`);
      if (listeners.at <= completed.at) {
        assert.equal(seen.heard.at(-1), "completed", `completed comes last, seed ${seed}`);
      }
      assert.deepEqual(seen.iterated, [...sent, "end"], `iterator, seed ${seed}`);
      form.destroy();
    }
  },
);

formTest(
  "listeners of several types that come late hear what was kept in its order",
  async ({ form, deliver }) => {
    for (const type of [START, FAIL, START, SUCCESS]) {
      deliver(type);
    }
    await settled();
    const heard = [];
    for (const type of [SUCCESS, START, FAIL]) {
      form.on(type, () => heard.push(type));
    }
    await settled();
    assert.deepEqual(heard, [START, FAIL, START, SUCCESS]);
  },
);

formTest("an iterator goes on where the last one stopped, and does not repeat", async ({ form, deliver }) => {
  for (const type of [START, FAIL, START, SUCCESS]) {
    deliver(type);
  }
  for await (const { type } of form) {
    if (type === FAIL) {
      break;
    }
  }
  deliver("COMPLETED", {});
  const rest = [];
  for await (const { type } of form) {
    rest.push(type);
  }
  assert.deepEqual(rest, [START, SUCCESS]);
});

formTest("a listener registered anew does not hear again what was heard", async ({ form, deliver }) => {
  const heard = [];
  const off = form.on(FAIL, () => heard.push("first"));
  deliver(FAIL);
  await settled();
  off();
  off();
  form.on(FAIL, () => heard.push("second"));
  await settled();
  assert.deepEqual(heard, ["first"]);
  deliver(FAIL);
  await settled();
  assert.deepEqual(heard, ["first", "second"]);
});

formTest(
  "why a form did not load is told, with the directive that kept it out",
  async ({ form, deliver }) => {
    const told = [];
    form.on("LOAD_FAILED", (event) => told.push(event));
    deliver("LOAD_FAILED", { reason: "timeout" });
    deliver("LOAD_FAILED", { reason: "blocked", directive: "frame-src" });
    await settled();
    assert.deepEqual(told, [
      { type: "LOAD_FAILED", reason: "timeout" },
      { type: "LOAD_FAILED", reason: "blocked", directive: "frame-src" },
    ]);
  },
);

formTest("no more than 64 unread events are kept, the newest", async ({ form, deliver }) => {
  for (let i = 0; i < 100; i += 1) {
    deliver("LOAD_FAILED", { reason: String(i) });
  }
  await settled();
  deliver("COMPLETED", {});
  const reasons = [];
  for await (const { reason } of form) {
    reasons.push(Number(reason));
  }
  assert.deepEqual([reasons.length, reasons[0], reasons[63]], [64, 36, 99]);
});

formTest(
  "a listener that throws disturbs nobody, and one that stops listening hears nothing more",
  async ({ form, deliver }) => {
    const reported = [];
    globalThis.reportError = (error) => reported.push(error);
    try {
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
      deliver(START);
      deliver(START);
      await settled();
      assert.deepEqual(heard, ["once", "always", "always"]);
      assert.deepEqual(reported, [failure, failure]);
    } finally {
      delete globalThis.reportError;
    }
  },
);

formTest(
  "a listener that stops in the middle of kept events hears no more of them",
  async ({ form, deliver }) => {
    deliver(START);
    deliver(START);
    await settled();
    let heard = 0;
    const off = form.on(START, () => {
      heard += 1;
      off();
    });
    await settled();
    assert.equal(heard, 1);
  },
);

formTest("after the card is completed there is nothing more to read", async ({ form, deliver }) => {
  deliver(SUCCESS);
  deliver("COMPLETED", {});
  deliver(START);
  await settled();
  const all = [];
  for await (const event of form) {
    all.push(event);
  }
  assert.deepEqual(typesOf(all), [SUCCESS]);
});

formTest("no listener runs inside a call of the core", async ({ form, deliver }) => {
  let isInCore = true;
  const seen = [];
  form.on(START, () => seen.push(isInCore));
  await settled();
  deliver(START);
  isInCore = false;
  await settled();
  assert.deepEqual(seen, [false]);
});

formTest("an event type or a listener that is none is refused", async ({ form }) => {
  for (const type of ["CARD_VALIDATION_STOP_SUCESS", "COMPLETED", "toString", undefined, {}]) {
    assert.equal((await errorOf(() => form.on(type, () => {}))).option, "type");
  }
  for (const listener of [undefined, null, {}, { handleEvent() {} }]) {
    assert.equal((await errorOf(() => form.on(START, listener))).option, "listener");
  }
});

formTest("an iterator that is left ends its own waiting reader", async ({ form, deliver }) => {
  const iterator = form[Symbol.asyncIterator]();
  const waiting = iterator.next();
  assert.deepEqual(await iterator.return(), { done: true, value: undefined });
  assert.deepEqual(await waiting, { done: true, value: undefined });
  deliver(START);
  await settled();
  assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  assert.equal((await form[Symbol.asyncIterator]().next()).value.type, START);
});

formTest("a listener of a form that was destroyed hears nothing, not even what was kept", async ({ form, deliver }) => {
  deliver(START);
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
