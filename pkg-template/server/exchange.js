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
    return new NodeExchange(request, response);
  }
  if (isFetchRequest(request)) {
    return new FetchExchange(request);
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

class FetchExchange {
  #request;

  constructor(request) {
    this.#request = request;
  }

  get method() {
    return this.#request.method;
  }

  // Not all frameworks hand `Host` on; the address then has what they took from it.
  get host() {
    return readHeader(this.#request, "host") ?? new URL(this.#request.url).host;
  }

  header(name) {
    return readHeader(this.#request, name);
  }

  reply({ status, headers, body }) {
    return new Response(body, { status, headers });
  }
}

class NodeExchange {
  #request;
  #response;

  constructor(request, response) {
    this.#request = request;
    this.#response = response;
  }

  get method() {
    return this.#request.method;
  }

  // HTTP/2 has no `Host`.
  get host() {
    return this.header(":authority") ?? this.header("host");
  }

  header(name) {
    return readHeader(this.#request, name);
  }

  reply({ status, headers, body }) {
    if (!this.#response.headersSent && !this.#response.destroyed) {
      this.#response.writeHead(status, headers);
      this.#response.end(body);
    }
  }
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
