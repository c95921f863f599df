// An account whose creation was not answered may have been made.

import assert from "node:assert/strict";
import { errorOf, settled } from "./facade.mjs";
import { ACCOUNT, CARD, flowTest } from "./push-to-card.mjs";

const OTHER = { ...ACCOUNT, recipientAccountId: "a-0", fields: [{ id: "CARD_ID", value: "1" }] };

/** Time that passes when it is told to. */
function stopTime(t) {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map();
  let [now, last] = [0, 0];
  globalThis.setTimeout = (run, ms) => {
    timers.set((last += 1), { run, at: now + ms });
    return last;
  };
  globalThis.clearTimeout = (id) => timers.delete(id);
  t.after(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  return {
    pass(ms) {
      now += ms;
      for (const [id, { run, at }] of timers) {
        if (at <= now) {
          timers.delete(id);
          run();
        }
      }
    },
    waiting: () => timers.size,
  };
}

/** Loses the answer to the account's creation, and then lists these accounts, one list after the other. */
async function lose(it, ...lists) {
  it.time = stopTime(it.t);
  await it.upTo("CARD");
  const unknown = it.error("OutcomeUnknown", "outcome_unknown");
  it.answers.createRecipientAccount = () => Promise.reject(unknown);
  assert.equal(await errorOf(it.flow.next()), unknown);
  it.answers.createRecipientAccount = () => ({ ...ACCOUNT, recipientAccountId: "a-2" });
  let listed = 0;
  it.answers.recipientAccounts = () => lists[Math.min(listed++, lists.length - 1)];
}

/** Takes the next step while time passes. */
async function soon(it) {
  const step = it.flow.next();
  step.catch(() => {});
  for (let i = 0; i < 8; i += 1) {
    await settled();
    it.time.pass(1000);
  }
  return step;
}

for (const [when, ...lists] of [
  ["at once", [OTHER, ACCOUNT]],
  ["a little later", [OTHER], [OTHER], [OTHER, ACCOUNT]],
  ["as a number beyond 2^53", [{ ...ACCOUNT, fields: [{ id: "CARD_ID", value: BigInt(CARD.cardId) }] }]],
]) {
  flowTest(`an account whose creation was not answered is found: ${when}`, async (it) => {
    await lose(it, ...lists);
    assert.equal((await soon(it)).value.recipientAccount.recipientAccountId, "a-1");
    assert.equal(it.asked("createRecipientAccount"), 1);
  });
}

flowTest("it is created again only when the list says three times that there is none", async (it) => {
  await lose(it, [OTHER, { recipientAccountId: "b", transferMethod: "BANK_ACCOUNT" }]);
  assert.equal((await soon(it)).value.recipientAccount.recipientAccountId, "a-2");
  assert.deepEqual([it.asked("recipientAccounts"), it.asked("createRecipientAccount")], [3, 2]);
});

for (const [why, account] of [
  ["leaves its card out", { recipientAccountId: "a-0", transferMethod: "PUSH_TO_CARD" }],
  ["masks its card", { ...OTHER, fields: [{ id: "CARD_ID", value: "****3001" }] }],
  ["says neither method nor card", { recipientAccountId: "a-0" }],
]) {
  flowTest(`it stays unknown, and is not created again, where an account ${why}`, async (it) => {
    await lose(it, [account]);
    for (let i = 0; i < 2; i += 1) {
      const error = await errorOf(soon(it));
      assert.deepEqual([error.code, error.kind], ["OutcomeUnknown", "outcome_unknown"]);
    }
    assert.equal(it.asked("createRecipientAccount"), 1);
  });
}

flowTest("a list that cannot be read leaves it unknown", async (it) => {
  await lose(it, [ACCOUNT]);
  const { recipientAccounts } = it.answers;
  const offline = it.error("NetworkFailure", "unavailable");
  it.answers.recipientAccounts = () => Promise.reject(offline);
  assert.equal(await errorOf(soon(it)), offline);
  it.answers.recipientAccounts = recipientAccounts;
  assert.equal((await soon(it)).value.recipientAccount.recipientAccountId, "a-1");
  assert.equal(it.asked("createRecipientAccount"), 1);
});

flowTest("a flow that is left while it looks asks nothing more", async (it) => {
  await lose(it, [OTHER]);
  const waiting = it.flow.next();
  await settled();
  it.time.pass(1);
  await settled();
  assert.deepEqual([it.asked("recipientAccounts"), it.time.waiting()], [1, 1]);
  await it.flow.return();
  assert.equal((await waiting).done, true);
  assert.equal(it.time.waiting(), 0);
  await settled();
  assert.deepEqual([it.asked("recipientAccounts"), it.asked("createRecipientAccount")], [1, 1]);
});
