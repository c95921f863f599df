// Arguments as plain data: they arrive unchanged, or the error names what is wrong before anything is sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, ID, kit } from "./kit.mjs";

const nested = (depth) => {
  let object = {};
  for (let i = 1; i < depth; i += 1) object = { inner: object };
  return object;
};

const cycle = { list: [{}] };
cycle.list[0].back = cycle;
const throwing = () => {
  throw new Error("secret");
};
const next = (_, name) => (name === "toJSON" ? undefined : endless());
const endless = () => new Proxy({ next: 1 }, { get: next });

test("a body that is no plain data is refused by name before anything is sent", async () => {
  const { remit, requests } = await kit();
  const deep = Array(64).fill("inner").join(".");
  await assertRefused((request) => remit.createRecipient(request), [
    ...[undefined, null, "{}", () => {}, Promise.resolve({})].map((request) => [request, "request"]),
    ...[Number.NaN, 1e300, Symbol("x"), "x\ud83d", new Date(Number.NaN)].map((a) => [{ a }, "a"]),
    [{ fields: [{ value: 2 ** 53 }] }, "fields[0].value"],
    [{ fields: [{ id: "a", value: 5n }] }, "fields[0].value"],
    [{ body: { amount: 5n } }, "body.amount"],
    [{ a: { b: () => {} } }, "a.b"],
    [{ fields: [1, , 3] }, "fields[1]"],
    [{ "x\udc00": 1 }, "x\udc00"],
    [cycle, "list[0].back"],
    [nested(65), deep],
    [endless(), Array(64).fill("next").join(".")],
    [{ a: "\u0001".repeat(300_000) }, "request"],
    [{ a: Array(20_000).fill("x".repeat(50)) }, "request"],
    [Object.defineProperty({}, "a", { enumerable: true, get: throwing }), "request"],
    [new Proxy({}, { ownKeys: throwing, get: throwing }), "request"],
    [{ fields: new Map([["a", 1]]) }, "fields"],
    [new (class Recipient {})(), "request"],
  ]);
  assert.deepEqual(requests, []);
  assert.ok((await remit.nonce()).nonce, "the kit still works");
  const later = (a) => remit.request({ method: "POST", path: "/v1/later", body: { a } });
  await assertRefused(later, ["\ud8005", 2 ** 53].map((a) => [a, "body.a"]));
  const ids = ["x\ud83d", "x".repeat(1_000_001)].map((id) => [id, "transferId"]);
  await assertRefused((id) => remit.getTransfer(id), ids);
  const tooLong = await errorOf(remit.createRecipient({ a: "x".repeat(2_000_000) }));
  assert.match(tooLong.message, /must be .*1000000 characters/);
});

/** Returns the text that is sent for a body. */
async function sent(body) {
  const { remit, requests } = await kit();
  await remit.request({ method: "POST", path: "/v1/later", body });
  return requests[0].text;
}

test("plain data arrives unchanged, from any realm", async () => {
  const shared = { id: "a" };
  for (const body of [
    {},
    { a: 'é 😀 \u2028 \\ud800123 "', b: [1, -2.5, 0.1, true, false, null, [], {}] },
    { a: Number.MAX_SAFE_INTEGER },
    { twice: [shared, shared, { shared }] },
    Object.assign(Object.create(null), { a: 1 }),
    vm.runInNewContext("({ a: [1, { b: 'c' }] })"),
    new Proxy({ a: [1] }, {}),
    JSON.parse('{"__proto__":{"a":1}}'),
    nested(63),
  ]) {
    assert.equal(await sent(body), JSON.stringify(body));
  }
  const text = await sent({ a: undefined, b: new Date(0), c: new URL("https://a.example/") });
  assert.equal(text, '{"b":"1970-01-01T00:00:00.000Z","c":"https://a.example/"}');
});

test("a getter's first value counts, and one that changes cannot smuggle anything in", async () => {
  const body = {};
  for (const [name, first] of Object.entries({ plain: "a", nested: { b: [1] } })) {
    let reads = 0;
    Object.defineProperty(body, name, { enumerable: true, get: () => (reads++ === 0 ? first : 0) });
  }
  assert.equal(await sent(body), '{"plain":"a","nested":{"b":[1]}}');
  const { remit, requests } = await kit();
  let reads = 0;
  const amount = { enumerable: true, get: () => (reads++ % 2 ? 5n : "text") };
  const request = Object.defineProperty(REQUESTS.quote(), "amount", amount);
  const error = await remit.quote(request).catch((error) => error);
  assert.deepEqual(requests.map(({ query }) => query.amount), error.name === "RemitError" ? [] : ["5"]);
});

test("a bigint amount is sent digit by digit, even if BigInt has toJSON", async (t) => {
  const { remit, requests } = await kit();
  t.after(() => delete BigInt.prototype.toJSON);
  for (const isPatched of [false, true]) {
    if (isPatched) BigInt.prototype.toJSON = () => "patched";
    await remit.quote({ ...REQUESTS.quote(), amount: 9007199254740993n });
  }
  assert.deepEqual(requests.map(({ query }) => query.amount), Array(2).fill("9007199254740993"));
});

// What else is left out or refused is tested in tests/client/input.rs.
test("a related record may hold bigints, and an amount must be exact", async () => {
  const { remit, requests } = await kit();
  const amount = { value: 2n ** 60n, currency: { iso3Code: "USD", decimalPlaces: 2 } };
  const quote = { quoteHistoryId: ID, sendAmount: amount, adjustments: [{ id: "fee", amount }], rate: 17.1 };
  const price = { ...REQUESTS.quote(), amount: 12550 };
  await remit.quote({ ...quote, ...price, recipientId: ID });
  assert.deepEqual(requests.map(({ query }) => query), [{ ...price, amount: "12550" }]);
  await assertRefused(remit.quote.bind(remit), [[{ ...price, quoteby: "SEND_AMOUNT" }, "quoteby"]]);
  const amounts = [-1, 125.5, 2 ** 60, "12550", "5n", -1n, 2n ** 63n, Number.NaN, Infinity, null, undefined];
  const rows = amounts.map((amount) => [amount, "amount"]);
  await assertRefused((amount) => remit.quote({ ...price, amount }), rows, "InvalidAmount");
  assert.equal(requests.length, 1);
});
