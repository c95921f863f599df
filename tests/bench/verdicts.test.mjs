import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureOf } from "./picture.mjs";
import { FILLED_BY, MARGIN, isClean, judge, ratioOf, refusalsOf } from "./verdicts.mjs";

const row = (sdk, handBuilt, more) => {
  return { group: "reply of quote", what: "rate is a text", sdk, handBuilt, good: false, ...more };
};
const quotes = (sdk, mini) => {
  const refusals = refusalsOf([row(true, true)]);
  return { contests: { "warm quote": { sdk, mini } }, disagreements: [], refusals };
};

test("a ratio is the median of the rounds' ratios, with their spread", () => {
  const { value, spread } = ratioOf({ a: [1, 2, 9], b: [2, 2, 3] }, "a", "b");
  assert.equal(value, 1);
  assert.equal(ratioOf({ a: [10, 2, 6], b: [10, 1, 4] }, "a", "b").value, 1.5);
  assert.deepEqual(spread, { p25: 0.75, p75: 2 });
  assert.equal(ratioOf({ a: [1] }, "a", "b"), undefined);
});

test("a value that the SDK alone accepts, or a refused good one, fails the run", () => {
  for (const one of [row(false, true), row(true, false, { good: true }), row(false, true, { good: true })]) {
    const refusals = refusalsOf([one]);
    assert.equal(refusals.differences.length, 1);
    assert.equal(isClean(judge({ refusals }, {}, false)), false);
  }
  const good = row(false, false, { good: true });
  const refusals = refusalsOf([row(true, false), row(true, true), row(false, false), good]);
  const counts = { tried: 4, both: 1, "SDK alone": 1, "hand-built alone": 0, neither: 1 };
  assert.deepEqual(refusals.groups["reply of quote"], counts);
  assert.equal(isClean(judge({ refusals }, {}, false)), true);
});

test("a value accepted on purpose is listed with its reason", () => {
  const accepted = row(false, true, { group: "input of createSender", what: "fields.0.value is -1" });
  const { differences, onPurpose } = refusalsOf([accepted]);
  assert.equal(differences.length, 0);
  assert.match(onPurpose[0].reason, /form/);
  assert.equal(refusalsOf([{ ...accepted, what: "fields.0.value is a map" }]).differences.length, 1);
});

test("a missed must fails a timed run; a missed aim never does", () => {
  const verdicts = judge(quotes([1.1], [1]), {}, true);
  assert.equal(isClean(verdicts), true);
  assert.equal(verdicts.find(({ name }) => name.startsWith("warm quote")).meetsAim, false);
  assert.equal(isClean(judge(quotes([1.3], [1]), {}, true)), false);
  assert.equal(isClean(judge(quotes([1.3], [1]), {}, false)), true);
});

test("a figure much worse than recorded fails the run", () => {
  const name = "warm quote / hand-built mini";
  assert.equal(isClean(judge(quotes([1.1], [1]), { [name]: 1.1 / MARGIN + 0.01 }, true)), true);
  assert.equal(isClean(judge(quotes([1.1], [1]), { [name]: 1.1 / MARGIN - 0.01 }, true)), false);
  const found = { ratio: 20, spread: { p25: 19, p75: 21 } };
  const load = { quotes: found, transfers: found, sessions: found };
  const recorded = (value) => ({ "sandbox: quotes a second / Prism": value });
  assert.equal(isClean(judge({ load }, recorded(20 * MARGIN - 1), true)), true);
  assert.equal(isClean(judge({ load }, recorded(20 * MARGIN + 1), true)), false);
});

test("pages are compared within each network", () => {
  const networks = { "1.6 Mbit/s": { sdk: [1.4], "sdk links": [1.1], mini: [1] } };
  const verdicts = judge({ networks }, {}, true);
  const found = verdicts.map(({ value, meetsMust, meetsAim }) => [value, meetsMust, meetsAim]);
  assert.deepEqual(found, [[1.4, false, false], [1.1, true, false]]);
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
  for (const measured of good) assert.equal(isClean(judge(measured, {}, true)), true);
  for (const measured of [...bad, ...empty]) assert.equal(isClean(judge(measured, {}, true)), false);
});

test("the picture has a bar only for figures with a spread", () => {
  const picture = pictureOf(judge(quotes([1.1, 1.2], [1, 1]), {}, true));
  assert.equal(picture.match(/<rect class="(bar|slow)"/g).length, 1);
  assert.match(picture, /warm quote \/ hand-built mini/);
});
