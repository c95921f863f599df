// A card number: its digits, its network, how it is grouped, and whether it can be right.

/** Networks by issuer prefix. `from`/`to` are inclusive and of equal length; the longest match wins. */
const NETWORKS = [
  { id: "visa", name: "Visa", ranges: [["4", "4"]], lengths: [13, 16, 19] },
  {
    id: "mastercard",
    name: "Mastercard",
    ranges: [["51", "55"], ["2221", "2720"]],
    lengths: [16],
  },
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

const SHORTEST = 12;
const LONGEST = 19;
const DEFAULT_GROUPS = [4, 4, 4, 4, 3];

/** The decimal digits of a text; full-width and other compatible digits count as what they mean. */
export function digitsOf(text) {
  return text.normalize("NFKC").replace(/[^0-9]/g, "");
}

/** The network of a number, also of one still being typed, or null while that is open. */
export function networkOf(digits) {
  let found = null;
  let foundLength = 0;
  for (const network of NETWORKS) {
    for (const [from, to] of network.ranges) {
      const prefix = digits.slice(0, from.length);
      if (prefix.length === from.length && prefix >= from && prefix <= to && from.length > foundLength) {
        found = network;
        foundLength = from.length;
      }
    }
  }
  return found;
}

/** How many digits the security code of this network has: [3], [4], or both while the network is open. */
export function codeLengthsOf(network) {
  if (network === null) return [3, 4];
  return [network.codeLength ?? 3];
}

/** The printed grouping, as digit counts. */
export function groupsOf(network, length) {
  return network?.groupsByLength?.[length] ?? network?.groups ?? DEFAULT_GROUPS;
}

/**
 * Groups "4111111111111111" as "4111 1111 1111 1111". Surplus digits join the last group: none is dropped.
 */
export function groupNumber(digits) {
  const groups = groupsOf(networkOf(digits), digits.length);
  const parts = [];
  let at = 0;
  for (const size of groups) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + size));
    at += size;
  }
  if (at < digits.length) parts.push(digits.slice(at));
  return parts.join(" ");
}

/** The check digit rule of ISO/IEC 7812. */
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

/** What is wrong with a typed number: "required", "short", "long", "wrong", or null. */
export function numberProblem(text) {
  const digits = digitsOf(text);
  if (digits === "") return "required";
  const lengths = networkOf(digits)?.lengths;
  const shortest = lengths ? Math.min(...lengths) : SHORTEST;
  const longest = lengths ? Math.max(...lengths) : LONGEST;
  if (digits.length < shortest) return "short";
  if (digits.length > longest) return "long";
  if (lengths && !lengths.includes(digits.length)) return digits.length < 16 ? "short" : "wrong";
  // A row of zeros satisfies the check digit and is no card.
  if (/^0+$/.test(digits) || !passesLuhn(digits)) return "wrong";
  return null;
}
