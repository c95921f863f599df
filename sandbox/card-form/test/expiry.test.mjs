import assert from "node:assert/strict";
import { test } from "node:test";
import { formatExpiry, readExpiry } from "../expiry.js";

const today = new Date(2026, 10, 21);

test("every way of entering a date shows the same text", () => {
  for (const text of ["0329", "03/29", "03 / 29", "3/29", "03-29", "03/2029", "3/2029", "032029", "2029-03", "2029/3", "０３／２９"]) {
    assert.equal(formatExpiry(text), "03 / 29", text);
  }
});

test("typing adds the separator, and deleting removes it", () => {
  assert.equal(formatExpiry("1"), "1");
  assert.equal(formatExpiry("12"), "12 / ");
  assert.equal(formatExpiry("5"), "05 / ");
  assert.equal(formatExpiry("1/"), "01 / ");
  assert.equal(formatExpiry("12 / 3"), "12 / 3");
  assert.equal(formatExpiry("12", { atEnd: false }), "12");
  assert.equal(formatExpiry("1", { atEnd: false }), "1");
  assert.equal(formatExpiry("1 / 27", { atEnd: false }), "1 / 27");
  assert.equal(formatExpiry(""), "");
  assert.equal(formatExpiry("abc"), "");
});

test("another century or too many digits give no year", () => {
  for (const text of ["03/1929", "03/2129", "03/290", "03/20299"]) {
    assert.deepEqual(readExpiry(text, today), { problem: "format" }, text);
  }
});

test("a card is good to the end of its month", () => {
  assert.deepEqual(readExpiry("11 / 26", today), { month: 11, year: 2026 });
  assert.deepEqual(readExpiry("11 / 26", new Date(2026, 10, 30, 23, 59, 59)), { month: 11, year: 2026 });
  assert.deepEqual(readExpiry("11 / 26", new Date(2026, 11, 1)), { problem: "expired" });
  assert.deepEqual(readExpiry("10 / 26", today), { problem: "expired" });
  assert.deepEqual(readExpiry("12 / 25", today), { problem: "expired" });
  assert.deepEqual(readExpiry("01 / 27", today), { month: 1, year: 2027 });
  assert.deepEqual(readExpiry("01 / 46", today), { month: 1, year: 2046 });
  assert.deepEqual(readExpiry("01 / 47", today), { problem: "far" });
});

test("each problem of a date has a name", () => {
  assert.deepEqual(readExpiry("", today), { problem: "required" });
  assert.deepEqual(readExpiry("1", today), { problem: "format" });
  assert.deepEqual(readExpiry("12 / ", today), { problem: "format" });
  assert.deepEqual(readExpiry("12 / 2", today), { problem: "format" });
  assert.deepEqual(readExpiry("00 / 30", today), { problem: "month" });
  assert.deepEqual(readExpiry("13 / 30", today), { problem: "month" });
});
