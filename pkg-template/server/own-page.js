/**
 * Returns whether a request comes from the shop's own page, by headers that browsers set and pages cannot. A
 * request without them is not from a browser, so it cannot carry a customer's cookies against their will: its
 * session decides. `isOwnOrigin` is the shop's, if `Host` is not to be used.
 */
export async function isOwnPage(exchange, isOwnOrigin) {
  const origin = exchange.header("origin");
  if (isOwnOrigin !== undefined && origin !== undefined) return (await isOwnOrigin(origin)) === true;
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || isOriginOf(origin, exchange.host());
}

// A host and a port, and nothing that a parser could take for a user name or a path.
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(:\d{1,5})?$/i;

// Compares host and port only: behind a TLS proxy, a backend does not know its own scheme.
function isOriginOf(origin, host) {
  if (!URL.canParse(origin) || typeof host !== "string" || !HOST.test(host)) return false;
  const { protocol, host: expected } = new URL(origin);
  // An app's page, such as `capacitor://localhost`, is of no host.
  if (!/^https?:$/.test(protocol)) return false;
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === expected;
}
