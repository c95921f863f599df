import assert from "node:assert/strict";
import { test } from "node:test";
import { digitsOf, groupNumber } from "../card-number.js";
import { formatExpiry } from "../expiry.js";
import { maskInput } from "../masked-input.js";

const number = (text) => groupNumber(digitsOf(text));

/** Returns what a field shows after an edit, the caret being at `caret`; the end by default. */
function shown(format, value, { type = "input", caret = value.length, ...event } = {}) {
  const input = Object.assign(new EventTarget(), { value, selectionStart: caret });
  maskInput(input, format);
  input.dispatchEvent(Object.assign(new Event(type), event));
  return input.value;
}

test("what is typed or filled in is formatted", () => {
  assert.equal(shown(number, "41111"), "4111 1");
  assert.equal(shown(number, "41111", { inputType: "insertText" }), "4111 1");
  assert.equal(shown(number, "4111x"), "4111");
  assert.equal(shown(formatExpiry, "12"), "12 / ");
  assert.equal(shown(number, "41111", { type: "compositionend" }), "4111 1");
  assert.equal(shown(number, "41111", { type: "change", caret: 0 }), "4111 1");
});

test("a deletion, a correction in the middle and a composition are left alone", () => {
  assert.equal(shown(formatExpiry, "12", { inputType: "deleteContentBackward" }), "12");
  assert.equal(shown(number, "419111", { caret: 3 }), "419111");
  assert.equal(shown(number, "４１１１１", { isComposing: true }), "４１１１１");
});
