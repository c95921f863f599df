// Nothing that leaves a kit but its requests' bodies and headers contains a token or what a customer entered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { errorOf, hurry, ID, kit } from "./kit.mjs";

const TOKEN = "eyJ0b2tlbg.planted-token.c2VjcmV0";
const CARD = "4242424242424242";
const NAME = "Planted Cardholder";
const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
const FIELDS = [
  { id: "firstName", value: NAME },
  { id: "CARD_NUMBER", value: CARD },
];
const RECIPIENT = { ...ROUTE, userType: "PERSON", fields: FIELDS };
const TRANSFER = { ...ROUTE, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550, quoteHistoryId: ID, recipientId: ID };

const json = (status, body) => () =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers: { "content-type": "application/json", "request-id": "r-1" } });
const echo = `${TOKEN} ${CARD} ${NAME}`;

/** Everything that a service may do with a POST, the worst of it included: it says what it was told. */
const ENDINGS = {
  "the network fails": () => Promise.reject(Object.assign(new TypeError(echo), { token: TOKEN })),
  "the answer is not JSON": json(502, `<html>${echo}</html>`),
  "the answer breaks off": json(200, `{"transferId":"${TOKEN}`),
  "the answer has another shape": json(200, [echo]),
  "the token is refused": json(401, [{ code: "AccessDenied", message: `Who is ${TOKEN}?` }]),
  "a refusal echoes the token": json(400, [
    { code: "ValueRegexFailure", message: `${TOKEN} is not right`, fieldId: "firstName", description: echo },
  ]),
  "a refusal describes what was sent": json(400, [{ code: "BadRequestError", message: "", description: echo }]),
  "another form of error": json(400, { error: "invalid_grant", error_description: echo }),
};

/** A kit whose POSTs end as told, and everything that leaves it: addresses, diagnostics, journal, console. */
async function planted(t, post, token = () => TOKEN) {
  hurry(t);
  const journal = new Map();
  const diagnostics = [];
  const printed = ["log", "info", "warn", "error", "debug", "trace"].map((method) => t.mock.method(console, method, () => {}));
  const answer = ({ method, path }) => {
    if (method === "POST") return post();
    if (path.endsWith("-fields")) return { fieldSets: [] };
    return path.includes("/progress/") ? { transferRecordStatus: "Failed" } : undefined;
  };
  const { remit, requests } = await kit(answer, { token, journal, onDiagnostic: (entry) => diagnostics.push(entry) });
  const leaves = () =>
    inspect(
      [
        remit,
        diagnostics,
        requests.map(({ origin, path, query }) => [origin, path, query]),
        [...journal],
        printed.flatMap(({ mock }) => mock.calls.map((call) => call.arguments)),
      ],
      { depth: 9, showHidden: true, maxArrayLength: null, maxStringLength: null },
    );
  return { remit, journal, diagnostics, requests, leaves };
}

/** Everything that a page, a log or an error tracker can make of an error. */
const shown = (error) =>
  [
    String(error),
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: 9, showHidden: true }),
    ...Object.getOwnPropertyNames(error).map((name) => `${name} ${error[name]}`),
  ].join("\n");

function assertHidden(everything, secrets) {
  for (const secret of secrets) {
    for (const written of [secret, encodeURIComponent(secret), btoa(secret)]) {
      assert.ok(!everything.includes(written), `${secret} stands in\n${everything}`);
    }
  }
}

for (const [ending, post] of Object.entries(ENDINGS)) {
  test(`token, card number and name are shown nowhere when ${ending}`, async (t) => {
    const { remit, diagnostics, requests, leaves } = await planted(t, post);
    const errors = [await errorOf(remit.createRecipient(RECIPIENT)), await errorOf(remit.transfer(TRANSFER))];
    assert.ok(requests.length > 4 && diagnostics.length > 2);
    assertHidden(errors.map(shown).join("\n") + leaves(), [TOKEN, CARD, NAME]);
  });
}

test("while an attempt is in the journal neither token nor card data is", async (t) => {
  const { remit, journal } = await planted(t, json(400, []));
  await remit.prepareTransfer(TRANSFER);
  const kept = JSON.stringify([...journal]);
  assert.match(kept, /PREPARED/);
  assertHidden(kept, [TOKEN, CARD]);
});

test("what a token source throws or gives in error is shown nowhere", async (t) => {
  for (const source of [
    () => Promise.reject(new Error(echo)),
    () => ({ access_token: TOKEN, client_secret: TOKEN }),
    () => ({ access_token: `${TOKEN}\n` }),
    () => ({ access_token: TOKEN, expires_in: NAME }),
  ]) {
    const { remit, leaves } = await planted(t, json(400, []), source);
    const error = await errorOf(remit.nonce());
    // What the page's own source has thrown is the cause, and the page's to keep out of its logs.
    delete error.cause;
    assertHidden(shown(error) + leaves(), [TOKEN, NAME]);
    t.mock.restoreAll();
  }
});
