// Matches the service's patterns in bounded time. The engine's matcher backtracks through every way to split
// a text, and some patterns have more ways than a page can wait for.

// A form checks the same patterns repeatedly, and compiling one takes longer than matching it.
const MAX_PATTERNS = 256;
const compiled = new Map();

// The engine's matcher gets what it can split in no more ways than this, which takes milliseconds.
const MAX_WAYS = 2 ** 21;
// A longer pattern and text together, or more steps, are left to the service. This is hundredths of a second.
const MAX_LENGTH = 20_000;
const MAX_STEPS = 50_000;

const ESCAPES_AND_CLASSES = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;
const TOKEN = /\((?:\?(?:[:=!]|<[^>=!]+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\[(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^])|[^]/giy;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;
// Back-references and look-behind are left to the service.
const UNSUPPORTED = /^\\[\dk]$|^\?$/;

/** Whether the text matches the service's pattern; undefined if that cannot be determined here. */
export function matches(pattern, text) {
  if (!compiled.has(pattern)) {
    if (compiled.size === MAX_PATTERNS) {
      compiled.clear();
    }
    compiled.set(pattern, compile(pattern));
  }
  return fits(compiled.get(pattern), text);
}

/** Whether the text matches a compiled pattern; undefined without one, or if it takes too long. */
export function fits(pattern, text) {
  try {
    return pattern?.(text);
  } catch {
    return undefined;
  }
}

/** Compiles a pattern to a function of the text; undefined for one that the engine rejects. */
export function compile(pattern) {
  let whole;
  try {
    whole = new RegExp(pattern);
  } catch {
    return undefined;
  }
  const choices = choicesOf(pattern);
  let part;
  return (text) => {
    if ((text.length + 2) ** choices <= MAX_WAYS) {
      return whole.test(text);
    }
    if (pattern.length + text.length > MAX_LENGTH) {
      return undefined;
    }
    part ??= read(pattern);
    const starts = new Set(Array(text.length + 1).keys());
    return part(starts, { text, left: MAX_STEPS }).size > 0;
  };
}

/**
 * Counts the places where the engine chooses how far to match, each with at most one choice per letter of the
 * text; infinite if a group is repeated.
 */
function choicesOf(pattern) {
  const plain = pattern
    .replace(ESCAPES_AND_CLASSES, (part) => (/^\\[\dk]/.test(part) ? "a+" : "a"))
    .replace(/\(\?/g, "(")
    .replace(/([^)])\{\d+\}/g, "$1");
  const begins = plain[0] === "^" && !plain.includes("|") ? 0 : 1;
  return /\)[*+{]/.test(plain) ? Infinity : begins + (plain.match(/[*+?{|]/g)?.length ?? 0);
}

/**
 * Parses a pattern that the engine accepts. Each part becomes a function from the positions in a text where
 * it may begin to those where it may end: a position counts once, however many ways lead there.
 */
function read(pattern) {
  const tokens = pattern.match(TOKEN);
  let at = 0;

  const readBranches = () => {
    const branches = [];
    do {
      const parts = [];
      while (at < tokens.length && !/^[|)]$/.test(tokens[at])) {
        parts.push(readPart());
      }
      branches.push((starts, run) => parts.reduce((ends, part) => part(ends, run), starts));
    } while (tokens[at++] === "|");
    return (starts, run) => {
      const ends = new Set();
      for (const branch of branches) {
        spend(run, starts);
        branch(starts, run).forEach((end) => ends.add(end));
      }
      return ends;
    };
  };

  const readPart = () => {
    const token = tokens[at++];
    let part = token[0] === "(" ? readBranches() : single(token);
    if (/^\(\?[=!]/.test(token)) {
      part = lookingAhead(part, token === "(?=");
    }
    const [, sign, least, comma, most] = QUANTIFIER.exec(tokens[at]) ?? [];
    if (sign === undefined && least === undefined) {
      return part;
    }
    at += 1;
    return repeated(
      part,
      Number(least ?? sign === "+"),
      sign === "?" ? 1 : Number(comma === "" ? least : most || Infinity),
    );
  };

  return readBranches();
}

/** A single character, class or assertion. */
function single(token) {
  if (UNSUPPORTED.test(token)) {
    throw new Error("left to the service");
  }
  const character = new RegExp(token, "y");
  return (starts, run) => {
    spend(run, starts);
    const ends = new Set();
    for (const start of starts) {
      character.lastIndex = start;
      if (character.test(run.text)) {
        ends.add(character.lastIndex);
      }
    }
    return ends;
  };
}

function repeated(part, least, most) {
  return (starts, run) => {
    let ends = starts;
    let count = 0;
    for (; count < least && ends.size > 0; count += 1) {
      spend(run, ends);
      ends = part(ends, run);
    }
    const all = new Set(ends);
    for (; count < most && ends.size > 0; count += 1) {
      spend(run, ends);
      ends = new Set([...part(ends, run)].filter((end) => !all.has(end)));
      ends.forEach((end) => all.add(end));
    }
    return all;
  };
}

function lookingAhead(part, isWanted) {
  return (starts, run) =>
    new Set([...starts].filter((start) => part(new Set([start]), run).size > 0 === isWanted));
}

function spend(run, starts) {
  run.left -= 1 + starts.size;
  if (run.left < 0) {
    throw new Error("left to the service");
  }
}
