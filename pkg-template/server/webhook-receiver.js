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
// Far longer than it takes to save a status: one that works on after this may be called again beside it.
const LISTENER_MS = 300_000;
const SEEN = "seen";

/**
 * A request handler for webhooks. Remembers an event once it was taken care of, not before: one that failed
 * has to come again.
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
      // Its twin that arrives meanwhile has the same outcome, so that a failure is not answered as a success.
      await flights.join(key, () => once(event, key));
      return exchange.reply(answer(200, { received: true }));
    } catch (error) {
      onError(error);
      return exchange.reply(failed(error));
    }
  };

  async function once(event, key) {
    if (memory.get(key) === SEEN || (await shared?.get(key)) === SEEN) {
      return;
    }
    try {
      await inTime(handOn(event, key), LISTENER_MS);
    } catch (error) {
      throw new ListenerFailure(error);
    }
  }

  // What resolves after it was given up has been taken care of too.
  async function handOn(event, key) {
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
  if (!isRemitError(error)) {
    return answer(500, { error: "internal" });
  }
  if (error.code === "Unauthorized") {
    return answer(401, { error: "unauthorized" });
  }
  if (error.code === "Timeout") {
    return answer(408, { error: "timeout" });
  }
  return error.cause?.reason === "too_long"
    ? answer(413, { error: "too_large" })
    : answer(400, { error: "invalid_request" });
}
