import { compile, fits } from "./pattern.js";
import { invalid, isWellFormed, readAnswer, toJson } from "./transfer-imports.js";

// The kind of a value in a result's lowest bits, as the core numbers it, and the bit of a match.
const ABSENT = 0;
const NULL = 1;
const BLANK = 2;
const TEXT = 3;
const NUMBER = 4;
const OTHER = 5;
const MATCHES = 8;

const DATE = /^\d{4}-\d\d-\d\d$/;
const NUMBER_UP_TO_9 = /^[+-]?\d{1,9}$/;

const BLANK_TEXT = /^\p{White_Space}*$/u;
// Longer values are copied to plain data first.
const MAX_LENGTH = 100_000;

/** A form of the core: the fields of one reply, and their rules. */
export class FieldFormHandle {
  #probes;
  #results;

  constructor(core, fieldSets) {
    this.core = core;
    this.fieldSets = fieldSets;
    this.requiresCard = core.requiresCard;
    const known = new Set();
    this.#probes = readAnswer(core.probes()).map(([id, isPhone, reads, pattern, longest]) => {
      const isNew = !known.has(id);
      known.add(id);
      return {
        id,
        isPhone: isPhone === 1,
        read: reader(reads),
        pattern: pattern === undefined ? undefined : compile(pattern),
        longest: longest ?? Infinity,
        isNew,
        isInherited: id in Object.prototype,
      };
    });
    this.#results = new Uint32Array(2 * this.#probes.length);
  }

  /** Returns the problems of values: probes them here, and has the core judge them in one crossing. */
  check(values) {
    // Plain strings, as in most forms, are safe to read directly. Copy anything else to plain data.
    if (!this.#probeSafely(values)) this.#probe(plainObject(values), false);
    const answer = this.core.check(this.#results);
    return answer === "" ? [] : readAnswer(answer);
  }

  /** Returns the `fields` of a request. */
  toFields(values) {
    return readAnswer(this.core.toFields(toJson(values, "values")));
  }

  // Reading the page's values may throw.
  #probeSafely(values) {
    try {
      return Object.getPrototypeOf(values) === Object.prototype && this.#probe(values, true);
    } catch {
      return false;
    }
  }

  /** Probes the values, and returns whether it could; with `isStrict` only strings and phone numbers. */
  #probe(values, isStrict) {
    const results = this.#results;
    let unknown = Object.keys(values).length;
    let size = 0;
    let at = 0;
    for (const probe of this.#probes) {
      const { id, isPhone, pattern, longest, read } = probe;
      const value = probe.isInherited && !Object.hasOwn(values, id) ? undefined : values[id];
      let text;
      let given = ABSENT;
      if (typeof value === "string") {
        if (isStrict && !isWellFormed(value)) return false;
        text = value;
        given = isBlank(value) ? BLANK : isPhone ? OTHER : TEXT;
      } else if (value === null) {
        given = NULL;
      } else if (value !== undefined) {
        if (isStrict && !(isPhone ? holdsTexts(value) : !probe.isNew)) return false;
        given = OTHER;
        if (isPhone) {
          const { number } = value;
          if (typeof number === "string" && !isBlank(number)) {
            given = TEXT;
            text = number;
          }
        } else if (typeof value === "number") {
          given = NUMBER;
          text = JSON.stringify(value);
        }
      }
      if (probe.isNew && (value !== undefined || Object.hasOwn(values, id))) unknown -= 1;
      let facts = given;
      let reading = 0;
      if (text === undefined) {
        facts |= MATCHES;
      } else {
        const { length } = text;
        size += length;
        // A text that is too long is refused anyway.
        if (length > longest || fits(pattern, text) !== false) facts |= MATCHES;
        facts |= Math.min(length, 65_535) << 4;
        if (read !== undefined) reading = read(text);
      }
      results[at] = facts;
      results[at + 1] = reading;
      at += 2;
    }
    return !isStrict || (unknown === 0 && size <= MAX_LENGTH);
  }
}

function plainObject(values) {
  const plain = JSON.parse(toJson(values, "values"));
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
    throw invalid("InvalidRequest", "values", "an object");
  }
  return plain;
}

// Returns the function that reads the number for a rule from a text.
function reader(reads) {
  if (Array.isArray(reads)) {
    const places = new Map(reads.map((text, index) => [text, index + 1]));
    return (text) => places.get(text) ?? 0;
  }
  switch (reads) {
    case 1:
      return (text) => (DATE.test(text) ? Number(text.replaceAll("-", "")) : 0);
    case 2:
      return (text) => (NUMBER_UP_TO_9.test(text) ? 2 ** 31 + Number(text) : 0);
    default:
      return undefined;
  }
}

// Returns whether it is a plain object of well-formed texts.
function holdsTexts(value) {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "string" || !isWellFormed(member)) return false;
  }
  return true;
}

function isBlank(text) {
  // The first character usually decides.
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 127) && BLANK_TEXT.test(text);
}
