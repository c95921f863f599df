import { compile, fits } from "./pattern.js";
import { invalid, isWellFormed, readAnswer, toJson } from "./transfer-imports.js";

// The kind of a value, as the core numbers it in a result's lowest bits, and a bit for a match of the
// pattern.
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
// Longer texts go by way of plain data.
const LONGEST = 100_000;

/** The fields of one reply of a fields endpoint, and the core's rules for them. */
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
      // A member that every object inherits is no value.
      return {
        id,
        isPhone: isPhone === 1,
        read: reader(reads),
        pattern: pattern === undefined ? undefined : compile(pattern),
        longest: longest ?? Infinity,
        isNew,
        isCommon: id in Object.prototype,
      };
    });
    this.#results = new Uint32Array(2 * this.#probes.length);
  }

  /**
   * The problems of values: probed here, with the engine's own patterns, and judged by the core in one
   * crossing.
   */
  check(values) {
    // Most forms hold plain strings, which are safe to read as they are. Copy anything else to plain data
    // first.
    if (!this.#probeSafely(values)) {
      this.#probe(plainObject(values), false);
    }
    const answer = this.core.check(this.#results);
    return answer === "" ? [] : readAnswer(answer);
  }

  /** The `fields` of a request. */
  toFields(values) {
    return readAnswer(this.core.toFields(toJson(values, "values")));
  }

  // Reading values of the page may throw. What can't be probed here is copied to plain data first.
  #probeSafely(values) {
    try {
      return Object.getPrototypeOf(values) === Object.prototype && this.#probe(values, true);
    } catch {
      return false;
    }
  }

  /** Whether the values were probed. With `isStrict` only strings and phone numbers are. */
  #probe(values, isStrict) {
    const results = this.#results;
    let unknown = Object.keys(values).length;
    let size = 0;
    let at = 0;
    for (const probe of this.#probes) {
      const { id, isPhone, pattern, longest, read } = probe;
      const value = probe.isCommon && !Object.hasOwn(values, id) ? undefined : values[id];
      let text;
      let given = ABSENT;
      if (typeof value === "string") {
        if (isStrict && !isWellFormed(value)) {
          return false;
        }
        text = value;
        given = isBlank(value) ? BLANK : isPhone ? OTHER : TEXT;
      } else if (value === null) {
        given = NULL;
      } else if (value !== undefined) {
        if (isStrict && !(isPhone ? holdsTexts(value) : !probe.isNew)) {
          return false;
        }
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
      if (probe.isNew && (value !== undefined || Object.hasOwn(values, id))) {
        unknown -= 1;
      }
      let facts = given;
      let reading = 0;
      if (text === undefined) {
        facts |= MATCHES;
      } else {
        const { length } = text;
        size += length;
        // Too long a text is refused whether it matches or not.
        if (length > longest || fits(pattern, text) !== false) {
          facts |= MATCHES;
        }
        facts |= Math.min(length, 65_535) << 4;
        if (read !== undefined) {
          reading = read(text);
        }
      }
      results[at] = facts;
      results[at + 1] = reading;
      at += 2;
    }
    return !isStrict || (unknown === 0 && size <= LONGEST);
  }
}

// A copy as plain data, as of everything the page passes in.
function plainObject(values) {
  const plain = JSON.parse(toJson(values, "values"));
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
    throw invalid("InvalidRequest", "values", "an object");
  }
  return plain;
}

// Reads a text as the core asks for it.
function reader(reads) {
  if (Array.isArray(reads)) {
    const places = new Map(reads.map((text, index) => [text, index + 1]));
    return (text) => places.get(text) ?? 0;
  }
  switch (reads) {
    case 1:
      return (text) => (DATE.test(text) ? text.slice(0, 4) * 10_000 + text.slice(5, 7) * 100 + Number(text.slice(8)) : 0);
    case 2:
      return (text) => (NUMBER_UP_TO_9.test(text) ? 2 ** 31 + Number(text) : 0);
    default:
      return undefined;
  }
}

// Whether it is a plain object of well-formed texts.
function holdsTexts(value) {
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    return false;
  }
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "string" || !isWellFormed(member)) {
      return false;
    }
  }
  return true;
}

function isBlank(text) {
  const first = text.charCodeAt(0);
  // The first character decides in most cases.
  return !(first > 32 && first < 127) && BLANK_TEXT.test(text);
}
