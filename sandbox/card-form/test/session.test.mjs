import assert from "node:assert/strict";
import { test } from "node:test";
import { CardSession } from "../session.js";

const NOW = Date.parse("2026-11-21T12:00:00Z");

function sessionThat(reply) {
  const asked = [];
  const fetch = async (url, request) => {
    asked.push({ url, request });
    if (reply instanceof Error) throw reply;
    const { status = 200, body = "", date = null } = reply;
    return {
      ok: status >= 200 && status < 300,
      status,
      headers: { get: (name) => (name === "date" ? date : null) },
      text: async () => (typeof body === "string" ? body : JSON.stringify(body)),
    };
  };
  return { asked, session: new CardSession("/v2/add-card/abc/", { fetch, now: () => NOW }) };
}

const status = (reply) => sessionThat(reply).session.status();
const verify = (reply) => sessionThat(reply).session.verify({ number: "4111111111111111" });

test("requests go to the page's own path, uncached, without credentials", async () => {
  const { asked, session } = sessionThat({ body: {} });
  await session.status();
  await session.verify({ number: "4111111111111111" });
  assert.deepEqual(asked.map(({ url }) => url), ["/v2/add-card/abc/status", "/v2/add-card/abc/verify"]);
  for (const { request } of asked) {
    assert.deepEqual([request.cache, request.credentials, request.redirect], ["no-store", "omit", "error"]);
  }
  assert.equal(asked[1].request.method, "POST");
});

test("the time left follows the server's clock if it gives one", async () => {
  const expirationDate = "2026-11-21T12:10:00.1234567Z";
  const left = async (more, date) => (await status({ body: { status: "INCOMPLETE", expirationDate, ...more }, date })).expiresInMs;
  assert.equal(await left({}, null), 600_123);
  assert.equal(await left({}, "Sat, 21 Nov 2026 11:00:00 GMT"), 4_200_123);
  assert.equal(await left({ now: "2026-11-21T12:09:00Z" }, "Sat, 21 Nov 2026 11:00:00 GMT"), 60_123);
  assert.equal((await status({ body: { status: "INCOMPLETE", expirationDate: "soon" } })).expiresInMs, null);
});

test("a status that cannot be read is no status", async () => {
  assert.deepEqual(await status(new TypeError("offline")), { kind: "unreachable" });
  for (const reply of [{ status: 500, body: "" }, { status: 503, body: [{ code: "X" }] }, { body: "<html>" }, { body: "null" }, { body: { status: 1 } }]) {
    assert.deepEqual(await status(reply), { kind: "unreachable" }, JSON.stringify(reply));
  }
  const unknown = [{ code: "InvalidCardOnboardingSession", message: "m" }];
  for (const reply of [{ status: 404 }, { status: 404, body: unknown }, { status: 400, body: unknown }, { status: 400, body: unknown[0] }]) {
    assert.deepEqual(await status(reply), { kind: "unknown" });
  }
});

test("only an unambiguous answer counts as an outcome", async () => {
  assert.deepEqual(await verify({ body: { result: "SUCCESS" } }), { kind: "success" });
  assert.deepEqual(await verify({ body: { result: "EXPIRED" } }), { kind: "expired" });
  assert.deepEqual(await verify({ body: { result: "FAIL", code: "CardNotSupported", message: "m" } }), { kind: "fail", code: "CardNotSupported", message: "m" });
  assert.deepEqual(await verify({ body: { result: "FAIL", code: 7 } }), { kind: "fail", code: null, message: null });
  assert.deepEqual(await verify({ status: 400, body: [{ code: "ExpiryDateRequired", message: "m" }] }), { kind: "fail", code: "ExpiryDateRequired", message: "m" });
  assert.deepEqual(await verify({ status: 404, body: [{ code: "InvalidCardOnboardingSession" }] }), { kind: "unknown" });
  for (const reply of [
    new TypeError("offline"),
    { status: 500, body: [{ code: "X" }] },
    { status: 429, body: [{ code: "X" }] },
    { status: 408, body: [{ code: "X" }] },
    { status: 400, body: "" },
    { body: "" },
    { body: "{\"result\":\"SUCC" },
    { body: { result: "success" } },
    { body: [] },
  ]) {
    assert.deepEqual(await verify(reply), { kind: "lost" }, JSON.stringify(reply));
  }
});
