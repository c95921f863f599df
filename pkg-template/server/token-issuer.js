import { invalid, standardFailure } from "../errors.js";
import { readMembers } from "../plain.js";
import { followSignal, readSignal } from "../signal.js";
import { loadCrypto } from "./crypto.js";
import {
  readBaseUrl,
  readCache,
  readCredential,
  readErrorSink,
  readOptions,
  readSenderId,
  readTimeout,
} from "./options.js";
import { Retry } from "./retry.js";
import { Seal } from "./seal.js";
import { SharedCache } from "./shared-cache.js";
import { TokenCache } from "./token-cache.js";
import { TokenEndpoint } from "./token-endpoint.js";
import { tokenHandler } from "./token-handler.js";
import { replyOf } from "./token.js";

const OPTIONS = ["baseUrl", "clientId", "clientSecret", "cache", "timeoutMs", "onError"];

// An object of functions and not of a class: there is nothing in it that could be printed, and it can be taken apart.
export function createTokenIssuer(options) {
  const given = readOptions(options, OPTIONS);
  const client = {
    baseUrl: readBaseUrl(given.baseUrl),
    clientId: readCredential(given.clientId, "clientId"),
    clientSecret: readCredential(given.clientSecret, "clientSecret"),
  };
  const retry = new Retry(readTimeout(given.timeoutMs));
  const cache = readCache(given.cache);
  const onError = readErrorSink(given.onError);
  const endpoint = new TokenEndpoint(client);
  const tokens = new Tokens(endpoint, retry, client, cache && new SharedCache(cache, onError));

  async function senderToken(senderId, options) {
    const id = readSenderId(senderId);
    return replyOf(await tokens.get(id, ...readCall(options)));
  }

  async function clientToken(options) {
    return new ClientToken(replyOf(await tokens.get(undefined, ...readCall(options))));
  }

  return Object.freeze({
    senderToken,
    clientToken,
    handler: (options) => tokenHandler(options, senderToken, onError),
  });
}

/** A token for all senders of a client. It does not show its token to JSON and logs, so that none gets into a page by mistake. */
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

/** The tokens of one client: of what is asked for at the same time, each is fetched once. */
class Tokens {
  #endpoint;
  #retry;
  #client;
  #shared;
  #cache;
  #scope;
  #flights = new Map();

  constructor(endpoint, retry, client, shared) {
    this.#endpoint = endpoint;
    this.#retry = retry;
    this.#client = client;
    this.#shared = shared;
    const scope = `${client.baseUrl}\n${client.clientId}`;
    this.#cache = new TokenCache(shared, new Seal(client.clientSecret, `remitkit token cache\n${scope}`));
  }

  async get(senderId, renew, signal) {
    const name = senderId === undefined ? "client" : `sender:${senderId.toLowerCase()}`;
    if (signal?.aborted) {
      throw standardFailure("Aborted");
    }
    const flight = this.#once(renew ? `renew ${name}` : name, async () => {
      const key = `${await this.#prefix()}${name}`;
      const held = renew ? undefined : await this.#cache.get(key);
      return held ?? this.#fetch(key, senderId);
    });
    return until(flight, signal);
  }

  async #fetch(key, senderId) {
    const token = await this.#retry.run((timeoutMs) => this.#endpoint.fetch(senderId, timeoutMs));
    await this.#cache.set(key, token);
    return token;
  }

  #once(name, work) {
    let flight = this.#flights.get(name);
    if (flight === undefined) {
      flight = work().finally(() => this.#flights.delete(name));
      this.#flights.set(name, flight);
    }
    return flight;
  }

  // Clients and environments may share a cache; neither is readable in its keys.
  async #prefix() {
    if (this.#shared === undefined) {
      return "";
    }
    this.#scope ??= loadCrypto().then(({ createHash }) =>
      createHash("sha256").update(`${this.#client.baseUrl}\n${this.#client.clientId}`).digest("hex").slice(0, 32),
    );
    return `remitkit:token:${await this.#scope}:`;
  }
}

function readCall(options) {
  const { renew = false } = options === undefined ? {} : readMembers(options, "options");
  if (typeof renew !== "boolean") {
    throw invalid("InvalidRequest", "renew", "true or false");
  }
  return [renew, readSignal(options)];
}

/** The flight's outcome, or the end that a caller's signal makes of waiting for it; others may wait for the same. */
async function until(flight, signal) {
  if (signal === undefined) {
    return flight;
  }
  const { signal: own, release } = followSignal(signal);
  try {
    return await new Promise((resolve, reject) => {
      const abort = () => reject(standardFailure("Aborted"));
      own.addEventListener("abort", abort);
      flight.then(resolve, reject);
    });
  } finally {
    release();
  }
}
