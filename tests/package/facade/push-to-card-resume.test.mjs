// A failed step is taken again, and no other.

import assert from "node:assert/strict";
import { EXPIRED, frameOf } from "./card-page.mjs";
import { errorOf, fakeTime, fieldsOf, ID, refusal, settled } from "./kit.mjs";
import { ACCOUNT, CARD_ID, CORRIDOR, flowTest, quoteId } from "./push-to-card.mjs";

const denied = () => refusal("AccessDenied", 403);

for (const [operation, before, type] of [
  ["corridors", undefined, "CORRIDOR"],
  ["recipientAccountFields", "CORRIDOR", "ACCOUNT_FIELDS"],
  ["openCard", "ACCOUNT_FIELDS", "CARD_FORM"],
  ["createRecipientAccount", "CARD", "RECIPIENT_ACCOUNT"],
  ["quote", "RECIPIENT_ACCOUNT", "QUOTE"],
  ["transferFields", "QUOTE", "TRANSFER"],
]) {
  flowTest(`a failed ${operation} is retried, and nothing else`, async (it) => {
    if (before !== undefined) await it.upTo(before);
    const answer = it.answers[operation];
    it.answers[operation] = denied;
    for (let i = 0; i < 2; i += 1) assert.equal(await it.failure(), "AccessDenied");
    it.answers[operation] = answer ?? (() => undefined);
    const called = it.operations().length;
    const step = await it.step();
    assert.equal(step.type, type);
    // An account's fields are fetched again as it is created.
    const isAgain = (name) => name === operation || name !== "recipientAccountFields";
    assert.deepEqual(it.operations().slice(called).filter(isAgain), [operation]);
    if (type === "CARD_FORM") await it.stepWithCard(step.form);
    const { attempt } = type === "TRANSFER" ? step : await it.upTo("TRANSFER");
    assert.equal(attempt.quoteHistoryId, quoteId(1));
    for (const once of ["corridors", "openCard", "createRecipientAccount", "quote"]) {
      assert.ok(once === operation || it.asked(once) === 1, once);
    }
  });
}

flowTest("a corridor that is disabled or asks for no card is refused", async (it) => {
  const refused = async () => {
    const { code, kind, resolution } = await errorOf(it.flow.next());
    assert.equal(code, "NoCorridorFoundForSpecificValues");
    assert.deepEqual([kind, resolution], ["quote", "choose_another_corridor"]);
  };
  it.answers.corridors = () => [{ ...CORRIDOR, transferMethod: "BANK_ACCOUNT" }];
  await refused();
  it.answers.corridors = () => [CORRIDOR];
  await it.step();
  it.answers.recipientAccountFields = () => ({ fieldSets: [] });
  await refused();
  assert.equal(it.asked("openCard"), 0);
});

let given = () => [];
flowTest(
  "invalid fields are reported before the card, and requested again",
  async (it) => {
    await it.upTo("CORRIDOR");
    const card = { fieldId: "CARD_ID", visibility: "HIDE_AND_REQUIRED" };
    it.answers.recipientAccountFields = () => fieldsOf({ fieldId: "CITY" }, card);
    const error = await errorOf(it.flow.next());
    assert.deepEqual([error.code, error.kind, error.option], ["MissingRequiredField", "field", "CITY"]);
    assert.equal(error.resolution, "complete_fields");
    assert.deepEqual(error.problems.map(({ fieldId }) => fieldId), ["CITY"]);
    for (const wrong of [undefined, {}, [{}], [null], [{ id: "CARD_ID", value: "x" }]]) {
      given = () => wrong;
      assert.equal((await errorOf(it.flow.next())).option, "fields");
    }
    given = () => {
      throw new Error("in the page");
    };
    const thrown = await errorOf(it.flow.next());
    assert.deepEqual([thrown.option, thrown.cause.message], ["fields", "in the page"]);
    given = () => [{ id: "CITY", value: "Oaxaca" }];
    assert.equal((await it.step()).type, "ACCOUNT_FIELDS");
    assert.equal(it.asked("recipientAccountFields"), 8, "fetched each time");
    const problem = { code: "ValueRegexFailure", message: "", fieldId: "CITY" };
    it.answers.createRecipientAccount = () => Response.json([problem], { status: 400 });
    await it.upTo("CARD");
    assert.equal(await it.failure(), "ValueRegexFailure");
    given = () => [{ id: "CITY", value: "Puebla" }];
    it.answers.createRecipientAccount = () => ACCOUNT;
    assert.equal((await it.step()).type, "ACCOUNT_FIELDS");
    assert.equal((await it.step()).type, "RECIPIENT_ACCOUNT");
    assert.equal(it.sent("createRecipientAccount").fields[0].value, "Puebla");
    assert.equal(it.asked("openCard"), 1, "the card is kept");
  },
  { options: { fields: () => given() } },
);

/** Lets a form's session expire, which the flow reports; returns the form. */
async function expired(it) {
  const { form } = await it.upTo("CARD_FORM");
  const failed = it.failure();
  await settled();
  await frameOf(form).load();
  await frameOf(form).say(EXPIRED);
  assert.equal(await failed, "InvalidCardOnboardingSession");
  return form;
}

for (const isRenewedByPage of [false, true]) {
  const who = isRenewedByPage ? "page" : "flow, when the caller goes on,";
  flowTest(`an expired session is renewed once: the ${who} renews it`, async (it) => {
    const form = await expired(it);
    assert.deepEqual([it.asked("openCard"), it.frames()], [1, 1]);
    if (isRenewedByPage) {
      await form.renew();
    } else {
      const { openCard } = it.answers;
      it.answers.openCard = denied;
      assert.equal(await it.failure(), "AccessDenied");
      it.answers.openCard = openCard;
    }
    assert.equal((await it.stepWithCard(form)).type, "CARD");
    assert.deepEqual([it.sessions.opened.length, form.sessionId], [2, it.sessions.opened[1]]);
    assert.equal(it.frames(), 1);
  });
}

flowTest("a form the page destroyed is reported, then replaced", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const failed = it.failure();
  await settled();
  form.destroy();
  assert.equal(await failed, "CardFormDestroyed");
  const step = await it.step();
  assert.equal(step.type, "CARD_FORM");
  assert.notEqual(step.form, form);
});

for (const [code, type, [forms, accounts, quotes]] of [
  ["CardNotSupported", "CARD_FORM", [2, 2, 2]],
  ["QuoteExpired", "QUOTE", [1, 1, 2]],
]) {
  flowTest(`${code} with the transfer leads back to the step ${type}`, async (it) => {
    await it.upTo("QUOTE");
    it.answers.transferFields = () => refusal(code);
    assert.equal(await it.failure(), code);
    delete it.answers.transferFields;
    const step = await it.step();
    assert.equal(step.type, type);
    if (type === "CARD_FORM") await it.stepWithCard(step.form);
    assert.equal((await it.upTo("TRANSFER")).attempt.quoteHistoryId, quoteId(2));
    const counts = ["openCard", "createRecipientAccount", "quote"].map(it.asked);
    assert.deepEqual(counts, [forms, accounts, quotes]);
  });
}

// An account whose creation got no reply may exist.
const OTHER = { ...ACCOUNT, recipientAccountId: ID, fields: [{ id: "CARD_ID", value: "1" }] };
const AGAIN = { ...ACCOUNT, recipientAccountId: "9d1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6e" };
const AS_NUMBER = JSON.stringify([ACCOUNT]).replace(`"${CARD_ID}"`, CARD_ID);
const METHOD = { recipientAccountId: ID, transferMethod: "PUSH_TO_CARD" };
const BANK = { ...METHOD, transferMethod: "BANK_ACCOUNT" };
const MASKED = { ...OTHER, fields: [{ id: "CARD_ID", value: "****3001" }] };

/** Loses the reply to the account's creation, and then lists these accounts, one list after the other. */
async function lose(it, ...lists) {
  await it.upTo("CARD");
  it.time = fakeTime(it.t);
  it.soon = () => it.time.untilSettled(it.flow.next());
  it.answers.createRecipientAccount = () => Promise.reject(new TypeError("Failed to fetch"));
  assert.equal((await errorOf(it.soon())).code, "OutcomeUnknown");
  it.answers.createRecipientAccount = () => AGAIN;
  it.answers.recipientAccounts = () => (lists.length > 1 ? lists.shift() : lists[0]);
}

for (const [what, lists, found, creations] of [
  ["listed at once is found", [[OTHER, ACCOUNT]], ACCOUNT, 1],
  ["listed later is found", [[OTHER], [OTHER], [OTHER, ACCOUNT]], ACCOUNT, 1],
  ["with its card as a number beyond 2^53 is found", [AS_NUMBER], ACCOUNT, 1],
  ["missing in three lists is created again", [[OTHER, BANK]], AGAIN, 2],
  ["listed without its card stays unknown", [[METHOD]], undefined, 1],
  ["listed with a masked card stays unknown", [[MASKED]], undefined, 1],
  ["listed without method and card stays unknown", [[{ recipientAccountId: ID }]], undefined, 1],
]) {
  flowTest(`an account whose creation got no reply and that is ${what}`, async (it) => {
    await lose(it, ...lists);
    if (found !== undefined) {
      const { recipientAccount } = (await it.soon()).value;
      assert.equal(recipientAccount.recipientAccountId, found.recipientAccountId);
    } else {
      for (let i = 0; i < 2; i += 1) assert.equal((await errorOf(it.soon())).kind, "outcome_unknown");
    }
    if (creations === 2) assert.equal(it.asked("recipientAccounts"), 3);
    assert.equal(it.asked("createRecipientAccount"), creations);
  });
}

flowTest("an unreadable list leaves the account's outcome unknown", async (it) => {
  await lose(it, [ACCOUNT]);
  const { recipientAccounts } = it.answers;
  it.answers.recipientAccounts = denied;
  assert.equal((await errorOf(it.soon())).code, "AccessDenied");
  it.answers.recipientAccounts = recipientAccounts;
  assert.equal((await it.soon()).value.recipientAccount.recipientAccountId, ACCOUNT.recipientAccountId);
  assert.equal(it.asked("createRecipientAccount"), 1);
});

flowTest("a flow that ends while looking for the account asks nothing more", async (it) => {
  await lose(it, [OTHER]);
  const waiting = it.flow.next();
  await it.time.pass(1);
  await it.flow.return();
  assert.equal((await waiting).done, true);
  await it.time.pass(60_000);
  assert.deepEqual([it.asked("recipientAccounts"), it.asked("createRecipientAccount")], [1, 1]);
});
