// What the operator of a backend sees and sets: events, errors, readiness, shutdown, limits.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { assertHidden, assertRefused, errorOf } from "./unpacked.mjs";
import { issuer, json, listening, OTHER_SENDER, recordingCache, SECRET, send, SENDER } from "./server.mjs";
import { load, server, skipPauses, sleep } from "./server.mjs";

const never = () => new Promise(() => {});
const until = async (condition) => {
  while (!condition()) await sleep(2);
};
const senders = (count) =>
  Array.from({ length: count }, (_, at) => SENDER.slice(0, -3) + String(100 + at));

/** An issuer and its handler, served, with everything that its listeners are told. */
async function operated(issuerOptions, handlerOptions) {
  const events = [];
  const reports = [];
  const made = await issuer({
    onEvent: (event) => events.push(event),
    onError: (error, context) => reports.push({ error, context }),
    ...issuerOptions,
  });
  const handle = made.tokens.handler({ senderId: () => SENDER, ...handlerOptions });
  return { ...made, events, reports, url: await listening(createServer(handle)) };
}

const plain = (events) =>
  events.map(({ durationMs, ...event }) => {
    assert.ok(durationMs >= 0);
    return JSON.parse(JSON.stringify(event));
  });

test("onEvent is told of each attempt, each token and each answer", async (t) => {
  skipPauses(t);
  const { url, endpoint, events } = await operated();
  endpoint.answers = [json(503, {}, { "request-id": "r-1" })];
  await send(url);
  await send(url);
  await send(url, { method: "GET" });
  const sender = { senderId: SENDER };
  await until(() => events.length >= 7);
  assert.deepEqual(plain(events), [
    { type: "attempt", ...sender, attempt: 1, status: 503, requestId: "r-1", code: "ServiceUnavailable" },
    { type: "attempt", ...sender, attempt: 2, status: 200 },
    { type: "token", ...sender, cached: false },
    { type: "response", ...sender, status: 200 },
    { type: "token", ...sender, cached: true },
    { type: "response", ...sender, status: 200 },
    { type: "response", status: 405, error: "method_not_allowed" },
  ]);
  assertHidden([SECRET, "t2"], events);
});

test("onError is told for which request and sender", async () => {
  const { url, endpoint, reports } = await operated();
  endpoint.answer = json(401, { error: "invalid_client" }, { "request-id": "r-2" });
  await send(url, { headers: { cookie: "a=b" } });
  const [{ error, context }] = reports;
  assert.deepEqual([error.code, error.requestId, error.httpStatus], ["Unauthorized", "r-2", 401]);
  assert.deepEqual([context.senderId, context.request.headers.cookie], [SENDER, "a=b"]);
});

test("the default log names status and request id, and equal lines once in five seconds", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const { url, endpoint } = await operated({ onError: undefined });
  endpoint.answer = json(401, { error: "invalid_client" }, { "request-id": "r-3" });
  for (let i = 0; i < 3; i += 1) await send(url);
  await until(() => printed.mock.callCount() > 0);
  const lines = printed.mock.calls.map((call) => call.arguments.join(" "));
  assert.deepEqual(lines, [
    "remitkit/server: Unauthorized: The token endpoint refused the client credentials (status 401, " +
      "invalid_client). (status 401, request r-3)",
  ]);
});

test("a refused page is reported with the headers at odds, each origin once", async () => {
  const { url, reports, events } = await operated();
  const refused = (origin, more) => send(url, { headers: { origin, ...more } });
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await refused("https://shop.example", { "sec-fetch-site": "same-origin" })).status, 403);
  }
  await refused("https://a.example/\u00e9\u001b[31m".replace(/[^ -~]/g, "\u00e9"));
  const { host } = new URL(url);
  assert.deepEqual(reports.map(({ error }) => error.message), [
    `Refused a page: its Origin https://shop.example is not that of Host ${host} ` +
      "(Sec-Fetch-Site same-origin). If the page is yours, set `origins`.",
    `Refused a page: its Origin (unreadable) is not that of Host ${host} (Sec-Fetch-Site (none)).` +
      " If the page is yours, set `origins`.",
  ]);
  for (let i = 0; i < 50; i += 1) await refused(`https://a${i}.example`);
  assert.equal(reports.length, 10, "whoever sends many origins does not flood the log");
  assert.equal(events[0].origin, "https://shop.example");
  assert.deepEqual([events[0].error, events[0].host, events.length], ["other_origin", host, 54]);

  const listed = await operated({}, { origins: ["https://shop.example"] });
  await send(listed.url, { headers: { origin: "https://www.shop.example" } });
  assert.match(listed.reports[0].error.message, /its Origin https:\/\/www.shop.example is not in `origins`/);
});

test("an origin that cannot match is refused at start, by name", async () => {
  const { tokens } = await issuer();
  const handler = (origins) => tokens.handler({ senderId: () => SENDER, origins });
  const shop = "https://shop.example";
  for (const [origins, message] of [
    [[shop, "https://*.shop.example"], /no wildcards as in "https:\/\/\*\.shop\.example"/],
    [[shop, `${shop}/`], /entry 1, "https:\/\/shop\.example\/", is none; its origin is "https:\S*example"/],
    [["shop.example"], /entry 0, "shop.example", is none/],
    [[shop, undefined], /entry 1 is undefined/],
    [shop, /a list/],
  ]) {
    const error = await errorOf(() => handler(origins));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "origins"]);
    assert.match(error.message, message);
  }
});

test("origins may be a function, for hosts of previews", async () => {
  const isPreview = (origin) => /^https:\/\/[\w-]+\.preview\.example$/.test(origin);
  for (const origins of [
    isPreview,
    async (origin) => isPreview(origin),
    (origin) => isPreview(origin) || 1,
  ]) {
    const { url } = await operated({}, { origins });
    for (const [origin, status] of [["https://pr-7.preview.example", 200], ["https://evil.example", 403]]) {
      assert.equal((await send(url, { headers: { origin } })).status, status);
    }
  }
});

test("a Host that is no host and port has no page of its own", async () => {
  const { url } = await operated();
  const evil = "http://evil.example";
  for (const host of ["shop.example@evil.example", "evil.example/", "evil.example?", "a\\evil.example", ""]) {
    assert.equal((await send(url, { headers: { host, origin: evil } })).status, 403, host);
  }
});

test("check() verifies the credentials, and that a shared cache keeps what it is given", async () => {
  const { tokens, endpoint } = await issuer();
  assert.deepEqual([await tokens.check(), await tokens.check()], Array(2).fill({ cache: undefined }));
  assert.equal(endpoint.asked.length, 1, "it costs a request only as long as there is no token");
  const refused = await issuer();
  refused.endpoint.answer = json(401, { error: "invalid_client" });
  assert.equal((await errorOf(refused.tokens.check())).code, "Unauthorized");
  for (const [cache, state] of [
    [recordingCache(), "ok"],
    [new Map(), "ok"],
    // As a Keyv does whose Redis refuses it.
    [{ get: async () => undefined, set: async () => true }, "failed"],
    [{ get: never, set: never }, "failed"],
  ]) {
    const { tokens, errors } = await issuer({ cache });
    assert.deepEqual(await tokens.check(), { cache: state });
    assert.equal(errors.length > 0, state === "failed");
  }
});

test("close() ends what is under way, and keeps handing out what is cached", async () => {
  const { tokens, url, endpoint, reports } = await operated({ maxConcurrent: 1 });
  assert.equal((await send(url)).status, 200);
  endpoint.answer = () => {};
  const waiting = [OTHER_SENDER, ...senders(3)].map((sender) => errorOf(tokens.senderToken(sender)));
  await until(() => endpoint.asked.length === 2);
  tokens.close();
  // Left to themselves, they would end with a timeout.
  for (const { code } of await Promise.all(waiting)) assert.equal(code, "Aborted");
  assert.equal((await errorOf(tokens.clientToken())).code, "Aborted");
  assert.equal(endpoint.asked.length, 2);
  assert.equal((await send(url)).status, 200);
  const [late, after] = [await operated(), await operated()];
  late.endpoint.answer = () => {};
  const reply = send(late.url);
  await until(() => late.endpoint.asked.length === 1);
  late.tokens.close();
  assert.deepEqual((await reply).status, 503);
  after.tokens.close();
  assert.equal((await send(after.url)).status, 503);
  assert.equal(reports.length, 0);
});

test("close() ends a pause between attempts", async () => {
  const events = [];
  const { tokens, endpoint } = await issuer({ onEvent: (event) => events.push(event) });
  endpoint.answer = json(503, {}, { "retry-after": "15" });
  const failed = errorOf(tokens.senderToken(SENDER));
  await until(() => events.some(({ status }) => status === 503));
  tokens.close();
  assert.equal((await failed).code, "Aborted");
});

test("a senderId that hangs is given up before the page gives up", async (t) => {
  const { setTimeout } = globalThis;
  const sooner = (work, ms, ...args) => setTimeout(work, ms === 5000 ? 20 : ms, ...args);
  t.mock.method(globalThis, "setTimeout", sooner);
  const { url, reports } = await operated({}, { senderId: never });
  assert.equal((await send(url)).status, 504);
  assert.match(reports[0].error.message, /senderId did not settle within 5 seconds/);
});

test("what senderId returns by mistake is named by its kind", async () => {
  const rows = [[` ${SENDER}`, "text that is not a UUID"], [7, "a number"], [{}, "an object"]];
  for (const [returned, kind] of rows) {
    const { url, reports } = await operated({}, { senderId: () => returned });
    assert.equal((await send(url)).status, 500);
    assert.ok(reports[0].error.message.startsWith(`senderId returned ${kind}.`), reports[0].error.message);
  }
});

test("at most maxConcurrent requests are under way, and the others wait for their turn", async () => {
  const { tokens, endpoint } = await issuer({ maxConcurrent: 3 });
  const open = [];
  const { answer } = endpoint;
  endpoint.answer = (reply) => open.push(() => answer(reply));
  const all = senders(10).map((sender) => tokens.senderToken(sender));
  for (let answered = 0; answered < 10; answered += 1) {
    await until(() => open.length > 0);
    await sleep(5);
    assert.ok(open.length <= 3 && endpoint.asked.length <= answered + 3, `${endpoint.asked.length}`);
    open.shift()();
  }
  await Promise.all(all);
  assert.equal(endpoint.asked.length, 10);
});

test("a wait for a turn ends in time, and no place is lost", async () => {
  const { Limiter } = await load("server/limiter.js");
  const { Closing } = await load("server/closing.js");
  const limiter = new Limiter(1, new Closing());
  let end;
  const first = limiter.run(() => new Promise((resolve) => (end = resolve)), 20_000);
  const { code, message } = await errorOf(limiter.run(never, 30));
  assert.equal(code, "Timeout");
  assert.match(message, /^1 other token requests are under way \(maxConcurrent\)/);
  const later = limiter.run(async (leftMs) => leftMs, 20_000);
  await sleep(50);
  end();
  await first;
  assert.ok((await later) < 19_960, "the wait counts");
  assert.equal(await errorOf(limiter.run(() => Promise.reject(7), 10)), 7);
  assert.equal(await limiter.run(async () => "free", 10), "free");
});

test("the whole time and the attempts can be set", async () => {
  const { tokens, endpoint } = await issuer({ totalTimeoutMs: 500, maxAttempts: 10 });
  endpoint.answer = () => {};
  const startedAt = performance.now();
  assert.equal((await errorOf(tokens.senderToken(SENDER))).code, "Timeout");
  const took = performance.now() - startedAt;
  // One attempt alone may take ten seconds.
  assert.ok(took >= 490 && took < 8_000, `${took} ms`);
  const once = await issuer({ maxAttempts: 1 });
  once.endpoint.answer = json(503, {});
  await errorOf(once.tokens.senderToken(SENDER));
  assert.equal(once.endpoint.asked.length, 1);
});

test("by default a customer waits less than the 30 seconds after which a page gives up", async (t) => {
  const given = [];
  const { setTimeout } = globalThis;
  const { tokens, endpoint } = await issuer();
  endpoint.answer = () => {};
  let now = 0;
  t.mock.method(performance, "now", () => now);
  t.mock.method(globalThis, "setTimeout", (work, ms, ...args) => {
    if (ms < 900) return setTimeout(work, ms, ...args);
    given.push(ms);
    return setTimeout(() => ((now += ms), work(...args)), 20);
  });
  assert.equal((await errorOf(tokens.senderToken(SENDER))).code, "Timeout");
  assert.ok(now >= 19_000 && now <= 20_100, `${now} ms of ${given}`);
});

test("the option fetch sends the requests, and is held to the time-out", async () => {
  const calls = [];
  const made = await issuer({
    fetch: (url, init) => (calls.push([url, init]), fetch(url, init)),
  });
  await made.tokens.senderToken(SENDER);
  const [[url, { method, redirect, cache }]] = calls;
  assert.deepEqual([url, method], [`${made.endpoint.baseUrl}/v1/oauth/token`, "POST"]);
  assert.deepEqual([redirect, cache], ["manual", "no-store"]);
  const deaf = await issuer({ fetch: never, timeoutMs: 100, maxAttempts: 1 });
  assert.equal((await errorOf(deaf.tokens.senderToken(SENDER))).code, "Timeout");
  const broken = await issuer({ fetch: () => Promise.reject(new Error(SECRET)), maxAttempts: 1 });
  const error = await errorOf(broken.tokens.senderToken(SENDER));
  assert.equal(error.code, "NetworkFailure");
  assertHidden([SECRET], error);
  for (const reply of [undefined, "ok", { ok: true, status: 200 }]) {
    let asked = 0;
    const wrong = await issuer({ fetch: async () => ((asked += 1), reply) });
    const { code, option } = await errorOf(wrong.tokens.senderToken(SENDER));
    assert.deepEqual([code, option, asked], ["InvalidConfiguration", "fetch", 1]);
  }
});

test("http reaches a host that is no loopback only if it is named", async () => {
  const client = { clientId: "c", clientSecret: SECRET };
  const create = (baseUrl, allowInsecureHosts) =>
    server.createTokenIssuer({ ...client, baseUrl, allowInsecureHosts });
  create("http://sandbox:4100", ["sandbox"]);
  create(new URL("http://host.docker.internal:4100/"), ["sandbox", "host.docker.internal"]);
  const rows = [["http://sandbox:4100"], ["http://sandbox.evil", ["sandbox"]], ["ftp://a", ["a"]]];
  const named = rows.map((args) => [args, "baseUrl"]);
  await assertRefused((args) => create(...args), named, "InvalidConfiguration");
});

/** Stops the monotonic clock but for what the test moves it on, and skips the pauses between attempts. */
function fakeTime(t) {
  skipPauses(t);
  // Whole, so that differences are exact.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, "now", () => now);
  return (ms) => (now += ms);
}

test("an endpoint that stays down is asked once in two seconds, until it answers", async (t) => {
  const advance = fakeTime(t);
  const { tokens, endpoint } = await issuer({ maxAttempts: 1 });
  const healthy = endpoint.answer;
  endpoint.answer = json(503, {}, { "request-id": "r-4" });
  const [kept, ...others] = senders(40);
  endpoint.answers = [healthy];
  await tokens.senderToken(kept);
  const fail = (sender) => errorOf(() => tokens.senderToken(sender));
  // A blip of any number of failures is for the retries.
  for (const sender of others) await fail(sender);
  assert.equal(endpoint.asked.length, 40);
  advance(3_000);
  await fail(SENDER);
  assert.equal(endpoint.asked.length, 41);

  const refused = await Promise.all(others.map(fail));
  assert.equal(endpoint.asked.length, 41, "nothing is sent");
  const [{ code, httpStatus, requestId, retryable, retryAfterMs, message }] = refused;
  assert.deepEqual([code, httpStatus, requestId, retryable], ["ServiceUnavailable", 503, "r-4", true]);
  assert.ok(retryAfterMs > 1_000 && retryAfterMs <= 2_000, `${retryAfterMs}`);
  assert.match(message, /failed 40 times in a row/);
  assert.ok(await tokens.senderToken(kept), "a cached token is no request");

  advance(2_000);
  await Promise.all(others.map(fail));
  assert.equal(endpoint.asked.length, 42, "one tries it again");
  advance(2_000);
  endpoint.answer = healthy;
  await tokens.senderToken(SENDER);
  await Promise.all(others.map((sender) => tokens.senderToken(sender)));
  assert.equal(endpoint.asked.length, 43 + others.length);
});

test("a refusal says that the endpoint works, and a Retry-After is kept", async (t) => {
  const advance = fakeTime(t);
  const { tokens, endpoint } = await issuer({ maxAttempts: 1 });
  const failTimes = async (times, status, headers) => {
    endpoint.answer = json(status, {}, headers);
    for (let i = 0; i < times; i += 1) await errorOf(() => tokens.senderToken(SENDER));
  };
  await failTimes(4, 503);
  await failTimes(1, 403);
  advance(3_000);
  await failTimes(4, 503);
  assert.equal(endpoint.asked.length, 9);
  advance(3_000);
  await failTimes(1, 429, { "retry-after": "20" });
  advance(19_000);
  await failTimes(5, 503);
  assert.equal(endpoint.asked.length, 10);
  advance(1_500);
  await failTimes(1, 503);
  assert.equal(endpoint.asked.length, 11);
});
