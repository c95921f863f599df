// The shop's backend. The token endpoint itself is tested in tests/package/facade/token-handler.test.mjs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../www/backend/config.mjs";
import { createBackend } from "../../www/backend/server.mjs";
import { sendJson, startServer } from "../local-server.mjs";

const SECRET = "the-secret-nobody-may-see";
const SENDER = "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10";
const IMMUTABLE = "public, max-age=31536000, immutable";
let service;
let folder;
let backend;
let url;
let isRefusing = true;
const asked = [];
const logged = [];

before(async () => {
  service = await startServer(async (incoming, reply) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    asked.push({ url: incoming.url, body: JSON.parse(body) });
    if (isRefusing) sendJson(reply, { error: "invalid_client", error_description: SECRET }, 401);
    else sendJson(reply, { access_token: "abc", expires_in: 60, client_secret: SECRET });
  });
  const config = readConfig({
    REMITKIT_BASE_URL: service.url,
    REMITKIT_CARD_URL: "http://127.0.0.1:4101",
    REMITKIT_CLIENT_ID: "client",
    REMITKIT_CLIENT_SECRET: SECRET,
    REMITKIT_SENDER_ID: SENDER,
    PORT: "0",
  });
  folder = await mkdtemp(join(tmpdir(), "shop-"));
  assert.throws(() => createBackend(config, folder), /the shop is not built/);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await writeFile(join(folder, "assets/core-abc.wasm"), "");
  backend = createBackend(config, folder, (line) => logged.push(line)).listen(0, "127.0.0.1");
  await once(backend, "listening");
  url = `http://127.0.0.1:${backend.address().port}`;
});

after(async () => {
  backend.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Makes a request with path and headers exactly as given; fetch would normalize them. */
async function raw(path, { method = "GET", headers = {} } = {}) {
  const [reply] = await once(request(url, { path, method, headers }).end(), "response");
  let body = "";
  for await (const chunk of reply) body += chunk;
  return { status: reply.statusCode, headers: reply.headers, body };
}

function requestToken(headers = {}) {
  return raw("/api/remit-token", { method: "POST", headers: { origin: url, ...headers } });
}

test("the page gets the sender's token, and no secret", async () => {
  const refused = await requestToken();
  assert.deepEqual([refused.status, refused.body], [502, '{"error":"unavailable"}']);
  assert.equal(logged.length, 1);
  assert.ok(!logged[0].includes(SECRET));
  isRefusing = false;
  const reply = await requestToken();
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(JSON.parse(reply.body)).sort(), ["access_token", "expires_in", "token_type"]);
  assert.match(reply.headers["content-security-policy"], /default-src 'none'/);
  const { url: path, body } = asked.at(-1);
  const { sender_id: sender, grant_type: grant } = body;
  assert.deepEqual([path, sender, grant], ["/v1/oauth/token", SENDER, "client_credentials"]);
});

test("other origins and host names get no token", async () => {
  asked.length = 0;
  const refused = [{ origin: "http://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }];
  for (const headers of refused) assert.equal((await requestToken(headers)).status, 403);
  assert.equal((await requestToken({ host: "evil.example" })).status, 421);
  assert.equal((await raw("/api/remit-token")).status, 405);
  assert.equal(asked.length, 0);
  // The configuration is public, but browsers let no other origin read it.
  const config = await raw("/api/config", { headers: { origin: "http://evil.example" } });
  assert.equal(config.headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(config.headers["access-control-allow-origin"], undefined);
  assert.deepEqual(Object.keys(JSON.parse(config.body)).sort(), ["baseUrl", "cardUrl", "limits"]);
});

test("the page has its policy, assets are cached, and paths stay inside", async () => {
  const page = await raw("/");
  assert.equal(page.status, 200);
  assert.deepEqual(page.headers["content-security-policy"].split("; "), [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src 'self' ${service.url} http://127.0.0.1:4101`,
    "frame-src http://127.0.0.1:4101",
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  assert.deepEqual([page.body, page.headers["cache-control"]], ["<!doctype html>", "no-cache"]);
  const head = await raw("/", { method: "HEAD" });
  assert.deepEqual([head.status, head.body], [200, ""]);
  const wasm = await raw("/assets/core-abc.wasm");
  assert.equal(wasm.headers["content-type"], "application/wasm");
  assert.equal(wasm.headers["cache-control"], IMMUTABLE);
  await rm(join(folder, "assets/core-abc.wasm"));
  assert.equal((await raw("/assets/core-abc.wasm")).status, 404, "a later build has other files");
  const outside = ["/../package.json", "/%2e%2e/package.json", "/..%2fpackage.json", "/__proto__"];
  for (const path of outside) assert.equal((await raw(path)).status, 404, path);
  assert.equal((await raw("/", { method: "DELETE" })).status, 405);
});

test("startup names every missing setting and refuses unsafe addresses", async () => {
  const server = fileURLToPath(new URL("../../www/backend/server.mjs", import.meta.url));
  const env = { PATH: process.env.PATH, REMITKIT_CLIENT_SECRET: SECRET };
  const child = spawn(process.execPath, [server], { env });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  assert.equal(code, 2);
  for (const name of ["BASE_URL", "CARD_URL", "CLIENT_ID", "SENDER_ID"]) {
    assert.ok(output.includes(`REMITKIT_${name}`));
  }
  assert.ok(!output.includes(SECRET));
  const unsafe = ["http://example.com", "ftp://127.0.0.1", "https://u:p@a.com", "https://a.com/?b", "4711"];
  for (const address of unsafe) {
    assert.throws(() => readConfig({ REMITKIT_BASE_URL: address }), /BASE_URL must be an https address/);
  }
});
