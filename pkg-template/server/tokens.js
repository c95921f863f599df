import { standardFailure } from "../errors.js";
import { followSignal, unlessAborted } from "../signal.js";
import { loadCrypto } from "./crypto.js";
import { Flights } from "./flights.js";
import { Retry } from "./retry.js";
import { Seal } from "./seal.js";
import { TokenCache } from "./token-cache.js";
import { TokenEndpoint } from "./token-endpoint.js";
import { isUsable } from "./token.js";

/** The tokens of one client. Concurrent calls for one token share a fetch. */
export class Tokens {
  #endpoint;
  #retry;
  #cache;
  // Identifies client and environment, as others may share the cache.
  #scope;
  #isShared;
  #prefix;
  #flights = new Flights();

  constructor(client, timeoutMs, shared) {
    this.#endpoint = new TokenEndpoint(client);
    this.#retry = new Retry(timeoutMs);
    this.#scope = `${client.baseUrl}\n${client.clientId}`;
    this.#isShared = shared !== undefined;
    const seal = new Seal(client.clientSecret, `remitkit token cache\n${this.#scope}`);
    this.#cache = new TokenCache(shared, seal);
  }

  /** Returns a sender's token, or the client's without a sender, that is at most `maxAgeMs` old. */
  async get(senderId, maxAgeMs, signal) {
    if (signal?.aborted) throw standardFailure("Aborted");
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
    const { signal: own, release } = followSignal(signal);
    return unlessAborted(flight, own, "Aborted").finally(release);
  }

  // A digest, which reveals neither client nor environment.
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

// A token that another backend fetched has no `startedAt`, so that its age is unknown.
function isNoOlder({ askedAt, startedAt }, maxAgeMs) {
  return (
    maxAgeMs === Infinity ||
    Math.max(performance.now() - startedAt, Math.abs(Date.now() - askedAt)) <= maxAgeMs
  );
}
