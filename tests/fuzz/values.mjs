// Values that nobody would pass on purpose. All derive from a seed, so that a value can be made twice: once
// for the SDK, and once to compute what the SDK must have made of it.

import { ID } from "./samples.mjs";

const words = (text) => text.trim().split(/\s+/);

export const NAMES = words(`amount fields quoteHistoryId recipientId dstCountryIso3Code transferMethod senderType
  userType theme id value path method query body signal container decimalPlaces iso3Code currency corridor
  access_token client_secret cause length constructor __proto__ toJSON then name 0`).concat("", "\ud800");

const PRIMITIVES = [
  ...[undefined, null, true, false, 0, -0, -1, 1.5, 5e-324, 125, Number.NaN, Infinity, -Infinity, 1e300],
  ...[2 ** 53, -(2 ** 53), 0n, 5n, -5n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 10n ** 400n],
  ...["", ID, ID.toUpperCase(), `${ID}/..`, "5n\0", "\ud800", "\udc00\ud800", "a\ud800", "\0", "é😀\u2028"],
  ...["\u0001bigint", "\u202e", "9".repeat(30), Symbol("x"), Symbol.iterator, Symbol.for("remitkit.error")],
  ...words(`x MEX mex USD PUSH_TO_CARD SEND_AMOUNT PERSON RECIPIENT en-US es 12550 125.50 5n -5n 0x10 1e3
    ../.. #card /v1/x //evil.example javascript:alert(1) https://user:secret@a.example
    https://a.example/?x#y http://127.0.0.1:9 __proto__ null %00%2f ﬀ İ`),
];

function once(make) {
  let made;
  return () => (made ??= make());
}

function nested(levels, wrap) {
  let value = 0;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const huge = once(() => "h".repeat(50_000_000));
/** Values too large to be made often. */
const LARGE = [
  once(() => "x".repeat(100_000)),
  once(() => "9".repeat(100_000)),
  once(() => "😀".repeat(60_000)),
  once(() => nested(10_000, (inner) => [inner])),
  once(() => nested(10_000, (inner) => ({ a: inner }))),
  once(() => Array.from({ length: 100_000 }, (_, index) => index)),
  once(() => Array(4_000_000)),
];

class Row {
  #secret = 1;
  constructor(id) {
    this.id = id;
  }
  get value() {
    return this.#secret;
  }
}

const THROWN = [
  ...[() => undefined, () => null, () => 1, () => "x", () => 5n, () => Symbol("x"), () => new Error("x")],
  () => ({ toString: fail, get name() { return fail(); } }),
  () => Object.create(null),
  () => new Proxy({}, { get: fail }),
];

function fail() {
  throw 1;
}

/** Returns a function that throws some value. */
function throwing(chance) {
  const error = chance.pick(THROWN)();
  return () => {
    throw error;
  };
}

const withGetter = (name, get) => Object.defineProperty({}, name, { get, enumerable: true, configurable: true });
const TRAPS = words("get ownKeys getPrototypeOf has getOwnPropertyDescriptor isExtensible apply");

/** Each makes one object. `world` has an element, another realm, and what re-enters the SDK. */
const OBJECTS = [
  (chance) => {
    const traps = TRAPS.filter(() => chance.happens(50));
    const thrower = throwing(chance);
    const handler = Object.fromEntries((traps.length > 0 ? traps : TRAPS).map((trap) => [trap, thrower]));
    return new Proxy(chance.happens(30) ? [] : {}, handler);
  },
  () => new Proxy(() => {}, {}),
  () =>
    new Proxy({}, {
      // No symbols: Node recognizes its AbortSignal by one.
      get: (_, name) => (typeof name === "symbol" ? undefined : name),
      has: () => true,
      ownKeys: () => ["a", "a2"],
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
    }),
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
  (chance) => withGetter(chance.pick(NAMES), throwing(chance)),
  (chance) => ({ toJSON: throwing(chance) }),
  (chance, world) => ({ toJSON: () => hostile(chance, world, 0) }),
  () => ({ toJSON: () => ({ toJSON: () => 5n }) }),
  (chance) => withGetter("then", throwing(chance)),
  (chance) => {
    const error = chance.pick(THROWN)();
    return { then: (_, reject) => reject(error) };
  },
  (chance, world) => {
    const value = hostile(chance, world, 0);
    return { then: (resolve) => (resolve(value), resolve(1)) };
  },
  () => ({ then() {} }),
  () => ({ *[Symbol.iterator]() { for (;;) yield "k"; } }),
  () => ({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: "" }) }) }),
  () => ({ async *[Symbol.asyncIterator]() { for (;;) yield 1; } }),
  (chance) => {
    const thrower = throwing(chance);
    return { [Symbol.toPrimitive]: thrower, toString: thrower, valueOf: thrower };
  },
  () => ({ toString: () => ID, valueOf: () => 5 }),
  (_, { realm }) => realm.JSON.parse('{"a":[1],"amount":5}'),
  (_, { realm }) => new realm.Date(0),
  (_, { realm }) => Object.assign(new realm.TypeError("x"), { kind: "internal" }),
  () => new Date(Number.NaN),
  () => new Date(0),
  () => new Map([["amount", 2]]),
  () => new Set(["amount"]),
  () => new WeakMap(),
  () => new Uint8Array(16),
  () => new BigInt64Array(2),
  () => new ArrayBuffer(16),
  () => new DataView(new ArrayBuffer(1)),
  () => new AbortController().signal,
  () => AbortSignal.abort(),
  () => Object.create(AbortSignal.prototype),
  (chance) => {
    const thrower = throwing(chance);
    const methods = { addEventListener: thrower, removeEventListener: thrower, throwIfAborted: thrower };
    return Object.assign(new AbortController().signal, methods);
  },
  () => Promise.resolve({}),
  (chance) => {
    const rejected = Promise.reject(chance.pick(THROWN)());
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
  (chance) => Object(chance.pick([5n, "text", 7, Symbol("x")])),
  () => new URL("https://a.example/x"),
  () => /x/g,
  () => new Error("x", { cause: 5n }),
  () => ({ [Symbol.for("remitkit.error")]: true, code: "Aborted", name: "RemitError", kind: "internal" }),
  () => globalThis,
  () => Row,
  () => function named() {},
  () => async () => {},
  (chance) => throwing(chance),
  (chance, world) => {
    const value = hostile(chance, world, 0);
    return () => value;
  },
  // A member that changes each time it is read.
  (chance) => {
    const answers = [chance.pick(PRIMITIVES), chance.pick(PRIMITIVES)];
    let reads = 0;
    return withGetter(chance.pick(NAMES), () => answers[reads++ % 2]);
  },
  (_, world) => withGetter("amount", () => (world.reenter(), 5)),
  (_, world) => ({ toJSON: () => (world.reenter(), {}) }),
  (_, world) => () => (world.reenter(), {}),
  (_, world) => world.container,
];

/** Makes some value, or an object of such values under meaningful names. */
export function hostile(chance, world, depth = 2) {
  const kind = chance.between(0, 999);
  if (kind === 0 && chance.happens(20)) return huge();
  if (kind < 8) return chance.pick(LARGE)();
  if (kind < 400) return chance.pick(PRIMITIVES);
  if (kind < 720 || depth === 0) return chance.pick(OBJECTS)(chance, world);
  const inner = () => hostile(chance, world, depth - 1);
  if (kind < 800) return Array.from({ length: chance.between(0, 4) }, inner);
  const member = () => [chance.pick(NAMES), inner()];
  return Object.fromEntries(Array.from({ length: chance.between(0, 5) }, member));
}
