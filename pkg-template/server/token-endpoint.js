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
 * The token endpoint of one client (interface, parts 4 and 5). Only this sends the secret, and only in the
 * body.
 */
export class TokenEndpoint {
  #baseUrl;
  #clientId;
  #clientSecret;

  constructor({ baseUrl, clientId, clientSecret }) {
    this.#baseUrl = baseUrl;
    this.#clientId = clientId;
    this.#clientSecret = clientSecret;
  }

  /** Makes one attempt to fetch a sender's token, or the client's without a sender. */
  async fetch(senderId, timeoutMs) {
    const asked = { askedAt: Date.now(), startedAt: performance.now() };
    const signal = AbortSignal.timeout(timeoutMs);
    let reply;
    try {
      reply = await fetch(`${this.#baseUrl}/v1/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_id: this.#clientId,
          client_secret: this.#clientSecret,
          audience: this.#baseUrl,
          grant_type: "client_credentials",
          ...(senderId === undefined ? {} : { sender_id: senderId }),
        }),
        cache: "no-store",
        // Never send the secret to another address.
        redirect: "manual",
        signal,
      });
    } catch (error) {
      throw signal.aborted ? late() : unreachable(error);
    }
    const details = { httpStatus: reply.status, ...this.#requestId(reply) };
    let body;
    try {
      body = JSON.parse(await readStream(reply.body, MAX_REPLY_BYTES));
    } catch {
      if (signal.aborted) throw late();
    }
    if (!reply.ok) throw refusal(reply, body, details);
    return this.#token(body, asked, details);
  }

  #token(body, { askedAt, startedAt }, details) {
    const { access_token, expires_in, token_type = "Bearer" } = body ?? {};
    const life = Number.isInteger(expires_in) ? expires_in * 1000 : undefined;
    const token = makeToken(access_token, askedAt, life);
    const isBearer = typeof token_type === "string" && token_type.toLowerCase() === "bearer";
    if (!token || !isBearer || token.bearer.includes(this.#clientSecret)) {
      throw serverFailure("UnreadableReply", "The token endpoint's reply has no token in it.", details);
    }
    return { ...token, startedAt };
  }

  #requestId(reply) {
    const requestId = reply.headers.get("request-id");
    const isPlain = requestId !== null && /^[\w.:-]{1,128}$/.test(requestId);
    return isPlain && !requestId.includes(this.#clientSecret) ? { requestId } : {};
  }
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
    return serverFailure(
      "Unauthorized",
      `The token endpoint refused the client credentials (${said}).`,
      details,
    );
  }
  const code = status === 403 ? "AccessDenied" : "TokenUnavailable";
  return serverFailure(code, `The token endpoint refused to give a token (${said}).`, details);
}

// Reads seconds or a date. Most malformed values parse as a date in the past, which does not count.
function retryAfter(header) {
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms >= 0 ? ms : undefined;
}
