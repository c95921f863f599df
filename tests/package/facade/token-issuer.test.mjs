import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { inspect } from "node:util";
import { errorOf } from "./unpacked.mjs";
import { asWorker, issuer, json, OTHER_SENDER, SECRET, SENDER, server, tokenEndpoint } from "./server.mjs";

const HOUR = 3_600_000;

/** Moves Date.now alone: sockets and timers go on. */
function clock(t) {
  let now = Date.now();
  t.mock.method(Date, "now", () => now);
  return { advance: (ms) => (now += ms) };
}

test("a token request follows the interface and returns three members", async (t) => {
  clock(t);
  const { issuer: tokens, endpoint } = await issuer();
  assert.deepEqual(await tokens.senderToken(SENDER), {
    access_token: "t1",
    expires_in: 3600,
    token_type: "Bearer",
  });
  const [{ url, method, headers, body }] = endpoint.asked;
  assert.deepEqual([method, url, headers["content-type"]], ["POST", "/v1/oauth/token", "application/json"]);
  assert.deepEqual(body, {
    client_id: "client",
    client_secret: SECRET,
    audience: endpoint.baseUrl,
    grant_type: "client_credentials",
    sender_id: SENDER,
  });
});

test("the base address may have a path and trailing slashes", async () => {
  const { endpoint, createTokenIssuer } = await issuer();
  for (const baseUrl of [`${endpoint.baseUrl}/remit/eu/`, new URL(`${endpoint.baseUrl}/remit/eu`)]) {
    await createTokenIssuer({ baseUrl, clientId: "c", clientSecret: SECRET }).senderToken(SENDER);
    assert.equal(endpoint.asked.at(-1).url, "/remit/eu/v1/oauth/token");
    assert.equal(endpoint.asked.at(-1).body.audience, `${endpoint.baseUrl}/remit/eu`);
  }
});

test("client tokens have a method of their own and hide when printed", async (t) => {
  clock(t);
  const { issuer: tokens, endpoint } = await issuer();
  for (const senderId of [undefined, null, "", "*", 7, `${SENDER} `, [SENDER]]) {
    const error = await errorOf(tokens.senderToken(senderId));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", "senderId"]);
  }
  assert.equal(endpoint.asked.length, 0);
  const token = await tokens.clientToken();
  assert.ok(!("sender_id" in endpoint.asked[0].body));
  assert.deepEqual([token.access_token, token.expires_in, token.token_type], ["t1", 3600, "Bearer"]);
  for (const copy of [
    JSON.stringify(token),
    JSON.stringify({ ...token }),
    inspect(token, { showHidden: true }),
  ]) {
    assert.doesNotMatch(copy, /t1/);
  }
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
  assert.equal((await tokens.clientToken()).access_token, "t1");
});

test("1,000 concurrent calls fetch once, and each sender has its own token", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  const replies = await Promise.all(
    Array.from({ length: 1000 }, (_, i) => tokens.senderToken(i % 2 ? SENDER : SENDER.toUpperCase())),
  );
  assert.equal(endpoint.asked.length, 1);
  assert.deepEqual(new Set(replies.map((reply) => reply.access_token)), new Set(["t1"]));
  assert.equal((await tokens.senderToken(OTHER_SENDER)).access_token, "t2");
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t1");
});

test("1,000 concurrent calls share a failure, and the next call retries", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  endpoint.answers = [json(401, { error: "invalid_client" })];
  const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, () => tokens.senderToken(SENDER)));
  assert.deepEqual(new Set(outcomes.map(({ reason }) => reason?.code)), new Set(["Unauthorized"]));
  assert.equal(endpoint.asked.length, 1);
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
});

test("a token is kept until near its expiry, and expires_in counts down", async (t) => {
  const time = clock(t);
  for (const [life, renewal] of [
    [86_400, 77_760],
    [3600, 3240],
    [300, 240],
    [60, 30],
  ]) {
    const { issuer: tokens, endpoint } = await issuer();
    endpoint.answer = json(200, { access_token: `life-${life}`, expires_in: life, token_type: "bearer" });
    assert.equal((await tokens.senderToken(SENDER)).expires_in, life);
    time.advance(renewal * 1000 - 1);
    const { expires_in, token_type } = await tokens.senderToken(SENDER);
    assert.deepEqual([expires_in, token_type], [life - renewal, "Bearer"]);
    assert.equal(endpoint.asked.length, 1, String(life));
    time.advance(1);
    assert.equal((await tokens.senderToken(SENDER)).expires_in, life);
    assert.equal(endpoint.asked.length, 2, String(life));
  }
});

test("a token that has ended on its way has no time left, not less", async (t) => {
  const time = clock(t);
  const { issuer: tokens, endpoint } = await issuer();
  endpoint.answers = [(reply) => (time.advance(2 * HOUR), endpoint.answer(reply))];
  assert.equal((await tokens.senderToken(SENDER)).expires_in, 0);
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
});

test("setting the clock back does not make a token last longer", async (t) => {
  const time = clock(t);
  const { issuer: tokens, endpoint } = await issuer();
  await tokens.senderToken(SENDER);
  time.advance(-HOUR);
  assert.ok((await tokens.senderToken(SENDER)).expires_in <= 3600);
  assert.equal(endpoint.asked.length, 2);
});

test("a revoked token is replaced on demand, once for concurrent callers", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  await tokens.senderToken(SENDER);
  const renewed = await Promise.all(
    Array.from({ length: 50 }, () => tokens.senderToken(SENDER, { renew: true })),
  );
  assert.deepEqual(new Set(renewed.map((token) => token.access_token)), new Set(["t2"]));
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
  assert.equal(endpoint.asked.length, 2);
});

test("a slow answer does not replace a token requested later", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  let answer;
  endpoint.answers = [
    (reply) => (answer = () => json(200, { access_token: "slow", expires_in: 3600 })(reply)),
  ];
  const slow = tokens.senderToken(SENDER);
  while (!answer) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await tokens.senderToken(SENDER, { renew: true })).access_token, "t2");
  answer();
  assert.equal((await slow).access_token, "slow");
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
});

test("a caller's signal ends only that caller's wait", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  let answer;
  endpoint.answers = [(reply) => (answer = () => endpoint.answer(reply))];
  const controller = new AbortController();
  const [aborted, other] = [
    tokens.senderToken(SENDER, { signal: controller.signal }),
    tokens.senderToken(SENDER),
  ];
  while (!answer) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  assert.equal((await errorOf(aborted)).kind, "aborted");
  answer();
  assert.equal((await other).access_token, "t1");
  assert.equal((await errorOf(tokens.senderToken(SENDER, { signal: AbortSignal.abort() }))).code, "Aborted");
  assert.equal((await errorOf(tokens.senderToken(SENDER, { signal: {} }))).option, "signal");
  assert.equal((await errorOf(tokens.senderToken(SENDER, { renew: "yes" }))).option, "renew");
});

test("in a Cloudflare Worker no call waits for another's request, which may be cancelled", { timeout: 5_000 }, async (t) => {
  const { issuer: tokens, endpoint } = await issuer();
  asWorker(t);
  endpoint.answers = [() => {}];
  const cancelled = tokens.senderToken(SENDER);
  cancelled.catch(() => {});
  while (endpoint.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
});

test("any number of calls may share a signal, which is left unchanged", async () => {
  const { issuer: tokens } = await issuer();
  const { signal } = new AbortController();
  const warnings = [];
  const note = (warning) => warnings.push(warning.name);
  process.on("warning", note);
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      tokens.senderToken(i % 2 ? SENDER : OTHER_SENDER, { signal }),
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  assert.deepEqual(warnings, []);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("temporary failures are retried: 429, 5xx, lost or cut-off replies", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  const soon = { "retry-after": "0" };
  endpoint.answers = [json(429, {}, soon), json(503, "<html>", soon)];
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t3");
  endpoint.answers = [(reply) => reply.socket.destroy()];
  assert.equal((await tokens.senderToken(OTHER_SENDER)).access_token, "t5");
  endpoint.answers = [json(200, '{"access_token":"x'), json(500, {}, soon)];
  assert.equal((await tokens.clientToken()).access_token, "t8");
});

test("a Retry-After of up to 30 s is waited for; a longer one is reported", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  for (const value of [() => "1", () => new Date(Date.now() + 2500).toUTCString()]) {
    endpoint.answers = [json(429, {}, { "retry-after": value() })];
    const startedAt = performance.now();
    await tokens.senderToken(SENDER, { renew: true });
    const waited = performance.now() - startedAt;
    assert.ok(waited > 900 && waited < 4000, `${waited} ms`);
  }
  const count = endpoint.asked.length;
  endpoint.answers = [json(429, {}, { "retry-after": "31" })];
  const error = await errorOf(tokens.senderToken(SENDER, { renew: true }));
  assert.deepEqual(
    [error.code, error.kind, error.retryable, error.retryAfterMs, error.httpStatus],
    ["TooManyRequests", "unavailable", true, 31_000, 429],
  );
  assert.equal(endpoint.asked.length, count + 1);
});

test("a Retry-After that is neither seconds nor a date to come is none", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  for (const value of ["-1", "1.5", "+5", "soon", new Date(Date.now() - 60_000).toUTCString()]) {
    const asked = [];
    const note = (answer) => (reply) => (asked.push(performance.now()), answer(reply));
    endpoint.answers = [note(json(429, {}, { "retry-after": value })), note(endpoint.answer)];
    await tokens.senderToken(SENDER, { renew: true });
    assert.ok(asked[1] - asked[0] > 450, `${value}: ${asked[1] - asked[0]} ms`);
  }
});

test("there are three attempts at most, and a refusal gets one", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  endpoint.answer = json(503, {}, { "retry-after": "0", "request-id": "r-7" });
  const error = await errorOf(tokens.senderToken(SENDER));
  assert.deepEqual([error.code, error.requestId, endpoint.asked.length], ["ServiceUnavailable", "r-7", 3]);
  const refusals = [
    [json(401, { error: "invalid_client" }), "Unauthorized", "authentication"],
    [json(400, { error: "invalid_client" }), "Unauthorized", "authentication"],
    [json(400, { error: "invalid_request" }), "TokenUnavailable", "authentication"],
    [json(403, [{ code: "AccessDenied", message: "no" }]), "AccessDenied", "authentication"],
    [json(404, [{ code: "SenderNotFound", message: "no" }]), "SenderNotFound", "not_found"],
    [json(302, {}, { location: "/elsewhere" }), "TokenUnavailable", "authentication"],
  ];
  for (const [answer, code, kind] of refusals) {
    endpoint.answer = answer;
    const count = endpoint.asked.length;
    const refusal = await errorOf(tokens.senderToken(SENDER));
    assert.deepEqual([refusal.code, refusal.kind, refusal.retryable], [code, kind, false]);
    assert.equal(endpoint.asked.length, count + 1, code);
  }
});

test("no answer is a timeout; nobody there is a network failure", async () => {
  const { issuer: tokens, endpoint } = await issuer({ timeoutMs: 1_000 });
  endpoint.answer = () => {};
  const error = await errorOf(tokens.senderToken(SENDER));
  assert.deepEqual([error.code, error.kind, endpoint.asked.length], ["Timeout", "timeout", 3]);
  // Headers in time, but a body that never ends.
  endpoint.answer = (reply) => reply.writeHead(200).write("{");
  assert.equal((await errorOf(tokens.senderToken(SENDER))).code, "Timeout");
  await endpoint.close();
  const refused = await errorOf(tokens.senderToken(SENDER));
  assert.deepEqual([refused.code, refused.kind], ["NetworkFailure", "unavailable"]);
  assert.match(refused.message, /ECONNREFUSED/);
});

test("60 senders at once retry a failing service only 20 times in all", async () => {
  const { issuer: tokens, endpoint } = await issuer();
  endpoint.answer = json(503, {}, { "retry-after": "0" });
  const sender = (i) => SENDER.slice(0, -2) + String(10 + i);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => tokens.senderToken(sender(i))),
  );
  assert.ok(outcomes.every(({ reason }) => reason?.code === "ServiceUnavailable"));
  assert.ok(endpoint.asked.length >= 80 && endpoint.asked.length <= 82, String(endpoint.asked.length));
});

test("a malformed reply is not taken for a token", async () => {
  const good = { access_token: "abc", expires_in: 60, token_type: "Bearer" };
  const bad = [
    "null",
    "[]",
    "7",
    "{}",
    { ...good, access_token: 7 },
    { ...good, access_token: "" },
    { ...good, access_token: "a b" },
    { ...good, access_token: "é" },
    { ...good, access_token: "a\nb" },
    { ...good, access_token: "x".repeat(20_000) },
    { ...good, expires_in: undefined },
    { ...good, expires_in: "3600" },
    { ...good, expires_in: 0 },
    { ...good, expires_in: -5 },
    { ...good, expires_in: 1.5 },
    { ...good, token_type: "mac" },
    { ...good, token_type: 1 },
    { ...good, pad: "x".repeat(70_000) },
  ];
  await Promise.all(
    bad.map(async (body) => {
      const { issuer: tokens, endpoint } = await issuer();
      endpoint.answer = json(200, body);
      const error = await errorOf(tokens.senderToken(SENDER));
      assert.deepEqual([error.code, endpoint.asked.length], ["UnreadableReply", 3], JSON.stringify(body));
    }),
  );
});

test("invalid options are refused at once, each by its name", async () => {
  const { createTokenIssuer, isRemitError } = await server();
  const good = { baseUrl: "https://api.example", clientId: "c", clientSecret: SECRET };
  createTokenIssuer(good);
  for (const baseUrl of [
    "http://localhost:1",
    "http://127.8.9.1",
    "http://[::1]:3",
    "http://api.localhost",
  ]) {
    createTokenIssuer({ ...good, baseUrl });
  }
  const wrong = [
    [undefined, "options"],
    ["x", "options"],
    [{}, "baseUrl"],
    ...[
      "api.example",
      "ftp://api.example",
      "http://api.example",
      "http://127.0.0.1.example",
      "http://0.0.0.0",
      "http://localhost.example",
      "https://user@api.example",
      `https://u:${SECRET}@api.example`,
      "https://api.example?a",
      "https://api.example#a",
      7,
    ].map((baseUrl) => [{ ...good, baseUrl }, "baseUrl"]),
    ...[undefined, "", 7, " c", "c\n"].map((clientId) => [{ ...good, clientId }, "clientId"]),
    ...[undefined, "", {}, `${SECRET}\n`, `${SECRET}\0x`].map((clientSecret) => [
      { ...good, clientSecret },
      "clientSecret",
    ]),
    ...[null, 7, {}].map((cache) => [{ ...good, cache }, "cache.get"]),
    [{ ...good, cache: { get() {} } }, "cache.set"],
    [{ ...good, cache: { get() {}, set() {}, compareAndSet: true } }, "cache.compareAndSet"],
    ...[99, 120_001, 1.5, "1000", Number.NaN].map((timeoutMs) => [{ ...good, timeoutMs }, "timeoutMs"]),
    [{ ...good, onError: "log" }, "onError"],
    [{ ...good, clientSecrets: SECRET }, "clientSecrets"],
    [{ ...good, senderId: SENDER }, "senderId"],
  ];
  for (const [options, option] of wrong) {
    const error = await errorOf(() => createTokenIssuer(options));
    assert.ok(isRemitError(error), String(error));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", option], inspect(options));
    assert.ok(
      !inspect(error, { showHidden: true }).includes(SECRET) && !JSON.stringify(error).includes(SECRET),
    );
  }
});

test("two issuers in one process are independent", async () => {
  const first = await issuer();
  const second = first.createTokenIssuer({
    baseUrl: (await tokenEndpoint()).baseUrl,
    clientId: "client",
    clientSecret: SECRET,
  });
  await first.issuer.senderToken(SENDER);
  await second.senderToken(SENDER);
  assert.equal(first.endpoint.asked.length, 1);
});
