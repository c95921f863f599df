// A token is kept as { bearer, askedAt, life }, in milliseconds since 1970 and milliseconds. One that this
// process has fetched also has `startedAt`, by the monotonic clock.

const MAX_LIFE_MS = 30 * 86_400_000;
const MAX_BEARER_LENGTH = 16_384;
// How far the clocks of two backends may differ, or one before and after it was set.
export const CLOCK_SKEW_MS = 60_000;

/** Returns a token from the token endpoint or a cache, or undefined if it is invalid. */
export function makeToken(bearer, askedAt, life) {
  // A header must be able to carry it.
  const isBearer =
    typeof bearer === "string" && bearer.length <= MAX_BEARER_LENGTH && /^[!-~]+$/.test(bearer);
  const isTimed = Number.isSafeInteger(askedAt) && Number.isInteger(life) && life > 0;
  return isBearer && isTimed ? { bearer, askedAt, life: Math.min(life, MAX_LIFE_MS) } : undefined;
}

/** Returns when to renew a token: a minute or a tenth of its life before its end; at half of a short life. */
export function renewalOf({ askedAt, life }) {
  return askedAt + life - Math.min(Math.max(life / 10, 60_000), life / 2);
}

export function isUsable(token, now = Date.now()) {
  return token !== undefined && token.askedAt <= now + CLOCK_SKEW_MS && now < renewalOf(token);
}

/** Returns the token as the token endpoint's reply, with `expires_in` from now. */
export function replyOf({ bearer, askedAt, life }) {
  const left = Math.max(0, Math.min(askedAt + life - Date.now(), life));
  return { access_token: bearer, expires_in: Math.floor(left / 1000), token_type: "Bearer" };
}
