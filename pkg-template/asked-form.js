import { readAnswer } from "./answer.js";
import { invalid } from "./errors.js";
import { compile, fits } from "./pattern.js";
import { isWellFormed, toJson } from "./plain.js";

// What is given for a field, as the core numbers it in the lowest bits of a note, and a bit for what matches its pattern.
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
// What is longer is read as all other data of the page.
const LONGEST = 100_000;

/** What a fields endpoint asked for, and the core's rules for it. */
export class AskedForm {
  #wanted;
  #notes;

  constructor(core, fieldSets) {
    this.core = core;
    this.fieldSets = fieldSets;
    this.requiresCard = core.requiresCard;
    const known = new Set();
    this.#wanted = readAnswer(core.wanted()).map(([id, isPhone, reads, pattern, longest]) => {
      const isNew = !known.has(id);
      known.add(id);
      // What all objects have is nobody's value.
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
    this.#notes = new Uint32Array(2 * this.#wanted.length);
  }

  /** The problems of values. Facts are noted here, with the engine's own patterns, and the core judges them in one crossing. */
  check(values) {
    // What a form of the page holds is mostly strings, which nothing can be wrong with; all else goes the way of all data.
    if (!this.#noteSafely(values)) {
      this.#note(plainObject(values), false);
    }
    const answer = this.core.check(this.#notes);
    return answer === "" ? [] : readAnswer(answer);
  }

  /** The `fields` of a request. */
  toFields(values) {
    return readAnswer(this.core.toFields(toJson(values, "values")));
  }

  // What the page gives may throw when it is read. What is not noted here is read again, as all other data of the page.
  #noteSafely(values) {
    try {
      return Object.getPrototypeOf(values) === Object.prototype && this.#note(values, true);
    } catch {
      return false;
    }
  }

  /** Whether the values are noted. With `isStrict` they are not where they hold more than strings and phone numbers. */
  #note(values, isStrict) {
    const notes = this.#notes;
    let unknown = Object.keys(values).length;
    let size = 0;
    let at = 0;
    for (const wanted of this.#wanted) {
      const { id, isPhone, pattern, longest, read } = wanted;
      const value = wanted.isCommon && !Object.hasOwn(values, id) ? undefined : values[id];
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
        if (isStrict && !(isPhone ? holdsTexts(value) : !wanted.isNew)) {
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
      if (wanted.isNew && (value !== undefined || Object.hasOwn(values, id))) {
        unknown -= 1;
      }
      let facts = given;
      let reading = 0;
      if (text === undefined) {
        facts |= MATCHES;
      } else {
        const { length } = text;
        size += length;
        // What is too long is refused whatever it matches.
        if (length > longest || fits(pattern, text) !== false) {
          facts |= MATCHES;
        }
        facts |= Math.min(length, 65_535) << 4;
        if (read !== undefined) {
          reading = read(text);
        }
      }
      notes[at] = facts;
      notes[at + 1] = reading;
      at += 2;
    }
    return !isStrict || (unknown === 0 && size <= LONGEST);
  }
}

// What JSON makes of them, as it is for all data of the page.
function plainObject(values) {
  const plain = JSON.parse(toJson(values, "values"));
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
    throw invalid("InvalidRequest", "values", "an object");
  }
  return plain;
}

// How to read of a text what the core asks for.
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

// Whether it is a literal that holds texts alone.
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
  // Mostly it is told by the first character.
  return !(first > 32 && first < 127) && BLANK_TEXT.test(text);
}
