import assert from "node:assert/strict";
import { test } from "node:test";
import { formatExpiry, readExpiry } from "../expiry.js";

const today = new Date(2026, 10, 21);

test("all notations of a date are shown alike", () => {
  for (const text of [
    "0329", "03/29", "03 / 29", "3/29", "03-29", "03/2029", "3/2029", "032029", "2029-03", "2029/3",
    "０３／２９",
  ]) {
    assert.equal(formatExpiry(text), "03 / 29", text);
  }
});

test("typing adds the separator", () => {
  for (const [text, shown] of [
    ["1", "1"],
    ["12", "12 / "],
    ["5", "05 / "],
    ["1/", "01 / "],
    ["12 / 3", "12 / 3"],
    ["", ""],
    ["abc", ""],
  ]) {
    assert.equal(formatExpiry(text), shown, text);
  }
});

test("a card is valid to the end of its month", () => {
  const expiry = { month: 11, year: 2026 };
  assert.deepEqual(readExpiry("11 / 26", today), expiry);
  assert.deepEqual(readExpiry("11 / 26", new Date(2026, 10, 30, 23, 59, 59)), expiry);
  assert.deepEqual(readExpiry("11 / 26", new Date(2026, 11, 1)), { problem: "expired" });
  assert.deepEqual(readExpiry("01 / 27", today), { month: 1, year: 2027 });
  assert.deepEqual(readExpiry("01 / 46", today), { month: 1, year: 2046 });
});

test("each problem of a date has a name", () => {
  for (const [problem, texts] of Object.entries({
    required: [""],
    format: ["1", "12 / ", "12 / 2", "03/1929", "03/2129", "03/290", "03/20299"],
    month: ["00 / 30", "13 / 30"],
    expired: ["10 / 26", "12 / 25"],
    far: ["01 / 47"],
  })) {
    for (const text of texts) assert.deepEqual(readExpiry(text, today), { problem }, text);
  }
});
