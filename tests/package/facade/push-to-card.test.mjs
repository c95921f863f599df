import assert from "node:assert/strict";
import { REPLIES } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, ID, settled } from "./kit.mjs";
import { ACCOUNT, CARD_ID, CORRIDOR, flowTest, OPTIONS, quoteId } from "./push-to-card.mjs";

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
const ENDED = { done: true, value: undefined };
const pending = async ({ remit }) => (await remit.pendingTransfers()).length;

/** Waits for the card in a form that is shown; returns how the wait ends. */
async function waitForCard(it) {
  const { form } = await it.upTo("CARD_FORM");
  const outcome = it.flow.next().then(({ value, done }) => (done ? "done" : value.type), ({ code }) => code);
  await settled();
  return { form, outcome };
}

// What the page's function returns, in this order.
const RETURNED = [[{ id: "NOTE", value: "Ana" }], new Date(0), undefined, { purposeOfRemittance: "GIFT" }];

flowTest("the whole flow ends in an attempt that has not been sent", async (it) => {
  const types = [];
  for await (const step of it.flow) {
    types.push(step.type);
    assert.ok(Object.isFrozen(step));
    if (step.type === "CARD_FORM") {
      void it.enter(step.form);
    } else if (step.type === "CARD") {
      assert.deepEqual([step.cardId, step.sessionId, it.frames()], [CARD_ID, it.sessions.opened[0], 1]);
    } else if (step.type === "RECIPIENT_ACCOUNT") {
      assert.deepEqual([step.recipientAccount, it.frames()], [ACCOUNT, 0]);
    } else if (step.type === "TRANSFER") {
      assert.deepEqual([step.attempt.quoteHistoryId, step.attempt.state], [quoteId(1), "PREPARED"]);
    }
  }
  const last = ["CARD_FORM", "CARD", "RECIPIENT_ACCOUNT", "QUOTE", "TRANSFER"];
  assert.deepEqual(types, ["CORRIDOR", "ACCOUNT_FIELDS", ...last]);
  // An account's fields are fetched again as it is created.
  const before = ["corridors", "recipientAccountFields", "openCard", "recipientAccountFields"];
  assert.deepEqual(it.operations(), [...before, "createRecipientAccount", "quote", "transferFields"]);
  assert.deepEqual(it.sent("recipientAccountFields"), { ...ROUTE, recipientType: "PERSON" });
  assert.deepEqual(it.sent("createRecipientAccount"), { ...ROUTE, fields: ACCOUNT.fields });
  const { recipientAccountId } = ACCOUNT;
  const price = { ...ROUTE, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", recipientAccountId };
  assert.deepEqual(it.sent("quote"), { ...price, amount: "12550" });
  const [attempt] = await it.remit.pendingTransfers();
  await attempt.submit();
  const { nonce: _, ...body } = it.sent("transfer");
  assert.deepEqual(body, { ...price, amount: 12550, quoteHistoryId: quoteId(1), recipientId: ID });
  assert.deepEqual(await it.flow.next(), ENDED);
});

flowTest(
  "fields and details may be functions, called when they are needed",
  async (it) => {
    const { attempt } = await it.upTo("TRANSFER");
    const [note, card] = it.sent("createRecipientAccount").fields;
    assert.deepEqual([note, card.id], [{ id: "NOTE", value: "Ana" }, "CARD_ID"]);
    await attempt.submit();
    const { purposeOfRemittance, quoteHistoryId } = it.sent("transfer");
    assert.deepEqual([purposeOfRemittance, quoteHistoryId], [quoteId(1), quoteId(1)]);
    assert.equal(attempt.paymentId, "order 17");
    assert.equal("paymentId" in it.sent("transfer"), false);
    assert.equal(it.sent("quote").quoteBy, "RECEIVE_AMOUNT");
  },
  {
    options: {
      quoteBy: "RECEIVE_AMOUNT",
      paymentId: "order 17",
      fields: async (form) => (form.requiresCard ? [{ id: "NOTE", value: "Ana" }] : []),
      transfer: (quote) => ({ purposeOfRemittance: quote.quoteHistoryId, quoteHistoryId: "another" }),
    },
  },
);

flowTest("invalid options are refused by name with the first step", async ({ remit, requests }) => {
  const destinationCurrency = [...CORRIDOR.destinationCurrency, { iso3Code: "USD" }];
  const corridor = { ...CORRIDOR, destinationCurrency };
  const start = (change) => remit.pushToCard({ ...OPTIONS, ...change }).next();
  await assertRefused(start, [
    [{ corridor: undefined }, "corridor"],
    [{ corridor: "MEX" }, "corridor"],
    [{ corridor: { ...CORRIDOR, transferMethod: "BANK_ACCOUNT" } }, "corridor"],
    [{ corridor: { ...CORRIDOR, sourceCurrency: [] } }, "corridor"],
    [{ corridor: { ...CORRIDOR, destinationCountry: {} } }, "corridor"],
    [{ corridor, dstCurrencyIso3Code: "EUR" }, "dstCurrencyIso3Code"],
    [{ corridor, dstCurrencyIso3Code: 7 }, "dstCurrencyIso3Code"],
    [{ corridor, dstCurrencyIso3Code: "USD", srcCurrencyIso3Code: "MXN" }, "srcCurrencyIso3Code"],
    [{ quoteBy: "send" }, "quoteBy"],
    [{ sessionId: "s" }, "sessionId"],
    [{ fields: "x" }, "fields"],
    [{ transfer: null }, "transfer"],
    [{ paymentId: "" }, "paymentId"],
    [{ paymentId: 17 }, "paymentId"],
  ]);
  const amounts = [1.5, -1n, "125", 2 ** 53, 2n ** 63n].map((amount) => [{ amount }, "amount"]);
  await assertRefused(start, amounts, "InvalidAmount");
  await assertRefused(start, [[{ recipientId: "7" }, "recipientId"]], "InvalidRecipientId");
  assert.match((await errorOf(start({ corridor }))).message, /MXN, USD/);
  await assertRefused((options) => remit.pushToCard(options), [[undefined, "options"]]);
  await assertRefused((signal) => remit.pushToCard(OPTIONS, { signal }), [[{}, "signal"]]);
  assert.deepEqual(requests, []);
  assert.equal((await start({ corridor, dstCurrencyIso3Code: "MXN" })).value.type, "CORRIDOR");
  const other = await errorOf(start({ corridor, dstCurrencyIso3Code: "USD" }));
  assert.equal(other.code, "NoCorridorFoundForSpecificValues");
});

flowTest(
  "what `transfer` returns is an object, or the step fails",
  async (it) => {
    await it.upTo("QUOTE");
    await assertRefused(() => it.flow.next(), [[, "transfer"], [, "transfer"], [, "transfer"]]);
    assert.equal((await it.step()).type, "TRANSFER");
    assert.equal((await it.flow.next()).done, true);
  },
  { options: { transfer: () => RETURNED.shift() } },
);

const LISTS = [{}, [{ value: "x" }], [{ id: "NOTE", value: "Ana" }, { value: "x" }], []];

flowTest(
  "what `fields` returns is a list of { id, value }, or the step fails",
  async (it) => {
    await it.upTo("CORRIDOR");
    await assertRefused(() => it.flow.next(), [[, "fields"], [, "fields"], [, "fields"]]);
    await it.upTo("CARD_FORM");
    assert.deepEqual(LISTS, []);
  },
  { options: { fields: () => LISTS.shift() } },
);

flowTest("changing the options before the first step has no effect", async (it) => {
  const options = structuredClone({ ...OPTIONS, fields: [{ id: "NOTE", value: "Ana" }] });
  const flow = it.remit.pushToCard(options);
  options.corridor.destinationCountry.iso3Code = "IND";
  options.fields[0].value = "Eve";
  options.theme.primary = "#f00";
  options.amount = 1;
  const { form } = await it.upTo("CARD_FORM", flow);
  assert.equal(new URL(form.element.src).searchParams.get("primary"), "#0a7");
  void it.enter(form);
  await it.upTo("QUOTE", flow);
  const { dstCountryIso3Code, fields } = it.sent("createRecipientAccount");
  assert.deepEqual([it.sent("quote").amount, dstCountryIso3Code, fields[0].value], ["12550", "MEX", "Ana"]);
});

for (const [how, end, code] of [
  ["return", ({ flow }) => flow.return(), "done"],
  ["destroying the kit", ({ remit }) => remit.destroy(), "Destroyed"],
]) {
  flowTest(`${how} while the form mounts aborts its request and hands over no form`, async (it) => {
    await it.upTo("ACCOUNT_FIELDS");
    const held = it.sessions.hold();
    const outcome = it.flow.next().then(() => "done", ({ code }) => code);
    await settled();
    const { signal } = it.requests.at(-1);
    const ended = end(it);
    await settled();
    assert.equal(signal.aborted, true);
    await held[0]();
    await ended;
    assert.deepEqual([await outcome, it.frames()], [code, 0]);
  });
}

const controller = new AbortController();
for (const [how, end, code, callOptions] of [
  ["return", ({ flow }) => flow.return(), "done"],
  ["the caller's signal", () => controller.abort(), "Aborted", { signal: controller.signal }],
  ["destroying the kit", ({ remit }) => remit.destroy(), "Destroyed"],
]) {
  const ended = async (it) => {
    const { form, outcome } = await waitForCard(it);
    await end(it);
    assert.deepEqual([await outcome, it.frames()], [code, 0]);
    assert.equal((await errorOf(form.completed)).code, code === "Destroyed" ? code : "CardFormDestroyed");
    if (code === "done") return assert.deepEqual(await it.flow.next(), ENDED);
    assert.equal(await it.failure(), code);
    const other = async () => it.remit.pushToCard(OPTIONS, callOptions).next();
    assert.equal((await errorOf(other)).code, code);
    assert.equal(it.asked("corridors"), 1);
  };
  flowTest(`${how} ends the flow while the customer enters the card`, ended, { callOptions });
}

flowTest("a flow that ends while preparing hands over the attempt or drops it", async (it) => {
  const seen = new Set();
  for (let turns = 0; turns < 90; turns += 3) {
    const controller = new AbortController();
    const flow = it.remit.pushToCard(OPTIONS, { signal: controller.signal });
    await it.upTo("QUOTE", flow);
    let answer;
    it.answers.transferFields = () => new Promise((resolve) => (answer = resolve));
    const end = flow.next().then(({ value }) => value.attempt, ({ code }) => code);
    await settled();
    answer(REPLIES.fields);
    for (let turn = 0; turn < turns; turn += 1) await null;
    controller.abort();
    const attempt = await end;
    await settled();
    const isHandedOut = typeof attempt === "object";
    assert.equal(await pending(it), isHandedOut ? 1 : 0, `after ${turns} turns`);
    seen.add(isHandedOut ? "TRANSFER" : attempt);
    await attempt.discard?.();
  }
  assert.deepEqual([...seen], ["Aborted", "TRANSFER"]);
});

flowTest("an attempt that was handed over is left alone", async (it) => {
  await it.upTo("TRANSFER");
  await it.flow.return();
  assert.equal(await pending(it), 1);
});
