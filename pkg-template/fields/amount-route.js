const find = (list, code) => list?.find(({ iso3Code }) => !code || iso3Code === code);

/**
 * Finds the corridor for an element's attributes, and a currency for each side; undefined where there is none.
 * What the customer may choose, once there is a `choice`, is only a wish.
 */
export function routeIn(corridors, { country, method, send, receive, compare, currencies }, choice) {
  const [anyMethod, anyCurrency] = [choice && compare, choice && currencies];
  const allowed = corridors.filter(
    ({ destinationCountry, transferMethod, sourceCurrency, destinationCurrency }) =>
      find([destinationCountry], country) &&
      (anyMethod || !method || transferMethod === method) &&
      find(sourceCurrency, !anyCurrency && send) &&
      find(destinationCurrency, !anyCurrency && receive),
  );
  const [corridor] = allowed;
  const chosen = choice?.routeIn(allowed, { method, send, receive });
  if (chosen || !corridor) return chosen;
  const { sourceCurrency, destinationCurrency } = corridor;
  return { corridor, send: find(sourceCurrency, send), receive: find(destinationCurrency, receive) };
}

/** Returns the request for a price on a route. */
export function requestOf({ corridor, send, receive }, quoteBy, amount) {
  return {
    dstCountryIso3Code: corridor.destinationCountry.iso3Code,
    srcCurrencyIso3Code: send.iso3Code,
    dstCurrencyIso3Code: receive.iso3Code,
    transferMethod: corridor.transferMethod,
    quoteBy,
    amount,
  };
}
