// The handler in every server that it is said to fit, each of them really serving.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import { after, describe, test } from "node:test";
import { serve } from "@hono/node-server";
import express5 from "express";
import { Hono } from "hono";
import { errorOf } from "./unpacked.mjs";
import { issuer, json, listening, SENDER } from "./server.mjs";

/** A shop whose customer is who the cookie says. */
const senderId = async (request) => {
  const cookie =
    typeof request.headers.get === "function" ? request.headers.get("cookie") : request.headers.cookie;
  return { "session=ana": SENDER, "session=barred": false, "session=broken": "not a uuid" }[cookie];
};

async function honoServer(app) {
  const listener = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  after(() => listener.close());
  if (!listener.listening) await once(listener, "listening");
  return `http://127.0.0.1:${listener.address().port}/token`;
}

/** Calls a route handler as Next does: with a web request whose address is internal, and a context. */
function routeHandlerServer({ POST }) {
  return listening(
    createServer(async (incoming, outgoing) => {
      if (incoming.method !== "POST") return outgoing.writeHead(405).end();
      const request = new Request(`http://localhost:3000${incoming.url}`, {
        method: incoming.method,
        headers: Object.entries(incoming.headers),
      });
      const reply = await POST(request, { params: Promise.resolve({}) });
      outgoing.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
    }),
  );
}

const SERVERS = {
  "plain http": (handle) => listening(createServer(handle)),
  "Express 5": (handle) => {
    const app = express5();
    app.use(express5.json());
    app.all("/token", handle);
    return listening(createServer(app)).then((url) => `${url}/token`);
  },
  "Express 5, mounted": (handle) => {
    const app = express5();
    app.use("/token", handle);
    return listening(createServer(app)).then((url) => `${url}/token`);
  },
  Hono: (handle) => honoServer(new Hono().all("/token", (c) => handle(c.req.raw))),
  "a Next route handler": (handle) => routeHandlerServer({ POST: handle }),
};

/** A request with its headers exactly as given; fetch would set some itself. */
async function send(url, { method = "POST", headers = {}, body } = {}) {
  const outgoing = httpRequest(url, { method, headers }).end(body);
  const [reply] = await once(outgoing, "response");
  let text = "";
  for await (const chunk of reply) text += chunk;
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

for (const [name, start] of Object.entries(SERVERS)) {
  test(`${name}: a signed-in customer gets their token and nothing more`, async () => {
    const { issuer: tokens, endpoint } = await issuer();
    endpoint.answer = json(200, {
      access_token: "t",
      expires_in: 600,
      token_type: "Bearer",
      scope: "all",
      more: 1,
    });
    const url = await start(tokens.handler({ senderId }));
    const headers = { cookie: "session=ana", origin: new URL(url).origin, "sec-fetch-site": "same-origin" };
    for (let i = 0; i < 3; i++) {
      // What the page says of its sender, or of anything else, is not read.
      const body = JSON.stringify({ senderId: "11111111-2222-4333-8444-555555555555", renew: true });
      const reply = await send(url, { headers: { ...headers, "content-type": "application/json" }, body });
      assert.equal(reply.status, 200);
      assert.deepEqual(Object.keys(reply.body).sort(), ["access_token", "expires_in", "token_type"]);
      assert.ok(reply.body.expires_in > 590 && reply.body.expires_in <= 600);
      assert.equal(reply.headers["cache-control"], "no-store");
      assert.match(reply.headers["content-type"], /^application\/json/);
    }
    assert.deepEqual(
      endpoint.asked.map(({ body }) => body.sender_id),
      [SENDER],
    );
  });

  test(`${name}: nobody else gets anything`, async () => {
    const { issuer: tokens, endpoint, errors } = await issuer();
    const url = await start(tokens.handler({ senderId }));
    const { origin, host } = new URL(url);
    const ana = { cookie: "session=ana" };
    const cases = [
      [{}, 401, "unauthenticated"],
      [{ headers: { origin } }, 401, "unauthenticated"],
      [{ headers: { cookie: "session=barred" } }, 403, "forbidden"],
      [{ headers: { cookie: "session=broken" } }, 500, "internal"],
      ...[
        "http://evil.example",
        "null",
        "",
        `http://${host}.evil.example`,
        `http://evil.example/${host}`,
      ].map((evil) => [{ headers: { ...ana, origin: evil } }, 403, "other_origin"]),
      ...["cross-site", "same-site", "none", "nonsense"].map((site) => [
        { headers: { ...ana, origin, "sec-fetch-site": site } },
        403,
        "other_origin",
      ]),
      [
        { headers: { ...ana, origin: "http://evil.example", "sec-fetch-site": "same-origin" } },
        403,
        "other_origin",
      ],
      [
        { headers: { ...ana, "x-forwarded-host": "evil.example", origin: "http://evil.example" } },
        403,
        "other_origin",
      ],
    ];
    for (const [request, status, error] of cases) {
      const reply = await send(url, request);
      assert.deepEqual([reply.status, reply.body], [status, { error }], JSON.stringify(request));
      assert.equal(reply.headers["cache-control"], "no-store");
    }
    assert.equal(endpoint.asked.length, 0);
    assert.deepEqual(
      errors.map((told) => [told.code, told.option]),
      [["InvalidConfiguration", "senderId"]],
    );
    for (const method of ["GET", "PUT", "OPTIONS", "DELETE"]) {
      const reply = await send(url, { method, headers: ana });
      assert.equal(reply.status, 405);
      if (name !== "a Next route handler") assert.equal(reply.headers.allow, "POST");
    }
    assert.equal(endpoint.asked.length, 0);
  });
}

// At once: each waits eleven seconds, until the issuer has tried again often enough.
describe("service errors reach onError; the page sees only a status", { concurrency: 5 }, () => {
  for (const [name, start] of Object.entries(SERVERS)) {
    test(name, async () => {
      const { issuer: tokens, endpoint, errors } = await issuer({ timeoutMs: 2_000 });
      const url = await start(tokens.handler({ senderId }));
      const cases = [
        [json(401, { error: "invalid_client", error_description: "why" }), 502, undefined],
        [json(429, {}, { "retry-after": "60" }), 503, "60"],
        [json(503, {}, { "retry-after": "0" }), 503, undefined],
        [(reply) => reply.socket.destroy(), 502, undefined],
        [() => {}, 504, undefined],
      ];
      for (const [answer, status, retryAfter] of cases) {
        endpoint.answer = answer;
        const reply = await send(url, { headers: { cookie: "session=ana" } });
        assert.deepEqual([reply.status, reply.body], [status, { error: "unavailable" }]);
        assert.equal(reply.headers["retry-after"], retryAfter);
      }
      assert.deepEqual(
        errors.map((error) => error.code),
        ["Unauthorized", "TooManyRequests", "ServiceUnavailable", "NetworkFailure", "Timeout"],
      );
    });
  }
});

test("a page's refused token is renewed at most once a second", async (t) => {
  let now = Date.now();
  t.mock.method(Date, "now", () => now);
  // By which a token's age is told: on a busy machine the requests take longer than it stays young.
  t.mock.method(performance, "now", () => now);
  const { issuer: tokens, endpoint } = await issuer();
  const url = await listening(createServer(tokens.handler({ senderId: () => SENDER })));
  const token = async (cacheControl) => {
    const headers = cacheControl === undefined ? {} : { "cache-control": cacheControl };
    return (await send(url, { headers })).body.access_token;
  };
  assert.equal(await token(), "t1");
  assert.equal(await token("no-cache"), "t1");
  now += 1001;
  assert.equal(await token("max-age=0, x-no-cache"), "t1");
  const renewed = await Promise.all(Array.from({ length: 50 }, () => token("max-age=0, No-Cache")));
  assert.deepEqual(new Set(renewed), new Set(["t2"]));
  assert.equal(await token("no-cache"), "t2");
  assert.equal(await token(), "t2");
  assert.equal(endpoint.asked.length, 2);
});

test("setting the clock back does not hand out a refused token again", async (t) => {
  let now = Date.now();
  t.mock.method(Date, "now", () => now);
  const { issuer: tokens, endpoint } = await issuer({ cache: new Map() });
  const url = await listening(createServer(tokens.handler({ senderId: () => SENDER })));
  const token = async (headers) => (await send(url, { headers })).body.access_token;
  assert.equal(await token(), "t1");
  now -= 30_000;
  assert.equal(await token(), "t1");
  assert.equal(await token({ "cache-control": "no-cache" }), "t2");
  assert.equal(await token({ "cache-control": "no-cache" }), "t2");
  assert.equal(await token(), "t2");
  assert.equal(endpoint.asked.length, 2);
});

test("HTTP/2, which has :authority for Host", async () => {
  const { issuer: tokens } = await issuer();
  const url = await listening(createHttp2Server(tokens.handler({ senderId: () => SENDER })));
  const session = connect(url);
  after(() => session.close());
  const post = async (headers) => {
    const stream = session.request({ ":method": "POST", ":path": "/token", ...headers }).end();
    const [reply] = await once(stream, "response");
    stream.resume();
    return reply[":status"];
  };
  assert.equal(await post({ origin: url }), 200);
  assert.equal(await post({ origin: "http://evil.example" }), 403);
});

test("configured origins replace Host and stop DNS rebinding", async () => {
  const { issuer: tokens } = await issuer();
  const origins = ["https://shop.example.com"];
  const url = await listening(createServer(tokens.handler({ senderId: () => SENDER, origins })));
  const status = async (headers) => (await send(url, { headers })).status;
  assert.equal(await status({ origin: "https://shop.example.com" }), 200);
  assert.equal(await status({ origin: "https://shop.example.com", "sec-fetch-site": "same-site" }), 200);
  assert.equal(await status({ origin: "http://shop.example.com" }), 403);
  assert.equal(await status({ origin: url, "sec-fetch-site": "same-origin" }), 403);
  assert.equal(await status({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await status({}), 200);
});

test("a default port in Origin or Host makes no difference", async () => {
  const { issuer: tokens } = await issuer();
  const handle = tokens.handler({ senderId: () => SENDER });
  for (const [host, origin, status] of [
    ["shop.example", "https://shop.example", 200],
    ["shop.example:443", "https://shop.example", 200],
    ["SHOP.example", "https://shop.example", 200],
    ["shop.example:8443", "https://shop.example", 403],
    ["shop.example", "https://shop.example:8443", 403],
    ["", "https://shop.example", 403],
    ["a b", "https://shop.example", 403],
  ]) {
    const written = [];
    const response = { headersSent: false, writeHead: (code) => written.push(code), end() {} };
    await handle({ method: "POST", headers: { host, origin } }, response);
    assert.deepEqual(written, [status], `${host} ${origin}`);
  }
});

test("unknown call forms are refused; a Fetch context is no Node response", async () => {
  const { issuer: tokens } = await issuer();
  const handle = tokens.handler({ senderId: () => SENDER });
  for (const call of [
    [],
    [{}],
    [null, null],
    [{ req: { raw: 1 } }],
    ["POST"],
    [{ method: "POST", headers: {} }],
  ]) {
    const error = await errorOf(handle(...call));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", "request"]);
  }
  const request = () => new Request("http://shop.example/token", { method: "POST" });
  for (const context of [undefined, null, {}, { params: {} }, { waitUntil() {} }, { end() {} }]) {
    assert.equal((await handle(request(), context)).status, 200);
  }
});

test("a response that has already begun is left alone", async () => {
  const { issuer: tokens } = await issuer();
  const handle = tokens.handler({ senderId: () => SENDER });
  const url = await listening(
    createServer(async (request, response) => {
      response.writeHead(418).end("{}");
      await handle(request, response);
    }),
  );
  assert.equal((await send(url)).status, 418);
});

test("a handler refuses invalid options", async () => {
  const { issuer: tokens } = await issuer();
  const wrong = [
    [undefined, "options"],
    [{}, "senderId"],
    [{ senderId: SENDER }, "senderId"],
    [{ senderId, origin: ["https://a.example"] }, "origin"],
    ...[[], "https://a.example", ["a.example"], ["https://a.example/"], ["*"], [7]].map((origins) => [
      { senderId, origins },
      "origins",
    ]),
  ];
  for (const [options, option] of wrong) {
    const error = await errorOf(() => tokens.handler(options));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", option]);
  }
});
