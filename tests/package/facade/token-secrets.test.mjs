// Nothing printable contains the secret or a token, whatever the service, the cache and the shop do.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { issuer, json, listening, recordingCache, SECRET, SENDER, server, skipPauses } from "./server.mjs";
import { assertHidden } from "./unpacked.mjs";

const TOKEN = "planted-token-nobody-may-see";
const ECHO = `${SECRET} ${TOKEN}`;

const ENDINGS = {
  "refuses and echoes": json(401, { error: SECRET, error_description: ECHO }),
  "refuses with a code of its own": json(400, [{ code: SECRET, message: ECHO, description: ECHO }]),
  "answers with a page": json(404, `<html>${ECHO}`),
  "returns the secret as token": json(200, { access_token: SECRET, expires_in: 60, token_type: "Bearer" }),
  "returns a malformed token": json(200, { access_token: ECHO, expires_in: 60 }),
  "redirects": json(307, {}, { location: `https://evil.example/?${SECRET}` }),
  "puts it into headers": json(403, {}, { "request-id": SECRET, "retry-after": SECRET, "x-a": SECRET }),
};

for (const [ending, answer] of Object.entries(ENDINGS)) {
  test(`the secret is shown nowhere when the service ${ending}`, async (t) => {
    skipPauses(t);
    const printed = t.mock.method(console, "error", () => {});
    const { tokens, endpoint, errors, client } = await issuer();
    const silent = server.createTokenIssuer(client);
    endpoint.answer = answer;
    const page = await listening(createServer(tokens.handler({ senderId: () => SENDER })));
    const reply = await fetch(page, { method: "POST" });
    assert.equal(reply.status, 502);
    const loud = await silent.handler({ senderId: () => SENDER })(new Request(page, { method: "POST" }));
    const thrown = await tokens.clientToken().catch((error) => error);
    assert.ok(errors.length > 0 && printed.mock.callCount() > 0 && thrown instanceof Error);
    const replies = [await reply.text(), await loud.text(), [...reply.headers]];
    const logged = printed.mock.calls.map((call) => call.arguments);
    assertHidden([SECRET, TOKEN], thrown, ...errors, replies, logged, tokens, silent);
  });
}

test("an issuer and its cache show neither secret nor token", async () => {
  const cache = recordingCache();
  const { tokens, endpoint } = await issuer({ cache });
  endpoint.answer = json(200, { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" });
  await tokens.senderToken(SENDER);
  const token = await tokens.clientToken();
  assert.equal(cache.entries.size, 2);
  assertHidden([SECRET, TOKEN], tokens, token, [...cache.entries], cache.calls);
  assert.doesNotMatch(JSON.stringify(cache.calls), /"client"|127\.0\.0\.1/);
});

test("a session lookup that throws reaches onError and not the page", async () => {
  const { tokens, errors } = await issuer();
  const senderId = () => {
    throw new Error(ECHO);
  };
  const request = new Request("http://shop.example/token", { method: "POST" });
  const reply = await tokens.handler({ senderId })(request);
  assert.deepEqual([reply.status, await reply.json()], [500, { error: "internal" }]);
  assert.equal(errors.length, 1);
});
