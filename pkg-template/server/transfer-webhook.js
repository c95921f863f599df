import { invalid } from "../errors/errors.js";
import { loadCrypto } from "./crypto.js";
import { readHeader } from "./exchange.js";
import { serverFailure } from "./failure.js";
import { readCredential } from "./options.js";
import { MAX_BODY_BYTES, readPayload } from "./webhook-body.js";

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
