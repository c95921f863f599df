import { failure, invalid } from "../../errors/errors.js";
import { kitError } from "../../errors/kit-error.js";

const find = (list, code) => list?.find(({ iso3Code }) => !code || iso3Code === code);

/** Finds a corridor for an element's attributes, and a currency for each side: a corridor knows their decimals. */
export class AmountRoutes {
  // The corridors or why there are none, and what they were looked up for.
  #found = {};
  #abort;

  /** Why there is no route. */
  get error() {
    return this.#found.error;
  }

  /** Looks up the corridors, unless the page has them, and calls `onFound` once they or an error are there. */
  async lookUp({ remit, country, compare, corridor }, onFound) {
    const to = country || corridor?.destinationCountry?.iso3Code;
    const given = Array.isArray(corridor) || !compare || !to ? corridor : undefined;
    const wanted = [remit, to, given];
    if (this.#found.wanted?.every((value, at) => value === wanted[at])) return;
    this.pause();
    const found = (this.#found = { wanted });
    if (given) {
      Object.assign(found, corridorsOf(given));
      return;
    }
    const { signal } = (this.#abort = new AbortController());
    try {
      found.corridors = await (await remit).corridors({ dstCountryIso3Code: to }, { signal });
    } catch (error) {
      found.error = kitError(error);
    }
    if (signal.aborted) return;
    this.#abort = undefined;
    onFound();
  }

  /** Ends a lookup: the next one begins anew. */
  pause() {
    if (this.#abort === undefined) return;
    this.#abort.abort();
    this.#abort = undefined;
    this.#found = {};
  }

  /** Forgets a failure, so that the next lookup tries again. */
  reset() {
    this.pause();
    this.#found = {};
  }

  /** Returns the route, if there is one. What the customer may choose, once there is a `choice`, is only a wish. */
  find({ country, method, send, receive, compare, currencies }, choice) {
    const found = this.#found;
    if (found.corridors === undefined) return undefined;
    const [anyMethod, anyCurrency] = [choice && compare, choice && currencies];
    const allowed = found.corridors.filter(
      ({ destinationCountry, transferMethod, sourceCurrency, destinationCurrency }) =>
        find([destinationCountry], country) &&
        (anyMethod || !method || transferMethod === method) &&
        find(sourceCurrency, !anyCurrency && send) &&
        find(destinationCurrency, !anyCurrency && receive),
    );
    const [corridor] = allowed;
    const first = corridor && {
      corridor,
      send: find(corridor.sourceCurrency, send),
      receive: find(corridor.destinationCurrency, receive),
    };
    const route = choice?.routeIn(allowed, { method, send, receive }) ?? first;
    if (route) found.error = undefined;
    else found.error ??= failure("NoCorridorFoundForSpecificValues", "There is no corridor for these attributes.");
    return route;
  }
}

// Returns the corridors of a page, or why what it gave is none.
function corridorsOf(given) {
  try {
    const corridors = [given].flat();
    for (const { destinationCountry, sourceCurrency, destinationCurrency } of corridors) {
      const all = [destinationCountry, ...sourceCurrency, ...destinationCurrency];
      if (!all.every(({ iso3Code }) => typeof iso3Code === "string")) throw new TypeError("There is a code missing.");
    }
    return { corridors };
  } catch (cause) {
    const expected = "one or several of what remit.corridors() resolves with";
    return { corridors: [], error: invalid("InvalidRequest", "corridor", expected, { cause }) };
  }
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
