import { invalid } from "../errors/errors.js";
import { BodyError, decode, readBytes, streamOf } from "./body.js";
import { isFetchRequest, readHeader } from "./exchange.js";
import { serverFailure } from "./failure.js";

export const MAX_BODY_BYTES = 65_536;
const BODY_MS = 10_000;
const INFLATABLE = ["gzip", "deflate"];

/**
 * Returns the JSON in a webhook's body. Errors have the option `body` where the sender is at fault, and
 * `request` where the backend is: that must not be answered as if the event were invalid.
 */
export async function readPayload(request) {
  const { body } = request;
  if (!isFetchRequest(request)) {
    // What a parser has left, which has also inflated it.
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    if (isRaw) return parse(await read(new Response(body).body));
    if (typeof body === "object" && body !== null && Object.keys(body).length > 0) return body;
  }
  const stream = streamOfRequest(request);
  const encoding = (readHeader(request, "content-encoding") || "identity").trim().toLowerCase();
  if (encoding !== "identity" && !INFLATABLE.includes(encoding)) {
    const cause = new BodyError("encoded");
    const expected = `encoded as ${INFLATABLE.join(" or ")}, or not at all`;
    throw invalid("InvalidRequest", "body", expected, { cause });
  }
  const bytes = await read(stream);
  return parse(encoding === "identity" ? bytes : await inflate(bytes, encoding));
}

function streamOfRequest(request) {
  const { body } = request;
  if (isFetchRequest(request)) {
    if (request.bodyUsed || body?.locked) throw readBefore();
    return body;
  }
  // Fastify's request holds Node's.
  const own = typeof request.on === "function" ? request : request.raw;
  if (typeof own?.on !== "function") throw invalid("InvalidRequest", "request", "a request with a body");
  if (own.readableEnded) throw readBefore();
  // Also if a parser that did not apply has left an empty object.
  return streamOf(own);
}

function readBefore() {
  const expected = "a request whose body has not been read yet, or whose `body` a parser has set";
  return invalid("InvalidRequest", "request", expected);
}

async function read(stream) {
  try {
    return await readBytes(stream, MAX_BODY_BYTES, BODY_MS);
  } catch (error) {
    throw unreadable(error);
  }
}

async function inflate(bytes, encoding) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream(encoding));
  return read(stream).catch((error) => {
    if (error.code !== "NetworkFailure") throw error;
    throw invalid("InvalidRequest", "body", `valid ${encoding}`, { cause: error.cause });
  });
}

function parse(bytes) {
  let text;
  try {
    text = decode(bytes);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("InvalidRequest", "body", "JSON");
  }
}

function unreadable(cause) {
  const details = { option: "body", cause };
  switch (cause.reason) {
    case "too_long":
      return invalid("InvalidRequest", "body", `no longer than ${MAX_BODY_BYTES} bytes`, { cause });
    case "not_text":
      return invalid("InvalidRequest", "body", "UTF-8", { cause });
    case "late":
      return serverFailure("Timeout", "The webhook's body did not arrive in time.", details);
    default:
      return serverFailure("NetworkFailure", "The webhook's body broke off.", details);
  }
}
