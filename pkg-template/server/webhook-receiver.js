import { isRemitError } from "../errors.js";
import { BodyError, inTime } from "./body.js";
import { loadCrypto } from "./crypto.js";
import { answer, exchangeOf } from "./exchange.js";
import { Flights } from "./flights.js";
import { Memory } from "./memory.js";
import { readCache, readErrorSink, readFunction, readOptions } from "./options.js";
import { SharedCache } from "./shared-cache.js";
import { parseTransferWebhook, readKeys } from "./transfer-webhook.js";

const OPTIONS = ["apiKey", "onTransferStatus", "cache", "onError"];
const REMEMBERED_MS = 7 * 86_400_000;
// Far longer than saving a status takes. After this the listener may be called again while it is still
// running.
const LISTENER_TIMEOUT_MS = 300_000;
const SEEN = "seen";

/**
 * Creates a request handler for webhooks. Remembers an event only once it was processed: a failed one must
 * come again.
 */
export function createWebhookReceiver(options) {
  const given = readOptions(options, OPTIONS);
  const apiKey = readKeys(given.apiKey);
  const onTransferStatus = readFunction(given.onTransferStatus, "onTransferStatus");
  const onError = readErrorSink(given.onError);
  const cache = readCache(given.cache);
  const memory = new Memory();
  const shared = cache && new SharedCache(cache, onError);
  const flights = new Flights();

  return async function receive(request, response) {
    const exchange = exchangeOf(request, response);
    try {
      if (exchange.method !== "POST") {
        return exchange.reply(answer(405, { error: "method_not_allowed" }, { allow: "POST" }));
      }
      const event = await parseTransferWebhook(request, apiKey);
      const key = await keyOf(event);
      // A duplicate that arrives meanwhile gets the same answer, so that a failure is not answered as a
      // success.
      await flights.join(key, () => once(event, key));
      return exchange.reply(answer(200, { received: true }));
    } catch (error) {
      onError(error);
      return exchange.reply(failed(error));
    }
  };

  async function once(event, key) {
    if (memory.get(key) === SEEN || (await shared?.get(key)) === SEEN) return;
    try {
      await inTime(process(event, key), LISTENER_TIMEOUT_MS);
    } catch (error) {
      throw new ListenerFailure(error);
    }
  }

  // Remembers the event even if the listener resolves after its timeout.
  async function process(event, key) {
    await onTransferStatus(event);
    memory.set(key, SEEN, REMEMBERED_MS);
    await shared?.set(key, SEEN, REMEMBERED_MS);
  }
}

class ListenerFailure extends Error {
  constructor(cause) {
    const what = cause instanceof BodyError ? "did not settle in time" : "failed";
    super(`onTransferStatus ${what}; the webhook has to be sent again.`, { cause });
  }
}

async function keyOf({ TransferId, Status, StatusChangedDate }) {
  const { createHash } = await loadCrypto();
  const identity = JSON.stringify([TransferId, Status, StatusChangedDate]);
  return `remitkit:webhook:${createHash("sha256").update(identity).digest("hex")}`;
}

function failed(error) {
  if (!isRemitError(error)) return answer(500, { error: "internal" });
  if (error.code === "Unauthorized") return answer(401, { error: "unauthorized" });
  if (error.code === "Timeout") return answer(408, { error: "timeout" });
  return error.cause?.reason === "too_long"
    ? answer(413, { error: "too_large" })
    : answer(400, { error: "invalid_request" });
}
