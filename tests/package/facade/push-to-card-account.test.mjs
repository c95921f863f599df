// An account whose creation was not answered may have been made.

import assert from "node:assert/strict";
import { ACCOUNT, CARD_ID, flowTest } from "./push-to-card.mjs";
import { errorOf, ID, refusal, settled, stopTime } from "./kit.mjs";

const OTHER = { ...ACCOUNT, recipientAccountId: ID, fields: [{ id: "CARD_ID", value: "1" }] };
const AGAIN = { ...ACCOUNT, recipientAccountId: "9d1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6e" };

/** Loses the answer to the account's creation, and then lists these accounts, one list after the other. */
async function lose(it, ...lists) {
  await it.upTo("CARD");
  it.time = stopTime(it.t);
  it.answers.createRecipientAccount = () => Promise.reject(new TypeError("Failed to fetch"));
  assert.equal((await it.time.whileTimePasses(errorOf(it.flow.next()))).code, "OutcomeUnknown");
  it.answers.createRecipientAccount = () => AGAIN;
  let listed = 0;
  it.answers.recipientAccounts = () => lists[Math.min(listed++, lists.length - 1)];
  it.soon = () => it.time.whileTimePasses(it.flow.next());
}

const NUMBER = JSON.stringify([ACCOUNT]).replace(`"${CARD_ID}"`, CARD_ID);

for (const [when, ...lists] of [
  ["at once", [OTHER, ACCOUNT]],
  ["a little later", [OTHER], [OTHER], [OTHER, ACCOUNT]],
  ["as a number beyond 2^53", NUMBER],
]) {
  flowTest(`an account whose creation got no reply is found: ${when}`, async (it) => {
    await lose(it, ...lists);
    assert.equal((await it.soon()).value.recipientAccount.recipientAccountId, ACCOUNT.recipientAccountId);
    assert.equal(it.asked("createRecipientAccount"), 1);
  });
}

flowTest("an account is created again only when three lists lack it", async (it) => {
  await lose(it, [OTHER, { recipientAccountId: ID, transferMethod: "BANK_ACCOUNT" }]);
  assert.equal((await it.soon()).value.recipientAccount.recipientAccountId, AGAIN.recipientAccountId);
  assert.deepEqual([it.asked("recipientAccounts"), it.asked("createRecipientAccount")], [3, 2]);
});

for (const [why, account] of [
  ["leaves its card out", { recipientAccountId: ID, transferMethod: "PUSH_TO_CARD" }],
  ["masks its card", { ...OTHER, fields: [{ id: "CARD_ID", value: "****3001" }] }],
  ["says neither method nor card", { recipientAccountId: ID }],
]) {
  flowTest(`its outcome stays unknown, without a retry, where an account ${why}`, async (it) => {
    await lose(it, [account]);
    for (let i = 0; i < 2; i += 1) {
      const error = await errorOf(it.soon());
      assert.deepEqual([error.code, error.kind], ["OutcomeUnknown", "outcome_unknown"]);
    }
    assert.equal(it.asked("createRecipientAccount"), 1);
  });
}

flowTest("an unreadable list leaves the account's outcome unknown", async (it) => {
  await lose(it, [ACCOUNT]);
  const { recipientAccounts } = it.answers;
  it.answers.recipientAccounts = () => refusal("AccessDenied", 403);
  assert.equal((await errorOf(it.soon())).code, "AccessDenied");
  it.answers.recipientAccounts = recipientAccounts;
  assert.equal((await it.soon()).value.recipientAccount.recipientAccountId, ACCOUNT.recipientAccountId);
  assert.equal(it.asked("createRecipientAccount"), 1);
});

flowTest("a flow that ends while looking for the account asks nothing more", async (it) => {
  await lose(it, [OTHER]);
  const waiting = it.flow.next();
  await it.time.pass(1);
  assert.equal(it.asked("recipientAccounts"), 1);
  await it.flow.return();
  assert.equal((await waiting).done, true);
  await it.time.pass(60_000);
  await settled();
  assert.deepEqual([it.asked("recipientAccounts"), it.asked("createRecipientAccount")], [1, 1]);
});
