// What the engine makes of a failed fetch on a page with a content security policy.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { facadeFolder } from "./facade.mjs";

const { load } = await facadeFolder();
const { Engine } = await load("engine.js");

const [NETWORK, BLOCKED] = [-1, -4];
const URL = "https://api.example/v1/nonce";
const { fetch } = globalThis;

let listeners;
beforeEach(() => {
  listeners = new Set();
  globalThis.document = {
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
});
afterEach(() => {
  delete globalThis.document;
  globalThis.fetch = fetch;
});

function violate(blockedURI) {
  const event = { isTrusted: true, disposition: "enforce", effectiveDirective: "connect-src", blockedURI };
  listeners.forEach((listener) => listener(event));
}

/** What an engine tells of requests, each with what happens as it is fetched and fails. */
async function statuses(...fetched) {
  const told = [];
  const engine = new Engine((id, status) => (told[id] = status));
  for (const [id, happens] of fetched.entries()) {
    globalThis.fetch = async () => {
      happens();
      throw new TypeError("Failed to fetch");
    };
    await engine.send(id, undefined, URL, "GET", "t", "*/*", undefined, undefined, 1000);
  }
  assert.equal(listeners.size, 0);
  return told;
}

test("a request that the policy keeps back is told as such, also where the word of it comes later", async () => {
  assert.deepEqual(await statuses(() => violate(URL), () => setTimeout(violate, 5, URL)), [BLOCKED, BLOCKED]);
});

test("only what the policy says of this address while it is asked for counts", async () => {
  const others = () => violate(`${URL}?other`);
  assert.deepEqual(await statuses(() => {}, others, () => violate(URL), () => {}), [NETWORK, NETWORK, BLOCKED, NETWORK]);
});

test("of two requests to one address both were kept back", async () => {
  const told = [];
  const engine = new Engine((id, status) => (told[id] = status));
  globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  const send = (id) => engine.send(id, undefined, URL, "GET", "t", "*/*", undefined, undefined, 1000);
  const sent = [send(0), send(1)];
  violate(URL);
  await Promise.all(sent);
  assert.deepEqual(told, [BLOCKED, BLOCKED]);
});

test("of what a page is kept from otherwise nothing is kept, however long it lives", async (t) => {
  const kept = [];
  for (const [collection, method] of [[Map, "set"], [Set, "add"]]) {
    const own = collection.prototype[method];
    t.mock.method(collection.prototype, method, function (...entry) {
      kept.push(entry[0]);
      return own.apply(this, entry);
    });
  }
  const addresses = Array.from({ length: 100 }, (_, at) => `https://ads.example/${at}`);
  await statuses(() => addresses.forEach(violate));
  assert.deepEqual(addresses.filter((address) => kept.includes(address)), []);
});

test("a request that was given up listens no more, though its fetch never settles", () => {
  const engine = new Engine(() => {});
  globalThis.fetch = () => new Promise(() => {});
  engine.send(0, undefined, URL, "GET", "t", "*/*", undefined, undefined, 1000);
  assert.equal(listeners.size, 1);
  engine.stop(0);
  assert.equal(listeners.size, 0);
});
