import type { Corridor, Currency } from "remitkit";

/** One way the money can go: a corridor with its two currencies settled. */
export interface Route {
  country: Corridor["destinationCountry"];
  transferMethod: Corridor["transferMethod"];
  source: Currency;
  destination: Currency;
}

/** What the customer would like; what cannot be had is replaced by the nearest that can. */
export interface Wish {
  country?: string | undefined;
  transferMethod?: string | undefined;
  source?: string | undefined;
  destination?: string | undefined;
}

/** What there is to choose from, given the choices before it. */
export interface Choices {
  countries: Route["country"][];
  methods: string[];
  sources: Currency[];
  destinations: Currency[];
}

// To a card first: it is the quickest way, where a corridor has it.
const METHOD_ORDER = ["PUSH_TO_CARD", "BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"];

/** Settles a wish on a route that the corridors have; nothing only if there is no corridor at all. */
export function settle(corridors: readonly Corridor[], wish: Wish): { route: Route; choices: Choices } | undefined {
  const countries = distinct(corridors.map((corridor) => corridor.destinationCountry), (country) => country.iso3Code);
  const country = countries.find((one) => one.iso3Code === wish.country) ?? countries[0];
  if (!country) return undefined;

  const there = corridors.filter((corridor) => corridor.destinationCountry.iso3Code === country.iso3Code);
  const methods = distinct(there.map((corridor) => corridor.transferMethod as string), (method) => method).sort(
    (a, b) => rank(a) - rank(b),
  );
  const transferMethod = methods.find((method) => method === wish.transferMethod) ?? methods[0];
  if (!transferMethod) return undefined;

  const fitting = there.filter((corridor) => corridor.transferMethod === transferMethod);
  const destinations = distinct(fitting.flatMap((corridor) => list(corridor.destinationCurrency)), (one) => one.iso3Code);
  const destination = destinations.find((one) => one.iso3Code === wish.destination) ?? destinations[0];
  if (!destination) return undefined;

  const sources = distinct(
    fitting
      .filter((corridor) => list(corridor.destinationCurrency).some((one) => one.iso3Code === destination.iso3Code))
      .flatMap((corridor) => list(corridor.sourceCurrency)),
    (one) => one.iso3Code,
  );
  const source = sources.find((one) => one.iso3Code === wish.source) ?? sources[0];
  if (!source) return undefined;

  return {
    route: { country, transferMethod: transferMethod as Route["transferMethod"], source, destination },
    choices: { countries, methods, sources, destinations },
  };
}

/** The wish that a route fulfils. */
export function wishOf(route: Route): Wish {
  return {
    country: route.country.iso3Code,
    transferMethod: route.transferMethod,
    source: route.source.iso3Code,
    destination: route.destination.iso3Code,
  };
}

/** Whether two routes are the same way. */
export function sameRoute(a: Route | undefined, b: Route | undefined): boolean {
  return (
    a?.country.iso3Code === b?.country.iso3Code &&
    a?.transferMethod === b?.transferMethod &&
    a?.source.iso3Code === b?.source.iso3Code &&
    a?.destination.iso3Code === b?.destination.iso3Code
  );
}

/** The corridor parameters that most requests carry. */
export function corridorQuery(route: Route) {
  return {
    dstCountryIso3Code: route.country.iso3Code,
    dstCurrencyIso3Code: route.destination.iso3Code,
    transferMethod: route.transferMethod,
  };
}

// A service may send one currency where the interface has a list of them.
function list<Item>(items: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(items) ? items : [items as Item];
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

function rank(method: string): number {
  const place = METHOD_ORDER.indexOf(method);
  return place < 0 ? METHOD_ORDER.length : place;
}
