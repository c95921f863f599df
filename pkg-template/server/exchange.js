import { invalid } from "../errors.js";

/**
 * Returns a request with a way to answer it: Fetch's form, which returns a response, or Node's, which writes
 * to its second argument. A framework may pass its own context there, so it must be writable. Classes do not
 * help, as adapters have their own, and mocks none.
 */
export function exchangeOf(request, response) {
  if (typeof response?.writeHead === "function" && typeof response.end === "function") {
    return nodeExchange(request, response);
  }
  if (isFetchRequest(request)) return fetchExchange(request);
  const expected = "a Fetch Request (in Hono `c.req.raw`), or Node's request followed by its response";
  throw invalid("InvalidRequest", "request", expected);
}

export function isFetchRequest(request) {
  return typeof request?.headers?.get === "function" && typeof request.method === "string";
}

/** Returns a header, or undefined. */
export function readHeader(request, name) {
  const value = isFetchRequest(request) ? request.headers.get(name) : request.headers?.[name];
  return typeof value === "string" ? value : undefined;
}

function fetchExchange(request) {
  const header = (name) => readHeader(request, name);
  return {
    method: request.method,
    header,
    // Some frameworks drop `Host`, and use it in the address.
    host: () => header("host") ?? new URL(request.url).host,
    reply: ({ status, headers, body }) => new Response(body, { status, headers }),
  };
}

function nodeExchange(request, response) {
  const header = (name) => readHeader(request, name);
  return {
    method: request?.method,
    header,
    // HTTP/2 has `:authority` instead.
    host: () => header(":authority") ?? header("host"),
    reply({ status, headers, body }) {
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(status, headers);
        response.end(body);
      }
    },
  };
}

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Returns a JSON response that is not cached. */
export function answer(status, body, headers) {
  return { status, headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) };
}
