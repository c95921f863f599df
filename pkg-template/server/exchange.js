import { invalid } from "../errors.js";

/**
 * Returns a request with a way to answer it: Fetch's form, which returns a response, or Node's, which writes
 * to its second argument. A framework may pass its own context there, so it must be writable. Classes do not
 * help, as adapters have their own, and mocks none.
 */
function exchangeOf(request, response) {
  const isNode = typeof response?.writeHead === "function" && typeof response.end === "function";
  if (!isNode && !isFetchRequest(request)) {
    const expected = "a Fetch Request (in Hono `c.req.raw`), or Node's request followed by its response";
    throw invalid("InvalidRequest", "request", expected);
  }
  const header = (name) => readHeader(request, name);
  return {
    method: request?.method,
    header,
    host() {
      // HTTP/2 has `:authority` instead of `Host`.
      if (isNode) return header(":authority") ?? header("host");
      // Some frameworks drop `Host`, and use it in the address.
      return header("host") ?? new URL(request.url).host;
    },
    reply({ status, headers, body }) {
      if (!isNode) return new Response(body, { status, headers });
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(status, headers);
        response.end(body);
      }
      return undefined;
    },
  };
}

export function isFetchRequest(request) {
  return typeof request?.headers?.get === "function" && typeof request.method === "string";
}

/** Returns a header, or undefined. */
export function readHeader(request, name) {
  const value = isFetchRequest(request) ? request.headers.get(name) : request.headers?.[name];
  return typeof value === "string" ? value : undefined;
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

/**
 * Returns a request handler for POST: `answerTo(exchange, request)` returns the answer, `failed(error)` that
 * for what it throws, of which `onError` is told.
 */
export function postHandler(answerTo, failed, onError) {
  return async function handle(request, response) {
    const exchange = exchangeOf(request, response);
    try {
      if (exchange.method !== "POST") {
        return exchange.reply(answer(405, { error: "method_not_allowed" }, { allow: "POST" }));
      }
      return exchange.reply(await answerTo(exchange, request));
    } catch (error) {
      onError(error);
      return exchange.reply(failed(error));
    }
  };
}
