import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { inspect } from "node:util";
import { assertRefused, errorOf, replaceGlobal } from "./unpacked.mjs";
import { fakeClock, HOUR, issuer, json, OTHER_SENDER, SECRET, SENDER } from "./server.mjs";
import { load, server, skipPauses, sleep } from "./server.mjs";

const { createTokenIssuer, isRemitError } = server;
const many = (count, work) => Promise.all(Array.from({ length: count }, (_, at) => work(at)));
const bearers = (tokens) => [...new Set(tokens.map((token) => token.access_token))];
const until = async (condition) => {
  while (!condition()) await sleep(2);
};

test("a token request follows the interface and returns three members", async (t) => {
  fakeClock(t);
  const { tokens, endpoint, client } = await issuer();
  const token = await tokens.senderToken(SENDER);
  assert.deepEqual(token, { access_token: "t1", expires_in: 3600, token_type: "Bearer" });
  const [{ url, method, headers, body }] = endpoint.asked;
  assert.deepEqual([method, url, headers["content-type"]], ["POST", "/v1/oauth/token", "application/json"]);
  assert.deepEqual(body, {
    client_id: "client",
    client_secret: SECRET,
    audience: endpoint.baseUrl,
    grant_type: "client_credentials",
    sender_id: SENDER,
  });
  const address = `${endpoint.baseUrl}/remit/eu`;
  for (const baseUrl of [`${address}/`, new URL(address)]) {
    await createTokenIssuer({ ...client, baseUrl }).senderToken(SENDER);
    const { url, body } = endpoint.asked.at(-1);
    assert.deepEqual([url, body.audience], ["/remit/eu/v1/oauth/token", address]);
  }
});

test("client tokens have a method of their own and hide when printed", async () => {
  const { tokens, endpoint } = await issuer();
  const senders = [undefined, null, "", "*", 7, `${SENDER} `, [SENDER]].map((sender) => [sender, "senderId"]);
  await assertRefused((sender) => tokens.senderToken(sender), senders);
  assert.equal(endpoint.asked.length, 0);
  const token = await tokens.clientToken();
  assert.ok(!("sender_id" in endpoint.asked[0].body));
  assert.deepEqual([token.access_token, token.token_type], ["t1", "Bearer"]);
  for (const copy of [token, { ...token }]) {
    assert.doesNotMatch(JSON.stringify(copy) + inspect(token, { showHidden: true }), /t1/);
  }
  const both = [await tokens.senderToken(SENDER), await tokens.clientToken()];
  assert.deepEqual(bearers(both), ["t2", "t1"]);
});

test("1,000 concurrent calls fetch once or share a failure; each sender has its token", async () => {
  const { tokens, endpoint } = await issuer();
  endpoint.answers = [json(401, { error: "invalid_client" })];
  const ask = (at) => tokens.senderToken(at % 2 ? SENDER : SENDER.toUpperCase());
  const failures = await many(1000, (at) => ask(at).catch(({ code }) => code));
  assert.deepEqual([new Set(failures), endpoint.asked.length], [new Set(["Unauthorized"]), 1]);
  assert.deepEqual(bearers(await many(1000, ask)), ["t2"]);
  assert.equal((await tokens.senderToken(OTHER_SENDER)).access_token, "t3");
  assert.deepEqual(bearers(await many(50, () => tokens.senderToken(SENDER, { renew: true }))), ["t4"]);
  assert.deepEqual([bearers([await ask(1)]), endpoint.asked.length], [["t4"], 4]);
});

test("a token is kept until near its expiry, and expires_in counts down", async (t) => {
  const time = fakeClock(t);
  for (const [life, renewal] of [[86_400, 77_760], [3600, 3240], [300, 240], [60, 30]]) {
    const { tokens, endpoint } = await issuer();
    endpoint.answer = json(200, { access_token: `life-${life}`, expires_in: life, token_type: "bearer" });
    assert.equal((await tokens.senderToken(SENDER)).expires_in, life);
    time.advance(renewal * 1000 - 1);
    const { expires_in, token_type } = await tokens.senderToken(SENDER);
    assert.deepEqual([expires_in, token_type, endpoint.asked.length], [life - renewal, "Bearer", 1]);
    time.advance(1);
    assert.equal((await tokens.senderToken(SENDER)).expires_in, life);
    assert.equal(endpoint.asked.length, 2, String(life));
    time.advance(-HOUR);
    assert.ok((await tokens.senderToken(SENDER)).expires_in <= life, "a clock set back adds no time");
    assert.equal(endpoint.asked.length, 3);
    endpoint.answers = [(reply) => (time.advance(life * 2000), endpoint.answer(reply))];
    const { expires_in: left } = await tokens.senderToken(OTHER_SENDER);
    assert.equal(left, 0, "a token that ended on its way has no time left, not less");
  }
});

test("a token that claims a longer life is kept for 30 days", async (t) => {
  fakeClock(t);
  const { tokens, endpoint } = await issuer();
  endpoint.answer = json(200, { access_token: "t", expires_in: 365 * 86_400 });
  assert.equal((await tokens.senderToken(SENDER)).expires_in, 30 * 86_400);
});

test("a caller's signal ends only that caller's wait, and may be shared", async (t) => {
  const { tokens, endpoint } = await issuer();
  const warnings = t.mock.fn();
  process.on("warning", warnings);
  t.after(() => process.off("warning", warnings));
  let answer;
  endpoint.answers = [(reply) => (answer = () => endpoint.answer(reply))];
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = Array.from({ length: 50 }, () => errorOf(tokens.senderToken(SENDER, { signal })));
  const other = tokens.senderToken(SENDER);
  await until(() => answer);
  controller.abort();
  for (const { kind } of await Promise.all(aborted)) assert.equal(kind, "aborted");
  answer();
  assert.equal((await other).access_token, "t1");
  const { mock } = t.mock.method(globalThis, "fetch");
  assert.equal((await errorOf(tokens.senderToken(OTHER_SENDER, { signal }))).code, "Aborted");
  const { signal: calm } = new AbortController();
  await many(50, () => tokens.senderToken(SENDER, { signal: calm }));
  await sleep(1);
  assert.deepEqual([warnings.mock.callCount(), getEventListeners(calm, "abort").length], [0, 0]);
  assert.equal(mock.callCount(), 0, "a call that was aborted before fetches nothing");
  const wrong = [[{ signal: {} }, "signal"], [{ renew: "yes" }, "renew"]];
  await assertRefused((options) => tokens.senderToken(SENDER, options), wrong);
});

// Cloudflare cancels what a customer's request started once that customer has left.
test("in a Cloudflare Worker no call waits for another's request", { timeout: 30_000 }, async (t) => {
  replaceGlobal(t, "navigator", { value: { userAgent: "Cloudflare-Workers" } });
  const { tokens, endpoint } = await issuer({ timeoutMs: 60_000 });
  let answer;
  const slow = json(200, { access_token: "slow", expires_in: 3600 });
  endpoint.answers = [(reply) => (answer = () => slow(reply))];
  const first = tokens.senderToken(SENDER);
  await until(() => answer);
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2");
  answer();
  await first;
  assert.equal((await tokens.senderToken(SENDER)).access_token, "t2", "the later token stays");
});

const asksAgain = (seconds, status = 429) => json(status, {}, { "retry-after": String(seconds) });

test("temporary failures are retried, after the pause that the service asks for", async (t) => {
  const { tokens, endpoint } = await issuer();
  const pauses = skipPauses(t);
  const date = (ms) => new Date(Date.now() + ms).toUTCString();
  for (const [answer, leastMs, mostMs] of [
    [asksAgain(0), 0, 0],
    [asksAgain(0, 500), 0, 0],
    [asksAgain(19), 19_000, 19_000],
    [asksAgain(date(18_000)), 15_000, 18_000],
    ...["-1", "1.5", "+5", "soon", date(-60_000)].map((value) => [asksAgain(value, 503), 500, 1000]),
    [(reply) => reply.socket.destroy(), 500, 1000],
    [json(200, '{"access_token":"x'), 500, 1000],
  ]) {
    pauses.length = 0;
    endpoint.answers = [answer];
    await tokens.senderToken(SENDER, { renew: true });
    const [pause, ...others] = pauses;
    assert.ok(pause >= leastMs && pause <= mostMs && others.length === 0, `${pauses} of ${leastMs}`);
  }
  const count = endpoint.asked.length;
  endpoint.answers = [asksAgain(21)];
  const { code, kind, retryable, retryAfterMs, httpStatus } = await errorOf(tokens.clientToken());
  assert.deepEqual([code, kind, httpStatus], ["TooManyRequests", "unavailable", 429]);
  assert.deepEqual([retryable, retryAfterMs, endpoint.asked.length], [true, 21_000, count + 1]);
});

test("there are three attempts at most, and a refusal gets one", async (t) => {
  const { tokens, endpoint } = await issuer();
  skipPauses(t);
  endpoint.answer = json(503, {}, { "request-id": "r-7" });
  const error = await errorOf(tokens.senderToken(SENDER));
  assert.deepEqual([error.code, error.requestId, endpoint.asked.length], ["ServiceUnavailable", "r-7", 3]);
  for (const [answer, code, kind] of [
    [json(401, { error: "invalid_client" }), "Unauthorized", "authentication"],
    [json(400, { error: "invalid_client" }), "Unauthorized", "authentication"],
    [json(400, { error: "invalid_request" }), "TokenUnavailable", "authentication"],
    [json(403, [{ code: "AccessDenied", message: "no" }]), "AccessDenied", "authentication"],
    [json(404, [{ code: "SenderNotFound", message: "no" }]), "SenderNotFound", "not_found"],
    [json(302, {}, { location: "/elsewhere" }), "TokenUnavailable", "authentication"],
  ]) {
    endpoint.answer = answer;
    endpoint.asked.length = 0;
    const refusal = await errorOf(tokens.senderToken(SENDER));
    assert.deepEqual([refusal.code, refusal.kind, refusal.retryable], [code, kind, false]);
    assert.notEqual(refusal.resolution, "try_again_later", code);
    assert.equal(endpoint.asked.length, 1, code);
  }
});

test("no answer is a timeout; nobody there is a network failure", async (t) => {
  const { tokens, endpoint } = await issuer({ timeoutMs: 300 });
  skipPauses(t);
  for (const answer of [() => {}, (reply) => reply.writeHead(200).write("{")]) {
    endpoint.answer = answer;
    endpoint.asked.length = 0;
    const { code, kind } = await errorOf(tokens.senderToken(SENDER));
    assert.deepEqual([code, kind, endpoint.asked.length], ["Timeout", "timeout", 3]);
  }
  await endpoint.close();
  const { code, kind, message } = await errorOf(tokens.senderToken(SENDER));
  assert.deepEqual([code, kind], ["NetworkFailure", "unavailable"]);
  assert.match(message, /ECONNREFUSED/);
});

test("all attempts together end within their limit", async (t) => {
  const { retrying } = await load("server/retry.js");
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const timeouts = [];
  const late = { retryable: true, retryAfterMs: 0 };
  const attempt = async (timeoutMs) => {
    timeouts.push(timeoutMs);
    now += timeoutMs;
    throw late;
  };
  const { Closing } = await load("server/closing.js");
  const limits = { timeoutMs: 15_000, totalTimeoutMs: 20_000, maxAttempts: 3 };
  const closed = { isFailing: () => false, isOpenFor: () => false };
  assert.equal(await errorOf(retrying(limits, new Closing(), closed)("client", attempt)), late);
  assert.deepEqual(timeouts, [15_000, 5_000]);
});

test("60 senders at once retry a failing service only 20 times in all", async () => {
  const { tokens, endpoint } = await issuer();
  endpoint.answer = asksAgain(0, 503);
  const sender = (at) => SENDER.slice(0, -2) + String(10 + at);
  const startedAt = performance.now();
  const codes = await many(60, (at) => tokens.senderToken(sender(at)).catch(({ code }) => code));
  assert.deepEqual(new Set(codes), new Set(["ServiceUnavailable"]));
  // The budget regains one retry each second.
  const regained = Math.ceil((performance.now() - startedAt) / 1000);
  const retries = endpoint.asked.length - 60;
  assert.ok(retries >= 20 && retries <= 20 + regained, `${retries} retries`);
});

test("a malformed reply is not taken for a token, and its error names the member", async (t) => {
  skipPauses(t);
  const good = { access_token: "abc", expires_in: 60, token_type: "Bearer" };
  const members = {
    access_token: [7, "", "a b", "é", "a\nb", "x".repeat(20_000)],
    expires_in: [undefined, "", "1h", "3600.0", "-1", "0", 0, -5, 1.5, true, [60]],
    token_type: ["mac", 1],
  };
  const rows = Object.entries(members).flatMap(([name, values]) =>
    values.map((value) => [{ ...good, [name]: value }, new RegExp(` ${name}\\b`), 1]),
  );
  for (const [body, message, attempts] of [
    ...rows,
    [{ ...good, pad: "x".repeat(70_000) }, /longer than 65536 bytes/, 3],
    ["<html>", /is not JSON/, 3],
    ...["null", "[]", "7", "{}"].map((body) => [body, / expires_in\b/, 1]),
  ]) {
    const { tokens, endpoint } = await issuer();
    endpoint.answer = json(200, body);
    const error = await errorOf(tokens.senderToken(SENDER));
    assert.deepEqual([error.code, endpoint.asked.length], ["UnreadableReply", attempts], inspect(body));
    assert.match(error.message, message);
  }
});

test("a lifetime may be digits in text", async () => {
  const { tokens, endpoint } = await issuer();
  endpoint.answer = json(200, { access_token: "t", expires_in: "3600" });
  assert.ok((await tokens.senderToken(SENDER)).expires_in > 3590);
});

test("invalid options are refused at once, each by its name", async () => {
  const good = { baseUrl: "https://api.example", clientId: "c", clientSecret: SECRET };
  for (const host of ["localhost:1", "127.8.9.1", "[::1]:3", "api.localhost"]) {
    createTokenIssuer({ ...good, baseUrl: `http://${host}` });
  }
  const insecure = ["http://api.example", "http://127.0.0.1.example", "http://0.0.0.0", "ftp://api.example"];
  const wrong = {
    baseUrl: [...insecure, `https://u:${SECRET}@api.example`, "https://api.example?a", "api.example", 7],
    clientId: [undefined, "", " c", "c\n"],
    clientSecret: [undefined, "", {}, `${SECRET}\n`, `${SECRET}\0x`, [], [SECRET, ""], Promise.resolve()],
    timeoutMs: [99, 120_001, 1.5, "1000"],
    totalTimeoutMs: [99, 300_001, "20s"],
    maxAttempts: [0, 11],
    maxConcurrent: [0, 1.5, Infinity],
    allowInsecureHosts: ["sandbox", ["http://sandbox"], ["sandbox:4100"], [7]],
    fetch: ["undici"],
    onEvent: [{}],
    onError: ["log"],
    clientSecrets: [SECRET],
  };
  const changed = ([name, values]) => values.map((value) => [{ ...good, [name]: value }, name]);
  const rows = [
    ...[undefined, "x"].map((options) => [options, "options"]),
    [{ ...good, cache: {} }, "cache.get"],
    [{ ...good, cache: { get() {} } }, "cache.set"],
    [{ ...good, cache: { get() {}, set() {}, compareAndSet: true } }, "cache.compareAndSet"],
    ...Object.entries(wrong).flatMap(changed),
  ];
  await assertRefused(createTokenIssuer, rows, "InvalidConfiguration");
  for (const [options] of rows) {
    const error = await errorOf(() => createTokenIssuer(options));
    assert.ok(isRemitError(error));
    assert.ok(!(inspect(error, { showHidden: true }) + JSON.stringify(error)).includes(SECRET));
  }
});
