// The patterns of the service, held to a text in bounded time. The engine's own matcher goes back to try each
// way in which a text can be taken apart, and some patterns have more of them than anybody can wait for.

// A form checks the same patterns again and again, and to compile one takes longer than to try it.
const MOST_PATTERNS = 256;
const compiled = new Map();

// The engine's own matcher is given what it cannot try in more ways than these, which takes it some
// milliseconds.
const MOST_WAYS = 2 ** 21;
// What is longer, pattern and text together, or takes more steps is left to the service. That is some
// hundredths of a second.
const LONGEST = 20_000;
const MOST_STEPS = 50_000;

const ESCAPES_AND_CLASSES = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;
const TOKEN = /\((?:\?(?:[:=!]|<[^>=!]+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\[(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^])|[^]/giy;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;
// What a group has matched, and what is looked back at: these are left to the service.
const UNKNOWN = /^\\[\dk]$|^\?$/;

/** Whether the text matches the service's pattern; undefined if that cannot be told here. */
export function matches(pattern, text) {
  if (!compiled.has(pattern)) {
    if (compiled.size === MOST_PATTERNS) {
      compiled.clear();
    }
    compiled.set(pattern, compile(pattern));
  }
  return fits(compiled.get(pattern), text);
}

/** Whether the text matches; undefined where there is no pattern, or it cannot be told in time. */
export function fits(pattern, text) {
  try {
    return pattern?.(text);
  } catch {
    return undefined;
  }
}

/**
 * How a text is held to the pattern; undefined for one that does not compile here, which is left to the
 * service.
 */
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
    if ((text.length + 2) ** choices <= MOST_WAYS) {
      return whole.test(text);
    }
    if (pattern.length + text.length > LONGEST) {
      return undefined;
    }
    part ??= read(pattern);
    const starts = new Set(Array(text.length + 1).keys());
    return part(starts, { text, left: MOST_STEPS }).size > 0;
  };
}

/**
 * How often the engine has to choose how far to go, of no more ways than the text has letters; without end
 * where a group is repeated.
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
 * Reads a pattern that the engine has compiled. Each part of it becomes a function from the places of a text
 * where it may begin to those where it may then end: a place counts once, however many ways lead there.
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
    return repeated(part, Number(least ?? sign === "+"), sign === "?" ? 1 : Number(comma === "" ? least : most || Infinity));
  };

  return readBranches();
}

/** One sign, or what holds between two. */
function single(token) {
  if (UNKNOWN.test(token)) {
    throw new Error("left to the service");
  }
  const sign = new RegExp(token, "y");
  return (starts, run) => {
    spend(run, starts);
    const ends = new Set();
    for (const start of starts) {
      sign.lastIndex = start;
      if (sign.test(run.text)) {
        ends.add(sign.lastIndex);
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
  return (starts, run) => new Set([...starts].filter((start) => part(new Set([start]), run).size > 0 === isWanted));
}

function spend(run, starts) {
  run.left -= 1 + starts.size;
  if (run.left < 0) {
    throw new Error("left to the service");
  }
}
