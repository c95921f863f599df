// Replies as a service should not give them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, ID, kit, refusal, service, stopTime } from "./kit.mjs";

const bytes = (text) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

test("a non-UTF-8 reply is not empty, and a refusal's code still counts", async () => {
  const refused = '[{"code":"InsufficientFunds","message":"sin fondos \xe1"}]';
  for (const [reply, code] of [
    [new Response(bytes('{"a":"\xe1"}')), "OutcomeUnknown"],
    [new Response(bytes(refused), { status: 400 }), "InsufficientFunds"],
  ]) {
    const { remit } = await kit(() => reply);
    assert.equal((await errorOf(remit.request({ method: "POST", path: "/v1/later" }))).code, code);
  }
});

// Engines take them for dates of long ago.
test("an odd Retry-After does not make retries immediate", async (t) => {
  const time = stopTime(t);
  for (const value of ["-5", "1.5", "10, 10", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
    const at = [];
    const { remit } = await kit(() => {
      at.push(Date.now());
      return at.length < 2 ? new Response("", { status: 503, headers: { "retry-after": value } }) : { nonce: ID };
    });
    await time.whileTimePasses(remit.nonce());
    assert.ok(at[1] - at[0] >= 450, `${value}: ${at}`);
  }
});

test("members of Object.prototype are no code's message in any language", async () => {
  for (const code of ["constructor", "__proto__", "InsufficientFunds"]) {
    const { remit } = await kit(() => Response.json({ code }, { status: 400 }), { locale: "es-MX" });
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.code, typeof error.message], [code, "string"]);
  }
});

// What the module's memory has grown by for it would never be given back.
test("a reply over 64 MiB is unreadable; a transfer's is reconciled", async (t) => {
  const time = stopTime(t);
  const longest = 64 * 1024 * 1024;
  const padded = (value, length, init) => {
    const text = JSON.stringify(value);
    return new Response(" ".repeat(length - text.length) + text, init);
  };
  const { remit } = await kit();
  for (const [length, status, expected] of [
    [longest, 200, "read"],
    [longest + 1, 200, "UnreadableReply"],
    [longest + 1, 400, "BadRequestError"],
  ]) {
    service.answer = () => padded({ nonce: ID, code: "InsufficientFunds" }, length, { status });
    const told = remit.nonce().then(() => "read", ({ code }) => code);
    assert.equal(await time.whileTimePasses(told), expected);
  }
  service.answer = ({ method, path }) => {
    if (method === "POST") return padded({ transferId: ID }, longest + 1);
    return path.includes("/progress/") ? { transferId: ID, transferRecordStatus: "Created" } : undefined;
  };
  const { transferId, recovered } = await time.whileTimePasses(remit.transfer(REQUESTS.transfer(randomUUID())));
  assert.deepEqual([transferId, recovered], [ID, true]);
  // A receipt does not enter the module.
  service.answer = () => padded({}, longest + 1);
  assert.equal((await remit.transferReceipt(ID)).size, longest + 1);
});

// The next attempt may run under the same number, so a late result of the earlier fetch must not settle it.
test("a late answer to an abandoned attempt never settles the next one", async (t) => {
  const time = stopTime(t);
  const at = [];
  const { remit } = await kit(undefined, { timeoutMs: 100 });
  t.mock.method(globalThis, "fetch", (_, { signal }) => {
    at.push(Date.now());
    const late = (settle) => signal.addEventListener("abort", () => setTimeout(settle, 20));
    if (at.length === 1) return new Promise((_, reject) => late(() => reject(new TypeError("aborted"))));
    if (at.length === 2) return new Promise((resolve) => late(() => resolve(refusal("TransferNotFound", 404))));
    return Promise.resolve(Response.json({ nonce: ID }));
  });
  assert.equal((await time.whileTimePasses(remit.nonce())).nonce, ID);
  // Half of what the table of retries says, at least.
  const [first, second] = at.slice(1).map((time, index) => time - at[index] - 100);
  assert.ok(first >= 450 && second >= 900, `${at}`);
});
