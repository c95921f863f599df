import { standardFailure } from "../errors.js";
import { followSignal, unlessAborted } from "../signal.js";
import { sha256 } from "./crypto.js";
import { Flights } from "./flights.js";
import { retrying } from "./retry.js";
import { Seal } from "./seal.js";
import { TokenCache } from "./token-cache.js";
import { tokenEndpoint } from "./token-endpoint.js";
import { isUsable } from "./token.js";

/**
 * Returns `getToken(senderId, maxAgeMs, signal)`: a sender's token, or the client's without a sender, that is
 * at most `maxAgeMs` old. Concurrent calls for one token share a fetch.
 */
export function clientTokens(client, timeoutMs, shared) {
  const fetchToken = tokenEndpoint(client);
  const retry = retrying(timeoutMs);
  const flights = new Flights();
  // Identifies client and environment, as others may share the cache.
  const scope = `${client.baseUrl}\n${client.clientId}`;
  const cache = new TokenCache(shared, new Seal(client.clientSecret, `remitkit token cache\n${scope}`));
  let digest;

  return async function getToken(senderId, maxAgeMs, signal) {
    if (signal?.aborted) throw standardFailure("Aborted");
    const name = senderId === undefined ? "client" : `sender:${senderId.toLowerCase()}`;
    const flight = flights.join(`${name} ${maxAgeMs}`, async () => {
      // A digest, which reveals neither client nor environment.
      digest ??= shared === undefined ? "" : sha256(scope);
      const key = `remitkit:token:${(await digest).slice(0, 32)}:${name}`;
      const found = await cache.read(key);
      if (isUsable(found.held) && isNoOlder(found.held, maxAgeMs)) {
        await cache.share(key, found);
        return found.held;
      }
      const token = await retry((timeoutMs) => fetchToken(senderId, timeoutMs));
      await cache.replace(key, token, found, maxAgeMs < Infinity);
      return token;
    });
    const { signal: own, release } = followSignal(signal);
    return unlessAborted(flight, own, "Aborted").finally(release);
  };
}

// A token that another backend fetched has no `startedAt`, so its age is unknown.
function isNoOlder({ askedAt, startedAt }, maxAgeMs) {
  const age = Math.max(performance.now() - startedAt, Math.abs(Date.now() - askedAt));
  return maxAgeMs === Infinity || age <= maxAgeMs;
}
