// Only a request's body and headers may hold a token or what a customer entered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHidden, errorOf, ID, kit, speedUp } from "./kit.mjs";

const TOKEN = "eyJ0b2tlbg.planted-token.c2VjcmV0";
const CARD = "4242424242424242";
const NAME = "Planted Cardholder";
const ECHO = `${TOKEN} ${CARD} ${NAME}`;

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
const FIELDS = [{ id: "firstName", value: NAME }, { id: "CARD_NUMBER", value: CARD }];
const RECIPIENT = { ...ROUTE, userType: "PERSON", fields: FIELDS };
const PRICE = { srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550 };
const TRANSFER = { ...ROUTE, ...PRICE, quoteHistoryId: ID, recipientId: ID };

const json = (status, body) => () => {
  const headers = { "content-type": "application/json", "request-id": "r-1" };
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
};

/** What a service may do with a POST, at worst: it echoes it. */
const ENDINGS = {
  "the network fails": () => Promise.reject(Object.assign(new TypeError(ECHO), { token: TOKEN })),
  "the answer is not JSON": json(502, `<html>${ECHO}</html>`),
  "the answer breaks off": json(200, `{"transferId":"${TOKEN}`),
  "the answer has another shape": json(200, [ECHO]),
  "the token is refused": json(401, [{ code: "AccessDenied", message: `Who is ${TOKEN}?` }]),
  "a refusal echoes the token": json(400, [
    { code: "ValueRegexFailure", message: `${TOKEN} is odd`, fieldId: "firstName", description: ECHO },
  ]),
  "a refusal describes the request": json(400, [{ code: "BadRequestError", description: ECHO }]),
  "another form of error": json(400, { error: "invalid_grant", error_description: ECHO }),
};

/** A kit whose POSTs end like this; `leaves` returns its addresses, diagnostics, journal and output. */
async function planted(t, post, token = () => TOKEN) {
  speedUp(t);
  const journal = new Map();
  const diagnostics = [];
  const methods = ["log", "info", "warn", "error", "debug", "trace"];
  const consoles = methods.map((method) => t.mock.method(console, method, () => {}));
  const answer = ({ method, path }) => {
    if (method === "POST") return post();
    if (path.endsWith("-fields")) return { fieldSets: [] };
    return path.includes("/progress/") ? { transferRecordStatus: "Failed" } : undefined;
  };
  const onDiagnostic = (entry) => diagnostics.push(entry);
  const { remit, requests } = await kit(answer, { token, journal, onDiagnostic });
  const leaves = () => {
    const printed = consoles.flatMap(({ mock }) => mock.calls.map((call) => call.arguments));
    const addresses = requests.map(({ origin, path, query }) => [origin, path, query]);
    return [remit, diagnostics, addresses, [...journal], printed];
  };
  return { remit, journal, diagnostics, requests, leaves };
}

for (const [ending, post] of Object.entries(ENDINGS)) {
  test(`token, card number and name are shown nowhere when ${ending}`, async (t) => {
    const { remit, journal, diagnostics, requests, leaves } = await planted(t, post);
    await remit.prepareTransfer(TRANSFER);
    assert.match(JSON.stringify([...journal]), /PREPARED/);
    assertHidden([TOKEN, CARD], ...leaves());
    const errors = [await errorOf(remit.createRecipient(RECIPIENT)), await errorOf(remit.transfer(TRANSFER))];
    assert.ok(requests.length > 4 && diagnostics.length > 2);
    assertHidden([TOKEN, CARD, NAME], ...errors, ...leaves());
  });
}

test("what a token source throws or returns in error is shown nowhere", async (t) => {
  for (const source of [
    () => Promise.reject(new Error(ECHO)),
    () => ({ access_token: TOKEN, client_secret: TOKEN }),
    () => ({ access_token: `${TOKEN}\n` }),
    () => ({ access_token: TOKEN, expires_in: NAME }),
  ]) {
    const { remit, leaves } = await planted(t, json(400, []), source);
    const error = await errorOf(remit.nonce());
    // The cause is the page's own error, which the page keeps out of its logs.
    delete error.cause;
    assertHidden([TOKEN, NAME], error, ...leaves());
    t.mock.restoreAll();
  }
});
