import assert from "node:assert/strict";
import { test } from "node:test";
import Keyv from "keyv";
import { fakeClock, HOUR, issuer, json, load, OTHER_SENDER, recordingCache } from "./server.mjs";
import { SENDER, server, sleep } from "./server.mjs";

const never = () => new Promise(() => {});

/** Backends of one client at one token endpoint. */
async function backends(count, cache, options = {}) {
  const { tokens, endpoint, errors, client } = await issuer({ cache, ...options });
  const another = (more) => server.createTokenIssuer({ ...client, cache, onError: () => {}, ...more });
  const others = Array.from({ length: count - 1 }, () => another());
  return { all: [tokens, ...others], endpoint, errors, another };
}

async function token(backend, options, sender = SENDER) {
  return (await backend.senderToken(sender, options)).access_token;
}

test("two backends share tokens and renewals through Keyv", async () => {
  const cache = new Keyv();
  const { all, another } = await backends(2, cache);
  const [one, other] = all;
  assert.deepEqual([await token(one), await token(other)], ["t1", "t1"]);
  assert.equal((await other.clientToken()).access_token, "t2");
  assert.equal((await one.clientToken()).access_token, "t2");
  await sleep(5);
  assert.equal(await token(other, { renew: true }), "t3");
  assert.equal(await token(one), "t3");
  const recording = recordingCache();
  await token(another({ cache: recording }));
  const [, , ttl] = recording.calls.find(([name]) => name === "set");
  assert.ok(ttl > 0.89 * HOUR && ttl <= 0.9 * HOUR, String(ttl));
});

test("concurrent calls ask the cache once, and an emptied cache is refilled, sealed afresh", async () => {
  const cache = recordingCache();
  const { all: [one, other], endpoint } = await backends(2, cache);
  await Promise.all(Array.from({ length: 100 }, () => token(one)));
  assert.deepEqual(cache.calls.map(([name]) => name), ["get", "set"]);
  const [sealed] = cache.entries.values();
  cache.entries.clear();
  await token(one);
  assert.ok(![...cache.entries.values()].includes(sealed));
  assert.deepEqual([await token(other), endpoint.asked.length], ["t1", 1]);
});

test("clients, environments and secrets do not share cached tokens", async () => {
  const { all: [one], another, endpoint } = await backends(1, new Keyv());
  await token(one);
  const baseUrl = `${endpoint.baseUrl}/eu`;
  const others = [{ clientId: "another" }, { clientSecret: "another" }, { baseUrl }];
  for (const [at, more] of others.entries()) assert.equal(await token(another(more)), `t${at + 2}`);
});

test("garbage or a moved entry in the cache is not trusted and is replaced", async () => {
  const cache = recordingCache();
  const { all: [one], another, endpoint } = await backends(1, cache);
  await token(one);
  await one.clientToken();
  const [[key, sealed], [clientKey, client]] = cache.entries;
  const hostile = new Proxy({}, { get: () => assert.fail("in the page") });
  const plain = { access_token: "evil", expires_in: 3600 };
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  const altered = [0, 11, 12, bytes.length - 17, bytes.length - 16, bytes.length - 1].flatMap((at) => {
    const flipped = Buffer.from(bytes);
    flipped[at] ^= 1;
    return [flipped, bytes.subarray(0, at)].map((text) => `v1.${text.toString("base64url")}`);
  });
  const texts = ["", `v2.${sealed.slice(3)}`, JSON.stringify(plain), "x".repeat(1e6), ...altered];
  const others = [null, 7, true, Symbol("x"), {}, [sealed], () => sealed, plain, hostile];
  for (const value of [client, ...texts, ...others]) {
    cache.entries.set(key, value);
    const count = endpoint.asked.length;
    assert.equal(await token(another()), `t${count + 1}`);
    assert.match(cache.entries.get(key), /^v1\./);
  }
  await token(one, {}, OTHER_SENDER);
  cache.entries.set([...cache.entries.keys()].at(-1), sealed);
  const count = endpoint.asked.length;
  assert.equal(await token(another(), {}, OTHER_SENDER), `t${count + 1}`);
  for (const name of [key, clientKey]) assert.match(name, /^remitkit:token:[0-9a-f]{64}$/);
  assert.notEqual(key, clientKey);
});

test("an entry from the future, or past its renewal, is not used", async (t) => {
  const clock = fakeClock(t);
  const { all: [one], another } = await backends(1, recordingCache());
  clock.set(2 * HOUR);
  await token(one);
  clock.set(0);
  assert.equal(await token(another()), "t2");
  clock.set(HOUR);
  assert.equal(await token(another()), "t3");
});

const rejects = (error) => () => Promise.reject(error);
const throws = (error) => () => {
  throw error;
};
const BROKEN = {
  rejects: { get: rejects(new Error("down")), set: rejects() },
  throws: { get: throws("down"), set: throws(null) },
  "keeps nothing, as a Keyv that is down": { get: async () => undefined, set: async () => false },
  "does not say what it kept": { get: async () => undefined, set() {}, compareAndSet: async () => undefined },
  "returns lookalikes of promises": { get: () => ({ then: (_, no) => no(1) }), set: () => ({ then() {} }) },
};

for (const [what, cache] of Object.entries(BROKEN)) {
  test(`the local copy still serves with a cache that ${what}`, async () => {
    const { all: [one], endpoint, errors } = await backends(1, cache);
    for (let i = 0; i < 20; i++) assert.equal(await token(one), "t1");
    assert.deepEqual([await token(one, { renew: true }), await token(one)], ["t2", "t2"]);
    const reported = errors.map(({ code, option }) => `${code} ${option}`);
    assert.deepEqual([endpoint.asked.length, reported], [2, ["ServiceUnavailable cache"]], "reported once");
  });
}

test("a hanging cache costs half a second once, then is left alone", async () => {
  const { all: [one], endpoint, errors } = await backends(1, { get: never, set: never });
  const startedAt = performance.now();
  for (let i = 0; i < 50; i++) await token(one, {}, i % 2 ? SENDER : OTHER_SENDER);
  const took = performance.now() - startedAt;
  assert.ok(took > 400 && took < 1500, `${took} ms`);
  assert.equal(endpoint.asked.length, 2);
  assert.match(errors[0].message, /did not answer in time/);
});

test("a process keeps a bounded number of tokens and refetches evicted ones", async () => {
  const { Memory } = await load("server/memory.js");
  const memory = new Memory(3);
  for (const key of ["a", "b", "c", "a", "d"]) memory.set(key, key, HOUR);
  assert.deepEqual(["a", "b", "c", "d"].map((key) => memory.get(key)), ["a", undefined, "c", "d"]);
  memory.set("e", "e", 0);
  assert.equal(memory.get("e"), undefined);
});

/** A cache that can compare. */
function comparingCache() {
  const entries = new Map();
  return {
    entries,
    get: async (key) => entries.get(key),
    set: () => assert.fail("a cache that can compare is not set without"),
    compareAndSet: async (key, expected, value) => {
      if (entries.get(key) !== expected) return false;
      entries.set(key, value);
      return true;
    },
  };
}

for (const [kind, makeCache] of Object.entries({ plain: recordingCache, comparing: comparingCache })) {
  test(`a replaced token stays out on a ${kind} cache, however far apart the clocks are`, async (t) => {
    const clock = fakeClock(t);
    for (const seconds of [-7200, -90, -2, -0.001, 0, 2, 90, 7200]) {
      const { all: [one, other, third] } = await backends(3, makeCache());
      const tokenBy = (backend, skew, options) => (clock.set(skew * 1000), token(backend, options));
      const replaced = [await tokenBy(one, seconds), await tokenBy(other, 0)];
      const renewed = await tokenBy(other, 0, { renew: true });
      for (let i = 0; i < 3; i++) {
        const now = [renewed, await tokenBy(one, seconds), await tokenBy(other, 0), await tokenBy(third, 0)];
        assert.deepEqual(now.filter((one) => replaced.includes(one)), [], `clocks ${seconds} s apart`);
      }
      if (Math.abs(seconds) < 60) assert.equal(await tokenBy(one, seconds), renewed);
    }
  });
}

test("a renewal outranks another backend's that was written after it had read the cache", async () => {
  const { TokenCache } = await load("server/token-cache.js");
  const { SharedCache } = await load("server/shared-cache.js");
  const unsealed = {
    keyOf: async (name) => name,
    seal: async (text) => text,
    open: async (text) => text,
  };
  const seals = async () => [unsealed];
  for (const cache of [recordingCache(), comparingCache()]) {
    const shared = new SharedCache(cache, assert.fail);
    const [one, other] = [new TokenCache(shared, seals), new TokenCache(shared, seals)];
    const [first, second] = [await one.read("key"), await other.read("key")];
    const fetched = (bearer) => ({ bearer, askedAt: Date.now(), life: HOUR });
    await one.replace("key", fetched("a"), first, true);
    await other.replace("key", fetched("b"), second, true);
    const { slots: [{ entry }] } = await one.read("key");
    assert.deepEqual([entry.bearer, entry.version], ["b", 2]);
  }
});

test("a process whose seal fails keeps its own tokens and shares none", async () => {
  const { TokenCache } = await load("server/token-cache.js");
  const cache = recordingCache();
  const fails = () => Promise.reject(new Error("no memory for the key"));
  const tokens = new TokenCache(cache, async () => [{ keyOf: fails, seal: fails, open: fails }]);
  const token = { bearer: "a", askedAt: Date.now(), life: HOUR };
  await tokens.replace("key", token, await tokens.read("key"), true);
  assert.equal((await tokens.read("key")).held.bearer, "a");
  assert.equal(cache.entries.size, 0);
});

test("a copy on its way to the cache does not undo a renewal", async () => {
  const cache = comparingCache();
  const { all: [one, other, third] } = await backends(3, cache);
  // Both derive their keys first: that takes long on a busy machine, and a held call may take half a second.
  await Promise.all([token(one), token(other)]);
  cache.entries.clear();
  let release;
  const { compareAndSet } = cache;
  cache.compareAndSet = (...args) =>
    new Promise((resolve) => (release = () => resolve(compareAndSet(...args))));
  const refill = token(one);
  while (!release) await sleep(1);
  cache.compareAndSet = compareAndSet;
  const renewed = await token(other, { renew: true });
  release();
  await refill;
  assert.deepEqual([await token(third), await token(one)], [renewed, renewed]);
});

test("a short-lived renewal does not bring the replaced token back", async (t) => {
  const clock = fakeClock(t);
  const entries = new Map();
  const cache = {
    get: (key) => (entries.get(key)?.until > Date.now() ? entries.get(key).value : undefined),
    set: (key, value, ttlMs) => void entries.set(key, { value, until: Date.now() + ttlMs }),
  };
  const { all: [one, other, third], endpoint } = await backends(3, cache);
  assert.deepEqual([await token(one), await token(third)], ["t1", "t1"]);
  const short = json(200, { access_token: "short", expires_in: 120 });
  endpoint.answers = [short, short];
  assert.equal(await token(other, { renew: true }), "short");
  clock.set(600_000);
  assert.equal(await token(one), "short");
  clock.set(1_200_000);
  assert.deepEqual([await token(third), await token(one)], ["t4", "t4"]);
});

test("an onError that throws or rejects stops nothing", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  for (const onError of [throws(new Error("in onError")), rejects(new Error("in onError"))]) {
    const { all: [one] } = await backends(1, BROKEN.rejects, { onError });
    assert.equal(await token(one), "t1");
  }
  while (printed.mock.callCount() < 2) await sleep(1);
  assert.equal(printed.mock.callCount(), 2);
});
