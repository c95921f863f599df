import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { shop } from "./packed.mjs";

// The package's time runs a hundred times as fast: it asks for half a minute what a lost transfer has come to.
const { setTimeout } = globalThis;
globalThis.setTimeout = (work, ms, ...args) => setTimeout(work, ms / 100, ...args);

const installed = join(await shop(), "node_modules/remitkit");
const { createRemitKit } = await import(pathToFileURL(join(installed, "index.js")).href);
const wasm = await readFile(join(installed, "remitkit_core_bg.wasm"));

const TOKEN = "eyJ0b2tlbg.planted-token.c2VjcmV0";
const CARD = "4242424242424242";
const NAME = "Planted Cardholder";
const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const RECIPIENT = {
  userType: "PERSON",
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  transferMethod: "PUSH_TO_CARD",
  fields: [
    { id: "firstName", value: NAME },
    { id: "CARD_NUMBER", value: CARD },
  ],
};
const TRANSFER = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  srcCurrencyIso3Code: "USD",
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  amount: 12550,
  quoteHistoryId: ID,
  recipientId: ID,
};

const json = (status, body) => () =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "request-id": "r-1" },
  });
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

/** A kit on a made-up service, and everything that leaves it: addresses, diagnostics, journal, console. */
async function planted(post, token = () => TOKEN) {
  const seen = { addresses: [], diagnostics: [], printed: [] };
  const journal = new Map();
  globalThis.fetch = async (...given) => {
    const request = new Request(...given);
    seen.addresses.push(request.url, request.referrer);
    const path = new URL(request.url).pathname;
    if (request.method === "POST") return post();
    if (path.endsWith("-fields")) return json(200, { fieldSets: [] })();
    if (path === "/v1/nonce") return json(200, { nonce: ID })();
    if (path.includes("/progress/")) return json(200, { transferRecordStatus: "Failed" })();
    return json(404, [])();
  };
  for (const method of ["log", "info", "warn", "error", "debug", "trace"]) {
    console[method] = (...values) => seen.printed.push(inspect(values, { depth: 9, showHidden: true }));
  }
  const remit = await createRemitKit({
    baseUrl: "https://api.remitkit.example",
    cardUrl: "https://card.remitkit.example",
    token,
    wasm,
    journal,
    onDiagnostic: (entry) => seen.diagnostics.push(entry),
  });
  return { remit, journal, seen };
}

/** Everything that a page, a log or an error tracker can make of an error. */
function shown(error) {
  return [
    String(error),
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(Object.getOwnPropertyNames(error).map((name) => [name, String(error[name])])),
  ].join("\n");
}

const { fetch } = globalThis;
const print = { ...console };
test.afterEach(() => {
  globalThis.fetch = fetch;
  Object.assign(console, print);
});

for (const [ending, post] of Object.entries(ENDINGS)) {
  test(`token, card number and name are shown nowhere when ${ending}`, async () => {
    const { remit, journal, seen } = await planted(post);
    const errors = [];
    for (const call of [() => remit.createRecipient(RECIPIENT), () => remit.transfer(TRANSFER)]) {
      errors.push(await call().then(() => assert.fail("it should fail"), (error) => error));
    }
    assert.ok(seen.addresses.length > 4 && seen.diagnostics.length > 2);
    const everything = [
      ...errors.map(shown),
      JSON.stringify([...journal]),
      JSON.stringify(seen),
      inspect(remit, { depth: 9, showHidden: true }),
    ].join("\n");
    for (const secret of [TOKEN, CARD, NAME]) {
      for (const written of [secret, encodeURIComponent(secret), btoa(secret)]) {
        assert.ok(!everything.includes(written), `${secret} stands in\n${everything}`);
      }
    }
  });
}

test("while an attempt is in the journal neither token nor card data is", async () => {
  const { remit, journal } = await planted(json(400, []));
  await remit.prepareTransfer(TRANSFER);
  const kept = JSON.stringify([...journal]);
  assert.match(kept, /PREPARED/);
  assert.ok(!kept.includes(TOKEN) && !kept.includes(CARD));
});

test("what a token source throws or gives in error is shown nowhere", async () => {
  const sources = [
    () => Promise.reject(new Error(echo)),
    () => ({ access_token: TOKEN, client_secret: TOKEN }),
    () => ({ access_token: `${TOKEN}\n` }),
    () => ({ access_token: TOKEN, expires_in: NAME }),
  ];
  for (const source of sources) {
    const { remit, seen } = await planted(json(400, []), source);
    const error = await remit.nonce().then(() => assert.fail("it should fail"), (refusal) => refusal);
    // What the page's own source has thrown is the cause, and the page's to keep out of its logs.
    delete error.cause;
    const everything = shown(error) + JSON.stringify(seen);
    for (const secret of [TOKEN, NAME]) {
      assert.ok(!everything.includes(secret), everything);
    }
  }
});
