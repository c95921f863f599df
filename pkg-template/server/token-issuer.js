import { invalid } from "../errors.js";
import { readMembers } from "../plain.js";
import { readSignal } from "../signal.js";
import {
  readBaseUrl, readCache, readCredential, readErrorSink, readOptions, readSenderId, readTimeout,
} from "./options.js";
import { SharedCache } from "./shared-cache.js";
import { tokenHandler } from "./token-handler.js";
import { replyOf } from "./token.js";
import { clientTokens } from "./tokens.js";

const OPTIONS = ["baseUrl", "clientId", "clientSecret", "cache", "timeoutMs", "onError"];

// Returns functions and no class instance: nothing can be printed, and it can be destructured.
export function createTokenIssuer(options) {
  const given = readOptions(options, OPTIONS);
  const client = {
    baseUrl: readBaseUrl(given.baseUrl),
    clientId: readCredential(given.clientId, "clientId"),
    clientSecret: readCredential(given.clientSecret, "clientSecret"),
  };
  const timeoutMs = readTimeout(given.timeoutMs);
  const cache = readCache(given.cache);
  const onError = readErrorSink(given.onError);
  const getToken = clientTokens(client, timeoutMs, cache && new SharedCache(cache, onError));

  const replyFor = async (...call) => replyOf(await getToken(...call));
  return Object.freeze({
    senderToken: async (senderId, options) => replyFor(readSenderId(senderId), ...readCall(options)),
    clientToken: async (options) => new ClientToken(await replyFor(undefined, ...readCall(options))),
    handler: (options) => tokenHandler(options, replyFor, onError),
  });
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
