// One backend for every runtime, and what is asked of it: the token handler and the webhook in Fetch's form.

import assert from "node:assert/strict";
import { createServer } from "node:http";

export const SENDER = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

/** `serve(request)` of a shop's backend. It tells each event that it took care of as `{ seen }`. */
export const BACKEND = `
import { createTokenIssuer, createWebhookReceiver, isRemitError, parseTransferWebhook } from "remitkit/server";

let backend;
const seen = [];

function make(baseUrl) {
  const issuer = createTokenIssuer({ baseUrl, clientId: "client", clientSecret: "secret", cache: new Map(), onError: console.error });
  return {
    token: issuer.handler({ senderId: (request) => request.headers.get("x-sender") ?? undefined }),
    webhook: createWebhookReceiver({ apiKey: "key", onError: () => {}, onTransferStatus: async ({ TransferId, Status }) => {
      await new Promise((resolve) => setTimeout(resolve, Status === "Slow" ? 300 : 0));
      seen.push(TransferId + Status);
    } }),
  };
}

export async function serve(request, baseUrl) {
  backend ??= make(baseUrl);
  switch (new URL(request.url).pathname) {
    case "/token":
      return backend.token(request);
    case "/webhook":
      return backend.webhook(request);
    case "/parse":
      return parseTransferWebhook(request, "key").then(
        ({ Status }) => new Response(Status),
        (error) => new Response(isRemitError(error) ? error.code : String(error.stack)),
      );
    default:
      return Response.json({ seen });
  }
}
`;

const EVENT = { TransferId: SENDER, Status: "Complete", StatusChangedDate: "2026-11-22T10:00:00Z", CancellationReason: null };

/** Asks a backend at this address for all that it is there for; `service` is what it gets its tokens from. */
export async function assertServes(address, service) {
  const post = (path, headers, body = null) => fetch(address + path, { method: "POST", headers, body });
  const token = (sender) => post("/token", { "sec-fetch-site": "same-origin", ...(sender && { "x-sender": sender }) });
  const answers = await Promise.all(Array.from({ length: 5 }, () => token(SENDER)));
  for (const answer of answers) {
    assert.equal(answer.status, 200, await answer.clone().text());
    const { access_token, token_type } = await answer.json();
    assert.deepEqual([access_token, token_type], ["token-of-" + SENDER, "Bearer"]);
  }
  assert.equal((await token(SENDER)).status, 200);
  assert.ok(service.asked > 0 && service.asked <= 5, `the service was asked ${service.asked} times for one sender`);
  assert.equal((await token()).status, 401);
  assert.equal((await post("/token", { "sec-fetch-site": "cross-site", "x-sender": SENDER })).status, 403);

  const webhook = (key, path = "/webhook") =>
    post(path, { authorization: key, "content-type": "application/json" }, JSON.stringify(EVENT));
  assert.equal((await webhook("Basic other")).status, 401);
  assert.equal((await webhook("Basic key")).status, 200);
  assert.equal((await webhook("Basic key")).status, 200);
  assert.deepEqual(await (await fetch(address)).json(), { seen: [SENDER + "Complete"] });
  assert.equal(await (await webhook("key", "/parse")).text(), "Complete");
  assert.equal(await (await webhook("another", "/parse")).text(), "Unauthorized");
}

/** A request that was cancelled half-way keeps no later one waiting. */
export async function assertOutlivesCancelling(address) {
  const slow = { authorization: "key", body: JSON.stringify({ ...EVENT, Status: "Slow" }) };
  const other = { "x-sender": SENDER.replace(/^./, "4"), body: null };
  for (const [path, { body, ...headers }] of [["/webhook", slow], ["/token", other]]) {
    const post = (more) =>
      fetch(address + path, { method: "POST", headers: { ...headers, ...more }, body, signal: AbortSignal.timeout(5_000) });
    assert.equal((await post({ "x-cancel": "50" })).status, 499, path);
    assert.equal((await post()).status, 200, path);
  }
}

/** A service that gives tokens, and counts how often it is asked. */
export async function tokenService() {
  const service = { asked: 0 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    service.asked += 1;
    const { sender_id } = JSON.parse(body);
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: `token-of-${sender_id}`, expires_in: 3600, token_type: "Bearer" }));
    }, 100);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  service.address = `http://127.0.0.1:${server.address().port}`;
  service.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return service;
}

/** The first match of a pattern in what a process says. */
export function said(process, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    for (const stream of process.stdio.slice(1)) {
      stream.on("data", (chunk) => {
        text += chunk;
        const [, found] = pattern.exec(text) ?? [];
        if (found) resolve(found);
      });
    }
    process.on("error", reject).on("exit", () => reject(new Error(`it has ended: ${text}`)));
  });
}
