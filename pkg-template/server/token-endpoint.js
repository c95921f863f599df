import { invalid } from "../errors/errors.js";
import { unlessAborted } from "../input/signal.js";
import { BodyError, inTime, readText } from "./body.js";
import { serverFailure } from "./failure.js";
import { makeToken } from "./token.js";

const MAX_REPLY_BYTES = 65_536;
// A page's token source may succeed later; here the same request is refused again.
const FINAL = { resolution: "correct_input", retryable: false };
// Of RFC 6749. Errors quote nothing else of a refusal, as it may echo the request.
const OAUTH_ERRORS = [
  "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
  "invalid_scope",
];

/**
 * Returns `fetchToken(senderId, timeoutMs, attempt)`, one attempt to fetch a sender's token, or the client's
 * without a sender (interface, parts 4 and 5). Only this sends a secret, and only in the body. If the service
 * refuses the secret, it sends the next one. `closing` ends requests under way.
 */
export function tokenEndpoint({ baseUrl, clientId, secrets, fetch, onEvent, closing }) {
  return async function fetchToken(senderId, timeoutMs, attempt) {
    const until = performance.now() + timeoutMs;
    const leftMs = () => Math.max(until - performance.now(), 1);
    const refused = new Set();
    for (let [secret] = await inTime(secrets.all(), leftMs()).catch(notInTime); ; ) {
      try {
        const token = await post(secret, senderId, leftMs(), attempt);
        secrets.prefer(secret);
        return token;
      } catch (error) {
        if (error.code !== "Unauthorized") throw error;
        refused.add(secret);
        secret = await inTime(secrets.alternativeTo(refused), leftMs()).catch(() => undefined);
        if (secret === undefined) throw error;
      }
    }
  };

  async function post(secret, senderId, timeoutMs, attempt) {
    const startedAt = performance.now();
    const details = {};
    const end = (code) => {
      const { httpStatus: status, requestId } = details;
      const durationMs = performance.now() - startedAt;
      onEvent({ type: "attempt", senderId, attempt, durationMs, status, requestId, code });
    };
    try {
      const token = await send(secret, senderId, timeoutMs, details);
      end(undefined);
      return { ...token, startedAt };
    } catch (error) {
      end(error.code);
      throw error;
    }
  }

  async function send(secret, senderId, timeoutMs, details) {
    closing.throwIfClosed();
    const controller = new AbortController();
    const { signal } = controller;
    const abort = () => controller.abort();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    const release = closing.onClose(abort);
    try {
      // Also ends if the caller's own `fetch` ignores its signal.
      return await unlessAborted(request(secret, senderId, signal, details), signal, "Aborted");
    } catch (error) {
      closing.throwIfClosed();
      if (signal.aborted) throw serverFailure("Timeout", "The token endpoint did not answer in time.");
      throw error;
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  async function request(secret, senderId, signal, details) {
    const askedAt = Date.now();
    let reply;
    try {
      reply = await (fetch ?? globalThis.fetch)(`${baseUrl}/v1/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_id: clientId,
          client_secret: secret,
          audience: baseUrl,
          grant_type: "client_credentials",
          sender_id: senderId,
        }),
        cache: "no-store",
        // Never send the secret to another address.
        redirect: "manual",
        signal,
      });
    } catch (error) {
      throw unreachable(error);
    }
    if (typeof reply?.headers?.get !== "function") {
      throw invalid("InvalidConfiguration", "fetch", "a function that resolves with a Response");
    }
    const known = await secrets.all();
    const hasSecret = (text) => known.some((secret) => text.includes(secret));
    const requestId = reply.headers.get("request-id");
    const isPlain = /^[\w.:-]{1,128}$/.test(requestId ?? "") && !hasSecret(requestId);
    Object.assign(details, { httpStatus: reply.status }, isPlain && { requestId });
    const body = await readBody(reply);
    if (!reply.ok) throw refusal(reply, body.value, details);
    return tokenOf(body, askedAt, hasSecret, details);
  }
}

function notInTime(error) {
  if (!(error instanceof BodyError)) throw error;
  const details = { option: "clientSecret" };
  throw serverFailure("ServiceUnavailable", "The function clientSecret did not settle in time.", details);
}

async function readBody(reply) {
  let text;
  try {
    text = await readText(reply.body, MAX_REPLY_BYTES);
  } catch (error) {
    return { fault: error.reason === "too_long" ? `is longer than ${MAX_REPLY_BYTES} bytes` : "broke off" };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: "is not JSON" };
  }
}

// Errors name the member and never quote its value, which may be the token or the secret.
function tokenOf({ value, fault }, askedAt, hasSecret, details) {
  const unreadable = (what, retryable) =>
    serverFailure("UnreadableReply", `The token endpoint's reply ${what}.`, { ...details, retryable });
  if (fault !== undefined) throw unreadable(fault, true);
  const { access_token, expires_in, token_type = "Bearer" } = value ?? {};
  if (typeof token_type !== "string" || token_type.toLowerCase() !== "bearer") {
    throw unreadable('has another token_type than "Bearer"', false);
  }
  // Some services send digits as text.
  const isDigits = typeof expires_in === "string" && /^\d{1,12}$/.test(expires_in);
  const seconds = isDigits ? Number(expires_in) : expires_in;
  if (!Number.isInteger(seconds) || seconds <= 0) {
    throw unreadable("needs expires_in, a whole number of seconds above 0", false);
  }
  const token = makeToken(access_token, askedAt, Math.min(seconds, 1e12) * 1000);
  if (!token || hasSecret(token.bearer)) {
    throw unreadable("has no access_token that a header can carry", false);
  }
  return token;
}

// Names the system's error code, such as ECONNREFUSED.
function unreachable(error) {
  const code = error?.cause?.code;
  const reason = typeof code === "string" && /^[A-Z][A-Z_]{2,40}$/.test(code) ? ` (${code})` : "";
  return serverFailure("NetworkFailure", `The token endpoint cannot be reached${reason}.`);
}

function refusal(reply, body, details) {
  const { status } = reply;
  const error = OAUTH_ERRORS.find((known) => known === body?.error);
  const said = error === undefined ? `status ${status}` : `status ${status}, ${error}`;
  const codes = [body, ...(Array.isArray(body) ? body : [])].map((entry) => entry?.code);
  if (status < 400) {
    const message = `The token endpoint points elsewhere (${said}), where the secret is not sent.`;
    return serverFailure("TokenUnavailable", `${message} Is baseUrl right?`, { ...details, ...FINAL });
  }
  if (status === 429 || status === 408 || status >= 500) {
    const retryAfterMs = retryAfter(reply.headers.get("retry-after"));
    const code = status === 429 ? "TooManyRequests" : status === 408 ? "Timeout" : "ServiceUnavailable";
    const more = retryAfterMs === undefined ? details : { ...details, retryAfterMs };
    return serverFailure(code, `The token endpoint is not available (${said}).`, more);
  }
  if (codes.includes("SenderNotFound")) {
    return serverFailure("SenderNotFound", "The service knows no sender of this id.", details);
  }
  if (status === 401 || error === "invalid_client") {
    const message = `The token endpoint refused the client credentials (${said}).`;
    return serverFailure("Unauthorized", message, details);
  }
  const message = `The token endpoint refused to give a token (${said}).`;
  return status === 403
    ? serverFailure("AccessDenied", message, details)
    : serverFailure("TokenUnavailable", message, { ...details, ...FINAL });
}

// Reads seconds or a date. Most malformed values parse as a date in the past, which does not count.
function retryAfter(header) {
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms >= 0 ? ms : undefined;
}
