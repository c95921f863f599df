// The handler in the servers that it supports.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import { after, test } from "node:test";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { assertRefused, errorOf } from "./unpacked.mjs";
import { issuer, json, listening, send, SENDER, skipPauses } from "./server.mjs";

/** A shop whose customer is who the cookie says. */
const senderId = async ({ headers }) => {
  const cookie = typeof headers.get === "function" ? headers.get("cookie") : headers.cookie;
  return { "session=ana": SENDER, "session=barred": false, "session=broken": "not a uuid" }[cookie];
};
const ANA = { cookie: "session=ana" };

async function honoServer(app) {
  const listener = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  after(() => listener.close());
  if (!listener.listening) await once(listener, "listening");
  return `http://127.0.0.1:${listener.address().port}`;
}

async function fastifyServer(addRoutes) {
  const app = fastify();
  addRoutes(app);
  after(() => app.close());
  return app.listen({ port: 0, host: "127.0.0.1" });
}

/** Calls a route handler as Next does: with a web request whose address is internal, and a context. */
function routeHandlerServer({ POST }) {
  return listening(
    createServer(async ({ method, url, headers }, outgoing) => {
      if (method !== "POST") return outgoing.writeHead(405, { allow: "POST" }).end();
      const init = { method, headers: Object.entries(headers) };
      const context = { params: Promise.resolve({}) };
      const reply = await POST(new Request(`http://localhost:3000${url}`, init), context);
      outgoing.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
    }),
  );
}

const SERVERS = {
  "plain http": (handle) => listening(createServer(handle)),
  "a Next route handler": (handle) => routeHandlerServer({ POST: handle }),
  "Express 5": (handle) => listening(createServer(express().use(express.json()).all("/", handle))),
  Fastify: (handle) => fastifyServer((app) => app.all("/", handle)),
  Hono: (handle) => honoServer(new Hono().all("/", (c) => handle(c.req.raw))),
};
/** One server for Node's form of a handler, and one for Fetch's. */
const FORMS = Object.entries(SERVERS).slice(0, 2);

/** Serves a handler with plain http; returns the address and what `issuer` returns. */
async function serving(options, issuerOptions) {
  const made = await issuer(issuerOptions);
  const handle = made.tokens.handler({ senderId: () => SENDER, ...options });
  return { ...made, handle, url: await listening(createServer(handle)) };
}

for (const [name, start] of Object.entries(SERVERS)) {
  test(`${name}: a signed-in customer gets their token and nothing more`, async () => {
    const { tokens, endpoint } = await issuer();
    const extra = { scope: "all", more: 1 };
    endpoint.answer = json(200, { access_token: "t", expires_in: 600, token_type: "Bearer", ...extra });
    const url = await start(tokens.handler({ senderId }));
    const origin = { origin: new URL(url).origin, "sec-fetch-site": "same-origin" };
    const headers = { ...ANA, ...origin, "content-type": "application/json" };
    for (let i = 0; i < 2; i += 1) {
      // The page's body is not read.
      const body = JSON.stringify({ senderId: "11111111-2222-4333-8444-555555555555", renew: true });
      const reply = await send(url, { headers, body });
      assert.equal(reply.status, 200);
      assert.deepEqual(Object.keys(reply.body).sort(), ["access_token", "expires_in", "token_type"]);
      assert.ok(reply.body.expires_in > 590 && reply.body.expires_in <= 600);
      assert.equal(reply.headers["cache-control"], "no-store");
      assert.match(reply.headers["content-type"], /^application\/json/);
    }
    assert.deepEqual(endpoint.asked.map(({ body }) => body.sender_id), [SENDER]);
    for (const method of ["GET", "PUT", "OPTIONS", "DELETE"]) {
      const { status, headers } = await send(url, { method, headers: ANA });
      assert.deepEqual([status, headers.allow], [405, "POST"]);
    }
  });
}

for (const [name, start] of FORMS) {
  test(`${name}: nobody else gets anything`, async () => {
    const { tokens, endpoint, errors } = await issuer();
    const url = await start(tokens.handler({ senderId }));
    const { origin, host } = new URL(url);
    const evil = "http://evil.example";
    const origins = [evil, "null", "", `http://${host}.evil.example`, `${evil}/${host}`];
    const sites = ["cross-site", "same-site", "none", "nonsense"];
    for (const [headers, status, error] of [
      [{}, 401, "unauthenticated"],
      [{ origin }, 401, "unauthenticated"],
      [{ cookie: "session=barred" }, 403, "forbidden"],
      [{ cookie: "session=broken" }, 500, "internal"],
      ...[
        ...origins.map((origin) => ({ origin })),
        ...sites.map((site) => ({ origin, "sec-fetch-site": site })),
        { origin: evil, "sec-fetch-site": "same-origin" },
        { origin: evil, "x-forwarded-host": "evil.example" },
      ].map((headers) => [{ ...ANA, ...headers }, 403, "other_origin"]),
    ]) {
      const reply = await send(url, { headers });
      assert.deepEqual([reply.status, reply.body], [status, { error }], JSON.stringify(headers));
      assert.equal(reply.headers["cache-control"], "no-store");
    }
    const reported = errors.filter(({ option }) => option !== "origins");
    assert.equal(reported.length, 1);
    assert.match(reported[0].message, /^senderId returned text that is not a UUID\./);
    assert.equal(endpoint.asked.length, 0);
  });

  test(`${name}: service errors reach onError; the page sees only a status`, async (t) => {
    const { tokens, endpoint, errors } = await issuer({ timeoutMs: 300 });
    skipPauses(t);
    const url = await start(tokens.handler({ senderId }));
    for (const [answer, status, retryAfter, code] of [
      [json(401, { error: "invalid_client", error_description: "why" }), 502, undefined, "Unauthorized"],
      [json(429, {}, { "retry-after": "60" }), 503, "60", "TooManyRequests"],
      [json(503, {}, { "retry-after": "0" }), 503, undefined, "ServiceUnavailable"],
      [(reply) => reply.socket.destroy(), 502, undefined, "NetworkFailure"],
      [() => {}, 504, undefined, "Timeout"],
    ]) {
      endpoint.answer = answer;
      const reply = await send(url, { headers: ANA });
      assert.deepEqual([reply.status, reply.body], [status, { error: "unavailable" }]);
      assert.deepEqual([reply.headers["retry-after"], errors.at(-1).code], [retryAfter, code]);
    }
  });
}

// By how many milliseconds the monotonic clock and the date move on. The former may not count sleep.
for (const [clock, ageMs, dateMs, cache] of [
  ["runs", 1001, 1001, undefined],
  ["is set back", 1001, -500, new Map()],
  ["sleeps", 0, 1001, new Map()],
]) {
  test(`a page's refused token is renewed at most once a second, when the clock ${clock}`, async (t) => {
    let now = Date.now();
    let age = 0;
    t.mock.method(Date, "now", () => now);
    t.mock.method(performance, "now", () => age);
    const { url, endpoint } = await serving({}, { cache });
    const token = async (cacheControl) => {
      const headers = cacheControl === undefined ? {} : { "cache-control": cacheControl };
      return (await send(url, { headers })).body.access_token;
    };
    assert.equal(await token(), "t1");
    assert.equal(await token("no-cache"), "t1");
    age += ageMs;
    now += dateMs;
    assert.equal(await token("max-age=0, x-no-cache"), "t1");
    const renewed = await Promise.all(Array.from({ length: 50 }, () => token("max-age=0, No-Cache")));
    assert.deepEqual(new Set(renewed), new Set(["t2"]));
    assert.deepEqual([await token("no-cache"), await token(), endpoint.asked.length], ["t2", "t2", 2]);
  });
}

test("HTTP/2, which has :authority for Host", async () => {
  const { handle } = await serving();
  const url = await listening(createHttp2Server(handle));
  const session = connect(url);
  after(() => session.close());
  for (const [origin, status] of [[url, 200], ["http://evil.example", 403]]) {
    const stream = session.request({ ":method": "POST", ":path": "/token", origin }).end();
    const [reply] = await once(stream, "response");
    stream.resume();
    assert.equal(reply[":status"], status);
  }
});

test("configured origins replace Host and stop DNS rebinding", async () => {
  const own = "https://shop.example.com";
  const { url } = await serving({ origins: [own] });
  for (const [headers, status] of [
    [{ origin: own }, 200],
    [{ origin: own, "sec-fetch-site": "same-site" }, 200],
    [{ origin: "http://shop.example.com" }, 403],
    [{ origin: url, "sec-fetch-site": "same-origin" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{}, 200],
  ]) {
    assert.equal((await send(url, { headers })).status, status, JSON.stringify(headers));
  }
});

test("the origins of pages inside an app are taken by their exact text", async () => {
  const apps = ["capacitor://localhost", "ionic://localhost", "tauri://localhost", "http://tauri.localhost", "app://shop:1"];
  const { url } = await serving({ origins: apps });
  for (const origin of apps) assert.equal((await send(url, { headers: { origin } })).status, 200, origin);
  for (const origin of ["capacitor://localhost/", "Capacitor://localhost", "capacitor://other", "null"]) {
    assert.equal((await send(url, { headers: { origin } })).status, 403, origin);
  }
  const { handle } = await serving();
  const reply = { writeHead: (code) => (reply.status = code), end() {} };
  await handle({ method: "POST", headers: { host: "localhost", origin: "capacitor://localhost" } }, reply);
  assert.equal(reply.status, 403, "unnamed, an app's page is not the shop's own");
});

test("a default port in Origin or Host makes no difference", async () => {
  const { handle } = await serving();
  const statusOf = async (headers, headersSent = false) => {
    const written = [];
    const response = { headersSent, writeHead: (code) => written.push(code), end() {} };
    await handle({ method: "POST", headers }, response);
    return written;
  };
  for (const [host, origin, status] of [
    ["shop.example", "https://shop.example", 200],
    ["shop.example:443", "https://shop.example", 200],
    ["SHOP.example", "https://shop.example", 200],
    ["shop.example:8443", "https://shop.example", 403],
    ["shop.example", "https://shop.example:8443", 403],
    ["", "https://shop.example", 403],
    ["a b", "https://shop.example", 403],
    [undefined, "https://undefined", 403],
  ]) {
    assert.deepEqual(await statusOf({ host, origin }), [status], `${host} ${origin}`);
  }
  assert.deepEqual(await statusOf({ host: "" }, true), [], "a reply that has begun is left alone");
});

test("unknown call forms are refused; a Fetch context is no Node response", async () => {
  const { handle } = await serving();
  const calls = [[], [{}], [null, null], [{ req: { raw: 1 } }], ["POST"], [{ method: "POST", headers: {} }]];
  await assertRefused((call) => handle(...call), calls.map((call) => [call, "request"]));
  const request = () => new Request("http://shop.example/token", { method: "POST" });
  for (const context of [undefined, null, {}, { params: {} }, { waitUntil() {} }, { end() {} }]) {
    assert.equal((await handle(request(), context)).status, 200);
  }
});

test("a handler refuses invalid options", async () => {
  const { tokens } = await issuer();
  const wrong = ["a.example", "https://a.example/", "*", 7, "null", "file:///x", "Ionic://localhost", "ionic://a/b"];
  const origins = [[], "https://a.example", ...wrong.map((origin) => ["https://b.example", origin])];
  const rows = [
    [undefined, "options"],
    [{}, "senderId"],
    [{ senderId: SENDER }, "senderId"],
    [{ senderId, origin: ["https://a.example"] }, "origin"],
    ...origins.map((origins) => [{ senderId, origins }, "origins"]),
  ];
  await assertRefused((options) => tokens.handler(options), rows, "InvalidConfiguration");
  const { message } = await errorOf(() => tokens.handler({ senderId, origins: ["https://a.example", "https://b.example/x"] }));
  assert.match(message, /entry 1, "https:\/\/b\.example\/x", is none; its origin is "https:\/\/b\.example"/);
});
