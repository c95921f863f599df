import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withFigures } from "./document.mjs";
import { FILLED_BY, SLOWER, ratioOf } from "./figures.mjs";
import { pictureOf } from "./picture.mjs";
import { refusalsOf } from "./refusals.mjs";
import { MARGIN, MARGIN_MS, foundIn, isClean, judge, movedFrom } from "./verdicts.mjs";

const DOCUMENT = join(import.meta.dirname, "../../docs/benchmark.md");
const RECORDED = join(import.meta.dirname, "recorded.json");

const judged = (measured, isTimed = true) => judge(foundIn(measured, isTimed), {});
const row = (sdk, handBuilt, more) => {
  return { group: "reply of quote", what: "rate is a text", sdk, handBuilt, good: false, ...more };
};
/** A measurement in which a quote of the SDK takes so many milliseconds, and one by hand 1. */
const quotes = (...sdk) => {
  const mini = sdk.map(() => 1);
  return { contests: { webkit: { "warm quote": { sdk, mini } } }, refusals: refusalsOf([row(true, true)]) };
};
const QUOTE = "warm quote, more than hand-built, WebKit";

test("a ratio is the median of the rounds' ratios, with their quartiles", () => {
  const { value, p25, p75 } = ratioOf({ a: [1, 2, 9], b: [2, 2, 3] }, "a", "b");
  assert.deepEqual([value, p25, p75], [1, 0.75, 2]);
  assert.equal(ratioOf({ a: [10, 2, 6], b: [10, 1, 4] }, "a", "b").value, 1.5);
  assert.equal(ratioOf({ a: [1] }, "a", "b"), undefined);
});

test("a value that the SDK alone accepts, or a refused good one, fails the run", () => {
  for (const one of [row(false, true), row(true, false, { good: true }), row(false, true, { good: true })]) {
    const refusals = refusalsOf([one]);
    assert.equal(refusals.differences.length, 1);
    assert.equal(isClean(judged({ refusals }, false)), false);
  }
  const good = row(false, false, { good: true });
  const refusals = refusalsOf([row(true, false), row(true, true), row(false, false), good]);
  const counts = { tried: 4, both: 1, "SDK alone": 1, "hand-built alone": 0, neither: 1 };
  assert.deepEqual(refusals.groups["reply of quote"], counts);
  assert.equal(isClean(judged({ refusals }, false)), true);
});

test("a value accepted on purpose is listed with its reason", () => {
  const accepted = row(false, true, { group: "input of createSender", what: "fields.0.value is -1" });
  const { differences, onPurpose } = refusalsOf([accepted]);
  assert.equal(differences.length, 0);
  assert.match(onPurpose[0].reason, /form/);
  assert.equal(refusalsOf([{ ...accepted, what: "fields.0.value is a map" }]).differences.length, 1);
});

test("milliseconds are those of a slow processor; a missed must fails a timed run, a missed aim none", () => {
  const [must, aim] = [1 + 2 / SLOWER, 1 + 1 / SLOWER];
  const verdictOf = (...sdk) => judged(quotes(...sdk)).find(({ engine }) => engine === "webkit");
  assert.equal(verdictOf(must).value, 2);
  assert.deepEqual([verdictOf(aim).meetsAim, verdictOf(must).meetsAim], [true, false]);
  assert.equal(isClean(judged(quotes(must))), true);
  assert.equal(isClean(judged(quotes(must + 0.01))), false);
  assert.equal(isClean(judged(quotes(must + 0.01), false)), true);
});

test("each engine is judged by its own rounds", () => {
  const [fast, slow] = [{ sdk: [1], mini: [1], bare: [1] }, { sdk: [2], mini: [1], bare: [1] }];
  const corridors = (samples) => ({ "corridors 10000 distinct": samples });
  const verdicts = judged({ contests: { chromium: corridors(slow), firefox: corridors(fast) } });
  const found = verdicts.map(({ engine, beside, meetsMust, meetsAim }) => [engine, beside, meetsMust ?? meetsAim]);
  assert.deepEqual(found, [
    ["chromium", "hand-built", false],
    ["firefox", "hand-built", true],
    ["chromium", "bare Response.json()", false],
    ["firefox", "bare Response.json()", true],
  ]);
});

test("a figure much worse than recorded fails the run", () => {
  const isGood = (measured, key, value) => isClean(judge(foundIn(measured, true), { [key]: { value } }));
  // A difference near 0 has no ratio to speak of.
  const measured = quotes(1 + 1 / SLOWER);
  assert.equal(isGood(measured, QUOTE, 1 - MARGIN_MS), true);
  assert.equal(isGood(measured, QUOTE, 1 - MARGIN_MS - 0.01), false);
  const compared = { value: 20 };
  const load = { quotes: { compared }, transfers: { compared }, sessions: { compared } };
  assert.equal(isGood({ load }, "sandbox's quotes a second / Prism", 20 * MARGIN - 1), true);
  assert.equal(isGood({ load }, "sandbox's quotes a second / Prism", 20 * MARGIN + 1), false);
  const networks = { "9 Mbit/s": { sdk: [1], mini: [1] } };
  assert.equal(isGood({ networks }, "first quote, 9 Mbit/s / hand-built", 1 / MARGIN + 0.01), true);
  assert.equal(isGood({ networks }, "first quote, 9 Mbit/s / hand-built", 1 / MARGIN - 0.01), false);
});

test("what has moved by more than a tenth is named", () => {
  const recorded = { a: { value: 1 }, b: { value: 1 }, c: { value: -1 } };
  const moved = movedFrom(recorded, { a: { value: 1.09 }, b: { value: 1.11 }, c: { value: -1.2 }, d: { value: 3 } });
  assert.deepEqual(moved.map(({ key }) => key), ["b", "c"]);
});

test("pages are compared within each network", () => {
  const networks = { "1.6 Mbit/s": { sdk: [1.5], "sdk links": [1.2], mini: [1] } };
  const found = judged({ networks }).map(({ value, meetsMust, meetsAim }) => [value, meetsMust, meetsAim]);
  assert.deepEqual(found, [[1.5, false, false], [1.2, true, false]]);
});

test("a run without figures, and what differs or grows, fail", () => {
  const pages = (last) => ({ memory: [{ wasmPages: 20 }, { wasmPages: last }] });
  const sandboxMemory = (requests, last) => {
    return { sandboxMemory: { samples: [{ requests, bytes: 100 }, { bytes: last }] } };
  };
  const good = [pages(20), { disagreements: [] }, sandboxMemory(FILLED_BY, 125)];
  const bad = [pages(21), { disagreements: [{}] }, sandboxMemory(FILLED_BY, 126)];
  // The sandbox's memory says nothing before it is filled.
  const empty = [{}, sandboxMemory(FILLED_BY - 1, 100)];
  for (const measured of good) assert.equal(isClean(judged(measured)), true);
  for (const measured of [...bad, ...empty]) assert.equal(isClean(judged(measured)), false);
});

test("the picture has a bar for each budget, which a missed one exceeds", () => {
  const barsOf = (...sdk) => pictureOf(judged(quotes(...sdk))).match(/<rect class="(bar|missed)"/g);
  assert.deepEqual(barsOf(1.1, 1.2), ['<rect class="bar"']);
  assert.deepEqual(barsOf(4, 5), ['<rect class="missed"']);
});

test("the document has the recorded figures, and names what misses its budget", async () => {
  const document = await readFile(DOCUMENT, "utf8");
  const recorded = JSON.parse(await readFile(RECORDED, "utf8"));
  assert.equal(withFigures(document, recorded), document, "docs/benchmark.md is not what --record writes");
  const machine = { processors: 2, model: "a model", browsers: ["a browser"] };
  const about = { date: "2026-01-31", commit: "abc1234", command: "cargo xtask bench --record", machine };
  const figuresOf = (sdk) => withFigures(document, { ...about, figures: foundIn(quotes(sdk), true) });
  const missed = `- ${QUOTE}: 4 ms, must ≤ 2 ms`;
  assert.ok(figuresOf(2).includes(missed));
  assert.ok(!figuresOf(1).includes(missed));
});
