import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanName, nameProblem } from "../cardholder.js";

test("names of at least two parts are valid, and their spaces normalized", () => {
  for (const name of [
    "Ana López", "  José   Ángel Núñez ", "J. Doe", "Mary-Jane O'Neil", "Nguyễn Văn A", "李 小龙",
    "Sean O’Brien, Jr.",
  ]) {
    assert.equal(nameProblem(name), null, name);
  }
  assert.equal(cleanName("  José   Ángel\u00a0Núñez "), "José Ángel Núñez");
});

test("each problem of a name has a name", () => {
  for (const [problem, names] of Object.entries({
    required: ["", "   "],
    names: ["Ana", "Ana-María", "Ana .", "- -"],
    long: [`${"A".repeat(60)} ${"B".repeat(60)}`],
    characters: [
      "4111 1111 1111 1111", "Ana 4111111111111111", "Ana <b>López", "Ana \u202eLópez",
      "Ana \u0000López", "４１１１ Ana",
    ],
  })) {
    for (const name of names) assert.equal(nameProblem(name), problem, JSON.stringify(name));
  }
});
