import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { shop } from "./packed.mjs";

const installed = join(await shop(), "node_modules/remitkit");
const { createRemitKit, formatAmount, fromMinorUnits, isRemitError, toMinorUnits } = await import(
  pathToFileURL(join(installed, "index.js")).href
);

const OPTIONS = {
  baseUrl: "https://api.remitkit.example",
  cardUrl: "https://card.remitkit.example",
  // Whatever is accepted ends here, before the network.
  token: () => Promise.reject(new Error("no token")),
  wasm: await readFile(join(installed, "remitkit_core_bg.wasm")),
};

const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const MEMBERS = [
  "amount",
  "fields",
  "quoteHistoryId",
  "recipientId",
  "dstCountryIso3Code",
  "transferMethod",
  "senderType",
  "userType",
  "theme",
  "id",
  "value",
  "path",
  "method",
  "body",
  "signal",
  "container",
  "decimalPlaces",
  "iso3Code",
  "currency",
  "__proto__",
  "toJSON",
  "then",
  "",
];

let seed = 7;
const random = (below) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >>> 8) % below;
};
const any = (list) => list[random(list.length)];

const throws = () => {
  throw any([undefined, null, 1, "x", new Error("x"), Symbol("x"), { toString: throws }]);
};

const PRIMITIVES = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  125,
  Number.NaN,
  Infinity,
  2 ** 53,
  1e300,
  0n,
  5n,
  -5n,
  2n ** 64n,
  "",
  "x",
  ID,
  "MEX",
  "mex",
  "USD",
  "PUSH_TO_CARD",
  "SEND_AMOUNT",
  "PERSON",
  "12550",
  "125.50",
  "5n",
  "5n\0",
  "\ud800",
  "\0",
  "é😀\u2028",
  "../..",
  "#card",
  "/v1/x",
  "x".repeat(100_000),
  "9".repeat(100_000),
  Symbol("x"),
  Symbol.iterator,
];

const OBJECTS = [
  () =>
    new Proxy(
      {},
      { get: throws, ownKeys: throws, getPrototypeOf: throws, has: throws, getOwnPropertyDescriptor: throws },
    ),
  () => new Proxy(() => {}, {}),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => {
    const cycle = [];
    cycle.push({ cycle });
    return cycle;
  },
  () => JSON.parse(`${'{"a":['.repeat(40)}${"]}".repeat(40)}`),
  () => Array.from({ length: 1000 }, (_, index) => ({ id: `f${index}`, value: "x" })),
  () => ({
    get [any(MEMBERS)]() {
      return throws();
    },
  }),
  () => ({ toJSON: throws }),
  () => ({ then: throws }),
  () => ({ then: (resolve) => resolve(value(0)) }),
  () => ({
    *[Symbol.iterator]() {
      while (true) yield 1;
    },
  }),
  () => vm.runInNewContext("({ a: [1], b: new Date(), c: /x/ })"),
  () => new Date(Number.NaN),
  () => new Map([[1, 2]]),
  () => new Uint8Array(16),
  () => new ArrayBuffer(16),
  () => new AbortController().signal,
  () => AbortSignal.abort(),
  () => Promise.resolve({}),
  () => Object.create(null),
  () => Object.freeze({ amount: 5 }),
  () => new (class extends Array {})(),
  () => Object(5n),
  () => throws,
  () => class {},
];

/** Some value, the stranger the better, or an object of such values under names that mean something. */
function value(depth = 2) {
  const kind = random(10);
  if (kind < 4) {
    return any(PRIMITIVES);
  }
  if (kind < 7 || depth === 0) {
    return any(OBJECTS)();
  }
  if (kind === 7) {
    return Array.from({ length: random(4) }, () => value(depth - 1));
  }
  return Object.fromEntries(Array.from({ length: random(6) }, () => [any(MEMBERS), value(depth - 1)]));
}

/** Runs work and holds whatever leaves it, now or later, to being a RemitError. */
async function survives(what, work) {
  try {
    await work();
  } catch (error) {
    assert.ok(
      isRemitError(error),
      `${what} let out ${Object.prototype.toString.call(error)}: ${String(error?.stack)}`,
    );
    assert.notEqual(error.kind, "internal", `${what}: ${error.stack} ${String(error.cause?.stack)}`);
    assert.ok(error.message.length > 0);
    JSON.stringify(error);
  }
}

const remit = await createRemitKit(OPTIONS);
const sound = () =>
  assert.deepEqual(remit.contentSecurityPolicy()["frame-src"], ["https://card.remitkit.example"]);

const ROUNDS = 60;
const METHODS = Object.getOwnPropertyNames(Object.getPrototypeOf(remit)).filter(
  (name) => !["constructor", "destroy"].includes(name),
);

for (const name of METHODS) {
  test(`${name} survives any value`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const args = Array.from({ length: random(4) }, () => (random(4) === 0 ? ID : value()));
      await survives(name, () => remit[name](...args));
    }
    sound();
  });
}

for (const [name, exported] of Object.entries({ toMinorUnits, fromMinorUnits, formatAmount, isRemitError })) {
  test(`${name} survives any value`, async () => {
    for (let round = 0; round < 10 * ROUNDS; round += 1) {
      await survives(name, () => exported(value(), value()));
    }
  });
}

test("createRemitKit survives any value", async () => {
  for (let round = 0; round < 5 * ROUNDS; round += 1) {
    await survives("createRemitKit", () =>
      createRemitKit(
        random(2) === 0
          ? value()
          : {
              ...OPTIONS,
              [any([...Object.keys(OPTIONS), "journal", "locale", "timeoutMs", "onDiagnostic"])]: value(),
            },
      ),
    );
  }
  sound();
});

test("a kit survives any value from its token source", async () => {
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const kit = await createRemitKit({
      ...OPTIONS,
      token: () => (random(3) === 0 ? throws() : value()),
      baseUrl: "http://127.0.0.1:9",
      timeoutMs: 100,
    });
    const ended = new AbortController();
    const call = survives("token", () => kit.nonce({ signal: ended.signal }));
    setTimeout(() => ended.abort(), 5);
    await call;
  }
  sound();
});

test("a kit survives any value from its journal", async () => {
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const anything = () => (random(4) === 0 ? throws() : value(0));
    const kit = await createRemitKit({
      ...OPTIONS,
      journal: {
        get: anything,
        set: anything,
        delete: anything,
        keys: () => any([[], [ID, 7, null], anything()]),
      },
    });
    await survives("pendingTransfers", () => kit.pendingTransfers());
  }
  sound();
});
