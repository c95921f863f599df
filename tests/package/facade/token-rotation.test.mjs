// The client secret changes while backends run: some have the old one, some both, some the new one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHidden, errorOf } from "./unpacked.mjs";
import { issuer, json, recordingCache, SENDER, server, sleep, skipPauses } from "./server.mjs";

const [OLD, NEW] = ["old-secret-nobody-may-see", "new-secret-nobody-may-see"];

/** A token endpoint that accepts the secrets in `valid`, and backends of one client. */
async function rotation(cache) {
  const { endpoint, client, errors } = await issuer();
  const valid = new Set([OLD]);
  const give = endpoint.answer;
  endpoint.answer = (reply, { client_secret }) =>
    valid.has(client_secret) ? give(reply) : json(401, { error: "invalid_client" })(reply);
  const sent = () => endpoint.asked.map(({ body }) => body.client_secret);
  const backend = (clientSecret, options) =>
    server.createTokenIssuer({ ...client, clientSecret, cache, onError() {}, ...options });
  return { endpoint, errors, valid, sent, backend };
}

const token = async (backend, options) => (await backend.senderToken(SENDER, options)).access_token;

test("backends with the old and the new secret do not overwrite each other's entries", async () => {
  const cache = recordingCache();
  const { valid, backend } = await rotation(cache);
  valid.add(NEW);
  const [one, other] = [backend(OLD), backend(NEW)];
  for (let i = 0; i < 20; i += 1) await Promise.all([token(one), token(other)]);
  assert.equal(cache.calls.filter(([name]) => name === "set").length, 2);
});

for (const comparing of [false, true]) {
  const compareAndSet = (entries) => async (key, expected, value) => {
    if (entries.get(key) !== expected) return false;
    entries.set(key, value);
    return true;
  };

  test(`backends with a common secret see renewals (compareAndSet: ${comparing})`, async () => {
    const cache = recordingCache();
    if (comparing) cache.compareAndSet = compareAndSet(cache.entries);
    const { valid, backend } = await rotation(cache);
    valid.add(NEW);
    const backends = [backend(OLD), backend([OLD, NEW]), backend([NEW, OLD]), backend(NEW)];
    for (const at of [0, 1, 2, 3]) {
      const renewed = await token(backends[at], { renew: true });
      // Those with one secret learn of each other's renewals by those with both.
      for (const both of [1, 2]) assert.equal(await token(backends[both]), renewed);
      for (const one of backends) assert.equal(await token(one), renewed, `renewed by ${at}`);
    }
  });
}

test("the first secret is sent, and the next one when it is refused", async () => {
  const { valid, sent, backend, endpoint } = await rotation();
  const tokens = backend([NEW, OLD]);
  await token(tokens);
  await token(tokens, { renew: true });
  assert.deepEqual(sent(), [NEW, OLD, OLD]);
  valid.delete(OLD);
  valid.add(NEW);
  await token(tokens, { renew: true });
  assert.deepEqual(sent().slice(3), [OLD, NEW]);
  valid.clear();
  const count = endpoint.asked.length;
  assert.equal((await errorOf(token(tokens, { renew: true }))).code, "Unauthorized");
  assert.equal(endpoint.asked.length, count + 2);
});

test("a function is asked once, and again when the service refuses what it returned", async () => {
  const { valid, sent, backend } = await rotation(recordingCache());
  let vault = OLD;
  let asked = 0;
  const tokens = backend(async () => ((asked += 1), await sleep(5), vault));
  await Promise.all([token(tokens), tokens.clientToken()]);
  assert.equal(asked, 1);
  valid.delete(OLD);
  valid.add(NEW);
  vault = NEW;
  assert.match(await token(tokens, { renew: true }), /^t/);
  assert.deepEqual([asked, sent().slice(2)], [2, [OLD, NEW]]);
  valid.clear();
  for (let i = 0; i < 5; i += 1) await token(tokens, { renew: true }).catch(() => {});
  assert.equal(asked, 3, "a vault that still has the refused secret is left alone for some seconds");
  const plain = backend(() => NEW);
  assert.equal((await errorOf(token(plain))).code, "Unauthorized");
});

test("a function that fails, hangs or returns no secret fails the call, and is asked again", async (t) => {
  skipPauses(t);
  const { backend } = await rotation();
  const never = () => new Promise(() => {});
  for (const [faulty, code, message] of [
    [() => Promise.reject(new Error("vault sealed")), "ServiceUnavailable", /clientSecret failed/],
    [never, "ServiceUnavailable", /clientSecret did not settle in time/],
    [() => `${OLD}\n`, "InvalidConfiguration", /clientSecret must be text .* this is text/],
    [() => undefined, "InvalidConfiguration", /this is undefined/],
  ]) {
    let secret = faulty;
    const tokens = backend(() => secret(), { timeoutMs: 100 });
    const error = await errorOf(token(tokens));
    assert.deepEqual([error.code, error.option], [code, "clientSecret"]);
    assert.match(error.message, message);
    assertHidden([OLD], error);
    secret = () => OLD;
    assert.match(await token(tokens), /^t/);
  }
});

test("a vault that fails is not asked with each refusal of one sender", async () => {
  const { backend, valid } = await rotation();
  let asked = 0;
  const tokens = backend(() => ((asked += 1) === 1 ? OLD : Promise.reject(new Error("vault sealed"))));
  valid.clear();
  for (let i = 0; i < 5; i += 1) assert.equal((await errorOf(token(tokens))).code, "Unauthorized");
  assert.equal(asked, 2);
  valid.add(OLD);
  assert.match((await tokens.clientToken()).access_token, /^t/);
});

test("a vault that hangs takes no longer than a call may", async () => {
  const { backend, valid } = await rotation();
  let asked = 0;
  const hangs = () => new Promise(() => {});
  const limits = { timeoutMs: 400, totalTimeoutMs: 600 };
  const tokens = backend(() => ((asked += 1) === 1 ? OLD : hangs()), limits);
  valid.clear();
  for (const issuer of [tokens, backend(hangs, limits)]) {
    const startedAt = performance.now();
    await errorOf(token(issuer));
    // By default it would be twenty seconds.
    assert.ok(performance.now() - startedAt < 10_000);
  }
});

test("a cached token is handed out without the vault, where no cache is shared", async () => {
  const { backend } = await rotation();
  let asked = 0;
  const tokens = backend(() => ((asked += 1), OLD));
  for (let i = 0; i < 5; i += 1) await token(tokens);
  assert.equal(asked, 1);
});

test("no secret of a list appears in what a service echoes", async () => {
  const { backend, endpoint } = await rotation();
  endpoint.answer = json(200, { access_token: OLD, expires_in: 60 }, { "request-id": OLD });
  const error = await errorOf(token(backend([NEW, OLD])));
  assert.deepEqual([error.code, error.requestId], ["UnreadableReply", undefined]);
  assertHidden([OLD, NEW], error);
});
