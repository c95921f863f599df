import type { Corridor, Country, Currency } from "remitkit";

/** A corridor with one currency on each side. */
export interface Route {
  country: Country;
  transferMethod: Corridor["transferMethod"];
  source: Currency;
  destination: Currency;
}

/** What the customer would like, by codes; whatever is not on offer is replaced by the nearest choice. */
export type RoutePreference = Partial<Record<keyof Route, string | undefined>>;

// A card comes first where a corridor has it: it is the fastest.
const METHOD_ORDER = ["PUSH_TO_CARD", "BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"];

/** Finds the route nearest to a preference, and the choices at each level; undefined without any corridor. */
export function resolveRoute(corridors: readonly Corridor[], preference: RoutePreference) {
  const countries = distinct(corridors.map(({ destinationCountry }) => destinationCountry));
  const country = nearest(countries, preference.country);
  const inCountry = corridors.filter((one) => one.destinationCountry.iso3Code === country?.iso3Code);
  const methods = [...new Set(inOrder(inCountry).map((corridor) => corridor.transferMethod))];
  const transferMethod = methods.find((method) => method === preference.transferMethod) ?? methods[0];
  const matching = inCountry.filter((corridor) => corridor.transferMethod === transferMethod);
  const destinations = distinct(matching.flatMap(({ destinationCurrency }) => destinationCurrency));
  const destination = nearest(destinations, preference.destination);
  const paying = matching.filter(({ destinationCurrency: currencies }) =>
    currencies.some(({ iso3Code }) => iso3Code === destination?.iso3Code),
  );
  const sources = distinct(paying.flatMap(({ sourceCurrency }) => sourceCurrency));
  const source = nearest(sources, preference.source);
  if (!country || !transferMethod || !destination || !source) return undefined;
  const route: Route = { country, transferMethod, source, destination };
  return { route, choices: { countries, methods, sources, destinations } };
}

export function preferenceOf({ country, transferMethod, source, destination }: Route): RoutePreference {
  return {
    country: country.iso3Code,
    transferMethod,
    source: source.iso3Code,
    destination: destination.iso3Code,
  };
}

export function isSameRoute(a: Route | undefined, b: Route | undefined): boolean {
  return JSON.stringify(a && preferenceOf(a)) === JSON.stringify(b && preferenceOf(b));
}

/** Returns the corridor parameters that most requests carry. */
export function corridorQuery({ country, destination, transferMethod }: Omit<Route, "source">) {
  return { dstCountryIso3Code: country.iso3Code, dstCurrencyIso3Code: destination.iso3Code, transferMethod };
}

function distinct<Item extends { iso3Code: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.iso3Code, item])).values()];
}

function nearest<Item extends { iso3Code: string }>(items: readonly Item[], code: string | undefined) {
  return items.find(({ iso3Code }) => iso3Code === code) ?? items[0];
}

/** Returns corridors in the order in which their methods are offered. */
export function inOrder(corridors: readonly Corridor[]): Corridor[] {
  const rank = (method: string) => METHOD_ORDER.indexOf(method) + 1 || METHOD_ORDER.length + 1;
  return [...corridors].sort((a, b) => rank(a.transferMethod) - rank(b.transferMethod));
}
