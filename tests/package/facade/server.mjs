// The server entry point of the package, over a scripted token endpoint.

import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { listening } from "../packed.mjs";
import { unpacked } from "./unpacked.mjs";

export { listening } from "../packed.mjs";

export const SECRET = "s3cret-nobody-may-see";
export const SENDER = "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10";
export const OTHER_SENDER = "11111111-2222-4333-8444-555555555555";
export const HOUR = 3_600_000;

const { load } = await unpacked();
/** Loads a module of the package's server half. */
export { load };
export const server = await load("server.js");

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const json =
  (status, body, headers = {}) =>
  (reply) =>
    reply
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

/** Sends a request with its headers exactly as given; `fetch` would set some itself. */
export async function send(url, { method = "POST", headers = {}, body } = {}) {
  const outgoing = httpRequest(url, { method, headers });
  // A server may answer, and close, before it has read a long body.
  outgoing.on("error", () => {}).end(body);
  const [reply] = await once(outgoing, "response");
  const text = Buffer.concat(await reply.toArray()).toString();
  const { statusCode: status, headers: received } = reply;
  return { status, headers: received, body: text === "" ? undefined : JSON.parse(text) };
}

/**
 * Starts a token endpoint. `asked` holds its requests; `answers` are used up one by one, after which `answer`
 * applies, which returns the tokens `t1`, `t2`, …, valid for an hour.
 */
export async function tokenEndpoint() {
  const endpoint = { asked: [], answers: [] };
  endpoint.answer = (reply) =>
    json(200, { access_token: `t${endpoint.asked.length}`, expires_in: 3600, token_type: "Bearer" })(reply);
  const listener = createServer(async (request, reply) => {
    const { url, method, headers } = request;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    endpoint.asked.push({ url, method, headers, body });
    (endpoint.answers.shift() ?? endpoint.answer)(reply, body);
  });
  endpoint.baseUrl = await listening(listener);
  endpoint.close = () => {
    listener.closeAllConnections();
    return new Promise((resolve) => listener.close(resolve));
  };
  return endpoint;
}

/** Creates an issuer with a token endpoint; `errors` are those passed to `onError`. */
export async function issuer(options = {}) {
  const endpoint = await tokenEndpoint();
  const errors = [];
  const client = { baseUrl: endpoint.baseUrl, clientId: "client", clientSecret: SECRET };
  const tokens = server.createTokenIssuer({ ...client, onError: (error) => errors.push(error), ...options });
  return { tokens, endpoint, errors, client };
}

/** A cache with Keyv's interface that records its calls. */
export function recordingCache(entries = new Map()) {
  const calls = [];
  return {
    entries,
    calls,
    get: async (key) => (calls.push(["get", key]), entries.get(key)),
    set: async (key, value, ttl) => (calls.push(["set", key, ttl]), entries.set(key, value), true),
  };
}

/** Skips the pauses between attempts, whose timers only resolve promises, and no timeout; returns them. */
export function skipPauses(t) {
  const { setTimeout } = globalThis;
  const pauses = [];
  t.mock.method(globalThis, "setTimeout", (work, ms, ...args) => {
    const isPause = /\[native code\]/.test(work);
    if (isPause) pauses.push(ms);
    return setTimeout(work, isPause ? 0 : ms, ...args);
  });
  return pauses;
}

/** Mocks `Date.now` alone: sockets and timers go on. `set` is from the start. */
export function fakeClock(t) {
  let now = Date.now();
  t.mock.method(Date, "now", () => now);
  const start = now;
  return { advance: (ms) => (now += ms), set: (ms) => (now = start + ms) };
}
