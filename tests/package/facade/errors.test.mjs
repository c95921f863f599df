import assert from "node:assert/strict";
import { test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, ID, kit, refusal, remitkit, stopTime, unpacked } from "./kit.mjs";

const { RemitError, isRemitError } = remitkit;

const SAFE = {
  name: "RemitError",
  code: "ValueRegexFailure",
  kind: "field",
  message: "This value does not have the expected form.",
  resolution: "correct_input",
  retryable: false,
  httpStatus: 400,
  requestId: "r-1",
  option: "fields",
  retryAfterMs: 5000,
  problems: [{ fieldId: "a", code: "ValueRegexFailure", message: "…" }],
};

test("a logged error shows only what is safe", async () => {
  const { name, code, message, ...details } = SAFE;
  const error = new RemitError(code, message, {
    ...details,
    cause: "secret",
    quote: { secret: true },
    previousQuote: { secret: true },
    difference: { sendAmount: 9007199254740993n },
    other: "secret",
  });
  assert.ok(error instanceof Error);
  assert.deepEqual(JSON.parse(JSON.stringify(error)), SAFE);
  assert.equal(String(error), `RemitError: ${message}`);
  assert.equal(error.cause, "secret");
  assert.deepEqual([error.quote, error.previousQuote], [{ secret: true }, { secret: true }]);
  assert.deepEqual(error.difference, { sendAmount: 9007199254740993n });
  assert.equal(Object.keys(error).includes("cause"), false);
});

test("members an error does not have are absent", async () => {
  const error = new RemitError("NotFound", "It was not found.", {
    kind: "not_found",
    retryable: false,
    httpStatus: undefined,
  });
  assert.deepEqual(Object.keys(error).sort(), ["code", "kind", "retryable", "userMessage"]);
  assert.equal("cause" in error, false);
});

test("isRemitError knows another copy's errors and survives any value", async () => {
  const other = await (await unpacked()).load("index.js");
  assert.notEqual(other.RemitError, RemitError);
  const error = new RemitError("NotFound", "…", { kind: "not_found" });
  assert.equal(isRemitError(error), true);
  assert.equal(other.isRemitError(error), true);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const others = [
    undefined,
    null,
    7,
    "RemitError",
    new Error("x"),
    {},
    [],
    () => {},
    Symbol("x"),
    5n,
    revoked.proxy,
    { name: "RemitError", code: "NotFound" },
    new Proxy(
      {},
      {
        get() {
          throw 1;
        },
      },
    ),
  ];
  for (const other of others) {
    assert.equal(isRemitError(other), false);
  }
});

test("an error's quotes have bigints, even from multi-line JSON", async (t) => {
  const time = stopTime(t, 0);
  const quote = REPLIES.quote.replace("{", '{\n"expirationDate":"1970-01-01T00:01:00Z",');
  const { remit } = await kit(({ path }) => (path === "/v1/quote" ? quote : undefined));
  const { quoteHistoryId, sendAmount } = await remit.quote(REQUESTS.quote());
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(quoteHistoryId));
  await time.pass(61_000);
  const error = await time.whileTimePasses(errorOf(attempt.submit()));
  assert.equal(error.code, "QuoteExpired");
  assert.equal(sendAmount.value, 9007199254740993n);
  assert.deepEqual([error.quote.sendAmount, error.previousQuote.sendAmount], [sendAmount, sendAmount]);
});

test("the service's message and request id stay text, whatever they contain", async () => {
  const { remit } = await kit(() => Response.json([{ code: "ComesLater", message: "5n\0" }], { status: 400, headers: { "request-id": "7n" } }));
  const error = await errorOf(remit.nonce());
  assert.deepEqual([error.code, error.message, error.requestId], ["ComesLater", "5n\0", "7n"]);
});

test("transfer codes have own messages from the first transfer call on", async () => {
  const other = await unpacked();
  const { remit } = await kit(() => refusal("RecipientNotFound", 404), {}, await other.load("index.js"));
  const told = async () => (await errorOf(remit.quote(REQUESTS.quote()))).message;
  assert.equal(await told(), "The service refused the request.");
  assert.equal((await errorOf(remit.getRecipient(ID))).message, "The recipient was not found.");
  assert.equal(await told(), "The recipient was not found.");
});

test("a quote says what is wrong with an id in its code's own words", async () => {
  const other = await unpacked();
  const { remit } = await kit(undefined, {}, await other.load("index.js"));
  const error = await errorOf(remit.quote({ ...REQUESTS.quote(), recipientAccountId: "7" }));
  assert.deepEqual([error.code, error.userMessage], ["InvalidRecipientAccountId", "The recipient account's id is not valid."]);
});
