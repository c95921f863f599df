import { standardFailure } from "../errors/errors.js";
import { followSignal, unlessAborted } from "../input/signal.js";
import { Breaker } from "./breaker.js";
import { Flights } from "./flights.js";
import { Limiter } from "./limiter.js";
import { CLIENT } from "./outage.js";
import { retrying } from "./retry.js";
import { Seal } from "./seal.js";
import { TokenCache } from "./token-cache.js";
import { tokenEndpoint } from "./token-endpoint.js";
import { isUsable } from "./token.js";

/**
 * Returns `getToken(senderId, maxAgeMs, signal)`: a sender's token, or the client's without a sender, that is
 * at most `maxAgeMs` old. Concurrent calls for one token share a fetch.
 */
export function clientTokens(client, limits, shared) {
  const { secrets, closing, onEvent } = client;
  const fetchToken = tokenEndpoint(client);
  const breaker = new Breaker();
  const retry = retrying(limits, closing, breaker);
  const limiter = new Limiter(limits.maxConcurrent, closing);
  const flights = new Flights();
  const cache = new TokenCache(shared, sealsOf(client));

  async function fetchInTurn(name, senderId) {
    return retry(name, (timeoutMs, attempt) => {
      const send = (leftMs) => fetchToken(senderId, leftMs, attempt);
      return limiter.run((leftMs) => breaker.run(name, send, leftMs), timeoutMs, breaker.isFailing(name));
    });
  }

  async function find(name, senderId, maxAgeMs) {
    const found = await cache.read(name);
    if (isUsable(found.held) && isNoOlder(found.held, maxAgeMs)) {
      await cache.share(name, found);
      return { token: found.held, cached: true };
    }
    const token = await fetchInTurn(name, senderId);
    await cache.replace(name, token, found, maxAgeMs < Infinity);
    return { token, cached: false };
  }

  return async function getToken(senderId, maxAgeMs, signal) {
    if (signal?.aborted) throw standardFailure("Aborted");
    const startedAt = performance.now();
    const end = (outcome) =>
      onEvent({ type: "token", senderId, durationMs: performance.now() - startedAt, ...outcome });
    const name = senderId === undefined ? CLIENT : `sender:${senderId.toLowerCase()}`;
    const flight = flights.join(`${name} ${maxAgeMs}`, () => find(name, senderId, maxAgeMs));
    const { signal: own, release } = followSignal(signal);
    try {
      const { token, cached } = await unlessAborted(flight, own, "Aborted");
      end({ cached });
      return token;
    } catch (error) {
      end({ cached: false, code: error.code });
      throw error;
    } finally {
      release();
    }
  };
}

// Derives each key once. Drops those of secrets that are no longer used.
function sealsOf({ baseUrl, clientId, secrets }) {
  // Identifies client and environment, as others may share the cache.
  const salt = `remitkit token cache\n${baseUrl}\n${clientId}`;
  let seals = new Map();
  return async () => {
    const all = await secrets.all();
    seals = new Map(all.map((secret) => [secret, seals.get(secret) ?? new Seal(secret, salt)]));
    return [...seals.values()];
  };
}

// A token that another backend fetched has no `startedAt`, so its age is unknown.
function isNoOlder({ askedAt, startedAt }, maxAgeMs) {
  const age = Math.max(performance.now() - startedAt, Math.abs(Date.now() - askedAt));
  return maxAgeMs === Infinity || age <= maxAgeMs;
}
