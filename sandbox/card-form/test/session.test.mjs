import assert from "node:assert/strict";
import { test } from "node:test";
import { CardSession } from "../session.js";

/** Returns a session whose server answers with `reply`, and the requests that it sends. */
function sessionWith(reply) {
  const requests = [];
  globalThis.fetch = async (url, request) => {
    requests.push({ url, ...request });
    if (reply instanceof Error) throw reply;
    const { status = 200, body = "" } = reply;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
  return { requests, session: new CardSession("/v2/add-card/abc/") };
}

const NO_RESULTS = [
  new TypeError("offline"),
  { status: 500, body: { status: "INCOMPLETE", result: "SUCCESS" } },
  { status: 429, body: [{ code: "X" }] },
  { body: "<html>" },
  { body: '{"result":"SUCC' },
  { body: "null" },
  { body: [] },
  { body: { status: 1, result: 1 } },
  { body: { result: "success" } },
  { body: { result: "constructor" } },
];

test("requests go to the page's own path, uncached and without credentials", async () => {
  const { requests, session } = sessionWith({ body: {} });
  await session.status();
  await session.verify({ number: "4111111111111111" });
  assert.deepEqual(requests.map(({ url }) => url), ["/v2/add-card/abc/status", "/v2/add-card/abc/verify"]);
  for (const { cache, credentials, redirect } of requests) {
    assert.deepEqual([cache, credentials, redirect], ["no-store", "omit", "error"]);
  }
  assert.deepEqual([requests[1].method, requests[1].body], ["POST", '{"number":"4111111111111111"}']);
});

test("the status has the time left by the server's clock; without a clear answer there is none", async () => {
  const times = { expirationDate: "2026-11-21T12:10:00.1234567Z", now: "2026-11-21T12:09:00Z" };
  const body = { status: "INCOMPLETE", ...times };
  for (const [reply, expected] of [
    [{ body }, { kind: "known", status: "INCOMPLETE", expiresInMs: 60_123 }],
    [{ status: 404, body }, { kind: "unknown" }],
    [{ status: 404, body: "<html>" }, { kind: "unknown" }],
    ...NO_RESULTS.map((reply) => [reply, { kind: "unreachable" }]),
  ]) {
    assert.deepEqual(await sessionWith(reply).session.status(), expected, JSON.stringify(reply));
  }
});

test("only an unambiguous answer is a result", async () => {
  for (const [reply, expected] of [
    [{ body: { result: "SUCCESS" } }, { kind: "success" }],
    [{ body: { result: "EXPIRED" } }, { kind: "expired" }],
    [{ body: { result: "FAIL", code: "X", message: "m" } }, { kind: "fail", code: "X", message: "m" }],
    [{ status: 404, body: { result: "SUCCESS" } }, { kind: "unknown" }],
    ...NO_RESULTS.map((reply) => [reply, { kind: "lost" }]),
  ]) {
    assert.deepEqual(await sessionWith(reply).session.verify({}), expected, JSON.stringify(reply));
  }
});
