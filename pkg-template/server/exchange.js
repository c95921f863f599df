import { invalid, isRemitError } from "../errors/errors.js";

/**
 * Returns a request with a way to answer it: Fetch's form, which returns a response, or Node's, which writes
 * to its second argument. A framework may pass its own context there, so it must be writable. Classes do not
 * help, as adapters have their own, and mocks none.
 */
function exchangeOf(request, second) {
  const response = nodeResponseOf(second);
  if (response === undefined && !isFetchRequest(request)) {
    const expected =
      "a Fetch Request (in Hono `c.req.raw`), or Node's request followed by its response, or Fastify's " +
      "request and reply";
    throw invalid("InvalidRequest", "request", expected);
  }
  const header = (name) => readHeader(request, name);
  return {
    method: request?.method,
    header,
    host() {
      // HTTP/2 has `:authority` instead of `Host`.
      if (response) return header(":authority") ?? header("host");
      // Some frameworks drop `Host`, and use it in the address.
      return header("host") ?? new URL(request.url).host;
    },
    reply({ status, headers, body }) {
      if (!response) return new Response(body, { status, headers });
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(status, headers);
        response.end(body);
      }
      return undefined;
    },
  };
}

function nodeResponseOf(second) {
  // Fastify's reply, which has to be told that it is answered elsewhere.
  if (typeof second?.hijack === "function") {
    second.hijack();
    return second.raw;
  }
  const isNode = typeof second?.writeHead === "function" && typeof second.end === "function";
  return isNode ? second : undefined;
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
 * Returns a request handler for POST: `answerTo(exchange, request, context)` returns the answer, and
 * `failed(error)` that for what it throws. `onError` is told of that with the context, and `onEvent` of each
 * answer.
 */
export function postHandler(answerTo, failed, onError, onEvent) {
  return async function handle(request, response) {
    const startedAt = performance.now();
    const exchange = exchangeOf(request, response);
    const context = { request };
    const reply = (given, code) => {
      const { status, body } = given;
      const { error } = status === 200 ? {} : JSON.parse(body);
      const [origin, host] = error === "other_origin" ? [exchange.header("origin"), exchange.host()] : [];
      const durationMs = performance.now() - startedAt;
      const { senderId } = context;
      onEvent({ type: "response", status, durationMs, senderId, error, code, origin, host });
      return exchange.reply(given);
    };
    try {
      if (exchange.method !== "POST") {
        return reply(answer(405, { error: "method_not_allowed" }, { allow: "POST" }));
      }
      return reply(await answerTo(exchange, request, context));
    } catch (error) {
      onError(error, context);
      return reply(failed(error), isRemitError(error) ? error.code : undefined);
    }
  };
}
