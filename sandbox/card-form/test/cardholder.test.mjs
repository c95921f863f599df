import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanName, nameProblem } from "../cardholder.js";

test("names of two parts and more are taken as they are written", () => {
  for (const name of ["Ana López", "  José   Ángel Núñez ", "J. Doe", "Mary-Jane O'Neil", "Nguyễn Văn A", "李 小龙", "Sean O’Brien, Jr."]) {
    assert.equal(nameProblem(name), null, name);
  }
  assert.equal(cleanName("  José   Ángel\u00a0Núñez "), "José Ángel Núñez");
});

test("each problem of a cardholder's name has a name", () => {
  assert.equal(nameProblem(""), "required");
  assert.equal(nameProblem("   "), "required");
  assert.equal(nameProblem("Ana"), "names");
  assert.equal(nameProblem("Ana-María"), "names");
  assert.equal(nameProblem("Ana ."), "names");
  assert.equal(nameProblem("- -"), "names");
  assert.equal(nameProblem(`${"A".repeat(60)} ${"B".repeat(60)}`), "long");
});

test("a card number, markup or direction marks never pass as a name", () => {
  for (const name of ["4111 1111 1111 1111", "Ana 4111111111111111", "Ana <b>López", "Ana \u202eLópez", "Ana \u0000López", "４１１１ Ana"]) {
    assert.equal(nameProblem(name), "characters", JSON.stringify(name));
  }
});
