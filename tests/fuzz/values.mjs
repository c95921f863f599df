// Values that nobody would pass on purpose. All of them derive from a seed, so that the same value can be
// made twice: once for the SDK, and once to compute what it must have become.

import { ID } from "./samples.mjs";

export const NAMES = [
  "amount", "fields", "quoteHistoryId", "recipientId", "dstCountryIso3Code", "transferMethod", "senderType", "userType", "theme",
  "id", "value", "path", "method", "query", "body", "signal", "container", "decimalPlaces", "iso3Code", "currency", "corridor",
  "access_token", "client_secret", "cause", "length", "constructor", "__proto__", "toJSON", "then", "name", "0", "", "\ud800",
];

const PRIMITIVES = [
  undefined, null, true, false, 0, -0, -1, 1.5, 5e-324, 125, Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300,
  0n, 5n, -5n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 10n ** 400n,
  "", "x", ID, ID.toUpperCase(), `${ID}/..`, "MEX", "mex", "USD", "PUSH_TO_CARD", "SEND_AMOUNT", "PERSON", "RECIPIENT", "en-US", "es",
  "12550", "125.50", "5n", "-5n", "5n\0", "0x10", "1e3", "\ud800", "\udc00\ud800", "a\ud800", "\0", "é😀\u2028", "../..", "#card", "/v1/x",
  "//evil.example", "javascript:alert(1)", "https://user:secret@a.example", "https://a.example/?x#y", "http://127.0.0.1:9", "__proto__", "null",
  "\u0001bigint", "%00%2f", "\u202e", "ﬀ", "İ", "9".repeat(30),
  Symbol("x"), Symbol.iterator, Symbol.for("remitkit.error"),
];

const wide = once(() => "x".repeat(100_000));
const digits = once(() => "9".repeat(100_000));
const pairs = once(() => "😀".repeat(60_000));
const huge = once(() => "h".repeat(50_000_000));
const deepList = once(() => nested(10_000, (inner) => [inner]));
const deepObject = once(() => nested(10_000, (inner) => ({ a: inner })));
const sparse = once(() => Array(4_000_000));
const listOf = once(() => Array.from({ length: 100_000 }, (_, index) => index));

function once(make) {
  let made;
  return () => (made ??= make());
}

function nested(levels, wrap) {
  let value = 0;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

class Row {
  #secret = 1;
  constructor(id) {
    this.id = id;
  }
  get value() {
    return this.#secret;
  }
}

/** What is thrown by what throws. */
function thrown(chance) {
  const any = [undefined, null, 1, "x", 5n, Symbol("x"), new Error("x"), { toString: () => { throw 1; } }, { get name() { throw 2; } }, Object.create(null), new Proxy({}, { get: () => { throw 3; } })];
  return any[chance.between(0, any.length - 1)];
}

const TRAPS = ["get", "ownKeys", "getPrototypeOf", "has", "getOwnPropertyDescriptor", "isExtensible", "apply"];

/** Each makes one object. `world` has what differs between Node and a page, and what re-enters the SDK. */
const OBJECTS = [
  (chance) => {
    const error = thrown(chance);
    const throwing = () => { throw error; };
    const traps = TRAPS.filter(() => chance.happens(50));
    return new Proxy(chance.happens(30) ? [] : {}, Object.fromEntries((traps.length > 0 ? traps : TRAPS).map((trap) => [trap, throwing])));
  },
  () => new Proxy(() => {}, {}),
  // No symbols: Node knows its own AbortSignal by one.
  () => new Proxy({}, { get: (_, name) => (typeof name === "symbol" ? undefined : name), has: () => true, ownKeys: () => ["a", "a2"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }),
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
  () => {
    const cycle = {};
    return Object.assign(cycle, { self: cycle, amount: 5 });
  },
  (chance) => nested(chance.between(60, 70), (inner) => ({ a: [inner] })),
  (chance) => {
    const error = thrown(chance);
    return { get [chance.pick(NAMES)]() { throw error; } };
  },
  (chance) => {
    const error = thrown(chance);
    return { toJSON() { throw error; } };
  },
  (chance, world) => ({ toJSON: () => hostile(chance, world, 0) }),
  () => ({ toJSON: () => ({ toJSON: () => 5n }) }),
  (chance) => {
    const error = thrown(chance);
    return { get then() { throw error; } };
  },
  (chance) => {
    const error = thrown(chance);
    return { then(_, reject) { reject(error); } };
  },
  (chance, world) => {
    const value = hostile(chance, world, 0);
    return { then: (resolve) => { resolve(value); resolve(1); } };
  },
  () => ({ then() {} }),
  () => ({ *[Symbol.iterator]() { for (;;) yield "k"; } }),
  () => ({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: "" }) }) }),
  () => ({ async *[Symbol.asyncIterator]() { for (;;) yield 1; } }),
  (chance) => {
    const error = thrown(chance);
    return { [Symbol.toPrimitive]() { throw error; }, toString() { throw error; }, valueOf() { throw error; } };
  },
  () => ({ toString: () => ID, valueOf: () => 5 }),
  (_, world) => world.foreign('{"a":[1],"amount":5}'),
  (_, world) => world.foreignDate(),
  (_, world) => world.foreignError(),
  () => new Date(Number.NaN),
  () => new Date(0),
  () => new Map([["amount", 2]]),
  () => new Set(["amount"]),
  () => new WeakMap(),
  () => new Uint8Array(16),
  () => new BigInt64Array(2),
  () => new ArrayBuffer(16),
  () => (typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(16) : new DataView(new ArrayBuffer(1))),
  () => new AbortController().signal,
  () => AbortSignal.abort(),
  () => Object.create(AbortSignal.prototype),
  // A real one whose methods are not.
  (chance) => {
    const error = thrown(chance);
    const throwing = () => { throw error; };
    return Object.assign(new AbortController().signal, { addEventListener: throwing, removeEventListener: throwing, throwIfAborted: throwing });
  },
  () => Promise.resolve({}),
  (chance) => {
    const rejected = Promise.reject(thrown(chance));
    rejected.catch(() => {});
    return rejected;
  },
  () => new Promise(() => {}),
  () => Object.create(null),
  () => Object.create({ amount: 5 }),
  () => Object.freeze({ amount: 5 }),
  () => JSON.parse('{"__proto__":{"amount":1},"constructor":{"prototype":{}}}'),
  () => new Row(ID),
  () => new (class extends Array {})(3),
  () => Array(20),
  () => Object.assign([1, , 3], { extra: 1 }),
  () => Object.assign([], { length: 4_294_967_295 }),
  () => ({ length: 4_294_967_295 }),
  () => Object(5n),
  () => Object("text"),
  () => Object(7),
  () => Object(Symbol("x")),
  () => new URL("https://a.example/x"),
  () => /x/g,
  () => new Error("x", { cause: 5n }),
  () => ({ [Symbol.for("remitkit.error")]: true, code: "InvalidConfiguration", name: "RemitError", kind: "internal" }),
  () => globalThis,
  () => Row,
  () => function named() {},
  () => async () => {},
  (chance) => {
    const error = thrown(chance);
    return () => { throw error; };
  },
  (chance, world) => {
    const value = hostile(chance, world, 0);
    return () => value;
  },
  // An answer that changes each time that it is asked for.
  (chance) => {
    const answers = [chance.pick(PRIMITIVES), chance.pick(PRIMITIVES)];
    let asked = 0;
    return { get [chance.pick(NAMES)]() { return answers[asked++ % 2]; } };
  },
  (_, world) => ({ get amount() { world.reenter(); return 5; } }),
  (_, world) => ({ toJSON: () => { world.reenter(); return {}; } }),
  (_, world) => () => { world.reenter(); return {}; },
  (_, world) => world.element(),
];

/** Too large to be made often. */
const LARGE = [wide, digits, pairs, deepList, deepObject, listOf, sparse];

/** Some value, the stranger the better, or an object of such values under names that mean something. */
export function hostile(chance, world, depth = 2) {
  const kind = chance.between(0, 999);
  if (kind === 0 && chance.happens(20)) return huge();
  if (kind < 8) return chance.pick(LARGE)();
  if (kind < 400) return chance.pick(PRIMITIVES);
  if (kind < 720 || depth === 0) return chance.pick(OBJECTS)(chance, world);
  if (kind < 800) return Array.from({ length: chance.between(0, 4) }, () => hostile(chance, world, depth - 1));
  return Object.fromEntries(Array.from({ length: chance.between(0, 5) }, () => [chance.pick(NAMES), hostile(chance, world, depth - 1)]));
}
