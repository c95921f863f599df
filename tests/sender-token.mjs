/** Requests a sender-level token of the service, without the package; returns the reply. */
export async function fetchSenderToken({ baseUrl, clientId, clientSecret, senderId }) {
  const reply = await fetch(`${baseUrl}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      audience: baseUrl,
      grant_type: "client_credentials",
      sender_id: senderId,
    }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!reply.ok) throw new Error(`the token endpoint refused with status ${reply.status}`);
  return reply.json();
}
