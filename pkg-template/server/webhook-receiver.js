import { isRemitError } from "../errors/errors.js";
import { BodyError, inTime } from "./body.js";
import { sha256 } from "./crypto.js";
import { answer, postHandler } from "./exchange.js";
import { Flights } from "./flights.js";
import { Memory } from "./memory.js";
import { readCache, readErrorSink, readFunction, readOptions } from "./options.js";
import { SharedCache } from "./shared-cache.js";
import { parseTransferWebhook, readKeys } from "./transfer-webhook.js";

const OPTIONS = ["apiKey", "onTransferStatus", "cache", "onError"];
const REMEMBERED_MS = 7 * 86_400_000;
// Far longer than saving a status takes. After it the listener may be called again while still running.
const LISTENER_TIMEOUT_MS = 300_000;
const SEEN = "seen";

/** Creates a request handler for webhooks, which remembers an event only once it was processed. */
export function createWebhookReceiver(options) {
  const given = readOptions(options, OPTIONS);
  const apiKey = readKeys(given.apiKey);
  const onTransferStatus = readFunction(given.onTransferStatus, "onTransferStatus");
  const onError = readErrorSink(given.onError);
  const cache = readCache(given.cache);
  const memory = new Memory();
  const shared = cache && new SharedCache(cache, onError);
  const flights = new Flights();

  async function receive(_, request) {
    const event = await parseTransferWebhook(request, apiKey);
    const { TransferId, Status, StatusChangedDate } = event;
    // The letter case of a status varies, also between two deliveries of one event.
    const identity = JSON.stringify([TransferId, Status.toLowerCase(), StatusChangedDate]);
    const key = `remitkit:webhook:${await sha256(identity)}`;
    // A concurrent duplicate gets the same answer, so that a failure is not answered as a success.
    await flights.join(key, () => once(event, key));
    return answer(200, { received: true });
  }

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

  return postHandler(receive, failed, onError, () => {});
}

class ListenerFailure extends Error {
  constructor(cause) {
    const what = cause instanceof BodyError ? "did not settle in time" : "failed";
    super(`onTransferStatus ${what}; the webhook has to be sent again.`, { cause });
  }
}

// 4xx only for what the sender did wrong: it does not come back with such an event.
function failed(error) {
  if (!isRemitError(error)) return answer(500, { error: "internal" });
  if (error.code === "Unauthorized") return answer(401, { error: "unauthorized" });
  if (error.code === "Timeout") return answer(408, { error: "timeout" });
  if (error.code === "NetworkFailure") return answer(503, { error: "incomplete" });
  if (error.option === "request") return answer(500, { error: "internal" });
  const { reason } = error.cause ?? {};
  if (reason === "too_long") return answer(413, { error: "too_large" });
  if (reason === "encoded") return answer(415, { error: "unsupported_encoding" });
  return answer(400, { error: "invalid_request" });
}
