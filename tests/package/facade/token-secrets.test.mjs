// Nothing printable contains the secret or a token, whatever the service, the cache and the shop do.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { inspect } from "node:util";
import { cacheOf, issuer, json, listening, SECRET, SENDER } from "./server.mjs";

const TOKEN = "planted-token-nobody-may-see";

/** What a log or an error tracker can make of a value. */
function shown(value) {
  const own =
    value instanceof Error ? Object.getOwnPropertyNames(value).map((name) => String(value[name])) : [];
  return [
    String(value),
    value?.stack,
    JSON.stringify(value),
    inspect(value, { depth: 9, showHidden: true }),
    own,
  ].join("\n");
}

function assertHidden(values) {
  const everything = values.map(shown).join("\n");
  for (const secret of [SECRET, TOKEN]) {
    for (const written of [
      secret,
      encodeURIComponent(secret),
      btoa(secret),
      Buffer.from(secret).toString("hex"),
    ]) {
      assert.ok(!everything.includes(written), `${written} stands in\n${everything}`);
    }
  }
}

const echo = `${SECRET} ${TOKEN}`;
const ENDINGS = {
  "refuses and echoes": json(401, { error: SECRET, error_description: echo }),
  "refuses with a code of its own": json(400, [{ code: SECRET, message: echo, description: echo }]),
  "answers with a page": json(404, `<html>${echo}`),
  "gives the secret for a token": json(200, { access_token: SECRET, expires_in: 60, token_type: "Bearer" }),
  "gives a token that is none": json(200, { access_token: `${TOKEN} ${SECRET}`, expires_in: 60 }),
  "points elsewhere": json(307, {}, { location: `https://evil.example/?${SECRET}` }),
  "puts the secret into its headers": json(
    403,
    {},
    { "request-id": SECRET, "retry-after": SECRET, "x-a": SECRET },
  ),
};

for (const [ending, answer] of Object.entries(ENDINGS)) {
  test(`the secret is shown nowhere when the service ${ending}`, async (t) => {
    const printed = t.mock.method(console, "error", () => {});
    const { issuer: tokens, endpoint, errors, createTokenIssuer } = await issuer();
    const silent = createTokenIssuer({ baseUrl: endpoint.baseUrl, clientId: "client", clientSecret: SECRET });
    endpoint.answer = answer;
    const page = await listening(createServer(tokens.handler({ senderId: () => SENDER })));
    const reply = await fetch(page, { method: "POST" });
    assert.equal(reply.status, 502);
    const loud = await silent.handler({ senderId: () => SENDER })(new Request(page, { method: "POST" }));
    const thrown = await tokens.clientToken().catch((error) => error);
    assert.ok(errors.length > 0 && printed.mock.callCount() > 0 && thrown instanceof Error);
    assertHidden([
      thrown,
      ...errors,
      await reply.text(),
      await loud.text(),
      [...reply.headers],
      printed.mock.calls.map((call) => call.arguments),
      tokens,
      silent,
    ]);
  });
}

test("an issuer and its cache show neither secret nor token", async () => {
  const cache = cacheOf();
  const { issuer: tokens, endpoint } = await issuer({ cache });
  endpoint.answer = json(200, { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" });
  await tokens.senderToken(SENDER);
  const token = await tokens.clientToken();
  assert.equal(cache.entries.size, 2);
  assertHidden([tokens, token, [...cache.entries], cache.calls]);
  assert.doesNotMatch(JSON.stringify(cache.calls), /"client"|127\.0\.0\.1/);
});

test("a session lookup that throws reaches onError and not the page", async () => {
  const { issuer: tokens, errors } = await issuer();
  const handle = tokens.handler({
    senderId: () => {
      throw new Error(echo);
    },
  });
  const reply = await handle(new Request("http://shop.example/token", { method: "POST" }));
  assert.deepEqual([reply.status, await reply.json()], [500, { error: "internal" }]);
  assert.equal(errors.length, 1);
});
