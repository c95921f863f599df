import { readStream } from "./body.js";
import { serverFailure } from "./failure.js";
import { makeToken } from "./token.js";

const MAX_REPLY_BYTES = 65_536;
// Of RFC 6749. Errors quote nothing else of a refusal, as it may echo the request.
const OAUTH_ERRORS = [
  "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
  "invalid_scope",
];

/**
 * Returns `fetchToken(senderId, timeoutMs)`, one attempt to fetch a sender's token, or the client's without a
 * sender (interface, parts 4 and 5). Only this sends the secret, and only in the body.
 */
export function tokenEndpoint({ baseUrl, clientId, clientSecret }) {
  return async function fetchToken(senderId, timeoutMs) {
    const [askedAt, startedAt] = [Date.now(), performance.now()];
    const signal = AbortSignal.timeout(timeoutMs);
    let reply;
    try {
      reply = await fetch(`${baseUrl}/v1/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_id: clientId,
          client_secret: clientSecret,
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
      throw signal.aborted ? late() : unreachable(error);
    }
    const requestId = reply.headers.get("request-id");
    const isPlain = /^[\w.:-]{1,128}$/.test(requestId ?? "") && !requestId.includes(clientSecret);
    const details = { httpStatus: reply.status, ...(isPlain && { requestId }) };
    let body;
    try {
      body = JSON.parse(await readStream(reply.body, MAX_REPLY_BYTES));
    } catch {
      if (signal.aborted) throw late();
    }
    if (!reply.ok) throw refusal(reply, body, details);
    const { access_token, expires_in, token_type = "Bearer" } = body ?? {};
    const life = Number.isInteger(expires_in) ? expires_in * 1000 : undefined;
    const token = makeToken(access_token, askedAt, life);
    const isBearer = typeof token_type === "string" && token_type.toLowerCase() === "bearer";
    if (!token || !isBearer || token.bearer.includes(clientSecret)) {
      throw serverFailure("UnreadableReply", "The token endpoint's reply has no token in it.", details);
    }
    return { ...token, startedAt };
  };
}

function late() {
  return serverFailure("Timeout", "The token endpoint did not answer in time.");
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
    return serverFailure("TokenUnavailable", `${message} Is baseUrl right?`, details);
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
  const code = status === 403 ? "AccessDenied" : "TokenUnavailable";
  return serverFailure(code, `The token endpoint refused to give a token (${said}).`, details);
}

// Reads seconds or a date. Most malformed values parse as a date in the past, which does not count.
function retryAfter(header) {
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms >= 0 ? ms : undefined;
}
