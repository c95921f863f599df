import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, kit } from "./kit.mjs";

const currency = (iso3Code) => ({ iso3Code, name: iso3Code, symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD" });
const corridor = (country, method, from, to) => ({
  destinationCountry: { iso3Code: country, iso2Code: country.slice(0, 2), name: country },
  transferMethod: method,
  sourceCurrency: from.map(currency),
  destinationCurrency: to.map(currency),
});

const CORRIDORS = [
  corridor("MEX", "PUSH_TO_CARD", ["USD"], ["MXN"]),
  corridor("MEX", "BANK_ACCOUNT", ["USD", "EUR"], ["MXN", "USD"]),
  corridor("IND", "BANK_ACCOUNT", ["USD"], ["INR"]),
];

test("the filter narrows the listed corridors", async () => {
  const { remit, requests } = await kit(() => CORRIDORS);
  const rows = CORRIDORS.map((row) => JSON.stringify(row));
  const listed = async (filter) => (await remit.corridors(filter)).map((row) => rows.indexOf(JSON.stringify(row)));
  assert.deepEqual(await listed(), [0, 1, 2]);
  assert.deepEqual(await listed({}), [0, 1, 2]);
  assert.deepEqual(await listed({ dstCountryIso3Code: "MEX" }), [0, 1]);
  assert.deepEqual(await listed({ transferMethod: "BANK_ACCOUNT" }), [1, 2]);
  assert.deepEqual(await listed({ dstCurrencyIso3Code: "USD" }), [1]);
  assert.deepEqual(await listed({ srcCurrencyIso3Code: "EUR", dstCountryIso3Code: "MEX" }), [1]);
  assert.deepEqual(await listed({ srcCurrencyIso3Code: "EUR", dstCountryIso3Code: "IND" }), []);
  assert.deepEqual(await listed({ dstCountryIso3Code: undefined }), [0, 1, 2]);
  assert.ok(requests.every(({ path, query }) => path === "/v1/corridors" && Object.keys(query).length === 0));
});

test("a filter that could never match is refused before anything is sent", async () => {
  const { remit, requests } = await kit(() => CORRIDORS);
  const wrong = [
    [{ dstCountryIso3Code: "mex" }, "dstCountryIso3Code"],
    [{ dstCountryIso3Code: "MEX " }, "dstCountryIso3Code"],
    [{ dstCurrencyIso3Code: ["MXN"] }, "dstCurrencyIso3Code"],
    [{ srcCurrencyIso3Code: "" }, "srcCurrencyIso3Code"],
    [{ transferMethod: "push to card" }, "transferMethod"],
    [{ country: "MEX" }, "country"],
    [{ toString: "MEX" }, "toString"],
    [JSON.parse('{"__proto__":"MEX"}'), "__proto__"],
    [null, "filter"],
    ["MEX", "filter"],
  ];
  for (const [filter, option] of wrong) {
    const error = await errorOf(remit.corridors(filter));
    assert.deepEqual([error.code, error.kind, error.option], ["InvalidRequest", "invalid_request", option]);
    assert.match(error.message, new RegExp(`^${option} must be .*\\.$`));
  }
  assert.deepEqual(requests, []);
});
