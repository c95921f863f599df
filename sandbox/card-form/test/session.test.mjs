import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { CardSession } from "../session.js";

mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-21T12:00:00Z") });

/** Returns a session whose server answers with `reply`, and the requests that it sends. */
function sessionWith(reply) {
  const requests = [];
  globalThis.fetch = async (url, request) => {
    requests.push({ url, ...request });
    if (reply instanceof Error) throw reply;
    const { status = 200, body = "", date = null } = reply;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { status, headers: date === null ? {} : { date } });
  };
  return { requests, session: new CardSession("/v2/add-card/abc/") };
}

const status = (reply) => sessionWith(reply).session.status();
const verify = (reply) => sessionWith(reply).session.verify({ number: "4111111111111111" });
const UNKNOWN = { code: "InvalidCardOnboardingSession", message: "m" };

test("requests go to the page's own path, uncached and without credentials", async () => {
  const { requests, session } = sessionWith({ body: {} });
  await session.status();
  await session.verify({ number: "4111111111111111" });
  assert.deepEqual(requests.map(({ url }) => url), ["/v2/add-card/abc/status", "/v2/add-card/abc/verify"]);
  for (const { cache, credentials, redirect } of requests) {
    assert.deepEqual([cache, credentials, redirect], ["no-store", "omit", "error"]);
  }
  assert.equal(requests[1].method, "POST");
});

test("the time left follows the server's clock where it is known", async () => {
  const expirationDate = "2026-11-21T12:10:00.1234567Z";
  const date = "Sat, 21 Nov 2026 11:00:00 GMT";
  for (const [body, dateHeader, left] of [
    [{ expirationDate }, null, 600_123],
    [{ expirationDate }, date, 4_200_123],
    [{ expirationDate, now: "2026-11-21T12:09:00Z" }, date, 60_123],
    [{ expirationDate: "soon" }, null, null],
  ]) {
    const answer = await status({ body: { status: "INCOMPLETE", ...body }, date: dateHeader });
    assert.deepEqual(answer, { kind: "known", status: "INCOMPLETE", expiresInMs: left });
  }
});

test("an unreadable status means unreachable, and a missing session unknown", async () => {
  for (const reply of [
    new TypeError("offline"),
    { status: 500, body: "" },
    { status: 503, body: [{ code: "X" }] },
    { body: "<html>" },
    { body: "null" },
    { body: { status: 1 } },
  ]) {
    assert.deepEqual(await status(reply), { kind: "unreachable" }, JSON.stringify(reply));
  }
  for (const reply of [
    { status: 404 },
    { status: 404, body: [UNKNOWN] },
    { status: 400, body: [UNKNOWN] },
    { status: 400, body: UNKNOWN },
  ]) {
    assert.deepEqual(await status(reply), { kind: "unknown" });
  }
});

test("only an unambiguous answer is a result", async () => {
  const lost = { kind: "lost" };
  for (const [reply, expected] of [
    [{ body: { result: "SUCCESS" } }, { kind: "success" }],
    [{ body: { result: "EXPIRED" } }, { kind: "expired" }],
    [{ body: { result: "FAIL", code: "X", message: "m" } }, { kind: "fail", code: "X", message: "m" }],
    [{ body: { result: "FAIL", code: 7 } }, { kind: "fail", code: null, message: null }],
    [{ status: 400, body: [{ code: "X", message: "m" }] }, { kind: "fail", code: "X", message: "m" }],
    [{ status: 404, body: [UNKNOWN] }, { kind: "unknown" }],
    [new TypeError("offline"), lost],
    [{ status: 500, body: [{ code: "X" }] }, lost],
    [{ status: 429, body: [{ code: "X" }] }, lost],
    [{ status: 408, body: [{ code: "X" }] }, lost],
    [{ status: 400, body: "" }, lost],
    [{ body: "" }, lost],
    [{ body: "{\"result\":\"SUCC" }, lost],
    [{ body: { result: "success" } }, lost],
    [{ body: "null" }, lost],
    [{ body: [] }, lost],
  ]) {
    assert.deepEqual(await verify(reply), expected, JSON.stringify(reply));
  }
});
