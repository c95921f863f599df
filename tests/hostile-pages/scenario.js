// A checkout in a page whose libraries have changed what they could. `hold` is how its framework keeps
// objects.

import { createRemitKit } from "/remitkit/index.js";

const hold = (object) => globalThis.framework?.reactive({ object }).object ?? object;

let remit;
let route;

async function prepare(amount) {
  const { recipientId, ...price } = { ...route, amount };
  const { quoteHistoryId } = await remit.quote(price);
  return hold(await remit.prepareTransfer({ ...price, recipientId, quoteHistoryId }));
}

const STEPS = {
  async open({ options, route: given }) {
    remit = hold(await createRemitKit(options));
    route = given;
    const { dstCountryIso3Code, transferMethod } = route;
    return (await remit.corridors({ dstCountryIso3Code, transferMethod })).length;
  },

  async takeCard() {
    const form = hold(await remit.cardForm({ container: "#card", theme: { primary: "#076" } }));
    const events = [];
    for await (const { type } of form) events.push(type);
    const { cardId } = await form.completed;
    form.update({ theme: { primary: "#670" } });
    form.destroy();
    return [events, typeof cardId, document.querySelectorAll("#card iframe").length];
  },

  async collect() {
    const { dstCountryIso3Code, dstCurrencyIso3Code, transferMethod } = route;
    const query = { dstCountryIso3Code, dstCurrencyIso3Code, transferMethod, recipientType: "PERSON" };
    const form = hold(await remit.recipientFields(query));
    const missing = form.check({}).length;
    return [missing > 0, form.toFields({ firstName: "Ana" })];
  },

  async pay({ amount }) {
    const attempt = await prepare(amount);
    const { transferId } = await attempt.submit();
    await attempt.acknowledge();
    return [transferId, attempt.state];
  },

  async leave({ amount }) {
    const attempt = await prepare(amount);
    return [attempt.quoteHistoryId, attempt.state];
  },

  async pending() {
    const attempts = await remit.pendingTransfers();
    return attempts.map(({ quoteHistoryId, state, amount }) => [quoteHistoryId, state, amount]);
  },

  async discard() {
    for (const attempt of await remit.pendingTransfers()) await hold(attempt).discard();
    return STEPS.pending();
  },
};

await globalThis.ready;

/** Runs a step; `scenario.ended` then has its result. */
globalThis.scenario = {
  begin(name, argument) {
    this.ended = undefined;
    STEPS[name](argument).then(
      (value) => (this.ended = { value }),
      (error) => (this.ended = { error: [error?.stack, error?.code, error?.cause?.stack].join("\n") }),
    );
  },
};
