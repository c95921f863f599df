// RemitError: its members, what a log shows of it, and its two messages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, fakeTime, ID, kit, refusal, remitkit, unpacked } from "./kit.mjs";

const { RemitError, isRemitError, toMinorUnits } = remitkit;

test("a logged error shows only what is safe", async () => {
  const { name, code, message, ...details } = {
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
  const difference = { sendAmount: 9007199254740993n };
  const hidden = { quote: { secret: 1 }, previousQuote: { secret: 2 }, difference };
  const error = new RemitError(code, message, { ...details, ...hidden, cause: "secret", other: "secret" });
  assert.ok(error instanceof Error);
  assert.deepEqual(JSON.parse(JSON.stringify(error)), { name, code, message, ...details });
  assert.equal(String(error), `RemitError: ${message}`);
  for (const [name, value] of Object.entries({ ...hidden, cause: "secret" })) {
    assert.deepEqual(error[name], value);
  }
  assert.equal(Object.keys(error).includes("cause"), false);
  const facts = { kind: "not_found", retryable: false, httpStatus: undefined };
  const bare = new RemitError("NotFound", "…", facts);
  assert.deepEqual(Object.keys(bare).sort(), ["code", "kind", "retryable", "userMessage"]);
  assert.equal("cause" in bare, false);
});

test("isRemitError knows another copy's errors and survives any value", async () => {
  const other = await (await unpacked()).load("index.js");
  assert.notEqual(other.RemitError, RemitError);
  const error = new RemitError("NotFound", "…", { kind: "not_found" });
  assert.deepEqual([isRemitError(error), other.isRemitError(error)], [true, true]);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const lookalike = { name: "RemitError", code: "NotFound" };
  const throwing = new Proxy({}, { get: () => assert.fail("in the page") });
  const values = [undefined, null, 7, "RemitError", new Error("x"), () => {}, proxy, lookalike, throwing];
  for (const value of values) {
    assert.equal(isRemitError(value), false);
  }
});

test("an error's quotes have bigints, even from multi-line JSON", async (t) => {
  const time = fakeTime(t, 0);
  const quote = REPLIES.quote.replace("{", '{\n"expirationDate":"1970-01-01T00:01:00Z",');
  const { remit } = await kit(({ path }) => (path === "/v1/quote" ? quote : undefined));
  const { quoteHistoryId, sendAmount } = await remit.quote(REQUESTS.quote());
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(quoteHistoryId));
  await time.pass(61_000);
  const error = await time.untilSettled(errorOf(attempt.submit()));
  assert.deepEqual([error.code, sendAmount.value], ["QuoteExpired", 9007199254740993n]);
  const { quote: fresh, previousQuote } = error;
  assert.deepEqual([fresh.sendAmount, previousQuote.sendAmount], [sendAmount, sendAmount]);
});

const RELOAD = "Something went wrong on this page. Reload it and try again.";
const AMOUNT = "Enter a valid amount.";
const refused = (message) => () => Response.json([{ code: "InsufficientFunds", message }], { status: 400 });
const notFound = () => Response.json([], { status: 404 });
const both = async (call) => {
  const { message, userMessage } = await errorOf(call);
  return [message, userMessage];
};

test("userMessage leaves out what only a developer can fix", async () => {
  const { remit } = await kit();
  for (const [call, message, userMessage] of [
    [() => remit.quote({ ...REQUESTS.quote(), ammount: 5 }), /ammount/, RELOAD],
    [() => remit.quote("quote"), / must be /, RELOAD],
    [() => remit.getRecipient("7"), /^recipientId must be /, "The recipient's id is not valid."],
    [() => remit.getRecipient(7), /^recipientId must be /, "The recipient's id is not valid."],
    [() => remit.quote({ ...REQUESTS.quote(), amount: -1 }), /^amount must be /, AMOUNT],
    [() => toMinorUnits("a", { decimalPlaces: 2 }), /^amount must be /, AMOUNT],
    [() => kit(undefined, { baseUrl: "ftp://a" }), /^baseUrl must be /, RELOAD],
  ]) {
    const error = await errorOf(call);
    assert.match(error.message, message);
    assert.equal(error.userMessage, userMessage);
  }
});

test("the service's text serves both messages, and a code's own where there is none", async () => {
  for (const [text, shown] of [["Empty.", "Empty."], ["", "The transfer cannot be made right now."]]) {
    const { remit } = await kit(refused(text));
    assert.deepEqual(await both(remit.nonce()), [shown, shown]);
  }
  const made = new RemitError("Mine", "By the page.", { kind: "internal", retryable: false });
  assert.equal(made.userMessage, "By the page.");
});

test("a Spanish kit translates its codes' messages, but no message for developers", async () => {
  const { remit } = await kit(notFound, { locale: "es-MX" });
  assert.deepEqual(await both(remit.getTransfer(ID)), Array(2).fill("No se encontró."));
  const [message, userMessage] = await both(remit.quote({ ...REQUESTS.quote(), amount: -1 }));
  assert.match(message, /^amount must be /);
  assert.match(userMessage, /cantidad/i);
  for (const code of ["constructor", "__proto__"]) {
    const { remit } = await kit(() => Response.json({ code }, { status: 400 }), { locale: "es-MX" });
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.code, typeof error.message], [code, "string"]);
  }
});

test("a Spanish kit has its own words for what the service says, which stay in the message", async () => {
  const problem = { code: "ValueRegexFailure", message: "Wrong.", fieldId: "zip" };
  const refuse = () => Response.json([{ code: "TransferNotFound", message: "Gone." }, problem], { status: 400 });
  const { remit } = await kit(refuse, { locale: "es-MX" });
  assert.deepEqual(await both(remit.nonce()), ["Gone.", "No se encontró el envío."]);
  const { problems } = await errorOf(remit.nonce());
  assert.deepEqual(problems.map(({ message }) => message), ["Revisa este dato: no tiene el formato esperado."]);
  const newer = await kit(() => Response.json([{ code: "Newer", message: "New." }], { status: 400 }), { locale: "es" });
  assert.deepEqual(await both(newer.remit.nonce()), ["New.", "New."]);
});

test("a kit words the errors of a kit in another language", async () => {
  const refuse = () => Response.json({ code: "InsufficientFunds", message: "Not enough money." }, { status: 400 });
  const messages = { InsufficientFunds: "No alcanza." };
  const english = await kit(refuse, { locale: "en-US" });
  const said = await errorOf(english.remit.nonce());
  const wrong = await errorOf(english.remit.quote({ ...REQUESTS.quote(), amount: -1 }));
  const spanish = await kit(refuse, { locale: "es-MX", messages });
  const dicho = await errorOf(spanish.remit.nonce());
  assert.equal(dicho.userMessage, messages.InsufficientFunds);
  assert.equal(spanish.remit.userMessageOf(said), messages.InsufficientFunds);
  assert.equal(english.remit.userMessageOf(dicho), "Not enough money.");
  assert.match(spanish.remit.userMessageOf(wrong), /cantidad/i);
  assert.equal(english.remit.userMessageOf(wrong), wrong.userMessage);
  const page = new RemitError("Timeout", "", { kind: "timeout", retryable: true, userMessage: "Too slow." });
  assert.match(spanish.remit.userMessageOf(page), /tiempo/);
  const { code, option } = await errorOf(() => english.remit.userMessageOf(new Error("other")));
  assert.deepEqual([code, option], ["InvalidRequest", "error"]);
});

test("errors that are found before the core have the kit's texts, too", async () => {
  const messages = { InvalidAmount: "Kein Betrag." };
  const { remit } = await kit(undefined, { locale: "es-MX", messages });
  const reload = "Algo falló en esta página. Vuelve a cargarla e inténtalo de nuevo.";
  for (const [call, text = reload] of [
    [() => remit.quote({ ...REQUESTS.quote(), amount: NaN }), messages.InvalidAmount],
    [() => remit.getRecipient(7), "No se encontró al destinatario. Agrégalo de nuevo."],
    [() => remit.corridors("MEX")],
    [() => remit.prepareTransfer()],
    [() => remit.nonce(AbortSignal.abort())],
    [() => remit.cardForm()],
    [() => remit.cardFormUrl(7)],
    [() => remit.pushToCard()],
    [() => remit.pushToCard({}).next()],
    [() => remit.destroy().then(() => remit.nonce())],
  ]) {
    assert.equal((await errorOf(call)).userMessage, text, String(call));
  }
});

test("the page's own texts win, in any language", async () => {
  const messages = { InsufficientFunds: "Der Betrag ist zu hoch.", InvalidAmount: "Kein Betrag." };
  const { remit } = await kit(refused("The till is empty."), { messages, locale: "de-DE" });
  assert.deepEqual(await both(remit.nonce()), ["The till is empty.", messages.InsufficientFunds]);
  const [, amount] = await both(remit.quote({ ...REQUESTS.quote(), amount: -1 }));
  assert.equal(amount, messages.InvalidAmount);
  const other = await kit(notFound, { messages: { constructor: "x" }, locale: "es" });
  assert.match((await errorOf(other.remit.getTransfer(ID))).userMessage, /encontr/);
  const wrong = [["de", "messages"], [{ InvalidAmount: 5 }, "messages.InvalidAmount"]];
  await assertRefused((messages) => kit(undefined, { messages }), wrong, "InvalidConfiguration");
});

test("a token source's error is the cause and appears nowhere else", async () => {
  const thrown = new Error("403 secret");
  let token = () => Promise.reject(thrown);
  const { remit } = await kit(undefined, { token: () => token() });
  const error = await errorOf(remit.nonce());
  assert.deepEqual([error.code, error.cause], ["TokenUnavailable", thrown]);
  // The text offers another try, and so do pages that go by this.
  assert.deepEqual([error.kind, error.resolution, error.retryable], ["authentication", "try_again_later", true]);
  const shown = JSON.stringify(error) + error.message + error.userMessage + Object.keys(error);
  assert.doesNotMatch(shown, /secret|cause/);
  token = () => ({ error: "forbidden" });
  const refusal = await errorOf(remit.nonce());
  assert.deepEqual([refusal.code, refusal.cause], ["TokenUnavailable", { error: "forbidden" }]);
  assert.match(refusal.message, /reply\.ok/);
  token = () => ({ access_token: "secret", token_type: "mac", error: "" });
  assert.equal("cause" in (await errorOf(remit.nonce())), false);
  token = () => 7;
  assert.equal("cause" in (await errorOf(remit.nonce())), false);
});
