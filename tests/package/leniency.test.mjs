// What the service takes goes out, and what is misspelt is named before anything is sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FAST, KIT, printed, shop } from "./packed.mjs";

const BEGIN = `${KIT}${FAST}
    const sent = [];
    const fields = { fieldSets: [] };
    globalThis.fetch = async (url, { method, body } = {}) => {
      sent.push([method ?? "GET", url.slice("https://api.remitkit.example".length), body && JSON.parse(body)]);
      return Response.json(url.includes("-fields") ? fields : { recipientId: ID, recipientAccountId: ID });
    };
    const outcomeOf = async (work) => {
      sent.length = 0;
      try {
        await work();
        return sent.at(-1);
      } catch ({ code, option, message }) {
        // What is answered is of no matter here.
        return code === "UnreadableReply" ? sent.at(-1) : [code, option, message, sent.length];
      }
    };
    const CORRIDOR = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
    const QUOTE = { ...CORRIDOR, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550 };
    const remit = await kit();
    const outcomes = [];
`;
const END = "console.log(JSON.stringify(outcomes));";

const installed = await shop();
const outcomes = (code) => printed(installed, `${BEGIN}${code}${END}`);

test("bodies may lack a corridor, records round-trip, quotes are trimmed", async () => {
  const [empty, round, misspelt, quote, unknown] = await outcomes(`
    outcomes.push(await outcomeOf(() => remit.createRecipientAccount(ID, {})));
    const record = { id: "CITY", name: "City", type: "TEXT", value: "Puebla" };
    outcomes.push(await outcomeOf(() => remit.createRecipient({ ...CORRIDOR, fields: [record, { id: "firstName", value: "A" }, { id: "lastName", value: "B" }] })));
    outcomes.push(await outcomeOf(() => remit.createRecipient({ fields: [{ ...record, valeu: "" }] })));
    const amount = { value: 2n ** 60n, currency: { iso3Code: "USD", decimalPlaces: 2 } };
    const quote = { quoteHistoryId: ID, sendAmount: amount, adjustments: [{ id: "fee", amount }], totalCost: amount, rate: 17.1 };
    outcomes.push(await outcomeOf(() => remit.quote({ ...quote, ...QUOTE, recipientId: ID, nonce: ID })));
    outcomes.push(await outcomeOf(() => remit.quote({ ...quote, ...QUOTE, quoteby: "SEND_AMOUNT" })));
  `);
  assert.deepEqual(empty, ["POST", "/v1/recipients/3f2504e0-4f89-41d3-9a0c-0305e82c3301/accounts", {}]);
  assert.deepEqual(round[2].fields, [
    { id: "CITY", value: "Puebla" },
    { id: "firstName", value: "A" },
    { id: "lastName", value: "B" },
  ]);
  assert.deepEqual([misspelt[0], misspelt[1], misspelt[3]], ["InvalidRequest", "fields[0].valeu", 0]);
  const price = "dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN&srcCurrencyIso3Code=USD&quoteBy=SEND_AMOUNT&amount=12550";
  const sorted = (query) => query.split("&").sort();
  assert.deepEqual(sorted(quote[1].split("?")[1]), sorted(`${price}&transferMethod=BANK_ACCOUNT`));
  assert.deepEqual([unknown[0], unknown[1], unknown[3]], ["InvalidRequest", "quoteby", 0]);
});

test("bad input has the interface's code for it and names its option", async () => {
  const found = await outcomes(`
    for (const amount of [NaN, Infinity, 2 ** 60, 1.5, -1, "12550", null, undefined]) {
      outcomes.push((await outcomeOf(() => remit.quote({ ...QUOTE, amount }))).slice(0, 2));
    }
    for (const id of [undefined, 7, "7"]) {
      outcomes.push((await outcomeOf(() => remit.getRecipient(id))).slice(0, 2));
      outcomes.push((await outcomeOf(() => remit.getRecipientAccount(ID, id))).slice(0, 2));
    }
    outcomes.push((await outcomeOf(() => remit.transfer({ ...QUOTE, recipientId: ID }))).slice(0, 2));
  `);
  assert.deepEqual(found.slice(0, 8), Array(8).fill(["InvalidAmount", "amount"]));
  const ids = [
    ["InvalidRecipientId", "recipientId"],
    ["InvalidRecipientAccountId", "accId"],
  ];
  assert.deepEqual(found.slice(8, 14), [...ids, ...ids, ...ids]);
  assert.deepEqual(found[14], ["NoQuoteHistoryIdProvided", "quoteHistoryId"]);
  const messages = await outcomes(`
    for (const timeoutMs of [1.5, -1, "100"]) {
      outcomes.push(await kit({ timeoutMs }).catch(({ message }) => message));
    }
    outcomes.push((await outcomeOf(() => remit.transfers({ limit: -1 })))[2]);
    outcomes.push((await outcomeOf(() => remit.transfers({ limit: 5 })))[1]);
    outcomes.push(await kit({ baseUrl: "https://api.remitkit.example/v1" }).catch(({ code, option }) => [code, option]));
  `);
  const range = "timeoutMs must be a whole number from 100 to 120000.";
  assert.deepEqual(messages, [
    range,
    range,
    range,
    "limit must be a whole number, at least 0.",
    "/v1/transfers?limit=5",
    ["InvalidConfiguration", "baseUrl"],
  ]);
});

test("the error for an unreadable token quotes none of its member names", async () => {
  const [found] = await outcomes(`
    const error = await kit({ token: { eyJhbGciOiJIUzI1NiJ9: 1n } }).catch((error) => error);
    outcomes.push([error.code, error.option, (JSON.stringify(error) + error.stack).includes("eyJ")]);
  `);
  assert.deepEqual(found, ["InvalidConfiguration", "token", false]);
});

test("a card form's address is built even without an engine for colours", async () => {
  const found = await outcomes(`
    const addressOf = (theme) => {
      try {
        return remit.cardFormUrl(ID, theme).split("?")[1];
      } catch ({ option }) {
        return option;
      }
    };
    const themes = [{ primary: "#0a7" }, { primary: " red" }, { text: "rgb(0 170 119 / 50%)" }, { showStep: 1, showCardAnimation: 0 }, { font: "'Open Sans', 游明朝" },
      { primary: "#0a" }, { primary: "not a colour" }, { primary: "var(--x)" }, { primry: "red" }, { showStep: 2 }, { font: "Inter;" }];
    outcomes.push(...themes.map(addressOf));
  `);
  assert.deepEqual(found, [
    "primary=%230a7",
    "primary=%20red",
    "text=rgb%280%20170%20119%20%2F%2050%25%29",
    "showStep=1&showCardAnimation=0",
    "font=%27Open%20Sans%27%2C%20%E6%B8%B8%E6%98%8E%E6%9C%9D",
    "theme.primary",
    "theme.primary",
    "theme.primary",
    "theme.primry",
    "theme.showStep",
    "theme.font",
  ]);
});

test("repeated rows read as single ones do, and a filter finds them", async () => {
  const [rows, narrowed, quote, listed] = await outcomes(`
    const usd = '{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":12345678901234567890}';
    const row = '{"destinationCountry":{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"},"sourceCurrency":' + usd + ',"destinationCurrency":' + usd + ',"transferMethod":"PUSH_TO_CARD"}';
    const amount = '{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}}';
    const replies = ["[" + row + "," + row + "," + row + "]", '{"corridors":[' + row + "," + row + "]}", '{"transferId":"a","quote":{"sendAmount":' + amount + "}}",
      '[{"transferId":"a","quote":{"sendAmount":{"value":90071992547409.93}}}]'];
    globalThis.fetch = async () => new Response(replies.shift());
    outcomes.push((await remit.corridors()).map((corridor) => corridor.sourceCurrency[0].iso4217Code));
    outcomes.push((await remit.corridors({ srcCurrencyIso3Code: "USD" })).length);
    outcomes.push(String((await remit.getTransfer(ID)).quote.sendAmount.value));
    outcomes.push(String((await remit.transfers())[0].quote.sendAmount.value));
  `);
  assert.deepEqual(rows, Array(3).fill("12345678901234567890"));
  assert.deepEqual([narrowed, quote, listed], [2, "9007199254740993", "90071992547409.93"]);
});
