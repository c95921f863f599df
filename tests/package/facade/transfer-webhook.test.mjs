import assert from "node:assert/strict";
import crypto from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { mock, test } from "node:test";
import { inspect } from "node:util";
import express5 from "express";
import { Hono } from "hono";
import Keyv from "keyv";
import { errorOf } from "./unpacked.mjs";
import { asWorker, cacheOf, listening, server } from "./server.mjs";

const { parseTransferWebhook, createWebhookReceiver, isRemitError } = await server();

const KEY = "whk_9f8e7d6c5b4a";
const EVENT = {
  TransferId: "7b0c6f5e-0000-4000-8000-000000000001",
  Status: "Complete",
  StatusChangedDate: "2026-11-21T10:11:12.1234567Z",
  CancellationReason: null,
};

const fetchRequest = (body = JSON.stringify(EVENT), authorization = KEY) =>
  new Request("https://shop.example/webhook", {
    method: "POST",
    body,
    headers: authorization === null ? {} : { authorization },
    duplex: "half",
  });

async function send(url, body = JSON.stringify(EVENT), headers = { authorization: KEY }, method = "POST") {
  const outgoing = httpRequest(url, { method, headers });
  outgoing.on("error", () => {});
  outgoing.end(body);
  const [reply] = await once(outgoing, "response");
  let text = "";
  for await (const chunk of reply) text += chunk;
  return { status: reply.statusCode, body: JSON.parse(text) };
}

/** A server that parses webhooks by hand, as a shop might; what came of them. */
function shop(outcomes, ...parsers) {
  const app = express5();
  app.post("/webhook", ...parsers, async (request, response) => {
    try {
      outcomes.push(await parseTransferWebhook(request, KEY));
    } catch (error) {
      outcomes.push(error);
    }
    response.json({});
  });
  return listening(createServer(app)).then((url) => `${url}/webhook`);
}

test("a stalled Fetch body is cancelled; one read elsewhere is refused", async () => {
  let cancelled = 0;
  const body = new ReadableStream({ cancel: () => void (cancelled += 1) });
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const parsed = errorOf(parseTransferWebhook(fetchRequest(body), KEY));
    // Until its time has begun to run.
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(10_000);
    assert.equal((await parsed).code, "Timeout");
  } finally {
    mock.timers.reset();
  }
  assert.equal(cancelled, 1);
  const read = fetchRequest();
  read.body.getReader();
  assert.equal((await errorOf(parseTransferWebhook(read, KEY))).code, "NetworkFailure");
});

test("Fetch, raw Node and Express-parsed requests give the same event", async () => {
  assert.deepEqual(await parseTransferWebhook(fetchRequest(), KEY), EVENT);
  const outcomes = [];
  const parsers = {
    raw: [],
    json: [express5.json()],
    bytes: [express5.raw({ type: "*/*" })],
    text: [express5.text({ type: "*/*" })],
  };
  for (const parser of Object.values(parsers)) {
    const url = await shop(outcomes, ...parser);
    await send(url, undefined, { authorization: KEY, "content-type": "application/json" });
  }
  // A parser that was not concerned, as it is of another type.
  await send(await shop(outcomes, (request, _, next) => ((request.body = {}), next())));
  await send(await shop(outcomes, express5.json()), undefined, {
    authorization: KEY,
    "content-type": "text/plain",
  });
  const app = new Hono().post("/webhook", async (c) => c.json(await parseTransferWebhook(c.req.raw, KEY)));
  outcomes.push(await (await app.request(fetchRequest())).json());
  assert.deepEqual(outcomes, Array(7).fill(EVENT));
});

test("the key may stand bare or after Basic, and any of several matches", async () => {
  for (const header of [KEY, `Basic ${KEY}`, `basic  ${KEY}`]) {
    assert.deepEqual(await parseTransferWebhook(fetchRequest(undefined, header), KEY), EVENT);
    assert.deepEqual(await parseTransferWebhook(fetchRequest(undefined, header), ["new", KEY]), EVENT);
  }
  const odd = "Basic whatever";
  assert.deepEqual(await parseTransferWebhook(fetchRequest(undefined, odd), odd), EVENT);
});

test("another key is refused before the body is read", async () => {
  for (const header of [
    null,
    "",
    "Basic",
    "Basic ",
    KEY.slice(1),
    `${KEY}x`,
    KEY.toUpperCase(),
    `Bearer ${KEY}`,
    btoa(KEY),
    "[object Object]",
  ]) {
    const request = fetchRequest(undefined, header);
    const error = await errorOf(parseTransferWebhook(request, KEY));
    assert.deepEqual([error.code, error.kind], ["Unauthorized", "authentication"], header);
    assert.equal(request.bodyUsed, false);
    assert.ok(!inspect(error, { showHidden: true }).includes(KEY));
  }
});

test("an empty key, as from a missing variable, matches nothing", async () => {
  for (const key of [undefined, null, "", [], [""], [KEY, undefined], " ", `${KEY}\n`, 7, {}]) {
    for (const header of ["", "undefined", "null", KEY]) {
      const error = await errorOf(parseTransferWebhook(fetchRequest(undefined, header), key));
      assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "apiKey"]);
    }
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
    await parseTransferWebhook(fetchRequest(undefined, header), [KEY, "second"]).catch(() => {});
    assert.deepEqual(compared, Array(4).fill([32, 32]), String(header).slice(0, 20));
  }
});

test("unknown statuses pass, unknown members don't, nothing is inherited", async () => {
  const body = { ...EVENT, Status: "On The Moon", CancellationReason: "CUSTOMER_REQUEST", secret: 1 };
  const event = await parseTransferWebhook(fetchRequest(JSON.stringify(body)), KEY);
  assert.deepEqual(event, { ...EVENT, Status: "On The Moon", CancellationReason: "CUSTOMER_REQUEST" });
  const { CancellationReason, ...without } = EVENT;
  assert.equal(
    (await parseTransferWebhook(fetchRequest(JSON.stringify(without)), KEY)).CancellationReason,
    null,
  );
  const { TransferId, ...others } = EVENT;
  const inherited = Object.assign(Object.create({ TransferId }), others);
  const request = { headers: { authorization: KEY }, body: inherited };
  assert.equal((await errorOf(parseTransferWebhook(request, KEY))).option, "body.TransferId");
});

test("a reason may be as long as the body allows", async () => {
  const event = { ...EVENT, Status: "Canceled", CancellationReason: "x".repeat(60_000) };
  assert.deepEqual(await parseTransferWebhook(fetchRequest(JSON.stringify(event)), KEY), event);
  assert.deepEqual(await parseTransferWebhook({ headers: { authorization: KEY }, body: event }, KEY), event);
  const longer = { ...event, CancellationReason: "x".repeat(65_537) };
  const request = { headers: { authorization: KEY }, body: longer };
  assert.equal((await errorOf(parseTransferWebhook(request, KEY))).option, "body.CancellationReason");
});

test("a malformed event is refused, naming the member at fault", async () => {
  const bad = [
    ["", "body"],
    ["{", "body"],
    ["null", "body"],
    ["[]", "body"],
    ["7", "body"],
    [Buffer.from([0x7b, 0xff]), "body"],
    ["{}", "body.TransferId"],
    [JSON.stringify({ ...EVENT, TransferId: 7 }), "body.TransferId"],
    [JSON.stringify({ ...EVENT, TransferId: "x".repeat(2000) }), "body.TransferId"],
    [JSON.stringify({ ...EVENT, Status: "" }), "body.Status"],
    [JSON.stringify({ ...EVENT, StatusChangedDate: null }), "body.StatusChangedDate"],
    [JSON.stringify({ ...EVENT, CancellationReason: {} }), "body.CancellationReason"],
    [JSON.stringify({ ...EVENT, pad: "x".repeat(70_000) }), "body"],
  ];
  const outcomes = [];
  const url = await shop(outcomes);
  for (const [body, option] of bad) {
    const error = await errorOf(parseTransferWebhook(fetchRequest(body), KEY));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", option], String(body).slice(0, 60));
    assert.ok(isRemitError(error));
    await send(url, body);
    assert.equal(outcomes.at(-1).option, option);
  }
  for (const request of [undefined, null, 7, "x", {}, { headers: null }]) {
    assert.equal((await errorOf(parseTransferWebhook(request, KEY))).option, "request");
  }
  assert.equal(
    (await errorOf(parseTransferWebhook({ headers: { authorization: KEY } }, KEY))).option,
    "request",
  );
});

test("an endless, consumed or cut-off body is refused", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(((sent += 1000), 1000))),
  });
  assert.equal((await errorOf(parseTransferWebhook(fetchRequest(endless), KEY))).option, "body");
  assert.ok(sent < 100_000, String(sent));
  const used = fetchRequest();
  await used.text();
  assert.equal((await errorOf(parseTransferWebhook(used, KEY))).code, "InvalidRequest");

  const outcomes = [];
  const drain = async (request, _, next) => {
    for await (const _ of request);
    next();
  };
  await send(await shop(outcomes, drain));
  assert.equal(outcomes.at(-1).code, "NetworkFailure");

  const url = new URL(await shop(outcomes));
  const socket = connect(url.port, url.hostname);
  socket.write(
    `POST /webhook HTTP/1.1\r\nhost: x\r\nauthorization: ${KEY}\r\ncontent-length: 500\r\n\r\n{"Tr`,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  while (outcomes.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(outcomes.at(-1).code, "NetworkFailure");
});

/** A receiver with what it took care of, served by plain http. */
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
  const { url, receive } = await receiver({
    onTransferStatus: async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      events.push(event);
    },
  });
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(await send(url), { status: 200, body: { received: true } });
  }
  await Promise.all(
    Array.from({ length: 50 }, () => send(url, JSON.stringify({ ...EVENT, Status: "Failed" }))),
  );
  assert.equal((await receive(fetchRequest())).status, 200);
  const later = { ...EVENT, StatusChangedDate: "2026-11-22T00:00:00Z" };
  await send(url, JSON.stringify(later));
  assert.deepEqual(events, [EVENT, { ...EVENT, Status: "Failed" }, later]);
});

test("an event whose handler fails gets a 500 and is handled when resent", async () => {
  let isDown = true;
  const seen = [];
  const { url, errors } = await receiver({
    onTransferStatus: async (event) => {
      seen.push(event);
      if (isDown) throw new Error("database down");
    },
  });
  const replies = await Promise.all([send(url), send(url)]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [500, 500],
  );
  assert.match(errors[0].cause.message, /database down/);
  isDown = false;
  const before = seen.length;
  assert.equal((await send(url)).status, 200);
  assert.equal((await send(url)).status, 200);
  assert.equal(seen.length, before + 1);
});

test("a handler is given up on after five minutes, and runs when resent", async () => {
  const ends = [];
  const { receive, errors } = await receiver({
    onTransferStatus: () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  });
  const arrive = async () => {
    const answered = receive(fetchRequest()).then(({ status }) => status);
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    return { answered };
  };
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const first = await arrive();
    mock.timers.tick(299_999);
    const twin = await arrive();
    assert.equal(ends.length, 1);
    mock.timers.tick(1);
    assert.deepEqual([await first.answered, await twin.answered], [500, 500]);
    assert.match(errors[0].message, /did not settle in time/);

    const again = await arrive();
    assert.equal(ends.length, 2);
    ends[1].reject(new Error("database down"));
    assert.equal(await again.answered, 500);
    // The one that was given up comes to its end after all.
    ends[0].resolve();
    assert.equal(await (await arrive()).answered, 200);
    assert.equal(ends.length, 2);
  } finally {
    mock.timers.reset();
  }
});

test("backends sharing a cache spot duplicates; a broken cache loses none", async () => {
  const cache = new Keyv();
  const [first, other] = [await receiver({ cache }), await receiver({ cache })];
  await send(first.url);
  await send(other.url);
  assert.deepEqual([first.events.length, other.events.length], [1, 0]);

  const kept = cacheOf();
  await send((await receiver({ cache: kept })).url);
  const [, [, key, ttl]] = kept.calls;
  assert.match(key, /^remitkit:webhook:[0-9a-f]{64}$/);
  assert.equal(ttl, 7 * 86_400_000);

  const never = () => new Promise(() => {});
  for (const broken of [
    { get: never, set: never },
    { get: () => Promise.reject(1), set: () => false },
    { get: () => "garbage", set() {} },
  ]) {
    const { url, events } = await receiver({ cache: broken });
    assert.equal((await send(url)).status, 200);
    assert.equal((await send(url)).status, 200);
    assert.equal(events.length, 1);
  }
});

test("in a Cloudflare Worker no delivery waits for another's request, which may be cancelled", { timeout: 5_000 }, async (t) => {
  asWorker(t);
  const calls = [];
  const { receive } = await receiver({
    onTransferStatus: () => new Promise((resolve) => (calls.push(resolve) === 1 ? undefined : resolve())),
  });
  const cancelled = receive(fetchRequest());
  while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await receive(fetchRequest())).status, 200);
  calls[0]();
  await cancelled;
});

test("every other request gets a status and no reason", async () => {
  const { url, events, errors } = await receiver();
  const cases = [
    [[undefined, {}], 401, "unauthorized"],
    [[undefined, { authorization: "other" }], 401, "unauthorized"],
    [["{"], 400, "invalid_request"],
    [["{}"], 400, "invalid_request"],
    [["x".repeat(1_000_000)], 413, "too_large"],
    [[undefined, undefined, "PUT"], 405, "method_not_allowed"],
  ];
  for (const [request, status, error] of cases) {
    assert.deepEqual(await send(url, ...request), { status, body: { error } });
  }
  assert.equal(events.length, 0);
  assert.equal(errors.length, 5);
  assert.ok(!inspect(errors, { depth: 9, showHidden: true }).includes(KEY));
});

test("a receiver refuses invalid options", async () => {
  const good = { apiKey: KEY, onTransferStatus() {} };
  createWebhookReceiver(good);
  const wrong = [
    [undefined, "options"],
    [{ ...good, apiKey: undefined }, "apiKey"],
    [{ ...good, apiKey: [] }, "apiKey"],
    [{ ...good, onTransferStatus: undefined }, "onTransferStatus"],
    [{ ...good, cache: {} }, "cache.get"],
    [{ ...good, onEvent() {} }, "onEvent"],
  ];
  for (const [options, option] of wrong) {
    const error = await errorOf(() => createWebhookReceiver(options));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", option]);
  }
});
