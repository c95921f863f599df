import assert from "node:assert/strict";
import crypto from "node:crypto";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Keyv from "keyv";
import { listening, recordingCache, send as sendRequest, server, sleep } from "./server.mjs";
import { assertRefused, errorOf, fakeTime } from "./unpacked.mjs";

const { parseTransferWebhook, createWebhookReceiver, isRemitError } = server;

const KEY = "whk_9f8e7d6c5b4a";
const EVENT = {
  TransferId: "7b0c6f5e-0000-4000-8000-000000000001",
  Status: "Complete",
  StatusChangedDate: "2026-11-21T10:11:12.1234567Z",
  CancellationReason: null,
};

function fetchRequest(body = JSON.stringify(EVENT), authorization = KEY) {
  const headers = authorization === null ? {} : { authorization };
  return new Request("https://shop.example/webhook", { method: "POST", body, headers, duplex: "half" });
}

const parsed = (body, header, key = KEY) => parseTransferWebhook(fetchRequest(body, header), key);

const AUTHORIZED = { authorization: KEY };

async function send(url, body = JSON.stringify(EVENT), headers = AUTHORIZED, method = "POST") {
  const { status, body: answer } = await sendRequest(url, { method, headers, body });
  return { status, body: answer };
}

/** Starts a server that parses webhooks by hand and collects the events or errors. */
function shop(outcomes, ...middleware) {
  const app = express();
  app.post("/webhook", ...middleware, async (request, response) => {
    outcomes.push(await parseTransferWebhook(request, KEY).catch((error) => error));
    response.json({});
  });
  return listening(createServer(app)).then((url) => `${url}/webhook`);
}

test("Fetch, raw Node and Express-parsed requests give the same event", async () => {
  const outcomes = [await parsed()];
  const json = { ...AUTHORIZED, "content-type": "application/json" };
  const ignores = (request, _, next) => ((request.body = {}), next());
  for (const [middleware, headers] of [
    [[], json],
    [[express.json()], json],
    [[express.raw({ type: "*/*" })], json],
    [[express.text({ type: "*/*" })], json],
    [[ignores], json],
    [[express.json()], { ...AUTHORIZED, "content-type": "text/plain" }],
  ]) {
    await send(await shop(outcomes, ...middleware), undefined, headers);
  }
  const app = new Hono().post("/webhook", async (c) => c.json(await parseTransferWebhook(c.req.raw, KEY)));
  outcomes.push(await (await app.request(fetchRequest())).json());
  assert.deepEqual(outcomes, Array(8).fill(EVENT));
});

test("the key may stand bare or after Basic, and any of several matches", async () => {
  for (const header of [KEY, `Basic ${KEY}`, `basic  ${KEY}`]) {
    assert.deepEqual(await parsed(undefined, header), EVENT);
    assert.deepEqual(await parsed(undefined, header, ["new", KEY]), EVENT);
  }
  assert.deepEqual(await parsed(undefined, "Basic whatever", "Basic whatever"), EVENT);
});

test("another key is refused before the body is read, and an empty one matches nothing", async () => {
  const near = [KEY.slice(1), `${KEY}x`, KEY.toUpperCase(), `Bearer ${KEY}`, btoa(KEY)];
  for (const header of [null, "", "Basic", "Basic ", ...near, "[object Object]"]) {
    const request = fetchRequest(undefined, header);
    const error = await errorOf(parseTransferWebhook(request, KEY));
    assert.deepEqual([error.code, error.kind], ["Unauthorized", "authentication"], header);
    assert.equal(request.bodyUsed, false);
    assert.ok(!inspect(error, { showHidden: true }).includes(KEY));
  }
  const keys = [undefined, null, "", [], [""], [KEY, undefined], " ", `${KEY}\n`, 7, {}];
  for (const header of ["", "undefined", "null", KEY]) {
    const parse = (key) => parseTransferWebhook(fetchRequest(undefined, header), key);
    await assertRefused(parse, keys.map((key) => [key, "apiKey"]), "InvalidConfiguration");
  }
});

test("every key is compared in constant time with both header readings", async (t) => {
  const compared = [];
  const { timingSafeEqual } = crypto;
  crypto.timingSafeEqual = (a, b) => (compared.push([a.length, b.length]), timingSafeEqual(a, b));
  syncBuiltinESMExports();
  t.after(() => {
    crypto.timingSafeEqual = timingSafeEqual;
    syncBuiltinESMExports();
  });
  for (const header of [KEY, "second", `Basic ${KEY}`, "other", "x".repeat(5000), null]) {
    compared.length = 0;
    await parsed(undefined, header, [KEY, "second"]).catch(() => {});
    assert.deepEqual(compared, Array(4).fill([32, 32]), String(header).slice(0, 20));
  }
});

test("unknown statuses pass, unknown members don't, nothing is inherited", async () => {
  const known = { ...EVENT, Status: "On The Moon", CancellationReason: "x".repeat(60_000) };
  assert.deepEqual(await parsed(JSON.stringify({ ...known, secret: 1 })), known);
  const { CancellationReason, ...without } = EVENT;
  assert.equal((await parsed(JSON.stringify(without))).CancellationReason, null);
  const { TransferId, ...others } = EVENT;
  const parse = (body) => parseTransferWebhook({ headers: { authorization: KEY }, body }, KEY);
  assert.deepEqual(await parse(known), known);
  await assertRefused(parse, [
    [Object.assign(Object.create({ TransferId }), others), "body.TransferId"],
    [{ ...EVENT, CancellationReason: "x".repeat(65_537) }, "body.CancellationReason"],
  ]);
});

test("a malformed event is refused, naming the member at fault", async () => {
  const changed = (change) => JSON.stringify({ ...EVENT, ...change });
  const rows = [
    ...["", "{", "null", "[]", "7", Buffer.from([0x7b, 0xff])].map((body) => [body, "body"]),
    ["{}", "body.TransferId"],
    [changed({ TransferId: 7 }), "body.TransferId"],
    [changed({ TransferId: "x".repeat(2000) }), "body.TransferId"],
    [changed({ Status: "" }), "body.Status"],
    [changed({ StatusChangedDate: null }), "body.StatusChangedDate"],
    [changed({ CancellationReason: {} }), "body.CancellationReason"],
    [changed({ pad: "x".repeat(70_000) }), "body"],
  ];
  await assertRefused((body) => parsed(body), rows);
  const requests = [undefined, null, 7, "x", {}, { headers: null }, { headers: { authorization: KEY } }];
  const others = requests.map((request) => [request, "request"]);
  await assertRefused((request) => parseTransferWebhook(request, KEY), others);
});

test("an endless, stalled, consumed or cut-off body is refused", async (t) => {
  let sent = 0;
  const chunk = new Uint8Array(1000);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue((sent += 1000, chunk)) });
  assert.equal((await errorOf(parsed(endless))).option, "body");
  assert.ok(sent < 100_000, String(sent));
  for (const [read, code] of [
    [(request) => request.text(), "InvalidRequest"],
    [(request) => request.body.getReader(), "InvalidRequest"],
  ]) {
    const request = fetchRequest();
    await read(request);
    assert.equal((await errorOf(parseTransferWebhook(request, KEY))).code, code);
  }

  const outcomes = [];
  const drain = async (request, _, next) => {
    for await (const _ of request);
    next();
  };
  await send(await shop(outcomes, drain));
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const arriving = (request, reply, next) => {
    next();
    arrive();
  };
  const url = new URL(await shop(outcomes, arriving));
  const socket = connect(url.port, url.hostname);
  const head = ["POST /webhook HTTP/1.1", "host: x", `authorization: ${KEY}`, "content-length: 500"];
  await new Promise((resolve) => socket.write(`${head.join("\r\n")}\r\n\r\n{"Tr`, resolve));
  await arrived;
  socket.destroy();
  while (outcomes.length < 2) await sleep(10);
  assert.deepEqual(outcomes.map(({ code }) => code), ["InvalidRequest", "NetworkFailure"]);

  const { pass } = fakeTime(t);
  const cancel = t.mock.fn();
  const stalled = errorOf(parsed(new ReadableStream({ cancel })));
  await pass(10_000);
  assert.deepEqual([(await stalled).code, cancel.mock.callCount()], ["Timeout", 1]);
});

/** Serves a receiver with plain http; `events` and `errors` are what it handed on. */
async function receiver(options = {}) {
  const events = [];
  const errors = [];
  const receive = createWebhookReceiver({
    apiKey: KEY,
    onTransferStatus: (event) => void events.push(event),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receive, events, errors, url: await listening(createServer(receive)) };
}

test("an event is handled once, and another status is another event", async () => {
  const events = [];
  const onTransferStatus = async (event) => {
    await sleep(50);
    events.push(event);
  };
  const { url, receive } = await receiver({ onTransferStatus });
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(await send(url), { status: 200, body: { received: true } });
  }
  const failed = { ...EVENT, Status: "Failed" };
  await Promise.all(Array.from({ length: 50 }, () => send(url, JSON.stringify(failed))));
  assert.equal((await receive(fetchRequest())).status, 200);
  const later = { ...EVENT, StatusChangedDate: "2026-11-22T00:00:00Z" };
  await send(url, JSON.stringify(later));
  assert.deepEqual(events, [EVENT, failed, later]);
});

test("an event whose handler fails gets a 500 and is handled when resent", async () => {
  let isDown = true;
  let calls = 0;
  const onTransferStatus = async () => {
    calls += 1;
    if (isDown) throw new Error("database down");
  };
  const { url, errors } = await receiver({ onTransferStatus });
  const replies = await Promise.all([send(url), send(url)]);
  assert.deepEqual(replies.map(({ status }) => status), [500, 500]);
  assert.match(errors[0].cause.message, /database down/);
  isDown = false;
  const before = calls;
  for (let i = 0; i < 2; i += 1) assert.equal((await send(url)).status, 200);
  assert.equal(calls, before + 1);
});

test("a handler times out after five minutes, and runs when resent", { timeout: 60_000 }, async (t) => {
  const ends = [];
  const onTransferStatus = () => new Promise((resolve, reject) => ends.push({ resolve, reject }));
  const { receive, errors } = await receiver({ onTransferStatus });
  const { pass } = fakeTime(t);
  const arrive = async () => {
    const status = receive(fetchRequest()).then(({ status }) => status);
    await pass(0);
    return { status };
  };
  const first = await arrive();
  await pass(299_999);
  const duplicate = await arrive();
  assert.equal(ends.length, 1);
  await pass(1);
  assert.deepEqual([await first.status, await duplicate.status], [500, 500]);
  assert.match(errors[0].message, /did not settle in time/);

  const again = await arrive();
  assert.equal(ends.length, 2);
  ends[1].reject(new Error("database down"));
  assert.equal(await again.status, 500);
  // The handler that timed out succeeds after all.
  ends[0].resolve();
  assert.equal(await (await arrive()).status, 200);
  assert.equal(ends.length, 2);
});

test("backends sharing a cache spot duplicates; a broken cache loses none", async () => {
  const cache = new Keyv();
  const [first, other] = [await receiver({ cache }), await receiver({ cache })];
  await send(first.url);
  await send(other.url);
  assert.deepEqual([first.events.length, other.events.length], [1, 0]);

  const recording = recordingCache();
  await send((await receiver({ cache: recording })).url);
  const [, [, key, ttl]] = recording.calls;
  assert.match(key, /^remitkit:webhook:[0-9a-f]{64}$/);
  assert.equal(ttl, 7 * 86_400_000);

  const never = () => new Promise(() => {});
  for (const broken of [
    { get: never, set: never },
    { get: () => Promise.reject(1), set: () => false },
    { get: () => "garbage", set() {} },
  ]) {
    const { url, events } = await receiver({ cache: broken });
    for (let i = 0; i < 2; i += 1) assert.equal((await send(url)).status, 200);
    assert.equal(events.length, 1);
  }
});

test("every other request gets a status and no reason", async () => {
  const { url, events, errors } = await receiver();
  for (const [request, status, error] of [
    [[undefined, {}], 401, "unauthorized"],
    [[undefined, { authorization: "other" }], 401, "unauthorized"],
    [["{"], 400, "invalid_request"],
    [["{}"], 400, "invalid_request"],
    [["x".repeat(1_000_000)], 413, "too_large"],
    [[undefined, undefined, "PUT"], 405, "method_not_allowed"],
  ]) {
    assert.deepEqual(await send(url, ...request), { status, body: { error } });
  }
  assert.deepEqual([events.length, errors.length, errors.every(isRemitError)], [0, 5, true]);
  assert.ok(!inspect(errors, { depth: 9, showHidden: true }).includes(KEY));
});

test("Fastify: a webhook is received once, parsed by Fastify or not", async () => {
  const { receive, events, errors } = await receiver();
  const app = fastify();
  app.post("/parsed", receive);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, payload, done) => done(null));
    scope.post("/raw", receive);
  });
  after(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const headers = { ...AUTHORIZED, "content-type": "application/json" };
  const other = { ...EVENT, Status: "Failed" };
  for (const [path, event] of [["parsed", EVENT], ["raw", EVENT], ["raw", other], ["parsed", other]]) {
    const reply = await send(`${url}/${path}`, JSON.stringify(event), headers);
    assert.deepEqual(reply, { status: 200, body: { received: true } });
  }
  assert.deepEqual([events, errors], [[EVENT, other], []]);
  assert.equal((await send(`${url}/parsed`, undefined, { "content-type": "application/json" })).status, 401);
});

test("what the backend did wrong is answered with 5xx, so that the event comes again", async () => {
  const { receive, events, errors } = await receiver();
  const app = new Hono();
  app.post("/late", async (c) => (await c.req.json(), receive(c.req.raw)));
  assert.equal((await app.request("/late", fetchRequest())).status, 500);
  const drained = express().use(async (request, _, next) => {
    for await (const _ of request);
    next();
  }, receive);
  const url = await listening(createServer(drained));
  assert.deepEqual(await send(url), { status: 500, body: { error: "internal" } });
  for (const { message } of errors) assert.match(message, /has not been read yet/);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  assert.equal((await receive(fetchRequest(broken))).status, 503);
  assert.deepEqual([errors.length, events.length], [3, 0]);
});

test("a compressed body is inflated within the limit; another encoding is 415", async () => {
  const { url, receive, events } = await receiver();
  const text = JSON.stringify(EVENT);
  const post = (encoding, body) => send(url, body, { ...AUTHORIZED, "content-encoding": encoding });
  for (const [encoding, body, status] of [
    ["gzip", gzipSync(text), 200],
    ["GZIP", gzipSync(text), 200],
    ["deflate", deflateSync(text), 200],
    ["identity", text, 200],
    ["br", brotliCompressSync(text), 415],
    ["gzip, br", text, 415],
    ["gzip", text, 400],
    ["gzip", gzipSync(text).subarray(0, 40), 400],
    ["gzip", gzipSync("x".repeat(50_000_000)), 413],
    ["gzip", gzipSync(Buffer.from([0x7b, 0xff])), 400],
  ]) {
    assert.equal((await post(encoding, body)).status, status, `${encoding} ${body.length}`);
  }
  const request = fetchRequest(gzipSync(JSON.stringify({ ...EVENT, Status: "Failed" })));
  request.headers.set("content-encoding", "gzip");
  assert.equal((await receive(request)).status, 200);
  assert.deepEqual(events.map(({ Status }) => Status), ["Complete", "Failed"]);
  // Express inflates, and leaves the header.
  const app = express().use(express.json(), receive);
  const behind = await listening(createServer(app));
  const json = { ...AUTHORIZED, "content-type": "application/json", "content-encoding": "gzip" };
  assert.equal((await send(behind, gzipSync(text), json)).status, 200);
});

test("the same event in other letter case is a duplicate", async () => {
  const { url, events } = await receiver();
  for (const Status of ["COMPLETED", "Completed", "completed"]) {
    assert.equal((await send(url, JSON.stringify({ ...EVENT, Status }))).status, 200);
  }
  assert.deepEqual(events.map(({ Status }) => Status), ["COMPLETED"]);
});

test("a receiver refuses invalid options", async () => {
  const good = { apiKey: KEY, onTransferStatus() {} };
  const rows = [
    [undefined, "options"],
    [{ ...good, apiKey: undefined }, "apiKey"],
    [{ ...good, apiKey: [] }, "apiKey"],
    [{ ...good, onTransferStatus: undefined }, "onTransferStatus"],
    [{ ...good, cache: {} }, "cache.get"],
    [{ ...good, onEvent() {} }, "onEvent"],
  ];
  await assertRefused(createWebhookReceiver, rows, "InvalidConfiguration");
});
