import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import Keyv from "keyv";
import { errorOf } from "./unpacked.mjs";
import { cacheOf, issuer, json, OTHER_SENDER, SECRET, SENDER } from "./server.mjs";

const HOUR = 3_600_000;
const seed = Number(process.env.CACHE_SEED ?? randomInt(2 ** 31));

/** A second backend of the same client on the same cache. */
function second({ createTokenIssuer, endpoint }, cache, more = {}) {
  return createTokenIssuer({
    baseUrl: endpoint.baseUrl,
    clientId: "client",
    clientSecret: SECRET,
    cache,
    onError: () => {},
    ...more,
  });
}

test("two backends share a token through Keyv until its renewal", async () => {
  const cache = new Keyv();
  const first = await issuer({ cache });
  const other = second(first, cache);
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t1");
  assert.equal((await other.senderToken(SENDER)).access_token, "t1");
  assert.equal((await other.clientToken()).access_token, "t2");
  assert.equal((await first.issuer.clientToken()).access_token, "t2");
  const calls = cacheOf();
  await second(first, calls).senderToken(SENDER);
  const [, , ttl] = calls.calls.find(([name]) => name === "set");
  assert.ok(ttl > 0.89 * HOUR && ttl <= 0.9 * HOUR, String(ttl));
});

test("a token renewed by one backend reaches the others at once", async () => {
  const cache = new Keyv();
  const first = await issuer({ cache });
  const other = second(first, cache);
  await first.issuer.senderToken(SENDER);
  await other.senderToken(SENDER);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await other.senderToken(SENDER, { renew: true })).access_token, "t2");
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t2");
});

test("1,000 concurrent calls ask the cache once and the service once", async () => {
  const cache = cacheOf();
  const { issuer: tokens, endpoint } = await issuer({ cache });
  await Promise.all(Array.from({ length: 1000 }, () => tokens.senderToken(SENDER)));
  assert.deepEqual(
    cache.calls.map(([name]) => name),
    ["get", "set"],
  );
  assert.equal(endpoint.asked.length, 1);
});

test("ten concurrent backends fetch at most once each, then agree", async () => {
  const cache = new Keyv();
  const first = await issuer({ cache });
  const all = [first.issuer, ...Array.from({ length: 9 }, () => second(first, cache))];
  const ask = () =>
    Promise.all(all.flatMap((one) => Array.from({ length: 20 }, () => one.senderToken(SENDER))));
  await ask();
  const fetched = first.endpoint.asked.length;
  assert.ok(fetched >= 1 && fetched <= 10, String(fetched));
  await ask();
  assert.equal(first.endpoint.asked.length, fetched);
  const agreed = await ask();
  assert.equal(new Set(agreed.map((token) => token.access_token)).size, 1);
});

test("an emptied cache is refilled without asking the service", async () => {
  const cache = cacheOf();
  const first = await issuer({ cache });
  await first.issuer.senderToken(SENDER);
  cache.entries.clear();
  await first.issuer.senderToken(SENDER);
  assert.equal((await second(first, cache).senderToken(SENDER)).access_token, "t1");
  assert.equal(first.endpoint.asked.length, 1);
});

test("clients, environments and secrets do not share cached tokens", async () => {
  const cache = new Keyv();
  const first = await issuer({ cache });
  await first.issuer.senderToken(SENDER);
  const others = [
    { clientId: "another" },
    { clientSecret: "another" },
    { baseUrl: `${first.endpoint.baseUrl}/eu` },
  ];
  for (const [i, more] of others.entries()) {
    assert.equal((await second(first, cache, more).senderToken(SENDER)).access_token, `t${i + 2}`);
  }
});

test("an entry moved to another key is not trusted", async () => {
  const cache = cacheOf();
  const first = await issuer({ cache });
  await first.issuer.senderToken(SENDER);
  await first.issuer.clientToken();
  const [senderKey, clientKey] = cache.entries.keys();
  const swapped = cacheOf(
    new Map([
      [senderKey, cache.entries.get(clientKey)],
      [senderKey.replace(SENDER, OTHER_SENDER), cache.entries.get(senderKey)],
    ]),
  );
  assert.equal((await second(first, swapped).senderToken(SENDER)).access_token, "t3");
  assert.equal((await second(first, swapped).senderToken(OTHER_SENDER)).access_token, "t4");
});

test("garbage in the cache is not trusted and is replaced", async () => {
  const cache = cacheOf();
  const first = await issuer({ cache });
  await first.issuer.senderToken(SENDER);
  const [[key, sealed]] = cache.entries;
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error("no");
      },
    },
  );
  const plain = { access_token: "evil", expires_in: 3600 };
  const garbage = [
    null,
    7,
    true,
    "",
    "v1.",
    "v1.AAAA",
    `v2.${sealed.slice(3)}`,
    "token",
    Symbol("x"),
    {},
    [],
    [sealed],
  ];
  for (const value of [...garbage, () => sealed, plain, JSON.stringify(plain), "x".repeat(1e6), hostile]) {
    cache.entries.set(key, value);
    const count = first.endpoint.asked.length;
    assert.equal((await second(first, cache).senderToken(SENDER)).access_token, `t${count + 1}`);
    assert.match(cache.entries.get(key), /^v1\./);
  }
});

test(`a seal opens only for its own text, place and secret (seed ${seed})`, async () => {
  const { Seal } = await import(new URL("../../../pkg-template/server/seal.js", import.meta.url));
  const seal = new Seal(SECRET, "salt");
  const sealed = await seal.seal("a token", "place");
  assert.equal(await new Seal(SECRET, "salt").open(sealed, "place"), "a token");
  assert.notEqual(await seal.seal("a token", "place"), sealed);
  for (const other of [new Seal("other", "salt"), new Seal(SECRET, "other")]) {
    assert.equal(await other.open(sealed, "place"), undefined);
  }
  assert.equal(await seal.open(sealed, "elsewhere"), undefined);
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (let i = 0; i < 5000; i++) {
    const altered = Buffer.from(bytes);
    altered[random(bytes.length)] ^= 1 + random(255);
    const length = random(3) === 0 ? random(bytes.length) : bytes.length;
    const text = `v1.${altered.subarray(0, length).toString("base64url")}`;
    assert.equal(await seal.open(text, "place"), undefined, text);
  }
});

test("an entry from the future, or past its renewal, is not used", async (t) => {
  const cache = cacheOf();
  let now = Date.now();
  t.mock.method(Date, "now", () => now);
  const first = await issuer({ cache });
  now += 2 * HOUR;
  await first.issuer.senderToken(SENDER);
  now -= 2 * HOUR;
  assert.equal((await second(first, cache).senderToken(SENDER)).access_token, "t2");
  now += HOUR;
  assert.equal((await second(first, cache).senderToken(SENDER)).access_token, "t3");
});

const BROKEN = {
  rejects: {
    get: async () => Promise.reject(new Error("down")),
    set: async () => Promise.reject(new Error("down")),
  },
  throws: {
    get() {
      throw "down";
    },
    set() {
      throw null;
    },
  },
  "rejects with undefined": { get: () => Promise.reject(), set: () => Promise.reject() },
  "says nothing and keeps nothing, as a Keyv that is down": {
    get: async () => undefined,
    set: async () => false,
  },
  "gives what only looks like a promise": {
    get: () => ({ then: (_, no) => no(1) }),
    set: () => ({ then() {} }),
  },
};

for (const [what, cache] of Object.entries(BROKEN)) {
  test(`the local copy still serves with a cache that ${what}`, async () => {
    const { issuer: tokens, endpoint, errors, isRemitError } = await issuer({ cache });
    for (let i = 0; i < 20; i++) {
      assert.equal((await tokens.senderToken(SENDER)).access_token, "t1");
    }
    assert.equal(endpoint.asked.length, 1);
    assert.equal(errors.length, 1, "reported once, not with every call");
    assert.ok(isRemitError(errors[0]) && errors[0].option === "cache");
  });
}

test("a hanging cache costs half a second once, then is left alone", async () => {
  const never = () => new Promise(() => {});
  const { issuer: tokens, endpoint, errors } = await issuer({ cache: { get: never, set: never } });
  const startedAt = performance.now();
  for (let i = 0; i < 50; i++) {
    await tokens.senderToken(i % 2 ? SENDER : OTHER_SENDER);
  }
  const took = performance.now() - startedAt;
  assert.ok(took > 400 && took < 1500, `${took} ms`);
  assert.equal(endpoint.asked.length, 2);
  assert.match(errors[0].message, /did not answer in time/);
});

test("an onError that throws or rejects stops nothing", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  for (const onError of [
    () => {
      throw new Error("in onError");
    },
    () => Promise.reject(new Error("in onError")),
  ]) {
    const { issuer: tokens } = await issuer({ cache: BROKEN.rejects, onError });
    assert.equal((await tokens.senderToken(SENDER)).access_token, "t1");
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(printed.mock.callCount(), 2);
});

test("a process keeps 10,000 senders' tokens and refetches evicted ones", async () => {
  const { Memory } = await import(new URL("../../../pkg-template/server/memory.js", import.meta.url));
  const memory = new Memory(3);
  for (const key of ["a", "b", "c", "a", "d"]) memory.set(key, key, HOUR);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => memory.get(key)),
    ["a", undefined, "c", "d"],
  );
  memory.set("e", "e", 0);
  assert.equal(memory.get("e"), undefined);
});

test("an error of the service is not cached", async () => {
  const cache = cacheOf();
  const { issuer: tokens, endpoint } = await issuer({ cache });
  endpoint.answers = [(reply) => reply.writeHead(401).end()];
  await errorOf(tokens.senderToken(SENDER));
  assert.equal(cache.entries.size, 0);
});

/** A cache that can compare, each of whose steps takes as long as `pause` says. */
function comparing(entries = new Map(), pause = async () => {}) {
  return {
    entries,
    get: async (key) => (await pause(), entries.get(key)),
    set: () => assert.fail("a cache that can compare is not set without"),
    compareAndSet: async (key, expected, value) => {
      await pause();
      if (entries.get(key) !== expected) return false;
      entries.set(key, value);
      return true;
    },
  };
}

for (const seconds of [-7200, -90, -2, -0.001, 0, 2, 90, 7200]) {
  for (const [kind, make] of Object.entries({ "a plain": cacheOf, "a comparing": comparing })) {
    test(`a replaced token stays out, clocks ${seconds} s apart, on ${kind} cache`, async (t) => {
      const trueNow = Date.now;
      let offset = 0;
      t.mock.method(Date, "now", () => trueNow() + offset);
      const cache = make();
      const first = await issuer({ cache });
      const other = second(first, cache);
      const third = second(first, cache);
      const by = async (backend, ahead, options) => {
        offset = ahead * 1000;
        return (await backend.senderToken(SENDER, options)).access_token;
      };
      const old = new Set([await by(first.issuer, seconds)]);
      old.add(await by(other, 0));
      const renewed = await by(other, 0, { renew: true });
      assert.ok(!old.has(renewed));
      for (let i = 0; i < 3; i++) {
        assert.ok(!old.has(await by(first.issuer, seconds)), "the first backend has it again");
        assert.ok(!old.has(await by(other, 0)), "the second backend has it again");
        assert.ok(!old.has(await by(third, 0)), "the third backend has it again");
      }
      if (Math.abs(seconds) < 60) assert.equal(await by(first.issuer, seconds), renewed);
    });
  }
}

test("a short-lived renewal does not bring the replaced token back", async (t) => {
  const trueNow = Date.now;
  let offset = 0;
  t.mock.method(Date, "now", () => trueNow() + offset);
  const entries = new Map();
  const cache = {
    get: (key) => (entries.get(key)?.until > Date.now() ? entries.get(key).value : undefined),
    set: (key, value, ttl) => entries.set(key, { value, until: Date.now() + ttl }),
  };
  const first = await issuer({ cache });
  const other = second(first, cache);
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t1");
  first.endpoint.answers = [json(200, { access_token: "short", expires_in: 120 })];
  assert.equal((await other.senderToken(SENDER, { renew: true })).access_token, "short");
  offset = 600_000;
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t3");
  assert.equal((await other.senderToken(SENDER)).access_token, "t3");
});

test("a copy on its way to the cache does not undo a renewal", async () => {
  const cache = comparing();
  const first = await issuer({ cache });
  await first.issuer.senderToken(SENDER);
  // Its key takes a while on a busy machine, and the held call half a second at most.
  const other = second(first, cache);
  await other.senderToken(SENDER);
  cache.entries.clear();
  let held;
  const { compareAndSet } = cache;
  cache.compareAndSet = (...args) => new Promise((resolve) => (held = () => resolve(compareAndSet(...args))));
  const refill = first.issuer.senderToken(SENDER);
  while (!held) await new Promise((resolve) => setTimeout(resolve, 1));
  cache.compareAndSet = compareAndSet;
  assert.equal((await other.senderToken(SENDER, { renew: true })).access_token, "t2");
  held();
  await refill;
  assert.equal((await second(first, cache).senderToken(SENDER)).access_token, "t2");
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t2");
});

test("a refused token's age does not depend on another backend's clock", async (t) => {
  const trueNow = Date.now;
  let offset = 0;
  t.mock.method(Date, "now", () => trueNow() + offset);
  const cache = new Map();
  const first = await issuer({ cache });
  const other = second(first, cache);
  assert.equal((await first.issuer.senderToken(SENDER)).access_token, "t1");
  const reply = await other.handler({ senderId: () => SENDER })(
    new Request("http://127.0.0.1/", { method: "POST", headers: { "cache-control": "no-cache" } }),
  );
  assert.equal((await reply.json()).access_token, "t2");
});

test(`a replaced token never returns, despite delays or skew (seed ${seed})`, async (t) => {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const trueNow = Date.now;
  t.mock.method(Date, "now", () => trueNow() + random(5) * 1000);
  for (let round = 0; round < 15; round++) {
    const cache = comparing(
      new Map(),
      () => new Promise((resolve) => setTimeout(resolve, random(4))),
    );
    const first = await issuer({ cache });
    const backends = [first.issuer, second(first, cache), second(first, cache)];
    // Prepare the seals first: nothing else may happen between a call's read and its result.
    for (const backend of backends) await backend.clientToken();
    const handedOut = new Set();
    const away = new Set();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let i = 0; i < 6; i++) {
          const renew = random(3) === 0;
          const [known, gone] = [[...handedOut], new Set(away)];
          const { access_token } = await backends[random(3)].senderToken(SENDER, { renew });
          assert.ok(!gone.has(access_token), `${access_token} is back`);
          handedOut.add(access_token);
          if (renew) for (const token of known) if (token !== access_token) away.add(token);
        }
      }),
    );
  }
});
