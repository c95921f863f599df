// Card numbers and security codes: network, grouping, validation.

/** Networks by issuer prefix. `from` and `to` are inclusive and of equal length; no two networks overlap. */
const NETWORKS = [
  { id: "visa", name: "Visa", ranges: [["4", "4"]], lengths: [13, 16, 19] },
  { id: "mastercard", name: "Mastercard", ranges: [["51", "55"], ["2221", "2720"]], lengths: [16] },
  {
    id: "amex",
    name: "Amex",
    ranges: [["34", "34"], ["37", "37"]],
    lengths: [15],
    groups: [4, 6, 5],
    codeLength: 4,
  },
  {
    id: "discover",
    name: "Discover",
    ranges: [["6011", "6011"], ["644", "649"], ["65", "65"]],
    lengths: [16, 17, 18, 19],
  },
  {
    id: "diners",
    name: "Diners",
    ranges: [["300", "305"], ["3095", "3095"], ["36", "36"], ["38", "39"]],
    lengths: [14, 15, 16, 17, 18, 19],
    groupsByLength: { 14: [4, 6, 4] },
  },
  { id: "jcb", name: "JCB", ranges: [["3528", "3589"]], lengths: [16, 17, 18, 19] },
  { id: "unionpay", name: "UnionPay", ranges: [["62", "62"]], lengths: [16, 17, 18, 19] },
  {
    id: "maestro",
    name: "Maestro",
    ranges: [["50", "50"], ["56", "58"], ["6304", "6304"], ["6759", "6759"], ["6761", "6763"]],
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  },
];

/** Any other network. */
const OTHER = { lengths: [12, 13, 14, 15, 16, 17, 18, 19] };
const DEFAULT_GROUPS = [4, 4, 4, 4, 3];

/** Returns the decimal digits of a text. Full-width and other compatible digits are converted. */
export function digitsOf(text) {
  return text.normalize("NFKC").replace(/[^0-9]/g, "");
}

/** Returns the network of a complete or partial number, or null while it is undecided. */
export function networkOf(digits) {
  const isIn = ([from, to]) => {
    const prefix = digits.slice(0, from.length);
    return prefix.length === from.length && prefix >= from && prefix <= to;
  };
  return NETWORKS.find(({ ranges }) => ranges.some(isIn)) ?? null;
}

/** Returns the possible lengths of the security code: [3], [4], or both while the network is undecided. */
export function codeLengthsOf(network) {
  return network === null ? [3, 4] : [network.codeLength ?? 3];
}

/** Returns the printed grouping as digit counts. */
export function groupsOf(network, length) {
  return network?.groupsByLength?.[length] ?? network?.groups ?? DEFAULT_GROUPS;
}

/** Groups "4111111111111111" as "4111 1111 1111 1111". Surplus digits form a last group. */
export function groupNumber(digits) {
  const parts = [];
  let at = 0;
  for (const size of [...groupsOf(networkOf(digits), digits.length), Infinity]) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + size));
    at += size;
  }
  return parts.join(" ");
}

/** Checks the check digit (Luhn, ISO/IEC 7812). */
export function passesLuhn(digits) {
  if (!/^[0-9]+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighted = i % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Returns the problem of a number: "required", "short", "long", "wrong", or null. */
export function numberProblem(text) {
  const digits = digitsOf(text);
  if (digits === "") return "required";
  const { lengths } = networkOf(digits) ?? OTHER;
  if (digits.length < Math.min(...lengths)) return "short";
  if (digits.length > Math.max(...lengths)) return "long";
  if (!lengths.includes(digits.length)) return digits.length < 16 ? "short" : "wrong";
  // Zeros alone pass the Luhn check.
  if (/^0+$/.test(digits) || !passesLuhn(digits)) return "wrong";
  return null;
}

/** Returns the problem of a security code for a card of this network: "required", "length", or null. */
export function codeProblem(text, network) {
  const digits = digitsOf(text);
  if (digits === "") return "required";
  return codeLengthsOf(network).includes(digits.length) ? null : "length";
}
