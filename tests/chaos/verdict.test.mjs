import assert from "node:assert/strict";
import { test } from "node:test";
import { isClean, judge } from "./verdict.mjs";

const INTENTS = [
  { id: 0, amount: 1_000 },
  { id: 1, amount: 1_001 },
  { id: 2, amount: 990_050 },
  { id: 3, amount: 990_050 },
];

const row = (transferId, quoteHistoryId, amount) => ({ transferId, quoteHistoryId, amount });
const made = (intent, transferId) => ({ intent, created: true, transferId });
const refused = (intent) => ({ intent, created: false });

/** All is well: 0 and 1 were made, 2 and 3 refused. */
function story(changes = {}) {
  return {
    intents: INTENTS,
    quotes: new Map([["q0", 0], ["q1", 1], ["q2", 2], ["q3", 3]]),
    outcomes: [made(0, "t0"), made(1, "t1"), refused(2), refused(3)],
    rows: [row("t0", "q0", 1_000), row("t1", "q1", 1_001)],
    ...changes,
  };
}

/** The intents at fault, by kind, of what is not empty. */
function found(changes) {
  const verdict = judge(story(changes));
  assert.equal(isClean(verdict), Object.values(verdict).every((list) => list.length === 0));
  const lists = Object.entries(verdict).filter(([, list]) => list.length > 0);
  return Object.fromEntries(lists.map(([kind, list]) => [kind, list.map((entry) => entry.intent ?? entry.transferId)]));
}

const { outcomes: OUTCOMES, rows: ROWS, quotes: QUOTES } = story();

test("a story without faults is clean", () => {
  assert.deepEqual(found({}), {});
  assert.ok(isClean(judge(story())));
});

test("the same outcome may be reported by two pages", () => {
  assert.deepEqual(found({ outcomes: [...OUTCOMES, made(0, "t0"), refused(2)] }), {});
});

test("a second row of an intent with a registered quote is a duplicate", () => {
  const quotes = new Map([...QUOTES, ["q9", 0]]);
  assert.deepEqual(found({ quotes, rows: [...ROWS, row("t9", "q9", 1_000)] }), { duplicates: [0] });
});

test("a second row of an intent with an unknown quote is a duplicate", () => {
  assert.deepEqual(found({ rows: [...ROWS, row("t9", "q9", 1_001)] }), { duplicates: [1] });
});

test("two rows of one quote are a duplicate", () => {
  assert.deepEqual(found({ rows: [...ROWS, row("t9", "q0", 1_000)] }), { duplicates: [0] });
});

test("a transfer reported as made but not in the database is lost", () => {
  assert.deepEqual(found({ rows: [ROWS[0]] }), { lost: [1] });
});

test("a transfer reported under another transferId is lost", () => {
  assert.deepEqual(found({ outcomes: [made(0, "t7"), ...OUTCOMES.slice(1)] }), { lost: [0] });
});

test("a transfer reported under another intent's transferId is lost", () => {
  assert.deepEqual(found({ outcomes: [made(0, "t1"), ...OUTCOMES.slice(1)] }), { lost: [0] });
});

test("one false report among several is found", () => {
  assert.deepEqual(found({ outcomes: [...OUTCOMES, made(1, "t7")] }), { lost: [1] });
  assert.deepEqual(found({ outcomes: [...OUTCOMES, refused(1)] }), { wrong: [1] });
});

test("a transfer reported as refused but in the database is wrong", () => {
  assert.deepEqual(found({ outcomes: [refused(0), ...OUTCOMES.slice(1)] }), { wrong: [0] });
  assert.deepEqual(found({ rows: [...ROWS, row("t2", "q2", 990_050)] }), { wrong: [2] });
});

test("an intent that nobody reported is unresolved, made or not", () => {
  assert.deepEqual(found({ outcomes: OUTCOMES.slice(1) }), { unresolved: [0] });
  assert.deepEqual(found({ outcomes: OUTCOMES.slice(0, 3) }), { unresolved: [3] });
  assert.deepEqual(found({ outcomes: [], rows: [] }), { unresolved: [0, 1, 2, 3] });
});

test("a row with another amount than its intent's is found", () => {
  assert.deepEqual(found({ rows: [ROWS[0], row("t1", "q1", 1_002)] }), { wrongAmounts: [1] });
});

test("a row that belongs to no intent is found", () => {
  assert.deepEqual(found({ rows: [...ROWS, row("t9", "q9", 77)] }), { strayRows: ["t9"] });
  assert.deepEqual(found({ rows: [...ROWS, row("t9", "q9", 990_050)] }), { strayRows: ["t9"] });
});

test("several faults are found at once", () => {
  const outcomes = [refused(0), made(1, "t7"), refused(2)];
  const rows = [row("t0", "q0", 1_000), row("t9", "q9", 1_000)];
  assert.deepEqual(found({ outcomes, rows }), { duplicates: [0], lost: [1], wrong: [0], unresolved: [3] });
});
