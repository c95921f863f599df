// What the service takes goes out, and what is misspelt or wrong is named before anything is sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, ID, kit, remitkit } from "./kit.mjs";

const CORRIDOR = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
const QUOTE = { ...CORRIDOR, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550 };
const noFields = ({ path }) => (path.endsWith("-fields") ? { fieldSets: [] } : undefined);

async function assertRefused(call, kind, option, code) {
  const error = await errorOf(call);
  assert.ok(remitkit.isRemitError(error), String(error));
  assert.deepEqual([error.kind, error.option, error.code], [kind, option, code ?? error.code], error.message);
  assert.match(error.message, / must be /);
}

test("bodies may lack a corridor, records round-trip, quotes are trimmed", async () => {
  const { remit, requests } = await kit(noFields);
  await remit.createRecipientAccount(ID, {});
  assert.deepEqual([requests.at(-1).path, requests.at(-1).body], [`/v1/recipients/${ID}/accounts`, {}]);
  const record = { id: "CITY", name: "City", type: "TEXT", value: "Puebla" };
  const names = [{ id: "firstName", value: "A" }, { id: "lastName", value: "B" }];
  await remit.createRecipient({ ...CORRIDOR, fields: [record, ...names] });
  assert.deepEqual(requests.at(-1).body.fields, [{ id: "CITY", value: "Puebla" }, ...names]);
  const amount = { value: 2n ** 60n, currency: { iso3Code: "USD", decimalPlaces: 2 } };
  const quote = { quoteHistoryId: ID, sendAmount: amount, adjustments: [{ id: "fee", amount }], totalCost: amount, rate: 17.1 };
  await remit.quote({ ...quote, ...QUOTE, recipientId: ID, nonce: ID });
  assert.deepEqual(requests.at(-1).query, { ...QUOTE, amount: "12550", transferMethod: "BANK_ACCOUNT" });
  requests.length = 0;
  for (const [call, option] of [
    [remit.createRecipient({ fields: [{ ...record, valeu: "" }] }), "fields[0].valeu"],
    [remit.quote({ ...quote, ...QUOTE, quoteby: "SEND_AMOUNT" }), "quoteby"],
  ]) {
    assert.deepEqual([(await errorOf(call)).code, (await errorOf(call)).option], ["InvalidRequest", option]);
  }
  assert.deepEqual(requests, []);
});

const CODES = { amount: "InvalidAmount", recipientAccountId: "InvalidRecipientAccountId" };
const AMOUNTS = [-1, 125.5, 2 ** 60, "12550", "12550n", -1n, 2n ** 63n, Number.NaN, Infinity, null, undefined];

for (const [name, value] of [
  ...AMOUNTS.map((amount) => ["amount", amount]),
  ["dstCountryIso3Code", "mex"],
  ["dstCountryIso3Code", undefined],
  ["srcCurrencyIso3Code", "US"],
  ["recipientAccountId", "7"],
  ["transferMethod", "push to card"],
  ["ammount", 5],
]) {
  test(`a quote with ${name}: ${typeof value === "bigint" ? `${value}n` : String(value)} is refused by name`, async () => {
    const { remit, requests } = await kit();
    await assertRefused(remit.quote({ ...QUOTE, [name]: value }), "invalid_request", name, CODES[name] ?? "InvalidRequest");
    assert.deepEqual(requests, []);
  });
}

test("ids that are not UUIDs are refused by name", async () => {
  const { remit, requests } = await kit();
  for (const id of [undefined, 7, "", "7", "../quote", `${ID}/..`, `{${ID}}`]) {
    for (const [call, option, code] of [
      [remit.getQuote(id), "quoteHistoryId"],
      [remit.getRecipient(id), "recipientId", "InvalidRecipientId"],
      [remit.createRecipientAccount(id, CORRIDOR), "recipientId"],
      [remit.getRecipientAccount(ID, id), "accId", "InvalidRecipientAccountId"],
      [remit.replaceRecipientAccount(ID, id, CORRIDOR), "accId"],
      [remit.getCardSession(id), "sessionId"],
      [() => remit.cardFormUrl(id), "sessionId"],
    ]) {
      await assertRefused(call, "invalid_request", option, code);
    }
  }
  assert.equal((await errorOf(remit.transfer({ ...QUOTE, recipientId: ID }))).code, "NoQuoteHistoryIdProvided");
  assert.deepEqual(requests, []);
});

test("a number's range is part of its message", async () => {
  for (const timeoutMs of [1.5, -1, "100"]) {
    assert.equal((await errorOf(kit(undefined, { timeoutMs }))).message, "timeoutMs must be a whole number from 100 to 120000.");
  }
  const { remit, requests } = await kit();
  assert.equal((await errorOf(remit.transfers({ limit: -1 }))).message, "limit must be a whole number, at least 0.");
  await remit.transfers({ limit: 5 });
  assert.deepEqual(requests.map(({ path, query }) => [path, query]), [["/v1/transfers", { limit: "5" }]]);
});

for (const name of ["client_secret", "client_id", "grant_type"]) {
  test(`a token source that returns ${name} is refused before any request`, async () => {
    const { remit, requests } = await kit(undefined, { token: () => ({ access_token: "t", [name]: "sesame" }) });
    const error = await errorOf(remit.corridors());
    assert.deepEqual([error.kind, error.option, requests], ["configuration", "token", []]);
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /sesame/);
  });
}

test("the error for an unreadable token quotes none of its member names", async () => {
  const error = await errorOf(kit(undefined, { token: { eyJhbGciOiJIUzI1NiJ9: 1n } }));
  assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "token"]);
  assert.doesNotMatch(JSON.stringify(error) + error.stack, /eyJ/);
});

test("a card form's address has its theme, even without an engine for colours", async () => {
  const { remit } = await kit();
  for (const [theme, query] of [
    [{ lng: "es-MX", showStep: true, buttonRadius: "8px" }, "buttonRadius=8px&lng=es-MX&showStep=1"],
    [{ primary: "#0a7" }, "primary=%230a7"],
    [{ primary: " red" }, "primary=%20red"],
    [{ text: "rgb(0 170 119 / 50%)" }, "text=rgb%280%20170%20119%20%2F%2050%25%29"],
    [{ showStep: 1, showCardAnimation: 0 }, "showStep=1&showCardAnimation=0"],
    [{ font: "'Open Sans', 游明朝" }, "font=%27Open%20Sans%27%2C%20%E6%B8%B8%E6%98%8E%E6%9C%9D"],
  ]) {
    assert.equal(remit.cardFormUrl(ID, theme), `https://card.example/v2/add-card/${ID}?${query}`);
  }
  for (const [name, value] of [
    ...["not a colour", "#0a", "var(--x)"].map((colour) => ["primary", colour]),
    ["primry", "red"],
    ["color", "red"],
    ["showStep", 2],
    ["lng", "fr"],
    ["buttonTextCase", "upper"],
    ["buttonRadius", "8"],
    ["font", "Inter;"],
    ["cardBackground", "javascript:1"],
  ]) {
    await assertRefused(() => remit.cardFormUrl(ID, { [name]: value }), "configuration", `theme.${name}`, "InvalidConfiguration");
  }
});

test("repeated rows read as single ones do, and a filter finds them", async () => {
  const usd = '{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":12345678901234567890}';
  const row = `{"destinationCountry":{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"},"sourceCurrency":${usd},"destinationCurrency":${usd},"transferMethod":"PUSH_TO_CARD"}`;
  const replies = [
    `[${row},${row},${row}]`,
    `{"corridors":[${row},${row}]}`,
    '{"transferId":"a","quote":{"sendAmount":{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}}}}',
    '[{"transferId":"a","quote":{"sendAmount":{"value":90071992547409.93}}}]',
  ];
  const { remit } = await kit(() => replies.shift());
  const codes = (await remit.corridors()).map(({ sourceCurrency }) => sourceCurrency[0].iso4217Code);
  assert.deepEqual(codes, Array(3).fill("12345678901234567890"));
  assert.equal((await remit.corridors({ srcCurrencyIso3Code: "USD" })).length, 2);
  assert.equal((await remit.getTransfer(ID)).quote.sendAmount.value, 9007199254740993n);
  assert.equal(String((await remit.transfers())[0].quote.sendAmount.value), "90071992547409.93");
});
