import assert from "node:assert/strict";
import { REPLIES } from "../../fuzz/samples.mjs";
import { FAIL, frameOf, START, SUCCESS } from "./card-page.mjs";
import { ACCOUNT, CARD_ID, CORRIDOR, flowTest, OPTIONS, quoteId, RECIPIENT } from "./push-to-card.mjs";
import { errorOf, settled } from "./kit.mjs";

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
const ENDED = { done: true, value: undefined };
const pending = async ({ remit }) => (await remit.pendingTransfers()).length;

flowTest("the whole flow ends in an attempt that has not been sent", async (it) => {
  const types = [];
  for await (const step of it.flow) {
    types.push(step.type);
    assert.ok(Object.isFrozen(step));
    if (step.type === "CARD_FORM") {
      it.enter(step.form);
    } else if (step.type === "CARD") {
      assert.deepEqual([step.cardId, step.sessionId], [CARD_ID, it.sessions.opened[0]]);
      assert.equal(it.frames(), 1);
    } else if (step.type === "RECIPIENT_ACCOUNT") {
      assert.deepEqual(step.recipientAccount, ACCOUNT);
      assert.equal(it.frames(), 0);
    } else if (step.type === "TRANSFER") {
      assert.deepEqual([step.attempt.quoteHistoryId, step.attempt.state], [quoteId(1), "PREPARED"]);
    }
  }
  assert.deepEqual(types, ["CORRIDOR", "ACCOUNT_FIELDS", "CARD_FORM", "CARD", "RECIPIENT_ACCOUNT", "QUOTE", "TRANSFER"]);
  // The account is held to its fields once more as it is created.
  const before = ["corridors", "recipientAccountFields", "openCard", "recipientAccountFields"];
  assert.deepEqual(it.operations(), [...before, "createRecipientAccount", "quote", "transferFields"]);
  assert.deepEqual(it.sent("recipientAccountFields"), { ...ROUTE, recipientType: "PERSON" });
  assert.deepEqual(it.sent("createRecipientAccount"), { ...ROUTE, fields: [{ id: "CARD_ID", value: CARD_ID }] });
  const price = { ...ROUTE, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", recipientAccountId: ACCOUNT.recipientAccountId };
  assert.deepEqual(it.sent("quote"), { ...price, amount: "12550" });
  const [attempt] = await it.remit.pendingTransfers();
  await attempt.submit();
  const { nonce: _, ...body } = it.requests.find(({ path }) => path === "/v1/transfers").body;
  assert.deepEqual(body, { ...price, amount: 12550, quoteHistoryId: quoteId(1), recipientId: RECIPIENT });
  assert.deepEqual(await it.flow.next(), ENDED);
});

flowTest("the flow does nothing before it is asked for the next step", async (it) => {
  await settled();
  assert.deepEqual(it.operations(), []);
  assert.deepEqual((await it.flow.next()).value.corridor, CORRIDOR);
  await settled();
  assert.deepEqual(it.operations(), ["corridors"]);
});

flowTest("the form's events arrive, and a refused card leaves it in place", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const seen = [];
  const read = (async () => {
    for await (const { type } of form) {
      seen.push(type);
    }
  })();
  const card = it.flow.next();
  await settled();
  const frame = frameOf(form);
  await frame.load();
  frame.say(START, FAIL);
  await settled();
  assert.equal(it.frames(), 1);
  it.sessions.cards.set(form.sessionId, CARD_ID);
  frame.say(START, SUCCESS);
  assert.equal((await card).value.type, "CARD");
  await read;
  assert.deepEqual(seen, ["READY", START, FAIL, START, SUCCESS]);
});

flowTest(
  "fields and details may be functions, called when they are needed",
  async (it) => {
    const { attempt } = await it.upTo("TRANSFER");
    assert.deepEqual(it.sent("createRecipientAccount").fields, [
      { id: "NOTE", value: "Ana" },
      { id: "CARD_ID", value: CARD_ID },
    ]);
    await attempt.submit();
    const { purposeOfRemittance, quoteHistoryId } = it.requests.find(({ path }) => path === "/v1/transfers").body;
    assert.deepEqual([purposeOfRemittance, quoteHistoryId], [quoteId(1), quoteId(1)], "details replace nothing");
  },
  {
    options: {
      fields: async (form) => (form.requiresCard ? [{ id: "NOTE", value: "Ana" }] : []),
      transfer: (quote) => ({ purposeOfRemittance: quote.quoteHistoryId, quoteHistoryId: "another" }),
    },
  },
);

flowTest(
  "a record spread into the transfer's details may have bigints",
  async (it) => {
    const { attempt } = await it.upTo("TRANSFER");
    await attempt.submit();
    const { amount, sendAmount } = it.requests.find(({ path }) => path === "/v1/transfers").body;
    assert.deepEqual([amount, sendAmount], [OPTIONS.amount, undefined]);
  },
  { options: { transfer: { ...JSON.parse(REPLIES.quote), amount: 7n, sendAmount: { value: 2n ** 53n, currency: {} } } } },
);

flowTest("a corridor with several currencies requires naming one", async ({ remit, requests }) => {
  const corridor = { ...CORRIDOR, destinationCurrency: [...CORRIDOR.destinationCurrency, { iso3Code: "USD" }] };
  const flow = (more) => remit.pushToCard({ ...OPTIONS, corridor, ...more });
  for (const dstCurrencyIso3Code of [undefined, "EUR", 7]) {
    const error = await errorOf(flow({ dstCurrencyIso3Code }).next());
    assert.equal(error.option, "dstCurrencyIso3Code");
    assert.match(error.message, /MXN, USD/);
  }
  const wrong = { dstCurrencyIso3Code: "USD", srcCurrencyIso3Code: "MXN" };
  assert.equal((await errorOf(flow(wrong).next())).option, "srcCurrencyIso3Code");
  assert.deepEqual(requests, []);
  assert.equal((await flow({ dstCurrencyIso3Code: "MXN" }).next()).value.type, "CORRIDOR");
  const code = "NoCorridorFoundForSpecificValues";
  assert.equal((await errorOf(flow({ dstCurrencyIso3Code: "USD" }).next())).code, code);
});

for (const [quoteBy, expected] of [[undefined, "SEND_AMOUNT"], ["RECEIVE_AMOUNT", "RECEIVE_AMOUNT"]]) {
  const quoted = async (it) => {
    await it.upTo("QUOTE");
    assert.equal(it.sent("quote").quoteBy, expected);
  };
  flowTest(`quoteBy ${quoteBy}: quoted by ${expected}`, quoted, { options: { quoteBy } });
}

flowTest("invalid options are refused by name with the first step", async ({ remit, requests }) => {
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
    [{ quoteBy: "send" }, "quoteBy"],
    [{ recipientId: "7" }, "recipientId", "InvalidRecipientId"],
    [{ sessionId: "s" }, "sessionId"],
    [{ fields: "x" }, "fields"],
    [{ transfer: null }, "transfer"],
  ]) {
    const error = await errorOf(async () => remit.pushToCard({ ...OPTIONS, ...change }).next());
    assert.deepEqual([error.option, error.code, error.kind], [option, code, "invalid_request"]);
  }
  assert.equal((await errorOf(() => remit.pushToCard())).option, "options");
  assert.equal((await errorOf(() => remit.pushToCard(OPTIONS, { signal: {} }))).option, "signal");
  assert.deepEqual(requests, []);
});

flowTest("concurrent calls of next run one after another", async (it) => {
  const [first, second] = await Promise.all([it.flow.next(), it.flow.next()]);
  assert.deepEqual([first.value.type, second.value.type], ["CORRIDOR", "ACCOUNT_FIELDS"]);
  assert.deepEqual([it.asked("corridors"), it.asked("recipientAccountFields")], [1, 1]);
});

flowTest("leaving the loop removes the form and settles waiting calls", async (it) => {
  for await (const step of it.flow) {
    if (step.type === "CARD_FORM") {
      break;
    }
  }
  assert.equal(it.frames(), 0);
  assert.deepEqual(await it.flow.next(), ENDED);
  assert.equal(it.asked("createRecipientAccount"), 0);
});

flowTest("return ends the flow before its first step", async (it) => {
  const part = it.flow.next();
  assert.deepEqual([await it.flow.return(), await part, await it.flow.next()], [ENDED, ENDED, ENDED]);
  assert.deepEqual(it.operations(), []);
});

flowTest("changing the options before the first step has no effect", async (it) => {
  const changeable = structuredClone({ corridor: CORRIDOR, theme: OPTIONS.theme });
  const options = { ...OPTIONS, ...changeable, fields: [{ id: "NOTE", value: "Ana" }] };
  const flow = it.remit.pushToCard(options);
  options.corridor.destinationCountry.iso3Code = "IND";
  options.fields[0].value = "Eve";
  options.theme.primary = "#f00";
  options.amount = 1;
  const { form } = await it.upTo("CARD_FORM", flow);
  assert.equal(new URL(it.container.querySelector("iframe").src).searchParams.get("primary"), "#0a7");
  it.enter(form);
  await it.upTo("QUOTE", flow);
  assert.equal(it.sent("quote").amount, "12550");
  assert.equal(it.sent("createRecipientAccount").dstCountryIso3Code, "MEX");
  assert.equal(it.sent("createRecipientAccount").fields[0].value, "Ana");
});

flowTest("return ends the flow while the customer enters the card", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const waiting = it.flow.next();
  await settled();
  assert.deepEqual(await it.flow.return(), ENDED);
  assert.deepEqual(await waiting, ENDED);
  assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
  assert.deepEqual(await it.flow.return(), ENDED);
});

flowTest("return ends calls in flight and leaves no form", async (it) => {
  await it.upTo("ACCOUNT_FIELDS");
  const held = it.sessions.hold();
  const waiting = it.flow.next();
  await settled();
  const { signal } = it.requests.at(-1);
  assert.equal(signal.aborted, false);
  await it.flow.return();
  assert.equal((await waiting).done, true);
  assert.equal(signal.aborted, true);
  await held[0]();
  assert.equal(it.frames(), 0);
});

flowTest("an attempt that is prepared too late is dropped", async (it) => {
  await it.upTo("QUOTE");
  let answer;
  it.answers.transferFields = () => new Promise((resolve) => (answer = resolve));
  const waiting = it.flow.next();
  await settled();
  await it.flow.return();
  assert.equal((await waiting).done, true);
  answer(REPLIES.fields);
  await settled();
  assert.equal(await pending(it), 0);
});

flowTest("a flow that ends while preparing hands over the attempt or drops it", async (it) => {
  const seen = new Set();
  for (let turns = 0; turns < 90; turns += 3) {
    const controller = new AbortController();
    const flow = it.remit.pushToCard(OPTIONS, { signal: controller.signal });
    await it.upTo("QUOTE", flow);
    let answer;
    it.answers.transferFields = () => new Promise((resolve) => (answer = resolve));
    const end = flow.next().then(
      ({ value }) => value.attempt,
      ({ code }) => code,
    );
    await settled();
    answer(REPLIES.fields);
    for (let turn = 0; turn < turns; turn += 1) {
      await null;
    }
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

const controller = new AbortController();
flowTest(
  "the caller's signal ends the flow",
  async (it) => {
    await it.upTo("CARD_FORM");
    const waiting = errorOf(it.flow.next());
    await settled();
    controller.abort();
    const error = await waiting;
    assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
    assert.equal(it.frames(), 0);
    assert.equal(await errorOf(it.flow.next()), error);
    const other = it.remit.pushToCard(OPTIONS, { signal: controller.signal });
    assert.equal((await errorOf(other.next())).code, "Aborted");
    assert.equal(it.asked("corridors"), 1);
  },
  { callOptions: { signal: controller.signal } },
);

flowTest("destroying the kit ends the flow", async (it) => {
  const { form } = await it.upTo("CARD_FORM");
  const waiting = errorOf(it.flow.next());
  await settled();
  await it.remit.destroy();
  assert.equal((await waiting).code, "Destroyed");
  for (const ended of [form.completed, it.flow.next(), () => it.remit.pushToCard(OPTIONS)]) {
    assert.equal((await errorOf(ended)).code, "Destroyed");
  }
});

flowTest("destroying the kit while the form mounts hands over no form", async (it) => {
  await it.upTo("ACCOUNT_FIELDS");
  const held = it.sessions.hold();
  const waiting = errorOf(it.flow.next());
  await settled();
  const destroyed = it.remit.destroy();
  await held[0]();
  await destroyed;
  assert.equal((await waiting).code, "Destroyed");
  assert.equal(it.frames(), 0);
});
