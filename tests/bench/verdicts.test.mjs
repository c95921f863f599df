import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureOf } from "./picture.mjs";
import { refusalsOf } from "./refusals.mjs";
import { MARGIN, isClean, judge, ratioOf } from "./verdicts.mjs";

const row = (sdk, handBuilt, more) => ({ group: "reply of quote", what: "rate is a text", sdk, handBuilt, good: false, ...more });
const quotes = (sdk, mini) => ({ contests: { "warm quote": { sdk, mini } }, disagreements: [], refusals: refusalsOf([row(true, true)]) });
const of = (verdicts, name) => verdicts.find((verdict) => verdict.name.startsWith(name));

test("a ratio is the median of the rounds' ratios, with their spread", () => {
  const { value, spread } = ratioOf({ a: [1, 2, 9], b: [2, 2, 3] }, "a", "b");
  assert.equal(value, 1);
  assert.equal(ratioOf({ a: [10, 2, 6], b: [10, 1, 4] }, "a", "b").value, 1.5);
  assert.deepEqual(spread, { p25: 0.75, p75: 2 });
  assert.equal(ratioOf({ a: [1] }, "a", "b"), undefined);
});

test("what only the SDK accepts, or a refused good value, fails the run", () => {
  for (const rows of [[row(false, true)], [row(true, false, { good: true })], [row(false, true, { good: true })]]) {
    const refusals = refusalsOf(rows);
    assert.equal(refusals.differences.length, 1);
    assert.equal(isClean(judge({ refusals }, {}, false)), false);
  }
  const refusals = refusalsOf([row(true, false), row(true, true), row(false, false), row(false, false, { good: true })]);
  assert.deepEqual(refusals.groups["reply of quote"], { tried: 4, both: 1, sdkAlone: 1, handBuiltAlone: 0, neither: 1 });
  assert.equal(isClean(judge({ refusals }, {}, false)), true);
});

test("a value accepted on purpose is listed with its reason", () => {
  const { differences, onPurpose } = refusalsOf([row(false, true, { group: "input of createSender", what: "fields.0.value is -1" })]);
  assert.equal(differences.length, 0);
  assert.match(onPurpose[0].reason, /form/);
});

test("a missed must fails the run if times count; a missed aim never does", () => {
  assert.equal(isClean(judge(quotes([1.1], [1]), {}, true)), true);
  assert.equal(of(judge(quotes([1.1], [1]), {}, true), "warm quote").meetsAim, false);
  assert.equal(isClean(judge(quotes([1.3], [1]), {}, true)), false);
  assert.equal(isClean(judge(quotes([1.3], [1]), {}, false)), true);
});

test("a figure much worse than recorded fails the run", () => {
  const name = "warm quote / hand-built mini";
  assert.equal(isClean(judge(quotes([1.1], [1]), { [name]: 1.1 / MARGIN + 0.01 }, true)), true);
  assert.equal(isClean(judge(quotes([1.1], [1]), { [name]: 1.1 / MARGIN - 0.01 }, true)), false);
  const load = Object.fromEntries(["quotes", "transfers", "sessions"].map((kind) => [kind, { ratio: 20, spread: { p25: 19, p75: 21 } }]));
  const recorded = { "sandbox: quotes a second / Prism": 20 * MARGIN + 1 };
  assert.equal(isClean(judge({ load }, {}, true)), true);
  assert.equal(isClean(judge({ load }, recorded, true)), false);
});

test("pages are compared within each network", () => {
  const networks = { "1.6 Mbit/s": { sdk: [1.4], "sdk links": [1.1], mini: [1] } };
  const verdicts = judge({ networks }, {}, true);
  assert.deepEqual(
    verdicts.map(({ value, meetsMust, meetsAim }) => [value, meetsMust, meetsAim]),
    [
      [1.4, false, false],
      [1.1, true, false],
    ],
  );
});

test("the picture draws a bar only for figures with a spread", () => {
  const picture = pictureOf(judge(quotes([1.1, 1.2], [1, 1]), {}, true));
  assert.equal(picture.match(/<rect class="(bar|slow)"/g).length, 1);
  assert.match(picture, /warm quote \/ hand-built mini/);
});
