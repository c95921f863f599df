import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../../chaos/chance.mjs";
import { load } from "./kit.mjs";

const { compile, fits, matches } = await load("pattern.js");

// What a slow processor may take for one pattern; the engine's own matcher would need minutes to ages.
const BOUND_MS = 1000;

/** Milliseconds that the processor has spent here, however busy the machine is. */
function spentMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const a = (count) => "a".repeat(count);

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
  ]) {
    const began = spentMs();
    assert.deepEqual([matches(pattern, right), matches(pattern, wrong)], [true, false], pattern);
    assert.ok(spentMs() - began < BOUND_MS, pattern);
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
  ]) {
    const began = spentMs();
    assert.equal(matches(pattern, text), undefined, pattern.slice(0, 40));
    assert.ok(spentMs() - began < BOUND_MS, pattern.slice(0, 40));
  }
  assert.equal(matches("(", "a"), undefined);
  assert.equal(fits(undefined, "a"), undefined);
});

test("the service's patterns get an answer for text of any length", () => {
  assert.equal(matches("^[^<]*$", `${a(1_000_000)}<`), false);
  assert.equal(matches("^[a-z]+$", a(100_000)), true);
  assert.equal(matches("^(?!(\\d)\\1+$)\\d{9}$", "111111111"), false);
  assert.equal(matches("^(?!(\\d)\\1+$)\\d{9}$", "111111112"), true);
});

const SINGLE = ["a", "b", "[ab]", "[^a]", ".", "\\d", "\\w", "\\b", "^", "$", "1", "\\x61", "\\u0062", "[\\]a]", "-", "[^]", "\\B", "]", "\\.", "{", "}"];
const GROUPS = ["(", "(?:", "(?=", "(?!"];
const QUANTIFIERS = ["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??", "{0}", "{0,1}?"];

test("both pattern matchers give the same result", () => {
  const chance = new Chance(20261122, "patterns");
  const part = (depth) => {
    const group = () => `${chance.pick(GROUPS)}${pattern(depth - 1)}${chance.happens(33) ? `|${pattern(depth - 1)}` : ""})`;
    const single = depth === 0 || chance.happens(67) ? chance.pick(SINGLE) : group();
    return single + (chance.happens(33) ? chance.pick(QUANTIFIERS) : "");
  };
  const pattern = (depth) => Array.from({ length: chance.between(1, 4) }, () => part(depth)).join("");
  // So many choices that no text is for the engine; each of them is of nothing.
  const many = "(?:)?".repeat(22);
  let tried = 0;
  while (tried < 20_000) {
    const source = pattern(3);
    let engine;
    try {
      engine = new RegExp(source);
    } catch {
      continue;
    }
    const text = Array.from({ length: chance.between(0, 6) }, () => chance.pick(["a", "b", "1", "-", ".", "]", " "])).join("");
    assert.equal(fits(compile(`(?:${source})${many}`), text), engine.test(text), `${source} on ${text}`);
    tried += 1;
  }
});
