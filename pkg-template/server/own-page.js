/**
 * Whether a request comes from a page of the shop's own. Browsers say so themselves, in headers that no page
 * can set. What says nothing of the kind is no browser, carries no customer's cookies against their will, and
 * is judged by its session like any other.
 */
export function isOwnPage(exchange, origins) {
  const origin = exchange.header("origin");
  if (origins !== undefined && origin !== undefined) {
    return origins.has(origin);
  }
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") {
    return false;
  }
  return origin === undefined || isOriginOf(origin, exchange.host());
}

// By host and port alone: behind a proxy that ends TLS a backend does not know its own scheme.
function isOriginOf(origin, host) {
  if (!URL.canParse(origin)) {
    return false;
  }
  const { protocol, host: expected } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === expected;
}
