// The expiry of a card, typed as one field: month, slash, year of two digits.

/** Cards run for a few years; a date beyond this is a slip of the finger. */
const LONGEST_RUN_YEARS = 20;

const SEPARATOR = " / ";

/**
 * What the field shows for what was typed or filled in.
 * Browsers and password managers also fill "2029-03", "03/2029" and "0329"; all become "03 / 29".
 * `atEnd` says that the person is typing at the end, so the separator may be put in for them.
 */
export function formatExpiry(text, { atEnd = true } = {}) {
  const plain = text.normalize("NFKC").trim();

  const yearFirst = /^(20\d\d)\D+(\d{1,2})$/.exec(plain);
  if (yearFirst) return yearFirst[2].padStart(2, "0") + SEPARATOR + yearFirst[1].slice(2);

  const separated = /^(\d{1,2})\D+(\d*)\D*$/.exec(plain);
  if (separated) {
    // In the middle of a correction a lone digit may be about to get its second one.
    const month = atEnd ? separated[1].padStart(2, "0") : separated[1];
    return join(month, shortYear(separated[2]), atEnd);
  }

  const digits = plain.replace(/[^0-9]/g, "");
  if (digits === "") return "";
  if (digits.length === 1) {
    // No month begins with 2 to 9, so such a digit is the whole month.
    return atEnd && digits >= "2" ? join(`0${digits}`, "", atEnd) : digits;
  }
  return join(digits.slice(0, 2), shortYear(digits.slice(2)), atEnd);
}

function join(month, year, atEnd) {
  return year === "" && !atEnd ? month : month + SEPARATOR + year;
}

/** Only a year of this century loses its century; anything else stays as typed and is reported. */
function shortYear(year) {
  return /^20\d\d$/.test(year) ? year.slice(2) : year;
}

/**
 * Reads the field: `{ month, year }` (year with its century), or `{ problem }`:
 * "required", "format", "month", "expired" or "far". A card is good to the end of its month.
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
  if (year < thisYear || (year === thisYear && month < today.getMonth() + 1)) {
    return { problem: "expired" };
  }
  if (year > thisYear + LONGEST_RUN_YEARS) return { problem: "far" };
  return { month, year };
}
