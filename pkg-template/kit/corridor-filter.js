import { invalid } from "../errors/errors.js";
import { toJson } from "../input/plain.js";

const COUNTRY = [/^[A-Z]{3}$/, "an ISO 3166-1 country code of 3 uppercase letters such as MEX"];
const CURRENCY = [/^[A-Z]{3}$/, "an ISO 4217 currency code of 3 uppercase letters such as USD"];
const METHOD = [/^[A-Z][A-Z0-9_]*$/, "a transfer method such as BANK_ACCOUNT or PUSH_TO_CARD"];

const codes = (currencies) => currencies.map((currency) => currency.iso3Code);

// The pattern of each member of a filter, its description, and the values that a corridor has for it.
const MEMBERS = {
  __proto__: null,
  dstCountryIso3Code: [...COUNTRY, (corridor) => [corridor.destinationCountry.iso3Code]],
  dstCurrencyIso3Code: [...CURRENCY, (corridor) => codes(corridor.destinationCurrency)],
  srcCurrencyIso3Code: [...CURRENCY, (corridor) => codes(corridor.sourceCurrency)],
  transferMethod: [...METHOD, (corridor) => [corridor.transferMethod]],
};

/** Returns a function that filters corridors. The interface has no such parameters. */
export function corridorFilter(filter) {
  if (filter === undefined) return (corridors) => corridors;
  const conditions = Object.entries(JSON.parse(toJson(filter, "filter")));
  for (const [name, value] of conditions) {
    if (!(name in MEMBERS)) {
      throw invalid("InvalidRequest", name, `left out: a filter knows ${Object.keys(MEMBERS).join(", ")}`);
    }
    const [pattern, expected] = MEMBERS[name];
    if (typeof value !== "string" || !pattern.test(value)) {
      throw invalid("InvalidRequest", name, expected);
    }
  }
  const matches = (corridor) =>
    conditions.every(([name, value]) => MEMBERS[name][2](corridor).includes(value));
  return (corridors) => corridors.filter(matches);
}
