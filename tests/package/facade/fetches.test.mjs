// What a page's own `fetch` does: its errors are the cause of ours, and its faults are told from a network's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { listening } from "../packed.mjs";

const { fetch: native } = globalThis;
const { errorOf, ID, kit, replaceGlobal, speedUp } = await import("./kit.mjs");
const { REQUESTS } = await import("../../fuzz/samples.mjs");
const { createServer } = await import("node:http");

/** A kit whose page has replaced `fetch`; `sent` has the methods it was called with. */
async function patched(t, work) {
  speedUp(t);
  const { remit } = await kit();
  const sent = [];
  const { fetch } = globalThis;
  t.mock.method(globalThis, "fetch", (url, init) => {
    sent.push(init.method);
    return work(url, init, fetch);
  });
  return { remit, sent };
}

const CAUSE = new Error("the wrapper's own");
const FAULTS = {
  throws: () => {
    throw CAUSE;
  },
  "returns nothing": () => undefined,
  "resolves with nothing": async () => null,
  "resolves with data": async () => ({ ok: true, json: async () => ({}) }),
  "has read the body": async () => {
    const reply = Response.json({ nonce: ID });
    await reply.text();
    return reply;
  },
  "has no arrayBuffer()": async () => ({ ok: true, status: 200, headers: new Headers(), text: async () => "{}" }),
};

for (const [fault, work] of Object.entries(FAULTS)) {
  test(`a fetch that ${fault} is named at once, with its cause`, async (t) => {
    const { remit, sent } = await patched(t, work);
    const error = await errorOf(remit.nonce());
    assert.deepEqual([error.code, error.option, error.retryable], ["InvalidConfiguration", "fetch", false]);
    assert.equal(fault === "throws" ? error.cause : error.cause.name, fault === "throws" ? CAUSE : "Error");
    assert.deepEqual(sent, ["GET"]);
    // It may have been sent all the same.
    const create = { method: "POST", path: "/v1/later", body: {} };
    const created = await errorOf(remit.request(create));
    assert.deepEqual([created.kind, sent], ["outcome_unknown", ["GET", "POST"]]);
    assert.ok(created.cause instanceof Error);
  });
}

test("a transfer whose fetch fails as no network does is open, never unsent", async (t) => {
  let isFaulty = false;
  const { remit, sent } = await patched(t, (url, init, fetch) => {
    const reply = fetch(url, init);
    if (isFaulty && init.method === "POST") throw CAUSE;
    return reply;
  });
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  isFaulty = true;
  const outcome = await attempt.submit({ signal: AbortSignal.timeout(2000) }).catch((error) => error);
  assert.equal(outcome.kind ?? "made", "outcome_unknown");
  assert.ok(sent.includes("POST"));
});

test("without fetch nothing was sent, and a transfer stays prepared", async (t) => {
  const { remit } = await kit();
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
  replaceGlobal(t, "fetch", { value: undefined });
  for (const call of [remit.nonce(), remit.createRecipient(REQUESTS.recipient()), attempt.submit()]) {
    const { code, option } = await errorOf(call);
    assert.deepEqual([code, option], ["InvalidConfiguration", "fetch"]);
  }
  assert.equal(attempt.state, "PREPARED");
});

test("a network's failure keeps its cause, unless that repeats the token or what was sent", async (t) => {
  const rejected = Object.assign(new TypeError("Failed to fetch"), { cause: new Error("ECONNREFUSED") });
  const { remit, sent } = await patched(t, (_, { headers }) => {
    const config = { headers };
    const isSecret = "accept-language" in headers;
    return Promise.reject(isSecret ? Object.assign(new Error("no"), { config }) : rejected);
  });
  const { code, cause } = await errorOf(remit.nonce());
  assert.deepEqual([code, cause, sent.length], ["NetworkFailure", rejected, 3]);
  const hidden = await errorOf(remit.quote(REQUESTS.quote()));
  assert.deepEqual([hidden.code, hidden.cause], ["NetworkFailure", undefined]);
});

test("a test DOM's AbortSignal beside the engine's fetch works, as does the engine's signal", async (t) => {
  const origin = await listening(
    createServer((request, reply) => {
      if (request.url !== "/v1/nonce") return;
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ nonce: ID }));
    }),
  );
  const own = new AbortController();
  const { window } = new JSDOM("", { url: "https://shop.example/" });
  for (const name of ["AbortController", "AbortSignal", "EventTarget"]) {
    replaceGlobal(t, name, { value: window[name], writable: true });
  }
  t.mock.method(globalThis, "fetch", native);
  const { remit } = await kit(undefined, { baseUrl: origin });
  assert.equal((await remit.nonce()).nonce, ID);
  for (const controller of [own, new AbortController()]) {
    assert.equal((await remit.nonce({ signal: controller.signal })).nonce, ID);
    const aborted = errorOf(remit.corridors(undefined, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    assert.equal((await aborted).code, "Aborted");
  }
});
