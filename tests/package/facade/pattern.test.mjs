// The matcher for the service's patterns, whose time is bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../../chaos/chance.mjs";
import { load } from "./kit.mjs";

const { compile, fits, matches } = await load("pattern.js");

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

const CLASSES = ["[ab]", "[^a]", ".", "\\d", "\\w", "[\\]a]", "[^]"];
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
  for (let tried = 0; tried < 20_000; ) {
    const source = pattern(3);
    let engine;
    try {
      engine = new RegExp(source);
    } catch {
      continue;
    }
    const text = list(0, 6, () => chance.pick([..."ab1-.] "]));
    assert.equal(fits(compile(`(?:${source})${many}`), text), engine.test(text), `${source} on ${text}`);
    tried += 1;
  }
});
