// The expiry date of a card in one field: month, slash, two-digit year.

/** A later year is a typing error. */
const LONGEST_VALIDITY_YEARS = 20;

const SEPARATOR = " / ";

/**
 * Formats what was typed or filled in. Browsers and password managers also fill "2029-03", "03/2029" and
 * "0329"; all become "03 / 29".
 */
export function formatExpiry(text) {
  const plain = text.normalize("NFKC").trim();

  const yearFirst = /^(20\d\d)\D+(\d{1,2})$/.exec(plain);
  if (yearFirst) return join(yearFirst[2], yearFirst[1]);

  const separated = /^(\d{1,2})\D+(\d*)\D*$/.exec(plain);
  if (separated) return join(separated[1], separated[2]);

  const digits = plain.replace(/[^0-9]/g, "");
  // No month begins with 2 to 9, so such a digit is a whole month.
  if (digits === "" || digits === "0" || digits === "1") return digits;
  return join(digits.slice(0, 2), digits.slice(2));
}

/** Shortens a year of this century. Others stay, and are reported as a problem. */
function join(month, year) {
  return month.padStart(2, "0") + SEPARATOR + year.replace(/^20(\d\d)$/, "$1");
}

/**
 * Returns `{ month, year }` with a four-digit year, or `{ problem }`: "required", "format", "month",
 * "expired" or "far". A card is valid to the end of its month.
 */
export function readExpiry(text, today) {
  const shown = formatExpiry(text);
  if (shown === "") return { problem: "required" };
  const parts = /^(\d{2}) \/ (\d{2})$/.exec(shown);
  if (!parts) return { problem: "format" };
  const month = Number(parts[1]);
  const year = 2000 + Number(parts[2]);
  if (month < 1 || month > 12) return { problem: "month" };
  const thisYear = today.getFullYear();
  if (year < thisYear || (year === thisYear && month < today.getMonth() + 1)) return { problem: "expired" };
  if (year > thisYear + LONGEST_VALIDITY_YEARS) return { problem: "far" };
  return { month, year };
}
