// The module gets JSON text and plain copies. The browser writes them, so that no proxy, getter or cycle
// reaches the module, and nothing is lost or changed silently.

import { invalid, isRemitError } from "../errors/errors.js";

const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 64;

// A bigint in the text that JSON.stringify writes: see `#bigint`.
const BIGINT = /^\ud800-?\d+$/;
const QUOTED_BIGINT = /"\\ud800(-?\d+)"/g;
const LONE_SURROGATE = /\p{Surrogate}/u;

// Safari before 15.4 lacks `Object.hasOwn`.
const hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name);

/** Returns whether a text has no lone surrogate. */
export const isWellFormed = "".isWellFormed
  ? (text) => text.isWellFormed()
  : (text) => !LONE_SURROGATE.test(text);

/** Returns the JSON text of an object that a caller passed as argument `name`. */
export function toJson(value, name, code = "InvalidRequest") {
  if (typeof value !== "object" || value === null) throw invalid(code, name, "an object");
  return toText(value, name, code).replace(QUOTED_BIGINT, "$1");
}

/** Returns a copy without proxies, getters and prototypes; `undefined` stays `undefined`. */
export function toPlain(value, name, code = "InvalidRequest") {
  const revive = (_, item) => (typeof item === "string" && BIGINT.test(item) ? BigInt(item.slice(1)) : item);
  return value === undefined ? undefined : JSON.parse(toText(value, name, code), revive);
}

/** Returns a member of an object that may hold more than plain data. */
export function readMember(object, member, name, code = "InvalidRequest") {
  if (typeof object !== "object" || object === null) throw invalid(code, name, "an object");
  try {
    return object[member];
  } catch (cause) {
    throw invalid(code, `${name}.${member}`, "readable", { cause });
  }
}

/** Returns the members of such an object, each read once. */
export function readMembers(object, name, code = "InvalidRequest") {
  if (typeof object !== "object" || object === null) throw invalid(code, name, "an object");
  try {
    return { ...object };
  } catch (cause) {
    throw invalid(code, name, "readable", { cause });
  }
}

// The interface has codes of its own for these ids.
const ID_CODES = { recipientId: "InvalidRecipientId", accId: "InvalidRecipientAccountId" };

/** Returns a string argument, such as an id. */
export function readText(value, name) {
  if (typeof value !== "string" || value.length > MAX_LENGTH || !isWellFormed(value)) {
    throw invalid(ID_CODES[name] ?? "InvalidRequest", name, "a string");
  }
  return value;
}

/** Returns the JSON text of any plain data. */
export function toText(value, name, code) {
  // Read each member only once: the first value of a getter counts.
  const copy = copyOfLiteral(value);
  if (copy !== undefined && isFlat(copy)) return JSON.stringify(copy);
  const copier = new Copier(value, name, code);
  let text;
  try {
    text = JSON.stringify(copier.copy(name, copy ?? value));
  } catch (cause) {
    throw isRemitError(cause) ? cause : invalid(code, name, "plain data that can be read", { cause });
  }
  if (text.length > MAX_LENGTH) throw copier.tooLong();
  return text;
}

// Returns undefined for anything but a readable literal. The copy inherits no `toJSON`.
function copyOfLiteral(value) {
  try {
    const isObject = typeof value === "object" && value !== null;
    return isObject && Object.getPrototypeOf(value) === Object.prototype
      ? { __proto__: null, ...value }
      : undefined;
  } catch {
    return undefined;
  }
}

// Returns whether all members are strings, whole numbers or booleans, as in most arguments: the fast path.
function isFlat(object) {
  let size = 0;
  for (const key in object) {
    const item = object[key];
    const isText = typeof item === "string";
    if (isText ? !isWellFormed(item) : typeof item !== "boolean" && !Number.isSafeInteger(item)) {
      return false;
    }
    size += key.length + (isText ? item.length : 0);
    if (!isWellFormed(key)) return false;
  }
  // JSON escapes a character by at most six.
  return size <= MAX_LENGTH / 8;
}

/**
 * Copies values to data that JSON.stringify writes as it is, and refuses what it would lose or change. Page
 * libraries give all arrays or objects a `toJSON`, which the copies do not have.
 */
class Copier {
  // What the caller passed; `copy` may get a copy of it.
  #original;
  #name;
  #code;
  #left = MAX_LENGTH;
  // The path of objects from the outermost to the current holder.
  #trail = [];

  constructor(original, name, code) {
    this.#original = original;
    this.#name = name;
    this.#code = code;
  }

  copy(key, given) {
    this.#spend(key.length + 1);
    if (!isWellFormed(key)) throw this.#refuse(key, "named by well-formed text");
    const item = asData(given);
    switch (typeof item) {
      case "string":
        this.#spend(item.length);
        if (!isWellFormed(item)) {
          throw this.#refuse(key, "well-formed text, without half a surrogate pair");
        }
        return item;
      case "bigint":
        return this.#bigint(key, item);
      case "number":
        return this.#number(key, item);
      case "object":
        return this.#object(key, item, given);
      case "undefined":
        // JSON omits it in an object, but writes null in an array.
        if (Array.isArray(this.#holder ?? [])) {
          throw this.#refuse(key, "a value, not undefined");
        }
        return item;
      case "boolean":
        return item;
      default:
        throw this.#refuse(key, `plain data, not a ${typeof item}`);
    }
  }

  get #holder() {
    return this.#trail[this.#trail.length - 1]?.object;
  }

  tooLong() {
    return invalid(this.#code, this.#name, `no more than ${MAX_LENGTH} characters of JSON`);
  }

  // JSON.stringify writes no bigints. A lone surrogate marks one until the text is written: no text that
  // passes here has one, so none can be taken for a number.
  #bigint(key, value) {
    // Also accepted in the amounts of a related record, such as a spread quote: the core drops these.
    const isInAmount = key === "value" && hasOwn(this.#holder ?? {}, "currency");
    if (!isInAmount && !this.#isAmount(key)) {
      throw this.#refuse(key, "a number or a string: a bigint stands for the amount of a request alone");
    }
    return `\ud800${value}`;
  }

  #number(key, number) {
    const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
    if (isExact) return number;
    if (this.#code === "InvalidRequest" && this.#isAmount(key)) {
      throw invalid("InvalidAmount", key, "a whole number of minor units, at least 0 (a bigint beyond 2^53)");
    }
    throw this.#refuse(key, "a finite number, up to 2^53: beyond it none is exact");
  }

  // Returns whether it is the amount of a request.
  #isAmount(key) {
    return key === "amount" && this.#trail.length === 1;
  }

  #object(key, object, given) {
    if (object === null) {
      // JSON also writes null for an invalid date and the like.
      if (given !== null) throw this.#refuse(key, "a value that JSON can hold, such as a valid date");
      return null;
    }
    const trail = this.#trail;
    if (trail.length > 0 && (object === this.#original || trail.some((entry) => entry.object === object))) {
      throw this.#refuse(key, "free of circular references");
    }
    if (trail.length === MAX_DEPTH) throw this.#refuse(key, `nested no deeper than ${MAX_DEPTH} levels`);
    const isList = Array.isArray(object);
    if (!isList) {
      // Accept literals of any realm. A Map, a Promise or a class instance would lose its content.
      const prototype = Object.getPrototypeOf(object);
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        throw this.#refuse(key, "plain data: an object literal, an array, a string, a number or a boolean");
      }
    }
    trail.push({ object, key });
    const copy = isList ? [] : { __proto__: null };
    if (isList) {
      Object.defineProperty(copy, "toJSON", { __proto__: null, value: undefined });
      const { length } = object;
      for (let at = 0; at < length; at += 1) copy[at] = this.copy(`${at}`, object[at]);
    } else {
      for (const name of Object.keys(object)) copy[name] = this.copy(name, object[name]);
    }
    trail.pop();
    return copy;
  }

  #spend(length) {
    this.#left -= length;
    if (this.#left < 0) throw this.tooLong();
  }

  // Names a path such as `fields[2].value`, or the argument itself.
  #refuse(key, expected) {
    const [whole, ...inner] = this.#trail;
    let path = "";
    let holder = whole?.object;
    for (const entry of whole === undefined ? [] : [...inner, { key }]) {
      const dot = path === "" ? "" : ".";
      path += Array.isArray(holder) ? `[${entry.key}]` : dot + entry.key;
      holder = entry.object;
    }
    return invalid(this.#code, whole === undefined ? this.#name : path, expected);
  }
}

// Applies a value's own `toJSON`, or that of its class. Dates are read directly, as libraries replace theirs.
function asData(value) {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value;
  if (typeof toJSON !== "function") return value;
  if (Object.prototype.toString.call(value) === "[object Date]") {
    return Number.isNaN(+value) ? null : Date.prototype.toISOString.call(value);
  }
  const isOfPage = toJSON === Array.prototype.toJSON || toJSON === Object.prototype.toJSON;
  return isOfPage && !hasOwn(value, "toJSON") ? value : value.toJSON();
}
