/**
 * Returns whether a request comes from the shop's own page, by headers that browsers set and pages cannot. A
 * request without them is not from a browser, so it cannot carry a customer's cookies against their will: its
 * session decides.
 */
export function isOwnPage(exchange, origins) {
  const origin = exchange.header("origin");
  if (origins !== undefined && origin !== undefined) return origins.has(origin);
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || isOriginOf(origin, exchange.host());
}

// Compares host and port only: behind a TLS proxy, a backend does not know its own scheme.
function isOriginOf(origin, host) {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: expected } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === expected;
}
