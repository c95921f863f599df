import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { request } from "node:http";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createBackend } from "../../www/backend/server.mjs";
import { readConfig } from "../../www/backend/config.mjs";

const SECRET = "the-secret-nobody-may-see";
const SENDER = "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10";
let tokens;
let backend;
let url;
let answerToken;
const asked = [];
const logged = [];

before(async () => {
  tokens = createServer(async (incoming, reply) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    asked.push({ url: incoming.url, body: JSON.parse(body) });
    answerToken(reply);
  }).listen(0, "127.0.0.1");
  await once(tokens, "listening");
});

// Each test has a backend that keeps no token yet.
beforeEach(async () => {
  asked.length = 0;
  logged.length = 0;
  const config = readConfig({
    REMITKIT_BASE_URL: `http://127.0.0.1:${tokens.address().port}`,
    REMITKIT_CARD_URL: "http://127.0.0.1:4101",
    REMITKIT_CLIENT_ID: "client",
    REMITKIT_CLIENT_SECRET: SECRET,
    REMITKIT_SENDER_ID: SENDER,
    PORT: "0",
  });
  const page = { body: Buffer.from("<!doctype html>"), type: "text/html; charset=utf-8", cache: "no-cache" };
  const site = new Map([
    ["/", page],
    ["/assets/core-abc.wasm", { body: Buffer.from([0, 97, 115, 109]), type: "application/wasm", cache: "public, max-age=31536000, immutable" }],
  ]);
  backend = createBackend(config, site, (line) => logged.push(line)).listen(0, "127.0.0.1");
  await once(backend, "listening");
  url = `http://127.0.0.1:${backend.address().port}`;
});

afterEach(() => backend.close());
after(() => tokens.close());

function sendToken(status, body) {
  answerToken = (reply) => reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A request with its path and headers exactly as given; fetch would tidy them. */
async function raw(path, { method = "GET", headers = {} } = {}) {
  const outgoing = request(url, { path, method, headers }).end();
  const [reply] = await once(outgoing, "response");
  let body = "";
  for await (const chunk of reply) body += chunk;
  return { status: reply.statusCode, headers: reply.headers, body };
}

function askForToken(headers = {}) {
  return raw("/api/remit-token", { method: "POST", headers: { origin: url, ...headers } });
}

test("the token request names the sender, and three members are passed on", async () => {
  sendToken(200, { access_token: "abc", expires_in: 3600, token_type: "Bearer", scope: "all", client_secret: SECRET });
  const reply = await askForToken();
  assert.equal(reply.status, 200);
  const { expires_in: expiresIn, ...token } = JSON.parse(reply.body);
  assert.deepEqual(token, { access_token: "abc", token_type: "Bearer" });
  assert.ok(expiresIn > 3500 && expiresIn <= 3600, String(expiresIn));
  assert.equal(reply.headers["cache-control"], "no-store");
  assert.match(reply.headers["content-security-policy"], /default-src 'none'/);
  assert.equal(asked.at(-1).url, "/v1/oauth/token");
  assert.equal(asked.at(-1).body.sender_id, SENDER);
  assert.equal(asked.at(-1).body.grant_type, "client_credentials");
});

test("pages share one token until a page asks past the cache", async () => {
  sendToken(200, { access_token: "abc", expires_in: 3600, token_type: "Bearer" });
  await Promise.all([askForToken(), askForToken(), askForToken()]);
  assert.equal(asked.length, 1);
  await sleep(1_100);
  sendToken(200, { access_token: "def", expires_in: 3600, token_type: "Bearer" });
  assert.match((await askForToken()).body, /abc/);
  assert.match((await askForToken({ "cache-control": "no-cache" })).body, /def/);
  assert.equal(asked.length, 2);
});

test("no reply of the token endpoint leaks a secret", async () => {
  const answers = [
    () => sendToken(401, { error: "invalid_client", error_description: SECRET }),
    () => sendToken(200, { nothing: SECRET }),
    () => {
      answerToken = (reply) => reply.end(`<html>${SECRET}`);
    },
    () => {
      answerToken = (reply) => reply.socket.destroy();
    },
  ];
  for (const answer of answers) {
    answer();
    const reply = await askForToken();
    assert.equal(reply.status, 502);
    assert.deepEqual(JSON.parse(reply.body), { error: "unavailable" });
  }
  assert.equal(logged.length, answers.length);
  assert.ok(logged.every((line) => !line.includes(SECRET)));
});

test("pages of other origins and other host names get no token", async () => {
  for (const headers of [{ origin: "http://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
    assert.equal((await raw("/api/remit-token", { method: "POST", headers })).status, 403);
  }
  assert.equal((await raw("/api/remit-token", { method: "POST", headers: { host: "evil.example" } })).status, 421);
  assert.equal((await raw("/api/remit-token")).status, 405);
  assert.equal(asked.length, 0);
  // What is no secret is told to whoever asks, and a browser lets no other origin read it.
  const config = await raw("/api/config", { headers: { origin: "http://evil.example" } });
  assert.equal(config.headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(config.headers["access-control-allow-origin"], undefined);
  assert.deepEqual(Object.keys(JSON.parse(config.body)).sort(), ["baseUrl", "cardUrl", "limits"]);
});

test("the page has its policy, assets are cached, and paths stay inside", async () => {
  const page = await raw("/");
  assert.equal(page.status, 200);
  const policy = page.headers["content-security-policy"];
  for (const directive of [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src 'self' http://127.0.0.1:${tokens.address().port} http://127.0.0.1:4101`,
    "frame-src http://127.0.0.1:4101",
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.split("; ").includes(directive), directive);
  }
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  const wasm = await raw("/assets/core-abc.wasm");
  assert.equal(wasm.headers["content-type"], "application/wasm");
  assert.match(wasm.headers["cache-control"], /immutable/);
  for (const path of ["/../package.json", "/%2e%2e/package.json", "/..%2fpackage.json", "/assets/../../package.json", "//etc/passwd", "/__proto__", "/constructor"]) {
    assert.equal((await raw(path)).status, 404, path);
  }
  assert.equal((await raw("/", { method: "DELETE" })).status, 405);
});

test("startup names every missing setting and refuses unsafe addresses", async () => {
  const server = fileURLToPath(new URL("../../www/backend/server.mjs", import.meta.url));
  const child = spawn(process.execPath, [server], { env: { PATH: process.env.PATH, REMITKIT_CLIENT_SECRET: SECRET } });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  assert.equal(code, 2);
  for (const name of ["REMITKIT_BASE_URL", "REMITKIT_CARD_URL", "REMITKIT_CLIENT_ID", "REMITKIT_SENDER_ID"]) assert.match(output, new RegExp(name));
  assert.doesNotMatch(output, new RegExp(SECRET));
  for (const address of ["http://example.com", "ftp://127.0.0.1", "https://user:pass@example.com", "https://example.com/?a", "4711"]) {
    assert.throws(() => readConfig({ REMITKIT_BASE_URL: address }), /REMITKIT_BASE_URL must be an https address/);
  }
});
