// The core reads JSON text and nothing else. The engine writes that text, so that no proxy, getter
// or cycle ever meets the core, and nothing is lost on the way in silence.

import { invalid, isRemitError } from "./errors.js";

const LONGEST = 1_000_000;
const DEEPEST = 64;

// As the core reads a bigint.
const BIGINT = /^\ud800-?\d+$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a text has no half of a surrogate pair. */
export const isWellFormed = "".isWellFormed ? (text) => text.isWellFormed() : (text) => !LONE_SURROGATE.test(text);

/** The JSON text of an object that a caller passed as argument `name`. */
export function toJson(value, name, code = "InvalidRequest") {
  if (typeof value !== "object" || value === null) {
    throw invalid(code, name, "an object");
  }
  return toText(value, name, code);
}

/** A copy without proxies, getters and prototypes; `undefined` stays what it is. */
export function toPlain(value, name, code = "InvalidRequest") {
  const revive = (_, item) => (typeof item === "string" && BIGINT.test(item) ? BigInt(item.slice(1)) : item);
  return value === undefined ? undefined : JSON.parse(toText(value, name, code), revive);
}

/** A member of an object that may hold more than plain data. */
export function readMember(object, member, name, code = "InvalidRequest") {
  if (typeof object !== "object" || object === null) {
    throw invalid(code, name, "an object");
  }
  try {
    return object[member];
  } catch (cause) {
    throw invalid(code, `${name}.${member}`, "readable", { cause });
  }
}

/** The members of such an object, each read once. */
export function readMembers(object, name, code = "InvalidRequest") {
  if (typeof object !== "object" || object === null) {
    throw invalid(code, name, "an object");
  }
  try {
    return { ...object };
  } catch (cause) {
    throw invalid(code, name, "readable", { cause });
  }
}

// The codes that the interface has for an id that is none.
const ID_CODES = { recipientId: "InvalidRecipientId", accId: "InvalidRecipientAccountId" };

/** A string argument, such as an id. */
export function readText(value, name) {
  if (typeof value !== "string" || value.length > LONGEST || !isWellFormed(value)) {
    throw invalid(ID_CODES[name] ?? "InvalidRequest", name, "a string");
  }
  return value;
}

function toText(value, name, code) {
  // Of a literal each member is read once, whatever comes of it: the first answer of a getter counts.
  const copy = copyOfLiteral(value);
  return copy !== undefined && isFlat(copy) ? JSON.stringify(copy) : judgedText(copy ?? value, value, name, code);
}

// Undefined for all that is no literal, or cannot be read. No `toJSON` is inherited by the copy.
function copyOfLiteral(value) {
  try {
    const isLiteral = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isLiteral ? { __proto__: null, ...value } : undefined;
  } catch {
    return undefined;
  }
}

// Whether it holds strings, whole numbers and truth values alone, as most that callers pass, with which
// nothing can be wrong.
function isFlat(object) {
  let size = 0;
  for (const key in object) {
    const item = object[key];
    const isText = typeof item === "string";
    if (isText ? !isWellFormed(item) : typeof item !== "boolean" && !Number.isSafeInteger(item)) {
      return false;
    }
    size += key.length + (isText ? item.length : 0);
    if (!isWellFormed(key)) {
      return false;
    }
  }
  // Each character becomes at most six.
  return size <= LONGEST / 8;
}

function judgedText(value, original, name, code) {
  const writer = new Writer(original, name, code);
  let text;
  try {
    text = JSON.stringify(value, function (key, item) {
      return writer.write(this, key, item);
    });
  } catch (cause) {
    throw isRemitError(cause) ? cause : invalid(code, name, "plain data that can be read", { cause });
  }
  if (text.length > LONGEST) {
    throw writer.tooLong();
  }
  return text;
}

/** Judges what JSON.stringify is about to write, value by value. */
class Writer {
  // What the caller passed, of which a copy may be written.
  #whole;
  #name;
  #code;
  #left = LONGEST;
  // From the outermost object to the one whose members are being written.
  #trail = [];

  constructor(whole, name, code) {
    this.#whole = whole;
    this.#name = name;
    this.#code = code;
  }

  write(holder, key, item) {
    const trail = this.#trail;
    while (trail.length > 0 && trail[trail.length - 1].object !== holder) {
      trail.pop();
    }
    this.#spend(key.length + 1);
    if (!isWellFormed(key)) {
      throw this.#refuse(key, "named by well-formed text");
    }
    switch (typeof item) {
      case "string":
        return this.#string(holder, key, item);
      case "bigint":
        return this.#bigint(key, item);
      case "number":
        return this.#number(key, item);
      case "object":
        return item === null ? this.#null(holder, key) : this.#object(key, item);
      case "undefined":
        // Absent in an object, but null in an array.
        if (Array.isArray(holder) || trail.length === 0) {
          throw this.#refuse(key, "a value, not undefined");
        }
        return item;
      case "boolean":
        return item;
      default:
        throw this.#refuse(key, `plain data, not a ${typeof item}`);
    }
  }

  tooLong() {
    return invalid(this.#code, this.#name, `no more than ${LONGEST} characters of JSON`);
  }

  #string(holder, key, text) {
    const original = holder[key];
    if (typeof original === "bigint") {
      // The page has given BigInt a toJSON, which would turn an amount into text.
      return this.#bigint(key, original);
    }
    this.#spend(text.length);
    if (!isWellFormed(text)) {
      throw this.#refuse(key, "well-formed text, without half a surrogate pair");
    }
    return text;
  }

  // JSON has no bigints. The core reads one by the half of a surrogate pair before it, which no text
  // has that is let through here, so that no text is taken for a number.
  #bigint(key, value) {
    // The core takes one as the amount of a request, and in the amounts of a record nearby, which it leaves
    // out.
    const isInAmount = key === "value" && Object.hasOwn(this.#trail.at(-1)?.object ?? {}, "currency");
    if (!isInAmount && !this.#isAmount(key)) {
      throw this.#refuse(key, "a number or a string: a bigint stands for the amount of a request alone");
    }
    return `\ud800${value}`;
  }

  #number(key, number) {
    const isUnsafe = !Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number));
    if (isUnsafe && this.#code === "InvalidRequest" && this.#isAmount(key)) {
      throw invalid("InvalidAmount", key, "a whole number of minor units, at least 0 (a bigint beyond 2^53)");
    }
    if (isUnsafe) {
      throw this.#refuse(key, "a finite number, up to 2^53: beyond it none is exact");
    }
    return number;
  }

  // Whether it is the amount of a request.
  #isAmount(key) {
    return key === "amount" && this.#trail.length === 1;
  }

  #null(holder, key) {
    if (holder[key] !== null) {
      throw this.#refuse(key, "a value that JSON can hold, such as a valid date");
    }
    return null;
  }

  #object(key, object) {
    const trail = this.#trail;
    if (trail.length > 0 && (object === this.#whole || trail.some((entry) => entry.object === object))) {
      throw this.#refuse(key, "free of references to itself");
    }
    if (trail.length === DEEPEST) {
      throw this.#refuse(key, `nested no deeper than ${DEEPEST} levels`);
    }
    if (!Array.isArray(object)) {
      // The object of any realm, or one without prototype. A Map, a Promise or a class would lose what it
      // holds.
      const prototype = Object.getPrototypeOf(object);
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        throw this.#refuse(key, "plain data: an object literal, an array, a string, a number or a boolean");
      }
    }
    trail.push({ object, key });
    return object;
  }

  #spend(length) {
    this.#left -= length;
    if (this.#left < 0) {
      throw this.tooLong();
    }
  }

  #refuse(key, expected) {
    return invalid(this.#code, this.#path(key), expected);
  }

  // Such as `fields[2].value`; the argument's own name for the whole of it.
  #path(key) {
    const [whole, ...inner] = this.#trail;
    if (whole === undefined) {
      return this.#name;
    }
    let path = "";
    let holder = whole.object;
    for (const entry of [...inner, { key }]) {
      const dot = path === "" ? "" : ".";
      path += Array.isArray(holder) ? `[${entry.key}]` : dot + entry.key;
      holder = entry.object;
    }
    return path;
  }
}
