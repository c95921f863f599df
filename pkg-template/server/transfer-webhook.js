import { invalid } from "../errors.js";
import { BodyError, readStream, streamOf } from "./body.js";
import { loadCrypto } from "./crypto.js";
import { isFetchRequest, readHeader } from "./exchange.js";
import { serverFailure } from "./failure.js";
import { readCredential } from "./options.js";

const MAX_BODY_BYTES = 65_536;
const BODY_MS = 10_000;
const MAX_TEXT_LENGTH = 1_024;
const MAX_KEYS = 100;

export async function parseTransferWebhook(request, apiKey) {
  const keys = readKeys(apiKey);
  if (typeof request?.headers !== "object" || request.headers === null) {
    throw invalid("InvalidRequest", "request", "a Fetch Request or a request of Node's");
  }
  // Before reading the body.
  await checkKey(readHeader(request, "authorization"), keys);
  return readEvent(await readPayload(request));
}

/**
 * Returns the API keys: one, or several during a rotation. Refuses an empty one, as from a missing variable.
 */
export function readKeys(apiKey) {
  const keys = Array.isArray(apiKey) ? apiKey : [apiKey];
  if (keys.length === 0 || keys.length > MAX_KEYS) {
    throw invalid("InvalidConfiguration", "apiKey", `a key or a list of up to ${MAX_KEYS} keys`);
  }
  return keys.map((key) => readCredential(key, "apiKey"));
}

// Constant time: digests have one length, and all comparisons are made.
async function checkKey(header = "", keys) {
  const { createHash, timingSafeEqual } = await loadCrypto();
  const digest = (text) => createHash("sha256").update(text, "utf8").digest();
  const given = [header, header.replace(/^basic +/i, "")].map(digest);
  let matches = 0;
  for (const key of keys.map(digest)) {
    for (const candidate of given) matches += timingSafeEqual(candidate, key) ? 1 : 0;
  }
  if (matches === 0) throw serverFailure("Unauthorized", "The webhook does not carry the API key.");
}

async function readPayload(request) {
  const { body } = request;
  let stream;
  if (isFetchRequest(request)) {
    if (request.bodyUsed) {
      throw invalid("InvalidRequest", "request", "a request whose body has not been read yet");
    }
    stream = request.body;
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    stream = new Response(body).body;
  } else if (typeof body === "object" && body !== null && Object.keys(body).length > 0) {
    return body;
  } else if (typeof request.on === "function") {
    // Also if a parser that did not apply has left an empty object.
    stream = streamOf(request);
  } else {
    throw invalid("InvalidRequest", "request", "a request with a body");
  }
  try {
    return parse(await readStream(stream, MAX_BODY_BYTES, BODY_MS));
  } catch (error) {
    throw error instanceof BodyError ? unreadable(error) : error;
  }
}

function parse(text) {
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
      return serverFailure("NetworkFailure", "The webhook's body broke off, or was read before.", details);
  }
}

// Returns only the known members, so that no other data of a sender is passed on.
function readEvent(payload) {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw invalid("InvalidRequest", "body", "an object");
  }
  const member = (name) => (Object.hasOwn(payload, name) ? payload[name] : undefined);
  const text = (name, longest = MAX_TEXT_LENGTH) => {
    const value = member(name);
    if (typeof value !== "string" || value === "" || value.length > longest) {
      throw invalid("InvalidRequest", `body.${name}`, "text");
    }
    return value;
  };
  // Free text: an authentic event that is refused for its length would be sent again and again.
  const reason = member("CancellationReason");
  const isCancelled = reason !== undefined && reason !== null && reason !== "";
  return {
    TransferId: text("TransferId"),
    Status: text("Status"),
    StatusChangedDate: text("StatusChangedDate"),
    CancellationReason: isCancelled ? text("CancellationReason", MAX_BODY_BYTES) : null,
  };
}
