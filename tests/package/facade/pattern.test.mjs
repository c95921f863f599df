// The matcher for the service's patterns, whose time is bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../../chaos/chance.mjs";
import { load } from "./kit.mjs";

const { compile, fits, matches } = await load("core/pattern.js");

/** A slow processor's limit for one pattern; the engine's own matcher would take minutes or longer. */
const BOUND_MS = 1000;

const a = (count) => "a".repeat(count);

/** Asserts what a pattern says of texts, and that it took little processor time. */
function assertMatches(pattern, ...rows) {
  const began = process.cpuUsage();
  for (const [text, expected] of rows) assert.equal(matches(pattern, text), expected, pattern.slice(0, 40));
  const { user, system } = process.cpuUsage(began);
  assert.ok((user + system) / 1000 < BOUND_MS, pattern.slice(0, 40));
}

test("patterns with catastrophic backtracking still give an answer in time", () => {
  for (const [pattern, right, wrong] of [
    ["^([a-zA-Z]+ ?)+$", `${a(60)} ${a(60)}`, `${a(60)}!`],
    ["^(a|a)*$", a(200), `${a(200)}!`],
    ["(.*a){20}$", a(60), `${a(60)}b`],
    ["^(a?){30}a{30}$", a(30), a(29)],
    ["^(?=(a+)+$)a*$", a(99), `${a(99)}b`],
    ["^(((a*)*)*)*b$", `${a(300)}b`, a(300)],
    ["^\\d+\\d+\\d+\\d+\\d+$", "1".repeat(500), `${"1".repeat(500)}x`],
    [`^${"(a|a)".repeat(30)}b`, `${a(30)}b`, a(31)],
    ["^[^<]*$", a(1_000_000), `${a(100_000)}<`],
    ["^(?!(\\d)\\1+$)\\d{9}$", "111111112", "111111111"],
  ]) {
    assertMatches(pattern, [right, true], [wrong, false]);
  }
});

/** Patterns as their authors mean them, with texts that they accept and texts that they refuse. */
const MEANT = [
  ["^\\p{L}+$", ["Ana", "José", "Øyvind", "Αθηνά", "山田"], ["Ana1", "", "-"]],
  ["^[\\p{L}\\p{M}'\\- .]{2,50}$", ["D'Arcy-Ünal", "अनीता", "J. R."], ["A", "A;B"]],
  ["^\\pL[\\pL\\pN]*$", ["José2"], ["2José"]],
  ["^\\P{Nd}+$", ["abc"], ["a1"]],
  ["^\\p{Lu}\\p{Ll}+$", ["Ana", "Éva"], ["ana"]],
  ["\\A[0-9]{4}\\z", ["1234"], ["12345", "A1234z"]],
  ["\\A[0-9]{4}\\Z", ["1234"], ["12345"]],
  ["(?i)^[a-z]{4}\\d$", ["abcd1", "ABCD1"], ["ABC11"]],
  ["(?is)^a.c$", ["ABC"], ["AB"]],
  ["^(?<first>[A-Z])(?<rest>[a-z]+)$", ["Ana"], ["ana"]],
  ["^(?'first'[A-Z])[a-z]+$", ["Ana"], ["ana"]],
  ["^(?P<first>[A-Z])[a-z]+$", ["Ana"], ["ana"]],
  ["^[\\w-.]+@[\\w-]+\\.com$", ["a-b.c@d-e.com"], ["a b@c.com"]],
  ["^[\\p{L}-']+$", ["D'Arcy-Ana"], ["a;b"]],
  ["^\\#\\ \\@\\_\\\"\\<\\-$", ["# @_\"<-"], ["x"]],
  ["^a{b}]$", ["a{b}]"], ["ab"]],
  ["^(?<!x)[0-9]{3}(?<=3)$", ["123"], ["124"]],
  ["^([0-9])\\1$", ["11"], ["12"]],
];

test("a pattern means what its author's engine means", () => {
  for (const [pattern, accepted, refused] of MEANT) {
    for (const text of accepted) assert.equal(matches(pattern, text), true, `${pattern} on ${text}`);
    for (const text of refused) assert.equal(matches(pattern, text), false, `${pattern} on ${text}`);
  }
});

test("what engines read in different ways is left to the service", () => {
  for (const pattern of [
    // .NET: subtraction, blocks, options, comments, atomic and balancing groups, conditions.
    "^[a-z-[aeiou]]+$", "^\\p{IsGreek}+$", "(?x)^ a $", "(?n)^(a)$", "^(?i:a)$", "^a(?i)b$", "^(?#x)a$",
    "^(?>a)$", "^(?<a-b>a)$", "^(a)?(?(1)b|c)$", "^\\k<a>$", "^(?<a>a)\\1$", "\\Ga",
    // Java, PCRE, POSIX, Go, Python: classes, possessive quantifiers, quotes, escapes.
    "^[[:alpha:]]+$", "^[a-z&&[^x]]+$", "^[\\p{L}--[a-z]]+$", "^[a[b]]$", "^[]a]+$", "^[^]a]+$", "^\\p{Alpha}+$",
    "^[^\\p{Punct}]$", "^\\p{^L}$", "^\\p{Greek}$", "^\\h$", "^\\H$", "^\\R$", "^\\X$", "^\\N$", "^\\Qa.b\\E$", "^\\e$",
    "^\\x{41}$", "^\\u{41}$", "^\\o{101}$", "^\\101$", "^a++$", "^a*+$", "^a{1,2}+$", "^(?|a|b)$", "^(?R)?$",
    "^a\\Kb$", "^a{,3}$", "(*UTF)^a$", "/^a$/", "/^a$/i", "^\\1(a)$", "^(?:(a)|b)\\1$", "^(a)?\\1$", "^\\cA$",
    "^\\i\\c*$", "^\\my$",
  ]) {
    for (const text of ["?", "Z", ""]) assert.equal(matches(pattern, text), undefined, `${pattern} on ${text}`);
  }
});

test("a text that engines read in different ways is never refused", () => {
  for (const [pattern, text] of [
    ["^\\d+$", "\u0661\u0662"],
    ["^[\\d ]+$", "१२"],
    ["^\\w+$", "José"],
    ["^\\bá", "xá"],
    ["^\\s$", "\u0085"],
    ["^[^\\s]+$", "a\u00a0b"],
    ["^[a-z]$", "a\n"],
    ["^a.b$", "a\u2028b"],
    ["^a..b$", "a😀b"],
    ["^[^b]{2}$", "😀"],
    ["(?i)^k$", "\u212a!"],
    ["(?m)^b$", "a\rc"],
    ["\\Aa\\Z", "a\n"],
    ["^\\p{L}$", "\u0378"],
  ]) {
    assert.equal(matches(pattern, text), undefined, `${pattern} on ${text}`);
  }
  // No engine accepts these.
  for (const [pattern, text] of [["^[a-z]+$", "a😀"], ["^\\d+$", "1é"], ["^[a-z ]+$", "José"], ["^\\s$", "é"]]) {
    assert.equal(matches(pattern, text), false, `${pattern} on ${text}`);
  }
});

test("a pattern that takes too long is soon left to the service", () => {
  for (const [pattern, text] of [
    ["\\d+\\d+\\d+$", `${"1".repeat(10_000)}x`],
    ["(x+x+)+y", "x".repeat(10_000)],
    ["^([a-zA-Z]+ ?)+$", a(1_000_000)],
    ["((?:){1000000}){1000000}x", "a"],
    ["(?<=(a+)+b)c", a(60)],
    ["^(.*)(.*)(.*)\\1\\2\\3x", a(200)],
    [`^${"(".repeat(20_000)}${")*".repeat(20_000)}`, "x"],
    [`^(${"a|".repeat(9_000)}b)*c`, a(200)],
    ["(", "a"],
  ]) {
    assertMatches(pattern, [text, undefined]);
  }
  assert.equal(fits(undefined, "a"), undefined);
});

const CLASSES = ["[ab]", "[^a]", ".", "\\d", "\\w", "[\\]a]", "[^\\s]"];
const SINGLE = [..."ab^$1-]{}", ...CLASSES, "\\b", "\\B", "\\x61", "\\u0062", "\\."];
const GROUPS = ["(", "(?:", "(?=", "(?!"];
const QUANTIFIERS = ["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??", "{0}", "{0,1}?"];

test("both pattern matchers give the same result", () => {
  const chance = new Chance(20261122, "patterns");
  const list = (low, high, item) => Array.from({ length: chance.between(low, high) }, item).join("");
  const part = (depth) => {
    const other = () => (chance.happens(33) ? `|${pattern(depth - 1)}` : "");
    const group = () => `${chance.pick(GROUPS)}${pattern(depth - 1)}${other()})`;
    const single = depth === 0 || chance.happens(67) ? chance.pick(SINGLE) : group();
    return single + (chance.happens(33) ? chance.pick(QUANTIFIERS) : "");
  };
  const pattern = (depth) => list(1, 4, () => part(depth));
  // So many empty choices that the engine's matcher is never used.
  const many = "(?:)?".repeat(22);
  let left = 0;
  for (let tried = 0; tried < 20_000; ) {
    const source = pattern(3);
    let engine;
    try {
      engine = new RegExp(source);
    } catch {
      continue;
    }
    const text = list(0, 6, () => chance.pick([..."ab1-.] "]));
    tried += 1;
    const found = [compile(source), compile(`(?:${source})${many}`)].map((pattern) => fits(pattern, text));
    const expected = found[0] === undefined ? undefined : engine.test(text);
    assert.deepEqual(found, [expected, expected], `${source} on ${text}`);
    if (expected === undefined) left += 1;
  }
  // Those that repeat an assertion.
  assert.ok(left < 5000, `${left} left to the service`);
});
