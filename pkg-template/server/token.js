// A token as the server's half keeps it: { bearer, askedAt, life }, in milliseconds since 1970 and
// milliseconds. One that this process has asked for itself has `startedAt` too, by the clock that nobody
// sets.

const LONGEST_LIFE_S = 30 * 86_400;
const LONGEST_BEARER = 16_384;
// How far the clocks of two backends, or of one before and after it was set, may differ.
export const CLOCK_SKEW_MS = 60_000;

/** What the token endpoint or a cache gave as a token, or undefined if it is none. */
export function makeToken(bearer, askedAt, life) {
  // What a header cannot carry is no bearer token.
  const isBearer = typeof bearer === "string" && bearer.length <= LONGEST_BEARER && /^[!-~]+$/.test(bearer);
  const isTimed = Number.isSafeInteger(askedAt) && Number.isInteger(life) && life > 0;
  return isBearer && isTimed ? { bearer, askedAt, life: Math.min(life, LONGEST_LIFE_S * 1000) } : undefined;
}

/**
 * Until when a token is used: a minute, or a tenth of its life, before it ends. One that lives no longer
 * serves half its life.
 */
export function renewalOf({ askedAt, life }) {
  return askedAt + life - Math.min(Math.max(life / 10, 60_000), life / 2);
}

export function isUsable(token, now = Date.now()) {
  return token !== undefined && token.askedAt <= now + CLOCK_SKEW_MS && now < renewalOf(token);
}

/** The three members of the token endpoint's reply; `expires_in` counts from now on. */
export function replyOf({ bearer, askedAt, life }) {
  const left = Math.max(0, Math.min(askedAt + life - Date.now(), life));
  return { access_token: bearer, expires_in: Math.floor(left / 1000), token_type: "Bearer" };
}
