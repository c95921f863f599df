// Matches the service's patterns as the engine of their author would, in bounded time: what other engines
// read otherwise is left to the service, and so is what takes too long. The engine's matcher backtracks
// through every way to split a text, and some patterns have more ways than a page can wait for.

// A form checks the same patterns repeatedly, and compiling one takes longer than matching it.
const MAX_PATTERNS = 256;
const compiled = new Map();

// The engine's matcher gets what it can split in no more ways than this, which takes milliseconds.
const MAX_WAYS = 2 ** 21;
// A longer pattern and text together, or more steps, are left to the service. This is hundredths of a second.
const MAX_LENGTH = 20_000;
const MAX_STEPS = 50_000;

const ESCAPES_AND_CLASSES = /\\(?:p\{\w+\}|[^])|\[(?:\\[^]|[^\]\\])*\]/gi;
const TOKEN = /\((?:\?[:=!])?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\[(?:\\[^]|[^\]\\])*\]|\\(?:p\{\w+\}|u[\da-f]{4}|x[\da-f]{2}|[^])|[^]/giy;
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

/** Compiles a pattern to a function of the text; undefined for one whose meaning is not certain. */
export function compile(pattern) {
  let translated;
  let whole;
  try {
    translated = translate(pattern);
    whole = new RegExp(translated.source, translated.flags);
  } catch {
    return undefined;
  }
  const { source, flags, doubts } = translated;
  const choices = choicesOf(source);
  const isDoubtful = doubts === "" ? undefined : new RegExp(doubts, "u");
  let part;
  const matchesPart = (text) => {
    if (source.length + text.length > MAX_LENGTH) {
      return undefined;
    }
    part ??= read(source, flags);
    const starts = new Set(Array(text.length + 1).keys());
    return part(starts, { text, left: MAX_STEPS }).size > 0;
  };
  return (text) => {
    const isMatch = (text.length + 2) ** choices <= MAX_WAYS ? whole.test(text) : matchesPart(text);
    return isMatch === false && isDoubtful?.test(text) ? undefined : isMatch;
  };
}

// The texts that engines disagree about, by the part of a pattern.
const LINE_ENDS = "[\\n-\\r\\x85\\u2028\\u2029]";
const NOT_ASCII = "[^\\0-\\x7f]";
const OTHER_DIGITS = "(?!\\d)\\p{Nd}";
const OTHER_SPACES = "[\\x1c-\\x1f\\x85\\u180e\\ufeff]|(?![\\t-\\r ])\\s";
// What UTF-16 writes with two units is one character or two.
const TWO_UNITS = "[\\ud800-\\udfff\\u{10000}-\\u{10ffff}]";
const UNASSIGNED = "\\p{Cn}";
const DOUBTS = {
  ".": [LINE_ENDS, TWO_UNITS],
  $: [LINE_ENDS],
  "[^": [TWO_UNITS],
  b: [NOT_ASCII],
  d: [OTHER_DIGITS, TWO_UNITS],
  i: [NOT_ASCII],
  m: [LINE_ENDS],
  p: [UNASSIGNED, TWO_UNITS],
  s: [OTHER_SPACES, TWO_UNITS, LINE_ENDS],
  v: [LINE_ENDS],
  w: [NOT_ASCII],
  z: [LINE_ENDS],
};

const OPTIONS = /^\(\?([ims]+)\)/;
// The notation of a whole pattern in PHP and in JavaScript's source: `/^a$/i`.
const BETWEEN_SLASHES = /^\/[^]*\/\w*$/;
const PIECE =
  /\\(?:p(?:\{\w+\}|\w)|x[\da-f]{2}|u[\da-f]{4}|[^])|\((?:\?(?:[:=!]|<[=!]|P?<[a-z_]\w*>|'[a-z_]\w*'))?|\[\^?|\{(?:\d+(?:,\d*)?\})?|[^]/giu;
const GROUP_NAME = /^\(\?(?:P?<\w|')/;
const CLASS_OF_ESCAPE = /^\\[dpsw]/i;
const CATEGORY = /^\\[pP]\{?([CLMNPSZ][a-z]?)\}?$/;
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const KNOWN_ESCAPE = /^[bBdDfnrsStvwW]$/;
const MAY_MATCH_NOTHING = /\||\)(?:[*?]|\{0)/;

/**
 * Translates a pattern to the engine's notation with the flag `u`, its `flags`, and `doubts`, a pattern of the
 * texts that engines disagree about.
 *
 * @throws if engines disagree about the pattern itself.
 */
function translate(pattern) {
  const [options = "", named = ""] = OPTIONS.exec(pattern) ?? [];
  if (BETWEEN_SLASHES.test(pattern)) leaveToService();
  const pieces = pattern.slice(options.length).match(PIECE) ?? [];
  const doubts = new Set();
  const addDoubts = (part) => DOUBTS[part]?.forEach((texts) => doubts.add(texts));
  [...named].forEach(addDoubts);

  const openGroups = [];
  const closedGroups = new Set();
  let groups = 0;
  let namesGroups = false;
  let refersToGroups = false;
  let isInClass = false;

  const translateEscape = (piece, next) => {
    const [, sign] = piece;
    const name = sign.toLowerCase();
    if (!/[a-z\d]/.test(name)) {
      return SYNTAX.test(sign) || (isInClass && sign === "-") ? piece : sign;
    }
    addDoubts(name);
    if (name === "p") {
      const [, category] = CATEGORY.exec(piece) ?? leaveToService();
      return `\\${sign}{${category}}`;
    }
    if (KNOWN_ESCAPE.test(sign) || (/[ux]/.test(sign) && piece.length > 2)) return piece;
    if (sign === "0" && !/\d/.test(next)) return piece;
    if (isInClass) leaveToService();
    if (sign === "A") return "^";
    if (name === "z") return "$";
    refersToGroups = true;
    return closedGroups.has(Number(sign)) && !/\d/.test(next) ? piece : leaveToService();
  };

  const translatePiece = (piece, at) => {
    const next = pieces[at + 1];
    if (piece[0] === "\\") return translateEscape(piece, next);
    if (isInClass) {
      // Set operations and named classes of other engines.
      if (piece[0] === "[" || (/^[&~-]$/.test(piece) && piece === next)) leaveToService();
      isInClass = piece !== "]";
      const isBesideClass = CLASS_OF_ESCAPE.test(pieces[at - 1]) || CLASS_OF_ESCAPE.test(next);
      return piece === "-" && isBesideClass ? "\\-" : piece;
    }
    addDoubts(piece);
    switch (piece[0]) {
      case "[":
        // Either an empty class, or one with a bracket.
        if (next === "]") leaveToService();
        isInClass = true;
        return piece;
      case "(": {
        if (piece === "(" && next === "?") leaveToService();
        const isNamed = GROUP_NAME.test(piece);
        namesGroups ||= isNamed;
        openGroups.push(isNamed || piece === "(" ? (groups += 1) : 0);
        return isNamed ? "(" : piece;
      }
      case ")":
        closedGroups.add(openGroups.pop());
        return piece;
      case "{":
        if (piece === "{" && next === ",") leaveToService();
        return piece === "{" ? "\\{" : piece;
      case "}":
      case "]":
        return `\\${piece}`;
      default:
        return piece;
    }
  };

  const source = pieces.map(translatePiece).join("");
  // Engines number named groups in different ways, and differ in what a group that matched nothing refers to.
  if (refersToGroups && (namesGroups || MAY_MATCH_NOTHING.test(source))) leaveToService();
  return { source, flags: named.includes("i") ? "iu" : "u", doubts: [...doubts].join("|") };
}

function leaveToService() {
  throw new Error("left to the service");
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
 * Parses a source that the engine accepts. Each part becomes a function from the positions in a text where
 * it may begin to those where it may end: a position counts once, however many ways lead there.
 */
function read(source, flags) {
  const tokens = source.match(TOKEN);
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
    let part = token[0] === "(" ? readBranches() : single(token, flags);
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
function single(token, flags) {
  if (UNSUPPORTED.test(token)) leaveToService();
  const character = new RegExp(token, `${flags}y`);
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
  if (run.left < 0) leaveToService();
}
