import assert from "node:assert/strict";
import { test } from "node:test";
import { isBroken, isClean, lineOf } from "./figures.mjs";
import { judge } from "./verdict.mjs";

const INTENTS = [
  { id: 0, amount: 1_000 },
  { id: 1, amount: 1_001 },
  { id: 2, amount: 990_050 },
  { id: 3, amount: 990_050 },
];

const row = (transferId, quoteHistoryId, amount) => ({ transferId, quoteHistoryId, amount });
const made = (intent, transferId) => ({ intent, created: true, transferId });
const refused = (intent) => ({ intent, created: false });

/** Intents 0 and 1 were made, 2 and 3 refused. */
const STORY = {
  intents: INTENTS,
  quotes: new Map([["q0", 0], ["q1", 1], ["q2", 2], ["q3", 3]]),
  outcomes: [made(0, "t0"), made(1, "t1"), refused(2), refused(3)],
  rows: [row("t0", "q0", 1_000), row("t1", "q1", 1_001)],
};
const { outcomes: OUTCOMES, rows: ROWS, quotes: QUOTES } = STORY;

/** What happened, how the story differs, and the intents or transfers at fault, by kind. */
const CASES = [
  ["a story without faults", {}, {}],
  ["the same outcome reported by two pages", { outcomes: [...OUTCOMES, made(0, "t0"), refused(2)] }, {}],
  [
    "a second row with a registered quote",
    { quotes: new Map([...QUOTES, ["q9", 0]]), rows: [...ROWS, row("t9", "q9", 1_000)] },
    { duplicates: [0] },
  ],
  ["a second row with an unknown quote", { rows: [...ROWS, row("t9", "q9", 1_001)] }, { duplicates: [1] }],
  ["two rows of one quote", { rows: [...ROWS, row("t9", "q0", 1_000)] }, { duplicates: [0] }],
  ["a reported transfer that is not in the database", { rows: [ROWS[0]] }, { lost: [1] }],
  ["a transfer reported under another transferId", { outcomes: [made(0, "t7"), ...OUTCOMES.slice(1)] }, { lost: [0] }],
  ["one reported under another intent's transferId", { outcomes: [made(0, "t1"), ...OUTCOMES.slice(1)] }, { lost: [0] }],
  ["one false success among several reports", { outcomes: [...OUTCOMES, made(1, "t7")] }, { lost: [1] }],
  ["one false refusal among several reports", { outcomes: [...OUTCOMES, refused(1)] }, { wrong: [1] }],
  ["a reported refusal of a recorded transfer", { outcomes: [refused(0), ...OUTCOMES.slice(1)] }, { wrong: [0] }],
  ["a row of a refused intent", { rows: [...ROWS, row("t2", "q2", 990_050)] }, { wrong: [2] }],
  ["a transfer without a report", { outcomes: OUTCOMES.slice(1) }, { unresolved: [0] }],
  ["a refusal without a report", { outcomes: OUTCOMES.slice(0, 3) }, { unresolved: [3] }],
  ["no reports at all", { outcomes: [], rows: [] }, { unresolved: [0, 1, 2, 3] }],
  ["a row whose amount differs from its intent", { rows: [ROWS[0], row("t1", "q1", 1_002)] }, { wrongAmounts: [1] }],
  ["a row that belongs to no intent", { rows: [...ROWS, row("t9", "q9", 77)] }, { strayRows: ["t9"] }],
  ["a row with an amount that intents share", { rows: [...ROWS, row("t9", "q9", 990_050)] }, { strayRows: ["t9"] }],
  [
    "several faults at once",
    { outcomes: [refused(0), made(1, "t7"), refused(2)], rows: [row("t0", "q0", 1_000), row("t9", "q9", 1_000)] },
    { duplicates: [0], lost: [1], wrong: [0], unresolved: [3] },
  ],
];

const zero = { duplicates: 0, lost: 0, wrong: 0, unresolved: 0, wrongAmounts: 0, strayRows: 0, troubles: 0 };

for (const [what, changes, expected] of CASES) {
  test(`${what}: ${Object.keys(expected).join(", ") || "clean"}`, () => {
    const verdict = judge({ ...STORY, ...changes });
    const faults = Object.entries(verdict).filter(([, list]) => list.length > 0);
    const found = faults.map(([kind, list]) => [kind, list.map((entry) => entry.intent ?? entry.transferId)]);
    assert.deepEqual(Object.fromEntries(found), expected);
    const counts = Object.fromEntries(faults.map(([kind, list]) => [kind, list.length]));
    assert.equal(isClean({ ...zero, ...counts }), found.length === 0);
  });
}

test("each figure that must be zero fails the run", () => {
  const further = ["extraRows", "serverErrors", "unexpectedAnswers", "acknowledgedLost"];
  for (const name of [...Object.keys(zero), ...further]) {
    assert.equal(isClean({ ...zero, [name]: 1 }), false);
    assert.equal(isBroken({ ...zero, [name]: 1 }), !["unresolved", "troubles"].includes(name), name);
  }
  assert.equal(isBroken(zero), false);
});

test("the line has every known figure", () => {
  const line = lineOf({ seed: 4, weakness: undefined, transfers: 9, ...zero, wrong: 2 });
  assert.match(line, /^chaos: seed 4, transfers 9, duplicates 0, lost 0, wrong 2, .*, troubles 0$/);
});
