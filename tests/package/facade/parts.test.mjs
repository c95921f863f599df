// What the first load leaves out, if it cannot be fetched: the call that needs it fails and can be repeated.

import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { errorOf, ID, OPTIONS, service, settled, stopTime, unpacked } from "./kit.mjs";

const QUERY = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };

/** A kit of a package of its own, of which nothing but the first load is there. */
async function fresh() {
  const { folder, load } = await unpacked();
  const { createRemitKit, preload } = await load("index.js");
  const remit = await createRemitKit(OPTIONS);
  service.answer = () => undefined;
  service.requests.length = 0;
  return { folder, remit, preload };
}

/** The same without a part, whose first load is over, and how to mend it. */
async function cut(part) {
  const { folder, remit, preload } = await fresh();
  await remit.corridors();
  service.requests.length = 0;
  const file = join(folder, `${part}-part.js`);
  const away = `${file}.away`;
  await rename(file, away);
  return { remit, preload, mend: () => rename(away, file) };
}

const unavailable = (error) => {
  assert.deepEqual([error.name, error.code, error.kind, error.retryable], ["RemitError", "NetworkFailure", "unavailable", true]);
  assert.equal(error.userMessage, "The service cannot be reached. Check your connection.");
};

const FIRST = ["corridors", "quote", "createCardSession", "getCardSession"];
const operation = ({ ids, sample }, name) => (remit) => remit[name](...ids.map(() => ID), ...(sample ? [sample()] : []));
const OPERATED = Object.entries(OPERATIONS).map(([name, row]) => [name, operation(row, name)]);

for (const [name, call] of OPERATED.filter(([name]) => FIRST.includes(name))) {
  test(`${name} needs no part`, async () => {
    const { remit } = await cut("transfer");
    await call(remit);
    assert.equal(service.requests.length, 1);
  });
}

const CALLS = {
  ...Object.fromEntries(OPERATED.filter(([name]) => !FIRST.includes(name))),
  recipientAccountFields: (remit) => remit.recipientAccountFields(QUERY),
  transferFields: (remit) => remit.transferFields(QUERY),
  request: (remit) => remit.request({ method: "GET", path: "/v1/corridors" }),
  prepareTransfer: (remit) => remit.prepareTransfer(REQUESTS.transfer(ID)),
  transfer: (remit) => remit.transfer(REQUESTS.transfer(ID)),
  pendingTransfers: (remit) => remit.pendingTransfers(),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} without its part sends nothing, and may be called again`, async () => {
    const { remit, mend } = await cut("transfer");
    unavailable(await errorOf(call(remit)));
    assert.deepEqual(service.requests, []);
    await mend();
    await call(remit);
  });
}

test("a part from another build is refused and sends nothing", async (t) => {
  const { remit } = await fresh();
  const { fetch } = globalThis;
  t.after(() => (globalThis.fetch = fetch));
  globalThis.fetch = async (address, init) => {
    const reply = await fetch(address, init);
    if (!String(address).endsWith(".wasm")) return reply;
    const [build] = WebAssembly.Module.customSections(OPTIONS.wasm, "parts");
    const part = Buffer.from(await reply.arrayBuffer());
    for (let at = part.indexOf(Buffer.from(build)); at !== -1; at = part.indexOf(Buffer.from(build))) part.write("0".repeat(build.byteLength), at);
    return new Response(part, { headers: { "content-type": "application/wasm" } });
  };
  const error = await errorOf(remit.prepareTransfer(REQUESTS.transfer(ID)));
  unavailable(error);
  assert.match(error.cause.message, /module="0{12}"/);
  assert.deepEqual(service.requests, []);
  globalThis.fetch = fetch;
  await remit.prepareTransfer(REQUESTS.transfer(ID));
});

/** The same where the part of the module for transfers is asked for and never answered. */
async function hung(t) {
  const { remit } = await fresh();
  const { fetch } = globalThis;
  const mend = () => (globalThis.fetch = fetch);
  t.after(mend);
  globalThis.fetch = (address, { signal } = {}) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  return { remit, mend };
}

test("a call whose part never comes ends within half a minute and can be repeated", async (t) => {
  const { remit, mend } = await hung(t);
  const time = stopTime(t);
  const calls = ["pendingTransfers", "nonce"].map((name) => errorOf(remit[name]()));
  let isPending = true;
  const ended = Promise.all(calls).finally(() => (isPending = false));
  await time.pass(29_000);
  assert.ok(isPending);
  await time.pass(1000);
  (await ended).forEach(unavailable);
  assert.deepEqual(service.requests, []);
  mend();
  assert.deepEqual(await remit.pendingTransfers(), []);
});

test("destroying the kit ends a Push-to-Card flow whose part is loading", async (t) => {
  const { remit, mend } = await hung(t);
  const flows = [{}, {}].map((options) => remit.pushToCard(options));
  const [next] = flows.map((flow) => flow.next());
  await flows[1].return();
  const destroyed = remit.destroy();
  assert.equal((await errorOf(next)).code, "Destroyed");
  assert.equal((await errorOf(flows[0].next())).code, "Destroyed");
  assert.deepEqual(await flows[1].next(), { done: true, value: undefined });
  mend();
  void destroyed;
});

test("a Push-to-Card flow whose part is missing goes on once it loads", async () => {
  const { remit, mend } = await cut("transfer");
  const [corridor] = await remit.corridors({ transferMethod: "PUSH_TO_CARD" });
  service.requests.length = 0;
  const wanted = { corridor, amount: 1000, quoteBy: "SEND_AMOUNT", recipientId: ID, container: "#card" };
  const [srcCurrencyIso3Code] = corridor.sourceCurrency.map(({ iso3Code }) => iso3Code);
  const [dstCurrencyIso3Code] = corridor.destinationCurrency.map(({ iso3Code }) => iso3Code);
  const flow = remit.pushToCard({ ...wanted, srcCurrencyIso3Code, dstCurrencyIso3Code });
  unavailable(await errorOf(flow.next()));
  assert.deepEqual(service.requests, []);
  await mend();
  assert.equal((await flow.next()).value.type, "CORRIDOR");
});

test("a card form without its part asks for no session and can be retried", () =>
  withPage(async () => {
    const { remit, mend } = await cut("card");
    unavailable(await errorOf(remit.cardForm({ container: "#card" })));
    assert.deepEqual(service.requests, []);
    await mend();
    service.answer = new Sessions().answer;
    const form = await remit.cardForm({ container: "#card" });
    assert.ok(form.element.isConnected);
    form.destroy();
  }));

test("aborting or destroying the kit counts while a part is loading", async () => {
  const { remit } = await fresh();
  const controller = new AbortController();
  const given = { signal: controller.signal };
  const calls = [errorOf(remit.prepareTransfer(REQUESTS.transfer(ID), given)), errorOf(remit.transferFields({}, given))];
  controller.abort();
  for (const error of await Promise.all(calls)) assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
  assert.deepEqual(service.requests, []);
  const begun = remit.nonce({ signal: new AbortController().signal });
  const pending = remit.pendingTransfers();
  await remit.destroy();
  assert.deepEqual(await pending, []);
  assert.ok((await begun).nonce);
  assert.equal((await errorOf(remit.pendingTransfers())).code, "Destroyed");
});

test("preload with `everything` fetches all parts", async () => {
  const { remit, preload, mend } = await cut("transfer");
  unavailable(await errorOf(preload({ everything: true })));
  const { kind, option } = await errorOf(preload({ everything: "yes" }));
  assert.deepEqual([kind, option], ["configuration", "everything"]);
  await mend();
  await preload({ everything: true });
  assert.deepEqual(await remit.pendingTransfers(), []);
  await settled();
});
