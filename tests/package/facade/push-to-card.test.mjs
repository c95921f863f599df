import assert from "node:assert/strict";
import { test } from "node:test";
import { FAIL, START, SUCCESS } from "./card-form.mjs";
import { errorOf, kit, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";
import { ACCOUNT, CARD, CORRIDOR, OPTIONS, RECIPIENT, flowTest } from "./push-to-card.mjs";

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };

flowTest("the whole flow, step by step, ends in an attempt of which nothing was sent", async (it) => {
  const types = [];
  for await (const step of it.flow) {
    types.push(step.type);
    assert.ok(Object.isFrozen(step));
    if (step.type === "CARD_FORM") {
      it.form().deliver("READY");
      it.form().deliver("COMPLETED", CARD);
    } else if (step.type === "CARD") {
      assert.deepEqual([step.cardId, step.sessionId], [CARD.cardId, CARD.sessionId]);
    } else if (step.type === "RECIPIENT_ACCOUNT") {
      assert.equal(step.recipientAccount, ACCOUNT);
    } else if (step.type === "TRANSFER") {
      assert.deepEqual([step.attempt.quoteHistoryId, step.attempt.state], ["q-1", "PREPARED"]);
    }
  }
  assert.deepEqual(types, [
    "CORRIDOR",
    "ACCOUNT_FIELDS",
    "CARD_FORM",
    "CARD",
    "RECIPIENT_ACCOUNT",
    "QUOTE",
    "TRANSFER",
  ]);
  assert.deepEqual(it.operations(), [
    "corridors",
    "recipientAccountFields",
    "check",
    "cardForm",
    "createRecipientAccount",
    "destroyForm",
    "quote",
    "prepareTransfer",
  ]);
  assert.deepEqual(it.sent("recipientAccountFields"), { ...ROUTE, recipientType: "PERSON" });
  assert.deepEqual(it.sent("cardForm"), { theme: { primary: "#0a7" } });
  assert.deepEqual(it.sent("createRecipientAccount"), {
    ...ROUTE,
    fields: [{ id: "CARD_ID", value: CARD.cardId }],
  });
  const price = {
    ...ROUTE,
    srcCurrencyIso3Code: "USD",
    quoteBy: "SEND_AMOUNT",
    amount: 12550,
    recipientAccountId: "a-1",
  };
  assert.deepEqual(it.sent("quote"), price);
  assert.deepEqual(it.sent("prepareTransfer"), { ...price, quoteHistoryId: "q-1", recipientId: RECIPIENT });
  assert.deepEqual(await it.flow.next(), { done: true, value: undefined });
});

flowTest("nothing is done before it is asked for", async (it) => {
  await settled();
  assert.deepEqual(it.operations(), []);
  assert.equal((await it.flow.next()).value.corridor, CORRIDOR);
  await settled();
  assert.deepEqual(it.operations(), ["corridors"]);
});

flowTest("the form's events are seen, and a refused card leaves it where it is", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const seen = [];
  const read = (async () => {
    for await (const { type } of form) {
      seen.push(type);
    }
  })();
  const card = it.flow.next();
  for (const type of [START, FAIL, START, SUCCESS]) {
    it.form().deliver(type);
    await settled();
  }
  assert.equal(it.asked("destroyForm"), 0);
  it.form().deliver("COMPLETED", CARD);
  assert.equal((await card).value.type, "CARD");
  await read;
  assert.deepEqual(seen, [START, FAIL, START, SUCCESS]);
});

flowTest(
  "fields and details may be asked for when they are needed",
  async (it) => {
    const { attempt } = await it.upTo("TRANSFER");
    assert.equal(attempt.quoteHistoryId, "q-1");
    assert.deepEqual(it.sent("createRecipientAccount").fields, [
      { id: "NICKNAME", value: "Ana" },
      { id: "CARD_ID", value: CARD.cardId },
    ]);
    assert.deepEqual(it.sent("check"), { NICKNAME: "Ana" });
    const { purposeOfRemittance, quoteHistoryId } = it.sent("prepareTransfer");
    assert.deepEqual([purposeOfRemittance, quoteHistoryId], ["q-1", "q-1"], "details replace nothing");
  },
  {
    options: {
      fields: async (form) => (form.requiresCard ? [{ id: "NICKNAME", value: "Ana" }] : []),
      transfer: (quote) => ({ purposeOfRemittance: quote.quoteHistoryId, quoteHistoryId: "another" }),
    },
  },
);

test("where a corridor has several currencies, one of them is named", () =>
  withPage(async () => {
    const { remit, control } = await kit(() => [CORRIDOR]);
    const corridor = {
      ...CORRIDOR,
      destinationCurrency: [...CORRIDOR.destinationCurrency, { iso3Code: "USD" }],
    };
    const flow = (more) => remit.pushToCard({ ...OPTIONS, corridor, ...more });
    for (const dstCurrencyIso3Code of [undefined, "EUR", 7]) {
      const error = await errorOf(() => flow({ dstCurrencyIso3Code }));
      assert.equal(error.option, "dstCurrencyIso3Code");
      assert.match(error.message, /MXN, USD/);
    }
    assert.equal(
      (await errorOf(() => flow({ dstCurrencyIso3Code: "USD", srcCurrencyIso3Code: "MXN" }))).option,
      "srcCurrencyIso3Code",
    );
    assert.deepEqual(control.calls, []);
    assert.equal((await flow({ dstCurrencyIso3Code: "MXN" }).next()).value.type, "CORRIDOR");
    await assert.rejects(flow({ dstCurrencyIso3Code: "USD" }).next(), {
      code: "NoCorridorFoundForSpecificValues",
    });
  }));

test("what cannot work is refused at once, naming it", () =>
  withPage(async () => {
    const { remit, control } = await kit();
    for (const [change, option, code = "InvalidRequest"] of [
      [{ corridor: undefined }, "corridor"],
      [{ corridor: "MEX" }, "corridor"],
      [{ corridor: { ...CORRIDOR, transferMethod: "BANK_ACCOUNT" } }, "corridor"],
      [{ corridor: { ...CORRIDOR, sourceCurrency: [] } }, "corridor"],
      [{ corridor: { ...CORRIDOR, destinationCountry: {} } }, "corridor"],
      [{ amount: 1.5 }, "amount", "InvalidAmount"],
      [{ amount: -1n }, "amount", "InvalidAmount"],
      [{ amount: "125" }, "amount", "InvalidAmount"],
      [{ amount: 2 ** 53 }, "amount", "InvalidAmount"],
      [{ quoteBy: undefined }, "quoteBy"],
      [{ recipientId: "7" }, "recipientId", "InvalidRecipientId"],
      [{ sessionId: "s" }, "sessionId"],
      [{ fields: "x" }, "fields"],
      [{ transfer: null }, "transfer"],
    ]) {
      const error = await errorOf(() => remit.pushToCard({ ...OPTIONS, ...change }));
      assert.deepEqual([error.option, error.code, error.kind], [option, code, "invalid_request"]);
    }
    assert.equal((await errorOf(() => remit.pushToCard())).option, "options");
    assert.equal((await errorOf(() => remit.pushToCard(OPTIONS, { signal: {} }))).option, "signal");
    assert.deepEqual(control.calls, []);
  }));

flowTest("calls of next that are made at once take their turns", async (it) => {
  const [first, second] = await Promise.all([it.flow.next(), it.flow.next()]);
  assert.deepEqual([first.value.type, second.value.type], ["CORRIDOR", "ACCOUNT_FIELDS"]);
  assert.deepEqual([it.asked("corridors"), it.asked("recipientAccountFields")], [1, 1]);
});

flowTest("leaving the loop removes the form and settles who waits", async (it) => {
  for await (const step of it.flow) {
    if (step.type === "CARD_FORM") {
      break;
    }
  }
  assert.equal(it.asked("destroyForm"), 1);
  assert.deepEqual(await it.flow.next(), { done: true, value: undefined });
  assert.equal(it.asked("createRecipientAccount"), 0);
});

flowTest("return while the customer is at the card", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const waiting = it.flow.next();
  await settled();
  assert.deepEqual(await it.flow.return(), { done: true, value: undefined });
  assert.deepEqual(await waiting, { done: true, value: undefined });
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
  assert.deepEqual(await it.flow.return(), { done: true, value: undefined });
});

flowTest("return ends what is in flight, and a form that comes too late is removed", async (it) => {
  await it.upTo("ACCOUNT_FIELDS");
  let mount;
  it.answers.cardForm = (_container, _json, _deliver, signal) =>
    new Promise((resolve) => {
      assert.equal(signal.aborted, false);
      mount = () => resolve(signal.aborted);
    });
  const waiting = it.flow.next();
  await settled();
  await it.flow.return();
  assert.equal((await waiting).done, true);
  mount();
  await settled();
  assert.equal(it.asked("destroyForm"), 1);
});

flowTest("an attempt that comes too late is dropped", async (it) => {
  await it.upTo("QUOTE");
  let prepare;
  it.answers.prepareTransfer = () => new Promise((resolve) => (prepare = resolve));
  const waiting = it.flow.next();
  await settled();
  await it.flow.return();
  assert.equal((await waiting).done, true);
  prepare('{"quoteHistoryId":"q-1"}');
  await settled();
  assert.equal(it.asked("discardTransfer"), 1);
});

flowTest("whenever the flow is ended while an attempt is prepared, the attempt is handed out or dropped", async (it) => {
  const seen = new Set();
  for (let turns = 0; turns < 30; turns += 1) {
    const controller = new AbortController();
    const flow = it.remit.pushToCard(OPTIONS, { signal: controller.signal });
    for (let step; step !== "QUOTE"; ) {
      const next = flow.next();
      if (step === "CARD_FORM") {
        it.form().deliver("COMPLETED", CARD);
      }
      step = (await next).value.type;
    }
    const before = it.asked("discardTransfer");
    let prepared;
    it.answers.prepareTransfer = () => new Promise((resolve) => (prepared = resolve));
    const end = flow.next().then(
      ({ value }) => value.type,
      ({ code }) => code,
    );
    await settled();
    prepared('{"quoteHistoryId":"q","nonce":"n","createdAt":1,"state":"PREPARED"}');
    for (let turn = 0; turn < turns; turn += 1) {
      await null;
    }
    controller.abort();
    seen.add(await end);
    await settled();
    const dropped = it.asked("discardTransfer") - before;
    assert.equal(dropped, (await end) === "TRANSFER" ? 0 : 1, `${await end} after ${turns} turns`);
  }
  assert.deepEqual([...seen], ["Aborted", "TRANSFER"]);
});

flowTest("an attempt that was handed out is left alone", async (it) => {
  await it.upTo("TRANSFER");
  await it.flow.return();
  assert.equal(it.asked("discardTransfer"), 0);
});

const controller = new AbortController();
flowTest(
  "the caller's signal ends it",
  async (it) => {
    await it.upTo("CARD_FORM");
    const waiting = errorOf(it.flow.next());
    await settled();
    controller.abort();
    const error = await waiting;
    assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
    assert.equal(it.asked("destroyForm"), 1);
    assert.equal(await errorOf(it.flow.next()), error);
    assert.equal(
      (await errorOf(it.remit.pushToCard(OPTIONS, { signal: controller.signal }).next())).code,
      "Aborted",
    );
    assert.equal(it.asked("corridors"), 1);
  },
  { callOptions: { signal: controller.signal } },
);

flowTest("destroying the kit ends it", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const waiting = errorOf(it.flow.next());
  await settled();
  await it.remit.destroy();
  assert.equal((await waiting).code, "Destroyed");
  assert.equal((await errorOf(form.completed)).code, "Destroyed");
  assert.equal((await errorOf(it.flow.next())).code, "Destroyed");
  assert.equal((await errorOf(() => it.remit.pushToCard(OPTIONS))).code, "Destroyed");
});

flowTest("destroying the kit while the form mounts hands no form out", async (it) => {
  await it.upTo("ACCOUNT_FIELDS");
  let mount;
  it.answers.cardForm = () => new Promise((resolve) => (mount = resolve));
  const waiting = errorOf(it.flow.next());
  await settled();
  const destroyed = it.remit.destroy();
  mount();
  await destroyed;
  assert.equal((await waiting).code, "Destroyed");
});
