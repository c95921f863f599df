// Every error that a shop can meet, brought about through the SDK itself.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { errorOf, fileSandbox, installed } from "./testing.mjs";

const { createRemitKit, expectTransfers, failingTransferAmount, folder, startSandbox, triggers, withTrigger } =
  await installed();
const sandbox = await fileSandbox(startSandbox);
const wasm = await readFile(join(folder, "node_modules/remitkit/remitkit_core_bg.wasm"));
const kit = (more) => createRemitKit({ baseUrl: sandbox.baseUrl, cardUrl: sandbox.cardUrl, token: () => sandbox.token(), journal: "memory", wasm, ...more });
const remit = await kit();

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
const PRICE = { ...ROUTE, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" };
const fields = (values) => Object.entries(values).map(([id, value]) => ({ id, value }));

async function route() {
  const person = fields({ firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Calle Mayor 1" });
  const { recipientId } = await remit.createRecipient({ ...ROUTE, userType: "PERSON", fields: person });
  const bank = fields({ BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" });
  const { recipientAccountId } = await remit.createRecipientAccount(recipientId, { ...ROUTE, fields: bank });
  return { recipientId, recipientAccountId };
}

const destination = await route();

async function transferOf(amount) {
  const price = { ...PRICE, amount, recipientAccountId: destination.recipientAccountId };
  const { quoteHistoryId } = await remit.quote(price);
  return { ...price, recipientId: destination.recipientId, quoteHistoryId };
}

/** The triggers by amount of an operation, as [code, way]. */
const byAmount = (operation) =>
  Object.values(triggers).flatMap(({ code, ways }) =>
    ways.filter((way) => way.operation === operation && way.amount !== undefined).map((way) => [code, way]),
  );

test("every trigger amount refuses its transfer, and nothing is recorded", async () => {
  const all = byAmount("transfer");
  assert.ok(all.length >= 25, String(all.length));
  for (const [code, way] of all) {
    const error = await errorOf(remit.transfer(await transferOf(way.amount)));
    assert.equal(error.code, code);
    assert.notEqual(error.kind, "outcome_unknown");
  }
  await expectTransfers(sandbox, 0);
});

test("every trigger amount of a quote gets its code", async () => {
  const all = byAmount("quote");
  assert.ok(all.length >= 4, String(all.length));
  for (const [code, way] of all) {
    assert.equal((await errorOf(remit.quote(withTrigger({ ...PRICE, amount: 5 }, way)))).code, code);
  }
});

test("a request changed by its trigger gets its code", async () => {
  for (const [trigger, call] of [
    [triggers.RecipientNotFound, async (way) => remit.transfer(withTrigger(await transferOf(5000), way))],
    [triggers.QuoteHistoryNotFound, async (way) => remit.transfer(withTrigger(await transferOf(5000), way))],
    [triggers.MaxLimitOutOfRange, async (way) => remit.transfer(withTrigger(await transferOf(5000), way))],
    [triggers.InsufficientFunds, async (way) => remit.transfer(withTrigger(await transferOf(5000), way))],
    [triggers.SourceOfFundsInvalid, async (way) => remit.transfer(withTrigger(await transferOf(5000), way))],
    [triggers.UnsupportedCountry, (way) => remit.quote(withTrigger({ ...PRICE, amount: 5000 }, way))],
    [triggers.CC404, (way) => remit.recipientFields(withTrigger({ ...ROUTE, recipientType: "PERSON" }, way))],
  ]) {
    assert.equal((await errorOf(call(trigger))).code, trigger.code);
  }
  await expectTransfers(sandbox, 0);
});

test("a transfer whose reply is lost is recorded once", async () => {
  await sandbox.faults.add({ kind: "drop", when: "after", method: "POST", path: "/v1/transfers" });
  const { transferId, recovered } = await remit.transfer(await transferOf(5000));
  assert.equal(recovered, true);
  const [recorded] = await expectTransfers(sandbox, 1);
  assert.equal(recorded.transferId, transferId);
  await sandbox.reset();
});

test("a transfer that was made can be set to fail", async () => {
  Object.assign(destination, await route());
  const { transferId } = await remit.transfer(await transferOf(failingTransferAmount));
  await sandbox.clock.advance(7 * 86_400_000);
  const statuses = await remit.transferStatuses(transferId);
  assert.match(JSON.stringify(statuses), /Failed/);
});

test("quotes follow the sandbox's clock", async () => {
  const transfer = await transferOf(5000);
  await sandbox.clock.advance(16 * 60_000);
  const error = await errorOf(remit.transfer(transfer));
  assert.equal(error.code, "QuoteAmountChanged");
  assert.ok(error.quote.quoteHistoryId);
});

test("limits, balance and rate are as configured", async () => {
  await sandbox.setBalance(10);
  assert.equal((await errorOf(remit.transfer(await transferOf(5000)))).code, "InsufficientFunds");
  await sandbox.setBalance(10_000_000);
  await sandbox.setLimits({ send24Hours: 100 });
  assert.match((await errorOf(remit.transfer(await transferOf(5000)))).code, /^Max24HourSendAmount/);
  await sandbox.setLimits({});
  const transfer = await transferOf(5000);
  await sandbox.moveRate("MXN", -50_000);
  assert.equal((await errorOf(remit.transfer(transfer))).code, "QuoteAmountChanged");
});

test("RemitKit's own codes occur as docs/errors.md says", async (t) => {
  // Time runs ten times as fast: a nonce that was used is asked about for half a minute.
  const { setTimeout } = globalThis;
  t.mock.method(globalThis, "setTimeout", (work, ms, ...args) => setTimeout(work, ms / 10, ...args));
  t.after(() => sandbox.faults.clear());
  for (const [code, fault, options] of [
    ["Unauthorized", { kind: "status", status: 401, count: 2 }],
    ["AccessDenied", { kind: "status", status: 403 }],
    ["NetworkFailure", { kind: "drop", count: 3 }],
    ["ServiceUnavailable", { kind: "status", status: 503, count: 3 }],
    ["TooManyRequests", { kind: "status", status: 429, count: 3 }],
    ["Timeout", { kind: "latency", delayMilliseconds: 600, count: 3 }, { timeoutMs: 200 }],
    ["UnreadableReply", { kind: "nonJson", status: 200, count: 3 }],
  ]) {
    await sandbox.faults.clear();
    await sandbox.faults.add({ path: "/v1/corridors", ...fault });
    assert.equal((await errorOf((await kit(options)).corridors())).code, code);
  }
  await sandbox.faults.clear();
  const token = () => {
    throw new Error("no");
  };
  assert.equal((await errorOf((await kit({ token })).corridors())).code, "TokenUnavailable");
  assert.equal((await errorOf(remit.request({ method: "GET", path: "/v1/nothing" }))).code, "NotFound");
  const { nonce } = await remit.nonce();
  await remit.transfer({ ...(await transferOf(2300)), nonce });
  assert.equal((await errorOf(remit.transfer({ ...(await transferOf(2300)), nonce }))).code, "NonceAlreadyUsed");
});
