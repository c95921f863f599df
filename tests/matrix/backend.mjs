// One backend for every runtime, with the token handler and the webhook in Fetch's form, and its test.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listening } from "../package/packed.mjs";

const SENDER = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

/** The source of `serve(request, baseUrl)`, a shop's backend, which lists the events it handled. */
export const BACKEND = `
import { createTokenIssuer, createWebhookReceiver } from "remitkit/server";

let backend;
const seen = [];

function make(baseUrl) {
  const client = { clientId: "client", clientSecret: "secret" };
  const issuer = createTokenIssuer({ baseUrl, ...client, cache: new Map(), onError: console.error });
  const onTransferStatus = async ({ TransferId, Status }) => {
    await new Promise((resolve) => setTimeout(resolve, Status === "Slow" ? 300 : 0));
    seen.push(TransferId + Status);
  };
  return {
    token: issuer.handler({ senderId: (request) => request.headers.get("x-sender") ?? undefined }),
    webhook: createWebhookReceiver({ apiKey: "key", onError: () => {}, onTransferStatus }),
  };
}

export async function serve(request, baseUrl) {
  backend ??= make(baseUrl);
  switch (new URL(request.url).pathname) {
    case "/token":
      return backend.token(request);
    case "/webhook":
      return backend.webhook(request);
    default:
      return Response.json({ seen });
  }
}
`;

const EVENT = { TransferId: SENDER, Status: "Complete", StatusChangedDate: "2026-11-22T10:00:00Z" };

/** Asserts that the backend at this address serves tokens and webhooks; `service` issues its tokens. */
export async function assertServes(address, service) {
  const post = (path, headers, body = null) => fetch(address + path, { method: "POST", headers, body });
  const token = (headers) => post("/token", { "sec-fetch-site": "same-origin", ...headers });
  const ana = { "x-sender": SENDER };
  for (const answer of await Promise.all(Array.from({ length: 5 }, () => token(ana)))) {
    assert.equal(answer.status, 200, await answer.clone().text());
    const { access_token, token_type } = await answer.json();
    assert.deepEqual([access_token, token_type], ["token-of-" + SENDER, "Bearer"]);
  }
  assert.ok(service.asked > 0 && service.asked <= 5, `${service.asked} requests for one sender`);
  const others = [await token(ana), await token({}), await token({ ...ana, "sec-fetch-site": "cross-site" })];
  assert.deepEqual(others.map(({ status }) => status), [200, 401, 403]);

  const webhook = (key) =>
    post("/webhook", { authorization: key, "content-type": "application/json" }, JSON.stringify(EVENT));
  const replies = [await webhook("Basic other"), await webhook("Basic key"), await webhook("Basic key")];
  assert.deepEqual(replies.map(({ status }) => status), [401, 200, 200]);
  assert.deepEqual(await (await fetch(address)).json(), { seen: [SENDER + "Complete"] });
}

/** Asserts that a cancelled request blocks no later one. */
export async function assertOutlivesCancelling(address) {
  const slow = { headers: { authorization: "key" }, body: JSON.stringify({ ...EVENT, Status: "Slow" }) };
  const other = { headers: { "x-sender": SENDER.replace(/^./, "4") }, body: null };
  for (const [path, { body, headers }] of [["/webhook", slow], ["/token", other]]) {
    const init = { method: "POST", body, signal: AbortSignal.timeout(10_000) };
    const post = (more) => fetch(address + path, { ...init, headers: { ...headers, ...more } });
    assert.equal((await post({ "x-cancel": "50" })).status, 499, path);
    assert.equal((await post()).status, 200, path);
  }
}

/** Starts a service that issues tokens; `asked` counts its requests. */
export async function tokenService() {
  const service = { asked: 0 };
  const server = createServer(async (request, response) => {
    const { sender_id } = await json(request);
    service.asked += 1;
    const token = { access_token: `token-of-${sender_id}`, expires_in: 3600, token_type: "Bearer" };
    setTimeout(() => response.setHeader("content-type", "application/json").end(JSON.stringify(token)), 100);
  });
  service.address = await listening(server);
  return service;
}
