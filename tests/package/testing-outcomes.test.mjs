// Errors that a shop can meet, brought about through the SDK itself.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { errorOf, fileSandbox, installed } from "./testing.mjs";

const { createRemitKit, folder, startSandbox, ...helpers } = await installed();
const { expectTransfers, failingTransferAmount, triggers, withTrigger } = helpers;
const sandbox = await fileSandbox(startSandbox);
const wasm = await readFile(join(folder, "node_modules/remitkit/remitkit_core_bg.wasm"));
const { baseUrl, cardUrl } = sandbox;
const token = () => sandbox.token();
const kit = (options) => createRemitKit({ baseUrl, cardUrl, token, journal: "memory", wasm, ...options });
const remit = await kit();
const codeOf = async (work) => (await errorOf(work)).code;

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
const PRICE = { ...ROUTE, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" };
const fields = (values) => Object.entries(values).map(([id, value]) => ({ id, value }));

const person = fields({ firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Calle Mayor 1" });
const { recipientId } = await remit.createRecipient({ ...ROUTE, userType: "PERSON", fields: person });
const bank = fields({ BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" });
const { recipientAccountId } = await remit.createRecipientAccount(recipientId, { ...ROUTE, fields: bank });

async function transferOf(amount) {
  const price = { ...PRICE, amount, recipientAccountId };
  const { quoteHistoryId } = await remit.quote(price);
  return { ...price, recipientId, quoteHistoryId };
}

/** Returns the triggers by amount of an operation, as `[code, way]`. */
function waysByAmount(operation) {
  const all = Object.values(triggers).flatMap(({ code, ways }) => ways.map((way) => [code, way]));
  return all.filter(([, way]) => way.operation === operation && way.amount !== undefined);
}

test("every trigger amount gets its code, and no transfer is recorded", async () => {
  const [transfers, quotes] = ["transfer", "quote"].map(waysByAmount);
  assert.ok(transfers.length >= 25 && quotes.length >= 4, `${transfers.length} ${quotes.length}`);
  for (const [code, { amount }] of transfers) {
    assert.equal(await codeOf(remit.transfer(await transferOf(amount))), code);
  }
  for (const [code, way] of quotes) {
    assert.equal(await codeOf(remit.quote(withTrigger({ ...PRICE, amount: 5 }, way))), code);
  }
  await expectTransfers(sandbox, 0);
});

test("a transfer that was made can be set to fail", async () => {
  const { transferId } = await remit.transfer(await transferOf(failingTransferAmount));
  await sandbox.clock.advance(7 * 86_400_000);
  assert.match(JSON.stringify(await remit.transferStatuses(transferId)), /Failed/);
});

test("RemitKit's own codes occur as docs/errors.md says", async (t) => {
  // Ten times as fast: a used nonce is looked up for half a minute.
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
    assert.equal(await codeOf((await kit(options)).corridors()), code);
  }
  await sandbox.faults.clear();
  const failing = await kit({ token: () => Promise.reject(new Error("no")) });
  assert.equal(await codeOf(failing.corridors()), "TokenUnavailable");
  assert.equal(await codeOf(remit.request({ method: "GET", path: "/v1/nothing" })), "NotFound");
  const { nonce } = await remit.nonce();
  await remit.transfer({ ...(await transferOf(2300)), nonce });
  assert.equal(await codeOf(remit.transfer({ ...(await transferOf(2300)), nonce })), "NonceAlreadyUsed");
});
