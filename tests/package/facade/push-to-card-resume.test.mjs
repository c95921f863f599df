// A step that failed is taken again, and no other.

import assert from "node:assert/strict";
import { errorOf, settled } from "./facade.mjs";
import { ACCOUNT, CARD, CORRIDOR, flowTest } from "./push-to-card.mjs";

for (const [operation, before, type] of [
  ["corridors", undefined, "CORRIDOR"],
  ["recipientAccountFields", "CORRIDOR", "ACCOUNT_FIELDS"],
  ["cardForm", "ACCOUNT_FIELDS", "CARD_FORM"],
  ["createRecipientAccount", "CARD", "RECIPIENT_ACCOUNT"],
  ["quote", "RECIPIENT_ACCOUNT", "QUOTE"],
  ["prepareTransfer", "QUOTE", "TRANSFER"],
]) {
  flowTest(`${operation} that fails is called again, and nothing else`, async (it) => {
    if (before !== undefined) {
      await it.upTo(before);
    }
    const answer = it.answers[operation];
    const offline = it.error("NetworkFailure", "unavailable");
    it.answers[operation] = () => Promise.reject(offline);
    for (let i = 0; i < 2; i += 1) {
      assert.equal(await errorOf(it.flow.next()), offline);
    }
    it.answers[operation] = answer;
    const called = it.operations().length;
    assert.equal((await it.flow.next()).value.type, type);
    const rest = it.operations().slice(called);
    assert.equal(rest[0], operation);
    for (const once of [
      "corridors",
      "recipientAccountFields",
      "cardForm",
      "createRecipientAccount",
      "quote",
    ]) {
      assert.ok(once === operation || it.asked(once) <= 1, once);
    }
    const end = type === "TRANSFER" ? undefined : "q-1";
    assert.equal((await it.upTo("TRANSFER"))?.attempt.quoteHistoryId, end);
  });
}

flowTest("for await over the same object goes on", async (it) => {
  const { quote } = it.answers;
  it.answers.quote = () => Promise.reject(it.error("ErrorGettingQuote", "quote"));
  const types = [];
  const run = async () => {
    for await (const step of it.flow) {
      types.push(step.type);
      if (step.type === "CARD_FORM") {
        it.form().deliver("COMPLETED", CARD);
      }
    }
  };
  assert.equal((await errorOf(run())).code, "ErrorGettingQuote");
  assert.equal(types.length, 5);
  it.answers.quote = quote;
  await run();
  assert.deepEqual(types.slice(5), ["QUOTE", "TRANSFER"]);
});

flowTest("a corridor that is not enabled, or that asks for no card, is told", async (it) => {
  it.answers.corridors = () => [{ ...CORRIDOR, transferMethod: "BANK_ACCOUNT" }];
  const expected = ["NoCorridorFoundForSpecificValues", "quote", "choose_another_corridor"];
  const told = ({ code, kind, resolution }) => [code, kind, resolution];
  assert.deepEqual(told(await errorOf(it.flow.next())), expected);
  it.answers.corridors = () => [CORRIDOR];
  await it.flow.next();
  it.answers.recipientAccountFields = () => ({ fieldSets: [], requiresCard: false });
  assert.deepEqual(told(await errorOf(it.flow.next())), expected);
  assert.equal(it.asked("cardForm"), 0);
});

let given = [];
flowTest(
  "fields that cannot be sent are told before a card is asked for, and asked for again",
  async (it) => {
    await it.upTo("CORRIDOR");
    const problem = (fieldId, code) => ({ fieldId, code, message: `${fieldId}.` });
    it.answers.check = (json) =>
      [problem("CARD_ID", "MissingRequiredField")].concat(
        "CITY" in JSON.parse(json) ? [] : problem("CITY", "MissingRequiredField"),
      );
    const error = await errorOf(it.flow.next());
    assert.deepEqual(
      [error.code, error.kind, error.option, error.problems],
      ["MissingRequiredField", "field", "CITY", [problem("CITY", "MissingRequiredField")]],
    );
    for (const wrong of [undefined, {}, [{}], [null], [{ id: "CARD_ID", value: "x" }]]) {
      given = wrong;
      assert.equal((await errorOf(it.flow.next())).option, "fields");
    }
    given = [{ id: "CITY", value: "Oaxaca" }];
    assert.equal((await it.flow.next()).value.type, "ACCOUNT_FIELDS");
    assert.equal(it.asked("recipientAccountFields"), 7, "asked of the service each time");
    it.answers.createRecipientAccount = () => Promise.reject(it.error("ValueRegexFailure", "field"));
    await it.upTo("CARD");
    assert.equal((await errorOf(it.flow.next())).code, "ValueRegexFailure");
    given = [{ id: "CITY", value: "Puebla" }];
    it.answers.createRecipientAccount = () => ACCOUNT;
    assert.equal((await it.flow.next()).value.type, "ACCOUNT_FIELDS");
    assert.equal((await it.flow.next()).value.type, "RECIPIENT_ACCOUNT");
    assert.equal(it.sent("createRecipientAccount").fields[0].value, "Puebla");
    assert.equal(it.asked("cardForm"), 1, "the card is kept");
  },
  {
    options: {
      fields: () => given,
    },
  },
);

flowTest(
  "a function of the page that throws is named",
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

flowTest("an expired session is renewed when the caller goes on, and not before", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const failed = errorOf(it.flow.next());
  const expired = it.error("InvalidCardOnboardingSession", "card");
  it.form().deliver("CARD_VALIDATION_STOP_EXPIRED");
  it.form().deliver("FAILED", expired);
  assert.equal(await failed, expired);
  assert.deepEqual([it.asked("renew"), it.asked("destroyForm")], [0, 0]);
  const card = it.flow.next();
  await settled();
  assert.equal(form.sessionId, "session-2");
  it.form().deliver("COMPLETED", CARD);
  assert.equal((await card).value.cardId, CARD.cardId);
  assert.deepEqual([it.asked("renew"), it.asked("cardForm")], [1, 1]);
});

flowTest("a form that the page has renewed itself is not renewed again", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const failed = errorOf(it.flow.next());
  it.form().deliver("FAILED", it.error("InvalidCardOnboardingSession", "card"));
  await failed;
  await form.renew();
  const card = it.flow.next();
  await settled();
  it.form().deliver("COMPLETED", CARD);
  assert.equal((await card).value.type, "CARD");
  assert.equal(it.asked("renew"), 1);
});

flowTest("a renewal that fails is tried again", async (it) => {
  await it.upTo("CARD_FORM");
  const failed = errorOf(it.flow.next());
  it.form().deliver("FAILED", it.error("CardFormLoadFailed", "frame"));
  await failed;
  const offline = it.error("NetworkFailure", "unavailable");
  it.answers.renew = () => Promise.reject(offline);
  assert.equal(await errorOf(it.flow.next()), offline);
  it.answers.renew = () => null;
  const card = it.flow.next();
  await settled();
  it.form().deliver("COMPLETED", CARD);
  assert.equal((await card).value.type, "CARD");
  assert.equal(it.asked("cardForm"), 1);
});

flowTest("a form that the page has destroyed is told, and then shown anew", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const failed = errorOf(it.flow.next());
  await settled();
  form.destroy();
  assert.equal((await failed).code, "CardFormDestroyed");
  const step = await it.flow.next();
  assert.equal(step.value.type, "CARD_FORM");
  assert.notEqual(step.value.form, form);
});

for (const isDestroyedByPage of [false, true]) {
  const how = isDestroyedByPage ? "shows another form" : "renews the form";
  flowTest(`a card that the account is refused for: ${how}`, async (it) => {
    const { form } = await it.upTo("CARD_FORM");
    await it.upTo("CARD");
    it.answers.createRecipientAccount = () => Promise.reject(it.error("CardNotSupported", "card"));
    assert.equal((await errorOf(it.flow.next())).code, "CardNotSupported");
    it.answers.createRecipientAccount = () => ACCOUNT;
    if (isDestroyedByPage) {
      form.destroy();
      assert.equal((await it.flow.next()).value.type, "CARD_FORM");
    }
    const card = it.flow.next();
    await settled();
    it.form().deliver("COMPLETED", { ...CARD, cardId: "another" });
    assert.equal((await card).value.cardId, "another");
    assert.equal((await it.flow.next()).value.type, "RECIPIENT_ACCOUNT");
    assert.equal(it.sent("createRecipientAccount").fields.at(-1).value, "another");
    assert.equal(it.asked("renew"), isDestroyedByPage ? 0 : 1);
  });
}

flowTest("a card that the transfer is refused for leads to another form, account and quote", async (it) => {
  await it.upTo("QUOTE");
  const { prepareTransfer } = it.answers;
  it.answers.prepareTransfer = () => Promise.reject(it.error("CardNotSupported", "card"));
  await errorOf(it.flow.next());
  it.answers.prepareTransfer = prepareTransfer;
  assert.equal((await it.flow.next()).value.type, "CARD_FORM");
  await it.upTo("TRANSFER");
  assert.deepEqual([it.asked("cardForm"), it.asked("createRecipientAccount"), it.asked("quote")], [2, 2, 2]);
});

flowTest("a quote that no longer holds is fetched anew and shown", async (it) => {
  await it.upTo("QUOTE");
  const { prepareTransfer } = it.answers;
  it.answers.prepareTransfer = () =>
    Promise.reject(it.error("QuoteExpired", "quote", { resolution: "fetch_new_quote" }));
  await errorOf(it.flow.next());
  it.answers.prepareTransfer = prepareTransfer;
  assert.equal((await it.flow.next()).value.quote.quoteHistoryId, "q-2");
  assert.equal((await it.flow.next()).value.attempt.quoteHistoryId, "q-2");
  assert.equal(it.asked("createRecipientAccount"), 1);
});
