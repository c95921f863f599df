import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { shop } from "./packed.mjs";

const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const installed = join(await shop(), "node_modules/remitkit");
const { createRemitKit, isRemitError } = await import(pathToFileURL(join(installed, "index.js")).href);
const wasm = await readFile(join(installed, "remitkit_core_bg.wasm"));

// Counts what arrives: of all the calls below, nothing may.
const arrived = [];
const service = createServer((request, reply) => {
  arrived.push(`${request.method} ${request.url}`);
  reply.writeHead(404).end("[]");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => service.once("listening", resolve));
after(() => service.close());

const OPTIONS = {
  baseUrl: `http://127.0.0.1:${service.address().port}`,
  cardUrl: "https://card.remitkit.example",
  token: "t",
  wasm,
};
const QUOTE = {
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  dstCountryIso3Code: "MEX",
  srcCurrencyIso3Code: "USD",
  dstCurrencyIso3Code: "MXN",
  amount: 12550,
};

async function assertRefused(promise, kind, option) {
  const error = await promise.then(
    () => assert.fail("it was accepted"),
    (error) => error,
  );
  assert.ok(isRemitError(error), String(error));
  assert.equal(error.kind, kind, `${error.code}: ${error.message}`);
  assert.equal(error.option, option, error.message);
  assert.match(error.message, / must be /);
  assert.deepEqual(arrived, []);
}

test("valid options create a kit", async () => {
  const remit = await createRemitKit(OPTIONS);
  assert.deepEqual(remit.contentSecurityPolicy()["frame-src"], ["https://card.remitkit.example"]);
  await remit.destroy();
});

const WRONG_OPTIONS = [
  ["baseUrl", undefined],
  ["baseUrl", "api.remitkit.example"],
  ["baseUrl", "http://api.remitkit.example"],
  ["baseUrl", "https://user:secret@api.remitkit.example"],
  ["baseUrl", "javascript:alert(1)"],
  ["cardUrl", "https://"],
  ["timeoutMs", -1],
  ["timeoutMs", 1.5],
  ["locale", "no locale"],
  ["journal", "cookies"],
  ["baseURL", "https://a.example"],
];

for (const [name, value] of WRONG_OPTIONS) {
  test(`${name}: ${JSON.stringify(value)} is refused by name`, () =>
    assertRefused(createRemitKit({ ...OPTIONS, [name]: value }), "configuration", name));
}

for (const name of ["client_secret", "client_id", "grant_type"]) {
  test(`a token source that returns ${name} is refused before any request`, async () => {
    const remit = await createRemitKit({
      ...OPTIONS,
      token: () => ({ access_token: "t", [name]: "sesame" }),
    });
    const error = await remit.corridors().catch((error) => error);
    assert.deepEqual([error.kind, error.option], ["configuration", "token"]);
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /sesame/);
    assert.deepEqual(arrived, []);
  });
}

const WRONG_QUOTES = [
  ["dstCountryIso3Code", "mex"],
  ["dstCountryIso3Code", undefined],
  ["srcCurrencyIso3Code", "US"],
  ["amount", -1],
  ["amount", 125.5],
  ["amount", "12550"],
  ["amount", "12550n"],
  ["amount", -1n],
  ["amount", 2n ** 63n],
  ["amount", Number.NaN],
  ["recipientAccountId", "7"],
  ["transferMethod", "push to card"],
  ["ammount", 5],
];

for (const [name, value] of WRONG_QUOTES) {
  test(`a quote with ${name}: ${typeof value === "bigint" ? `${value}n` : String(value)} is refused by name`, async () => {
    const remit = await createRemitKit(OPTIONS);
    await assertRefused(remit.quote({ ...QUOTE, [name]: value }), "invalid_request", name);
  });
}

test("ids that are not UUIDs are refused by name", async () => {
  const remit = await createRemitKit(OPTIONS);
  const card = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
  for (const id of ["", "7", "../quote", `${ID}/..`, "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}"]) {
    await assertRefused(remit.getQuote(id), "invalid_request", "quoteHistoryId");
    await assertRefused(remit.createRecipientAccount(id, card), "invalid_request", "recipientId");
    await assertRefused(remit.replaceRecipientAccount(ID, id, card), "invalid_request", "accId");
    await assertRefused(remit.getCardSession(id), "invalid_request", "sessionId");
    await assertRefused((async () => remit.cardFormUrl(id))(), "invalid_request", "sessionId");
  }
});

test("an invalid theme is refused by name", async () => {
  const remit = await createRemitKit(OPTIONS);
  const wrong = {
    primary: "not a colour",
    showStep: 2,
    lng: "fr",
    buttonTextCase: "upper",
    buttonRadius: "8",
    cardBackground: "javascript:1",
    color: "red",
  };
  for (const [name, value] of Object.entries(wrong)) {
    await assertRefused(
      (async () => remit.cardFormUrl(ID, { [name]: value }))(),
      "configuration",
      `theme.${name}`,
    );
  }
  assert.equal(
    remit.cardFormUrl(ID, { lng: "es-MX", showStep: true, buttonRadius: "8px" }),
    `https://card.remitkit.example/v2/add-card/${ID}?buttonRadius=8px&lng=es-MX&showStep=1`,
  );
});

test("a Spanish kit translates its codes' messages, not the developer's", async () => {
  const remit = await createRemitKit({ ...OPTIONS, locale: "es-MX" });
  const unknown = await remit.getTransfer(ID).catch((error) => error);
  assert.equal(unknown.code, "NotFound");
  assert.equal(unknown.message, "No se encontró.");
  arrived.length = 0;
  await assertRefused(remit.quote({ ...QUOTE, amount: -1 }), "invalid_request", "amount");
  const english = await createRemitKit({ ...OPTIONS, locale: "en-US" });
  assert.equal((await english.getTransfer(ID).catch((error) => error)).message, "It was not found.");
});
