// What plain JSON says of a value, found without the SDK, and what stands in a text that was sent.

/** No JSON says what the value is. */
export const UNSAYABLE = Symbol("unsayable");

const BIGINT = "\u0001bigint ";
/** Objects that JSON makes empty: what they hold would be lost. */
const EMPTIED = /^\[object (Map|Set|WeakMap|WeakSet|ArrayBuffer|SharedArrayBuffer|DataView|Promise|RegExp|Generator|Error)\]$/;
// Strings are matched whole, so that digits in them are no numbers.
const WIDE_NUMBER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** A value as JSON says it, with bigints; `undefined` where it says nothing. */
export function said(value) {
  let text;
  try {
    text = JSON.stringify(readOnce(value), function (key, item) {
      if (typeof item === "bigint") return `${BIGINT}${item}`;
      if (typeof item === "number" && !Number.isFinite(item)) throw new Error("no number of JSON");
      if (typeof item === "function" || typeof item === "symbol") throw new Error("no value of JSON");
      if (item === undefined && Array.isArray(this)) throw new Error("it would become null");
      if (typeof item === "object" && item !== null && EMPTIED.test(Object.prototype.toString.call(item))) {
        throw new Error("it would become empty");
      }
      return item;
    });
  } catch {
    return UNSAYABLE;
  }
  if (text === undefined) return undefined;
  return JSON.parse(text, (_, item) =>
    typeof item === "string" && item.startsWith(BIGINT) ? BigInt(item.slice(BIGINT.length)) : item,
  );
}

// JSON.stringify reads `toJSON` before the members. A literal's members are read once here, and never again.
function readOnce(value) {
  try {
    return Object.getPrototypeOf(value) === Object.prototype ? { __proto__: null, ...value } : value;
  } catch {
    return value;
  }
}

/** What a JSON text says, whole numbers beyond 2^53 digit by digit. */
export function read(text) {
  const marked = text.replace(WIDE_NUMBER, (found) => (found.startsWith('"') ? found : JSON.stringify(BIGINT + found)));
  return JSON.parse(marked, (_, item) =>
    typeof item === "string" && item.startsWith(BIGINT) ? BigInt(item.slice(BIGINT.length)) : item,
  );
}

/** Whether two plain values say the same. `5n` and `5` do. */
export function same(a, b) {
  if (typeof a === "bigint" || typeof b === "bigint") {
    return isWhole(a) && isWhole(b) && BigInt(a) === BigInt(b);
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

/** What a query is for an object of JSON: its members in order, without those that are null. */
export function queryOf(object) {
  return Object.entries(object)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, typeof value === "string" ? value : String(value)]);
}

/** The members of a query as it was sent. */
export function readQuery(query) {
  if (query === "") return [];
  return query.split("&").map((pair) => {
    const [name, value] = pair.split("=");
    return [decodeURIComponent(name), decodeURIComponent(value)];
  });
}

/** An object without the members that are null. */
export function withoutNulls(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function isWhole(value) {
  return typeof value === "bigint" || Number.isInteger(value);
}
