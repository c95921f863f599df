import { standardFailure } from "../errors.js";
import { followSignal } from "../signal.js";
import { loadCrypto } from "./crypto.js";
import { Flights } from "./flights.js";
import { Retry } from "./retry.js";
import { Seal } from "./seal.js";
import { TokenCache } from "./token-cache.js";
import { TokenEndpoint } from "./token-endpoint.js";
import { isUsable } from "./token.js";

/** The tokens of one client: of what is asked for at the same time, each is fetched once. */
export class Tokens {
  #endpoint;
  #retry;
  #cache;
  // Client and environment. Others may share the cache.
  #scope;
  #isShared;
  #prefix;
  #flights = new Flights();

  constructor(client, timeoutMs, shared) {
    this.#endpoint = new TokenEndpoint(client);
    this.#retry = new Retry(timeoutMs);
    this.#scope = `${client.baseUrl}\n${client.clientId}`;
    this.#isShared = shared !== undefined;
    this.#cache = new TokenCache(
      shared,
      new Seal(client.clientSecret, `remitkit token cache\n${this.#scope}`),
    );
  }

  /**
   * A sender's token, or without a sender the client's, of which none is used that is older than `maxAgeMs`.
   */
  async get(senderId, maxAgeMs, signal) {
    if (signal?.aborted) {
      throw standardFailure("Aborted");
    }
    const name = senderId === undefined ? "client" : `sender:${senderId.toLowerCase()}`;
    const flight = this.#flights.join(`${name} ${maxAgeMs}`, async () => {
      const key = (await this.#keyPrefix()) + name;
      const found = await this.#cache.read(key);
      if (isUsable(found.held) && isNoOlder(found.held, maxAgeMs)) {
        await this.#cache.share(key, found);
        return found.held;
      }
      const token = await this.#retry.run((timeoutMs) => this.#endpoint.fetch(senderId, timeoutMs));
      await this.#cache.replace(key, token, found, maxAgeMs < Infinity);
      return token;
    });
    return until(flight, signal);
  }

  // Neither client nor environment can be read in it.
  #keyPrefix() {
    this.#prefix ??= this.#isShared
      ? loadCrypto().then(({ createHash }) => {
          const digest = createHash("sha256").update(this.#scope).digest("hex");
          return `remitkit:token:${digest.slice(0, 32)}:`;
        })
      : "";
    return this.#prefix;
  }
}

// How old a token is that another backend asked for, only that one's clock could tell.
function isNoOlder({ askedAt, startedAt }, maxAgeMs) {
  return (
    maxAgeMs === Infinity ||
    Math.max(performance.now() - startedAt, Math.abs(Date.now() - askedAt)) <= maxAgeMs
  );
}

/**
 * The flight's outcome, or the end that a caller's signal makes of waiting for it; others may wait for the
 * same.
 */
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
