// Corridors as the service lists them, with repeating values, as in reality, or unique ones.

const CODES = "MEX MXN COL COP GTM GTQ SLV USD HND HNL DOM DOP PER PEN BRA BRL CHL CLP PHL PHP IND INR PAK PKR BGD BDT VNM VND JPN JPY KOR KRW NGA NGN GHA GHS KEN KES SEN XOF KWT KWD".split(" ");
const METHODS = ["BANK_ACCOUNT", "PUSH_TO_CARD", "CASH_PICKUP", "MOBILE_WALLET"];
const SOURCES = ["USD", "EUR", "GBP", "JPY", "KWD"].map((code, at) => currency(code, `Source ${code}`, "$", 840 + at));

function currency(iso3Code, name, symbol, number) {
  return { name, iso3Code, symbol, decimalPlaces: number % 4, roundDirection: "STANDARD", iso4217Code: String(number) };
}

function repeating(at) {
  const pair = at % (CODES.length / 2);
  const [country, code] = [CODES[2 * pair], CODES[2 * pair + 1]];
  return {
    destinationCountry: { name: `Country ${country}`, iso3Code: country, iso2Code: country.slice(0, 2), phoneCode: String(50 + pair) },
    sourceCurrency: [SOURCES[at % 5], SOURCES[(at + 2) % 5]],
    destinationCurrency: [currency(code, `Currency ${code}`, "$", 100 + pair)],
    transferMethod: METHODS[at % METHODS.length],
  };
}

/** Returns three letters, unique for numbers up to 17,576. */
function letters(number) {
  return [676, 26, 1].map((unit) => String.fromCharCode(65 + (Math.floor(number / unit) % 26))).join("");
}

function distinct(at) {
  const code = letters(at);
  return {
    destinationCountry: { name: `Land ${at} of ${code}`, iso3Code: code, iso2Code: `${code[0]}${at}`, phoneCode: String(100_000 + at) },
    sourceCurrency: [
      currency(letters(at + 5_000), `First of ${at}`, `a${at}`, 200_000 + at),
      currency(letters(at + 9_000), `Second of ${at}`, `b${at}`, 300_000 + at),
    ],
    destinationCurrency: [currency(letters(at + 13_000), `Third of ${at}`, `c${at}`, 400_000 + at)],
    transferMethod: `METHOD_${at}`,
  };
}

const KINDS = { repeating, distinct };

/** @param kind "repeating" or "distinct" */
export function corridors(count, kind) {
  return Array.from({ length: count }, (_, at) => KINDS[kind](at));
}

/** Reads every row, so that no engine skips making it. */
export function touch(rows) {
  let sum = 0;
  for (const row of rows) {
    sum += row.destinationCountry.iso3Code.length + row.destinationCountry.name.length + row.transferMethod.length;
    for (const { iso3Code, decimalPlaces } of row.sourceCurrency) sum += iso3Code.length + decimalPlaces;
    for (const { iso3Code, decimalPlaces } of row.destinationCurrency) sum += iso3Code.length + decimalPlaces;
  }
  return sum;
}
