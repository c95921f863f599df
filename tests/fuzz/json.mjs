// What plain JSON makes of a value, computed without the SDK, and what a sent text contains.

/** The result for a value that JSON cannot represent. */
export const NOT_JSON = Symbol("not JSON");

const BIGINT = "\u0001bigint ";
/** Objects that JSON would turn into empty ones. */
const EMPTIED = /^\[object ((Weak)?(Map|Set)|ArrayBuffer|DataView|Promise|RegExp|Generator|Error)\]$/;
/** A string, so that its digits are no number, or a number of 16 digits and more. */
const WIDE_NUMBER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Returns a value as JSON represents it, with bigints; `undefined` where JSON omits it. */
export function asJson(value) {
  let text;
  try {
    text = JSON.stringify(readOnce(value), function (key, item) {
      if (typeof item === "bigint") return `${BIGINT}${item}`;
      const isLost =
        (typeof item === "number" && !Number.isFinite(item)) ||
        typeof item === "function" ||
        typeof item === "symbol" ||
        (item === undefined && Array.isArray(this)) ||
        (typeof item === "object" && item !== null && EMPTIED.test(Object.prototype.toString.call(item)));
      if (isLost) throw new Error("JSON would lose it");
      return item;
    });
  } catch {
    return NOT_JSON;
  }
  return text === undefined ? undefined : withBigints(text);
}

// JSON.stringify reads `toJSON` before the members. A literal's members are read once, here.
function readOnce(value) {
  try {
    return Object.getPrototypeOf(value) === Object.prototype ? { __proto__: null, ...value } : value;
  } catch {
    return value;
  }
}

function withBigints(text) {
  const isBigint = (item) => typeof item === "string" && item.startsWith(BIGINT);
  return JSON.parse(text, (_, item) => (isBigint(item) ? BigInt(item.slice(BIGINT.length)) : item));
}

/** Parses a JSON text, with whole numbers beyond 2^53 as bigints. */
export function parse(text) {
  const mark = (found) => (found.startsWith('"') ? found : JSON.stringify(BIGINT + found));
  return withBigints(text.replace(WIDE_NUMBER, mark));
}

/** Whether two plain values are equal; `5n` equals `5`. */
export function same(a, b) {
  if (typeof a === "bigint" || typeof b === "bigint") {
    const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);
    return isWhole(a) && isWhole(b) && BigInt(a) === BigInt(b);
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  const isSame = (name) => Object.hasOwn(b, name) && same(a[name], b[name]);
  return names.length === Object.keys(b).length && names.every(isSame);
}

/** Returns the members of an object as a query has them: in order, without nulls. */
export function queryOf(object) {
  return Object.entries(withoutNulls(object)).map(([name, value]) => [name, String(value)]);
}

/** Returns the members of a sent query. */
export function parseQuery(query) {
  if (query === "") return [];
  return query.split("&").map((pair) => pair.split("=").map(decodeURIComponent));
}

export function withoutNulls(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
