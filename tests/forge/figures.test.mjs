import assert from "node:assert/strict";
import { test } from "node:test";
import { isBroken, isClean, lineOf } from "./figures.mjs";

const RUN = {
  forged: { page: 200, popup: 100 },
  accepted: {},
  genuine: { said: 120, arrived: 120 },
  troubles: [],
};
const figures = (engines, changes) => ({ seed: 42, count: 300, engines, missing: [], ...changes });

test("a run is clean if it accepted no forged and every genuine message", () => {
  const found = figures({ chromium: RUN, webkit: RUN });
  assert.ok(isClean(found));
  const each = "300 forged of 2 kinds, accepted 0, genuine 120 of 120 in order";
  assert.equal(lineOf(found), `forge: chromium ${each}; webkit ${each}; seed 42`);
});

for (const [what, changes] of Object.entries({
  "an accepted forged message": { accepted: { popup: 1 } },
  "a missing genuine message": { genuine: { said: 120, arrived: 119 } },
  "too few genuine messages": { genuine: { said: 119, arrived: 119 } },
  "too few forged messages": { forged: { page: 299 } },
  "a trouble": { troubles: ["a message never arrived"] },
})) {
  test(`${what} in one engine makes the run unclean`, () => {
    const found = figures({ chromium: RUN, firefox: { ...RUN, ...changes } });
    assert.ok(!isClean(found));
    assert.equal(isBroken(found), "accepted" in changes);
  });
}

test("a run without an engine is not clean", () => {
  assert.ok(!isClean(figures({})));
});

test("the line names what is missing, disabled or went wrong", () => {
  const engines = { chromium: { ...RUN, accepted: { popup: 2, otherFrame: 1 }, troubles: ["late"] } };
  const line = lineOf(figures(engines, { weakness: "source", missing: ["firefox", "webkit"] }));
  const end = "troubles 1; firefox is not there; webkit is not there; without source; seed 42";
  assert.ok(line.endsWith(`accepted 3, genuine 120 of 120 in order, ${end}`), line);
});
