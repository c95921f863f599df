import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, isClean, lineOf } from "./figures.mjs";

const run = (changes = {}) => ({
  forged: { page: 200, popup: 100, trap: 0 },
  accepted: {},
  genuine: { said: 120, arrived: 120 },
  troubles: [],
  seconds: 4,
  ...changes,
});

const figures = (runs, changes = {}) => figuresOf({ seed: 42, count: 300, runs, missing: [], ...changes });

test("a run is clean if nothing forged and everything genuine was accepted", () => {
  const found = figures({ chromium: run(), webkit: run() });
  assert.ok(isClean(found));
  assert.equal(
    lineOf(found),
    "forge: chromium 300 forged of 2 kinds, accepted 0, genuine 120 of 120 in order; " +
      "webkit 300 forged of 2 kinds, accepted 0, genuine 120 of 120 in order; seed 42",
  );
});

for (const [what, changes] of Object.entries({
  "a forged message that was believed": { accepted: { popup: 1 } },
  "a genuine one that did not come": { genuine: { said: 120, arrived: 119 } },
  "nothing genuine at all": { genuine: { said: 0, arrived: 0 } },
  "fewer forged messages than were asked for": { forged: { page: 299 } },
  "a trouble": { troubles: ["a message never came"] },
})) {
  test(`${what} in one engine makes the run not clean`, () => {
    assert.ok(!isClean(figures({ chromium: run(), firefox: run(changes) })));
  });
}

test("a run without an engine is not clean", () => {
  assert.ok(!isClean(figures({})));
});

test("the summary names what is missing, left out or went wrong", () => {
  const runs = { chromium: run({ accepted: { popup: 2, otherFrame: 1 }, troubles: ["late"] }) };
  const line = lineOf(figures(runs, { weakness: "source", missing: ["firefox", "webkit"] }));
  assert.match(line, /accepted 3, genuine 120 of 120 in order, troubles 1; firefox is not there; webkit is not there; without source; seed 42$/);
});
