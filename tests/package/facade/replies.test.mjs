// Replies as a service should not give them, and what JavaScript gets of them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, fakeTime, ID, kit, refusal, service } from "./kit.mjs";

const latin1 = (text, init) => new Response(Buffer.from(text, "latin1"), init);

test("a reply that is not UTF-8 is not empty, and a refusal's code still counts", async () => {
  const refused = '[{"code":"InsufficientFunds","message":"sin fondos \xe1"}]';
  for (const [reply, code] of [
    [latin1('{"a":"\xe1"}'), "OutcomeUnknown"],
    [latin1(refused, { status: 400 }), "InsufficientFunds"],
  ]) {
    const { remit } = await kit(() => reply);
    assert.equal((await errorOf(remit.request({ method: "POST", path: "/v1/later" }))).code, code);
  }
});

test("a receipt arrives byte by byte, with its type", async () => {
  const bytes = Buffer.from("%PDF \xff\xfe", "latin1");
  const { remit } = await kit(() => new Response(bytes, { headers: { "content-type": "application/pdf" } }));
  const receipt = await remit.transferReceipt(ID);
  assert.deepEqual([receipt.type, Buffer.from(await receipt.arrayBuffer())], ["application/pdf", bytes]);
});

test("repeated rows read as single ones do, and amounts stay exact", async () => {
  const usd = '{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":12345678901234567890}';
  const country = '{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}';
  const money = `"sourceCurrency":${usd},"destinationCurrency":${usd}`;
  const row = `{"destinationCountry":${country},${money},"transferMethod":"PUSH_TO_CARD"}`;
  const amount = (value) => `{"value":${value},"currency":${usd}}`;
  const transfer = (value) => `{"transferId":"a","quote":{"sendAmount":${amount(value)}}}`;
  const [whole, negative, odd] = ["9007199254740993", "-9007199254740993", "90071992547409.93"].map(transfer);
  const replies = [`{"corridors":[${row},${row}]}`, whole, negative, `[${odd}]`];
  const { remit } = await kit(() => replies.shift());
  const rows = await remit.corridors({ srcCurrencyIso3Code: "USD" });
  const codes = rows.map(({ sourceCurrency }) => sourceCurrency[0].iso4217Code);
  assert.deepEqual(codes, Array(2).fill("12345678901234567890"));
  for (const value of [9007199254740993n, -9007199254740993n]) {
    assert.equal((await remit.getTransfer(ID)).quote.sendAmount.value, value);
  }
  assert.equal(String((await remit.transfers())[0].quote.sendAmount.value), "90071992547409.93");
});

test("equal rows of a list are objects of their own", async () => {
  const [corridor] = JSON.parse(REPLIES.corridors);
  const { remit } = await kit(() => [corridor, corridor]);
  const [one, other] = await remit.corridors();
  assert.notEqual(one, other);
  for (const part of [one, one.sourceCurrency, one.sourceCurrency[0]]) assert.ok(!Object.isFrozen(part));
});

// Engines read them as dates of long ago.
test("an odd Retry-After does not make retries immediate", async (t) => {
  const time = fakeTime(t);
  for (const value of ["-5", "1.5", "10, 10", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
    const at = [];
    const { remit } = await kit(() => {
      at.push(Date.now());
      if (at.length > 1) return { nonce: ID };
      return new Response("", { status: 503, headers: { "retry-after": value } });
    });
    await time.untilSettled(remit.nonce());
    assert.ok(at[1] - at[0] >= 450, `${value}: ${at}`);
  }
});

// The module's memory never shrinks again.
test("a reply over 64 MiB is unreadable; a transfer's is reconciled", async (t) => {
  const time = fakeTime(t);
  const longest = 64 * 1024 * 1024;
  const padded = (value, length, init) => new Response(JSON.stringify(value).padStart(length), init);
  const { remit } = await kit();
  for (const [length, status, expected] of [
    [longest, 200, "read"],
    [longest + 1, 200, "UnreadableReply"],
    [longest + 1, 400, "BadRequestError"],
  ]) {
    service.answer = () => padded({ nonce: ID, code: "InsufficientFunds" }, length, { status });
    const outcome = remit.nonce().then(() => "read", ({ code }) => code);
    assert.equal(await time.untilSettled(outcome), expected);
  }
  service.answer = ({ method, path }) => {
    if (method === "POST") return padded({ transferId: ID }, longest + 1);
    return path.includes("/progress/") ? { transferId: ID, transferRecordStatus: "Created" } : undefined;
  };
  const transfer = remit.transfer(REQUESTS.transfer(randomUUID()));
  const { transferId, recovered } = await time.untilSettled(transfer);
  assert.deepEqual([transferId, recovered], [ID, true]);
  // A receipt may have any size.
  service.answer = () => padded({}, longest + 1);
  assert.equal((await remit.transferReceipt(ID)).size, longest + 1);
});

// The next attempt may run under the same number, so a late result of the earlier fetch must not settle it.
test("a late answer to an abandoned attempt never settles the next one", async (t) => {
  const time = fakeTime(t);
  const at = [];
  const { remit } = await kit(undefined, { timeoutMs: 100 });
  t.mock.method(globalThis, "fetch", (_, { signal }) => {
    at.push(Date.now());
    const late = (settle) => signal.addEventListener("abort", () => setTimeout(settle, 20));
    if (at.length === 1) return new Promise((_, reject) => late(() => reject(new TypeError("aborted"))));
    const refused = refusal("TransferNotFound", 404);
    if (at.length === 2) return new Promise((resolve) => late(() => resolve(refused)));
    return Promise.resolve(Response.json({ nonce: ID }));
  });
  assert.equal((await time.untilSettled(remit.nonce())).nonce, ID);
  // At least half of the table's delays, by jitter.
  const [first, second] = at.slice(1).map((time, index) => time - at[index] - 100);
  assert.ok(first >= 450 && second >= 900, `${at}`);
});

// gloo-net panics at some of these.
test("whatever the page's fetch rejects with, a call ends and the module goes on", async (t) => {
  const time = fakeTime(t);
  const { remit } = await kit();
  const failing = (error) => new Response(new ReadableStream({ pull: (body) => body.error(error) }));
  const { mock } = t.mock.method(globalThis, "fetch", () => undefined);
  for (const answer of [
    () => Promise.reject("text"),
    () => Promise.reject(),
    () => Promise.reject(Object.create(null)),
    () => failing("text"),
    () => failing(undefined),
  ]) {
    mock.mockImplementation(answer);
    assert.equal((await time.untilSettled(errorOf(remit.nonce()))).code, "NetworkFailure", `${answer}`);
  }
  const body = new TextEncoder().encode(`{"nonce":"${ID}"}`);
  const bytes = { arrayBuffer: async () => body.buffer, text: async () => "" };
  const standIn = { ok: true, status: 200, headers: new Map(), ...bytes };
  for (const answer of [standIn, Response.json({ nonce: ID })]) {
    mock.mockImplementation(() => answer);
    assert.equal((await time.untilSettled(remit.nonce())).nonce, ID);
  }
});
