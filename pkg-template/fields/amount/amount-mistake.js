import { invalid } from "../../errors/errors.js";
import { SIDES } from "./amount-entry.js";

const COUNTRY = /^[A-Z]{3}$/;
const SIDE_NAMES = Object.values(SIDES);

/** Returns what is wrong with an element's attributes, if anything: `known` again, if that is the same. */
export function mistakeIn({ country, corridor }, quoteBy, known) {
  const isCountry = corridor !== undefined || country === "" || COUNTRY.test(country);
  const isSide = quoteBy === "" || SIDE_NAMES.includes(quoteBy);
  if (isCountry && isSide) return undefined;
  const [option, expected] = isCountry
    ? ["quote-by", SIDE_NAMES.join(" or ")]
    : ["country", "three uppercase letters, such as MEX"];
  return known?.option === option ? known : invalid("InvalidRequest", option, expected);
}
