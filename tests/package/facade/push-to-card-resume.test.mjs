// A step that failed is taken again, and no other.

import assert from "node:assert/strict";
import { EXPIRED, frameOf } from "./card-page.mjs";
import { ACCOUNT, CORRIDOR, flowTest, quoteId } from "./push-to-card.mjs";
import { errorOf, refusal, settled } from "./kit.mjs";

const denied = () => refusal("AccessDenied", 403);

/** Until the error of the next step. */
const refused = async (it) => (await errorOf(it.flow.next())).code;

/** The next step, for which the customer enters a card. */
async function afterCard(it, form, cardId) {
  const next = it.flow.next();
  await it.enter(form, cardId);
  return (await next).value;
}

for (const [operation, before, type] of [
  ["corridors", undefined, "CORRIDOR"],
  ["recipientAccountFields", "CORRIDOR", "ACCOUNT_FIELDS"],
  ["openCard", "ACCOUNT_FIELDS", "CARD_FORM"],
  ["createRecipientAccount", "CARD", "RECIPIENT_ACCOUNT"],
  ["quote", "RECIPIENT_ACCOUNT", "QUOTE"],
  ["transferFields", "QUOTE", "TRANSFER"],
]) {
  flowTest(`a failed ${operation} is retried, and nothing else`, async (it) => {
    if (before !== undefined) {
      await it.upTo(before);
    }
    const answer = it.answers[operation];
    it.answers[operation] = denied;
    for (let i = 0; i < 2; i += 1) {
      assert.equal(await refused(it), "AccessDenied");
    }
    it.answers[operation] = answer ?? (() => undefined);
    const called = it.operations().length;
    const { value } = await it.flow.next();
    assert.equal(value.type, type);
    // An account's fields are asked for as it is created.
    const again = it.operations().slice(called).filter((name) => name === operation || name !== "recipientAccountFields");
    assert.deepEqual(again, [operation]);
    const { attempt } = type === "TRANSFER" ? value : await restOf(it, value);
    assert.equal(attempt.quoteHistoryId, quoteId(1));
    for (const once of ["corridors", "openCard", "createRecipientAccount", "quote"]) {
      assert.ok(once === operation || it.asked(once) === 1, once);
    }
  });
}

/** The flow's last step, from any other on. */
async function restOf(it, { type, form }) {
  if (type === "CARD_FORM") {
    await afterCard(it, form);
  }
  return it.upTo("TRANSFER");
}

flowTest("another for await over the same flow goes on where it stopped", async (it) => {
  const { quote } = it.answers;
  it.answers.quote = () => refusal("ErrorGettingQuote");
  const types = [];
  const run = async () => {
    for await (const step of it.flow) {
      types.push(step.type);
      if (step.type === "CARD_FORM") {
        it.enter(step.form);
      }
    }
  };
  assert.equal((await errorOf(run())).code, "ErrorGettingQuote");
  assert.equal(types.length, 5);
  it.answers.quote = quote;
  await run();
  assert.deepEqual(types.slice(5), ["QUOTE", "TRANSFER"]);
});

flowTest("a corridor that is disabled or asks for no card is refused", async (it) => {
  it.answers.corridors = () => [{ ...CORRIDOR, transferMethod: "BANK_ACCOUNT" }];
  const expected = ["NoCorridorFoundForSpecificValues", "quote", "choose_another_corridor"];
  const told = ({ code, kind, resolution }) => [code, kind, resolution];
  assert.deepEqual(told(await errorOf(it.flow.next())), expected);
  it.answers.corridors = () => [CORRIDOR];
  await it.flow.next();
  it.answers.recipientAccountFields = () => ({ fieldSets: [] });
  assert.deepEqual(told(await errorOf(it.flow.next())), expected);
  assert.equal(it.asked("openCard"), 0);
});

let given = [];
flowTest(
  "invalid fields are reported before the card, and asked for again",
  async (it) => {
    await it.upTo("CORRIDOR");
    const field = (fieldId) => ({ fieldId, fieldType: "TEXT", name: fieldId, isRequired: true, visibility: "SHOW_AND_REQUIRED", placeholderText: "" });
    const card = { ...field("CARD_ID"), visibility: "HIDE_AND_REQUIRED" };
    it.answers.recipientAccountFields = () => ({ fieldSets: [{ fieldSetId: "a", fieldSetName: "A", fields: [field("CITY"), card] }] });
    const error = await errorOf(it.flow.next());
    assert.deepEqual([error.code, error.kind, error.option], ["MissingRequiredField", "field", "CITY"]);
    assert.deepEqual(error.problems.map(({ fieldId, code }) => [fieldId, code]), [["CITY", "MissingRequiredField"]]);
    for (const wrong of [undefined, {}, [{}], [null], [{ id: "CARD_ID", value: "x" }]]) {
      given = wrong;
      assert.equal((await errorOf(it.flow.next())).option, "fields");
    }
    given = [{ id: "CITY", value: "Oaxaca" }];
    const fields = (await it.flow.next()).value;
    assert.equal(fields.type, "ACCOUNT_FIELDS");
    assert.equal(it.asked("recipientAccountFields"), 7, "asked of the service each time");
    it.answers.createRecipientAccount = () => Response.json([{ code: "ValueRegexFailure", message: "", fieldId: "CITY" }], { status: 400 });
    await it.upTo("CARD");
    assert.equal(await refused(it), "ValueRegexFailure");
    given = [{ id: "CITY", value: "Puebla" }];
    it.answers.createRecipientAccount = () => ACCOUNT;
    assert.equal((await it.flow.next()).value.type, "ACCOUNT_FIELDS");
    assert.equal((await it.flow.next()).value.type, "RECIPIENT_ACCOUNT");
    assert.equal(it.sent("createRecipientAccount").fields[0].value, "Puebla");
    assert.equal(it.asked("openCard"), 1, "the card is kept");
  },
  { options: { fields: () => given } },
);

flowTest(
  "an error names the page's function that threw",
  async (it) => {
    await it.upTo("CORRIDOR");
    const error = await errorOf(it.flow.next());
    assert.deepEqual([error.option, error.cause.message], ["fields", "in the page"]);
  },
  {
    options: {
      fields: () => {
        throw new Error("in the page");
      },
    },
  },
);

/** A form whose session has ended, of which the flow has told. */
async function expired(it) {
  const { form } = await it.upTo("CARD_FORM");
  const failed = refused(it);
  await settled();
  await frameOf(form).load();
  frameOf(form).say(EXPIRED);
  assert.equal(await failed, "InvalidCardOnboardingSession");
  return form;
}

flowTest("an expired session is renewed only when the caller goes on", async (it) => {
  const form = await expired(it);
  assert.deepEqual([it.asked("openCard"), it.frames()], [1, 1]);
  assert.equal((await afterCard(it, form)).type, "CARD");
  assert.deepEqual([it.asked("openCard"), form.sessionId], [2, it.sessions.opened[1]]);
});

flowTest("a form that the page has renewed itself is not renewed again", async (it) => {
  const form = await expired(it);
  await form.renew();
  assert.equal((await afterCard(it, form)).type, "CARD");
  assert.equal(it.asked("openCard"), 2);
});

flowTest("a failed renewal is retried", async (it) => {
  const form = await expired(it);
  const { openCard } = it.answers;
  it.answers.openCard = denied;
  assert.equal(await refused(it), "AccessDenied");
  it.answers.openCard = openCard;
  assert.equal((await afterCard(it, form)).type, "CARD");
  assert.equal(it.frames(), 1);
});

flowTest("a form the page destroyed is reported, then replaced", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const failed = refused(it);
  await settled();
  form.destroy();
  assert.equal(await failed, "CardFormDestroyed");
  const { value } = await it.flow.next();
  assert.equal(value.type, "CARD_FORM");
  assert.notEqual(value.form, form);
});

for (const isDestroyedByPage of [false, true]) {
  const how = isDestroyedByPage ? "shows another form" : "renews the form";
  flowTest(`an account refuses its card: ${how}`, async (it) => {
    let { form } = await it.upTo("CARD_FORM");
    await afterCard(it, form);
    it.answers.createRecipientAccount = () => refusal("CardNotSupported");
    assert.equal(await refused(it), "CardNotSupported");
    it.answers.createRecipientAccount = () => ACCOUNT;
    if (isDestroyedByPage) {
      form.destroy();
      ({ form } = (await it.flow.next()).value);
    }
    assert.equal((await afterCard(it, form, "another")).cardId, "another");
    assert.equal((await it.flow.next()).value.type, "RECIPIENT_ACCOUNT");
    assert.equal(it.sent("createRecipientAccount").fields.at(-1).value, "another");
    assert.equal(it.asked("openCard"), 2);
  });
}

flowTest("a card refused with the transfer leads to another form and account", async (it) => {
  await it.upTo("QUOTE");
  it.answers.transferFields = () => refusal("CardNotSupported");
  await errorOf(it.flow.next());
  delete it.answers.transferFields;
  const { value } = await it.flow.next();
  assert.equal(value.type, "CARD_FORM");
  await restOf(it, value);
  assert.deepEqual([it.asked("openCard"), it.asked("createRecipientAccount"), it.asked("quote")], [2, 2, 2]);
});

flowTest("an expired quote is fetched again and shown", async (it) => {
  await it.upTo("QUOTE");
  it.answers.transferFields = () => refusal("QuoteExpired");
  await errorOf(it.flow.next());
  delete it.answers.transferFields;
  assert.equal((await it.flow.next()).value.quote.quoteHistoryId, quoteId(2));
  assert.equal((await it.flow.next()).value.attempt.quoteHistoryId, quoteId(2));
  assert.equal(it.asked("createRecipientAccount"), 1);
});
