// A request and the way to answer it, in the two forms that servers have for them: Fetch's, one argument in
// and a response out, and Node's, two arguments.

import { invalid } from "../errors.js";

/**
 * Told apart by the second argument, which only Node's form has as something to write on: a framework may
 * pass a context of its own there. Not by class, as adapters bring their own `Request`, and a mock is of no
 * class at all.
 */
export function exchangeOf(request, response) {
  if (typeof response?.writeHead === "function" && typeof response.end === "function") {
    return nodeExchange(request, response);
  }
  if (isFetchRequest(request)) {
    return fetchExchange(request);
  }
  throw invalid(
    "InvalidRequest",
    "request",
    "a Fetch Request (in Hono `c.req.raw`), or Node's request followed by its response",
  );
}

export function isFetchRequest(request) {
  return typeof request?.headers?.get === "function" && typeof request.method === "string";
}

/** One header, or undefined. */
export function readHeader(request, name) {
  const value = isFetchRequest(request) ? request.headers.get(name) : request.headers?.[name];
  return typeof value === "string" ? value : undefined;
}

function fetchExchange(request) {
  const header = (name) => readHeader(request, name);
  return {
    method: request.method,
    header,
    // Not all frameworks hand `Host` on; the address then has what they took from it.
    host: () => header("host") ?? new URL(request.url).host,
    reply: ({ status, headers, body }) => new Response(body, { status, headers }),
  };
}

function nodeExchange(request, response) {
  const header = (name) => readHeader(request, name);
  return {
    method: request?.method,
    header,
    // HTTP/2 has no `Host`.
    host: () => header(":authority") ?? header("host"),
    reply({ status, headers, body }) {
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(status, headers);
        response.end(body);
      }
    },
  };
}

/** An answer that nobody keeps. */
export function answer(status, body, headers = {}) {
  return {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
