// The server's half of the package, and a token endpoint that answers as told.

import { createServer } from "node:http";
import { listening } from "../packed.mjs";
import { unpacked } from "./unpacked.mjs";

export { listening } from "../packed.mjs";

export const SECRET = "s3cret-nobody-may-see";
export const SENDER = "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10";
export const OTHER_SENDER = "11111111-2222-4333-8444-555555555555";

export async function server() {
  const { load } = await unpacked();
  return load("server.js");
}

export const json =
  (status, body, headers = {}) =>
  (reply) =>
    reply
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

/**
 * Starts a token endpoint on a port of its own. `asked` holds the requests; `answers` are used up one by one,
 * and then `answer` applies, which returns the tokens `t1`, `t2`, …, valid for an hour.
 */
export async function tokenEndpoint() {
  const endpoint = {
    asked: [],
    answers: [],
    answer: (reply) =>
      json(200, { access_token: `t${endpoint.asked.length}`, expires_in: 3600, token_type: "Bearer" })(reply),
  };
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

const loaded = await server();

/** An issuer at a token endpoint of its own, and what its `onError` was told. */
export async function issuer(options = {}) {
  const endpoint = await tokenEndpoint();
  const errors = [];
  const made = loaded.createTokenIssuer({
    baseUrl: endpoint.baseUrl,
    clientId: "client",
    clientSecret: SECRET,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { issuer: made, endpoint, errors, ...loaded };
}

/** A cache with Keyv's interface that remembers how it was used. */
export function cacheOf(entries = new Map()) {
  const calls = [];
  return {
    entries,
    calls,
    get: async (key) => (calls.push(["get", key]), entries.get(key)),
    set: async (key, value, ttl) => (calls.push(["set", key, ttl]), entries.set(key, value), true),
  };
}

/** What a Worker says of itself, for as long as a test runs. */
export function asWorker(t) {
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const navigator = { userAgent: "Cloudflare-Workers" };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  t.after(() => (own ? Object.defineProperty(globalThis, "navigator", own) : delete globalThis.navigator));
}
