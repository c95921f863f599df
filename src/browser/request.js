// What fetch is given. Made here, as each option that is set from the wasm is an import and a crossing of its own.

export function newRequest(url, method, bearer, accept, language, body, signal) {
  const headers = { Authorization: `Bearer ${bearer}`, Accept: accept };
  if (language !== undefined) {
    headers["Accept-Language"] = language;
  }
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  return new Request(url, {
    method,
    headers,
    body,
    signal,
    // Prices and required fields change.
    cache: "no-store",
    // The token says it all.
    credentials: "omit",
    // A redirect would carry the token, or a second copy of a POST, elsewhere.
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
}
