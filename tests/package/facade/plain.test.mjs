import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, kit } from "./kit.mjs";

const nested = (depth) => {
  let object = {};
  for (let i = 1; i < depth; i += 1) {
    object = { inner: object };
  }
  return object;
};

const cycle = { list: [{}] };
cycle.list[0].back = cycle;

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const endless = () =>
  new Proxy({ next: 1 }, { get: (_, name) => (name === "toJSON" ? undefined : endless()) });
const long = new Proxy([], {
  get: (array, name) => (name === "length" ? 2 ** 32 : name === "toJSON" ? undefined : 1),
});

class Recipient {
  userType = "PERSON";
}

// Each with the option that the error names.
const REFUSED = [
  ["undefined", undefined, "request"],
  ["null", null, "request"],
  ["a string", "{}", "request"],
  ["a function", () => {}, "request"],
  ["NaN", { amount: Number.NaN }, "amount"],
  ["an infinity", { fields: [{ id: "a", value: -Infinity }] }, "fields[0].value"],
  ["a number that is not exact", { fields: [{ value: 2 ** 53 }] }, "fields[0].value"],
  ["a huge number", { amount: 1e300 }, "amount"],
  ["a function inside", { a: { b: () => {} } }, "a.b"],
  ["a symbol inside", { a: Symbol("x") }, "a"],
  ["undefined in an array", { fields: [1, undefined] }, "fields[1]"],
  ["a hole in an array", { fields: [1, , 3] }, "fields[1]"],
  ["a bigint that is no amount", { fields: [{ id: "a", value: 5n }] }, "fields[0].value"],
  ["a bigint amount of something else", { body: { amount: 5n } }, "body.amount"],
  ["half a surrogate pair", { a: "x\ud83d" }, "a"],
  ["half a surrogate pair in a name", { "x\udc00": 1 }, "x\udc00"],
  ["a cycle", cycle, "list[0].back"],
  ["65 levels", nested(65), Array(64).fill("inner").join(".")],
  ["10,000 levels", nested(10_000), Array(64).fill("inner").join(".")],
  ["a proxy without end", endless(), Array(64).fill("next").join(".")],
  ["an array without end", { fields: long }, "request"],
  ["50 MB in one string", { a: "x".repeat(50_000_000) }, "request"],
  ["a million characters in many", { a: Array(20_000).fill("x".repeat(50)) }, "request"],
  [
    "more text than a string can hold",
    { a: Array(1000).fill("x".repeat(900_000)) },
    "request",
    /1000000 characters/,
  ],
  ["text that grows when it is escaped", { a: "\u0001".repeat(300_000) }, "request"],
  [
    "a getter that throws",
    {
      get a() {
        throw new Error("secret");
      },
    },
    "request",
  ],
  [
    "a toJSON that throws nothing useful",
    {
      toJSON() {
        throw undefined;
      },
    },
    "request",
  ],
  ["a revoked proxy", revoked.proxy, "request"],
  [
    "a proxy that refuses everything",
    new Proxy(
      {},
      {
        ownKeys() {
          throw 1;
        },
        get() {
          throw 1;
        },
      },
    ),
    "request",
  ],
  ["a Map", { fields: new Map([["a", 1]]) }, "fields"],
  ["a Promise", Promise.resolve({}), "request"],
  ["a class", new Recipient(), "request"],
  ["a boxed NaN", { a: new Number(Number.NaN) }, "a"],
  ["an invalid date", { a: new Date(Number.NaN) }, "a"],
];

for (const [what, request, option, message = / must be /] of REFUSED) {
  test(`${what} is refused by name before anything is sent`, async () => {
    const { remit, requests } = await kit();
    const error = await errorOf(remit.createRecipient(request));
    assert.equal(error.name, "RemitError", String(error));
    assert.deepEqual([error.kind, error.option], ["invalid_request", option]);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    assert.deepEqual(requests, []);
    assert.ok((await remit.nonce()).nonce, "the kit is sound afterwards");
  });
}

/** What is sent of a body, as text. */
async function sent(body) {
  const { remit, requests } = await kit();
  await remit.request({ method: "POST", path: "/v1/later", body });
  return requests[0].text;
}

test("plain data arrives unchanged, from any realm", async () => {
  const shared = { id: "a" };
  const same = [
    {},
    {
      a: 'é 😀 \u2028 \\ud800123 "',
      b: [1, -2.5, true, false, null, [], {}],
      c: 0.1,
      d: Number.MAX_SAFE_INTEGER,
    },
    { twice: [shared, shared, { shared }] },
    Object.assign(Object.create(null), { a: 1 }),
    vm.runInNewContext("({ a: [1, { b: 'c' }] })"),
    new Proxy({ a: [1] }, {}),
    JSON.parse('{"__proto__":{"a":1}}'),
    nested(63),
  ];
  for (const body of same) {
    assert.equal(await sent(body), JSON.stringify(body));
  }
});

test("absent members stay absent; dates and addresses become text", async () => {
  const text = await sent({ a: undefined, b: new Date(0), c: new URL("https://a.example/") });
  assert.equal(text, '{"b":"1970-01-01T00:00:00.000Z","c":"https://a.example/"}');
});

test("a bigint amount is sent digit by digit, even if BigInt has toJSON", async () => {
  const { remit, requests } = await kit();
  const quote = () => remit.quote({ ...REQUESTS.quote(), amount: 9007199254740993n });
  await quote();
  BigInt.prototype.toJSON = function () {
    return this.toString();
  };
  try {
    await quote();
  } finally {
    delete BigInt.prototype.toJSON;
  }
  assert.deepEqual(requests.map(({ query }) => query.amount), Array(2).fill("9007199254740993"));
});

test("a getter that changes its value cannot smuggle anything in", async () => {
  const { remit, requests } = await kit();
  let reads = 0;
  const shifty = {
    ...REQUESTS.quote(),
    get amount() {
      reads += 1;
      return reads % 2 ? "text" : 5n;
    },
  };
  const error = await remit.quote(shifty).catch((error) => error);
  assert.deepEqual(requests.map(({ query }) => query.amount), error.name === "RemitError" ? [] : ["5"]);
});

test("a getter's first value counts", async () => {
  const body = {};
  for (const [name, first] of Object.entries({ plain: "a", nested: { b: [1] } })) {
    let asked = 0;
    Object.defineProperty(body, name, { enumerable: true, get: () => (asked++ === 0 ? first : 0) });
  }
  assert.equal(await sent(body), '{"plain":"a","nested":{"b":[1]}}');
});
