const TIMEOUT_MS = 10_000;

/** The service gave no token. The message says why without repeating what was sent or received. */
export class TokenError extends Error {}

/**
 * Fetches a sender-level token (interface, part 4: Token) and gives the three members a browser needs.
 * The client credentials are in the request's body and nowhere else.
 */
export async function fetchSenderToken({ baseUrl, clientId, clientSecret, senderId }, fetch = globalThis.fetch) {
  let reply;
  let body;
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
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await reply.json();
  } catch (error) {
    const reason = reply ? `an unreadable answer with status ${reply.status}` : error.name === "TimeoutError" ? "no answer in time" : "no connection";
    throw new TokenError(`the token endpoint gave ${reason}`);
  }
  if (!reply.ok) throw new TokenError(`the token endpoint refused with status ${reply.status}`);
  const { access_token, expires_in, token_type } = body ?? {};
  if (typeof access_token !== "string" || access_token === "" || !Number.isInteger(expires_in)) {
    throw new TokenError("the token endpoint's answer has no token in it");
  }
  return { access_token, expires_in, token_type };
}
