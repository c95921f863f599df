/** Returns the query that an element's attributes say, or undefined while it is incomplete. */
export function queryOf({ kind, country, currency, method, recipientType, senderType }) {
  if (kind === "sender") return { senderType: senderType || undefined };
  if (!country || !currency) return undefined;
  const route = { dstCountryIso3Code: country, dstCurrencyIso3Code: currency };
  if (method) route.transferMethod = method;
  if (recipientType && kind !== "transfer") route.recipientType = recipientType;
  return route;
}
