import { invalid } from "../errors/errors.js";
import { readMembers } from "../input/plain.js";
import { readSignal } from "../input/signal.js";
import { ClientSecrets } from "./client-secret.js";
import { Closing } from "./closing.js";
import * as read from "./options.js";
import { SharedCache } from "./shared-cache.js";
import { tokenHandler } from "./token-handler.js";
import { replyOf } from "./token.js";
import { clientTokens } from "./tokens.js";

const OPTIONS = [
  "baseUrl", "clientId", "clientSecret", "cache", "timeoutMs", "totalTimeoutMs", "maxAttempts",
  "maxConcurrent", "allowInsecureHosts", "fetch", "onError", "onEvent",
];
// With the handler's other limits, less than the 30 seconds after which a page, and many a proxy, gives up.
const TOTAL_TIMEOUT_MS = 20_000;

// Returns functions and no class instance: nothing can be printed, and it can be destructured.
export function createTokenIssuer(options) {
  const given = read.readOptions(options, OPTIONS);
  const insecureHosts = read.readInsecureHosts(given.allowInsecureHosts);
  const limits = readLimits(given);
  const onError = read.readErrorSink(given.onError);
  const onEvent = given.onEvent === undefined ? () => {} : read.readListener(given.onEvent, "onEvent");
  const closing = new Closing();
  const client = {
    baseUrl: read.readBaseUrl(given.baseUrl, insecureHosts),
    clientId: read.readCredential(given.clientId, "clientId"),
    secrets: new ClientSecrets(read.readClientSecret(given.clientSecret), limits.timeoutMs),
    fetch: given.fetch === undefined ? undefined : read.readFunction(given.fetch, "fetch"),
    onEvent,
    closing,
  };
  const cache = read.readCache(given.cache);
  const shared = cache && new SharedCache(cache, onError);
  const getToken = clientTokens(client, limits, shared);

  const replyFor = async (...call) => replyOf(await getToken(...call));
  return Object.freeze({
    senderToken: async (senderId, options) => replyFor(read.readSenderId(senderId), ...readCall(options)),
    clientToken: async (options) => new ClientToken(await replyFor(undefined, ...readCall(options))),
    handler: (options) => tokenHandler(options, replyFor, { onError, onEvent }),
    async check(options) {
      const [, signal] = readCall(options);
      const [, cache] = await Promise.all([getToken(undefined, Infinity, signal), shared?.check()]);
      return { cache };
    },
    close: () => closing.close(),
  });
}

function readLimits({ timeoutMs = 10_000, totalTimeoutMs, maxAttempts = 3, maxConcurrent = 50 }) {
  read.readNumber(timeoutMs, "timeoutMs", 100, 120_000);
  return {
    timeoutMs,
    totalTimeoutMs: read.readNumber(
      totalTimeoutMs ?? Math.max(TOTAL_TIMEOUT_MS, timeoutMs), "totalTimeoutMs", 100, 300_000,
    ),
    maxAttempts: read.readNumber(maxAttempts, "maxAttempts", 1, 10),
    maxConcurrent: read.readNumber(maxConcurrent, "maxConcurrent", 1, 10_000),
  };
}

/** A token for all senders. Hidden from JSON and logs, so that it reaches no page by mistake. */
class ClientToken {
  #bearer;

  constructor({ access_token, expires_in, token_type }) {
    this.#bearer = access_token;
    this.expires_in = expires_in;
    this.token_type = token_type;
  }

  get access_token() {
    return this.#bearer;
  }
}

function readCall(options) {
  const { renew = false } = options === undefined ? {} : readMembers(options, "options");
  if (typeof renew !== "boolean") throw invalid("InvalidRequest", "renew", "true or false");
  return [renew ? 0 : Infinity, readSignal(options)];
}
