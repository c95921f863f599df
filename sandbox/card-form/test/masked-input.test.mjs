import assert from "node:assert/strict";
import { test } from "node:test";
import { digitsOf, groupNumber } from "../card-number.js";
import { formatExpiry } from "../expiry.js";
import { remask } from "../masked-input.js";

const number = (text) => groupNumber(digitsOf(text));

/** Plays keys on a field as a browser would: "<" and ">" delete, "«" and "»" move, anything else is typed. */
function play(format, keys, start = { text: "", caret: 0 }) {
  let { text, caret } = start;
  for (const key of keys) {
    if (key === "«") caret = Math.max(caret - 1, 0);
    else if (key === "»") caret = Math.min(caret + 1, text.length);
    else {
      let edited = text.slice(0, caret) + key + text.slice(caret);
      let place = caret + key.length;
      let inputType = "insertText";
      if (key === "<") {
        if (caret === 0) continue;
        edited = text.slice(0, caret - 1) + text.slice(caret);
        place = caret - 1;
        inputType = "deleteContentBackward";
      } else if (key === ">") {
        if (caret === text.length) continue;
        edited = text.slice(0, caret) + text.slice(caret + 1);
        place = caret;
        inputType = "deleteContentForward";
      }
      ({ text, caret } = remask({ before: text, text: edited, caret: place, inputType, format }));
    }
  }
  return { text, caret };
}

test("typing on groups and keeps the caret at the end", () => {
  assert.deepEqual(play(number, "41111111"), { text: "4111 1111", caret: 9 });
  assert.deepEqual(play(number, "378282246310005"), { text: "3782 822463 10005", caret: 17 });
  assert.deepEqual(play(formatExpiry, "1231"), { text: "12 / 31", caret: 7 });
  assert.deepEqual(play(formatExpiry, "5"), { text: "05 / ", caret: 5 });
  assert.deepEqual(play(formatExpiry, "12/2031"), { text: "12 / 31", caret: 7 });
});

test("deleting all the way back always reaches the empty field", () => {
  assert.deepEqual(play(number, `4111111111111111${"<".repeat(16)}`), { text: "", caret: 0 });
  assert.deepEqual(play(formatExpiry, "1231<<<<"), { text: "", caret: 0 });
  assert.deepEqual(play(formatExpiry, "12<"), { text: "1", caret: 1 });
  assert.deepEqual(play(formatExpiry, "5<<"), { text: "", caret: 0 });
});

test("a separator deleted alone takes the digit beside it along", () => {
  assert.deepEqual(play(number, "<", { text: "4111 2222", caret: 5 }), { text: "4112 222", caret: 3 });
  assert.deepEqual(play(number, ">", { text: "4111 2222", caret: 4 }), { text: "4111 222", caret: 4 });
});

test("a digit put into the middle leaves the caret behind it", () => {
  assert.deepEqual(play(number, "9", { text: "4111 2222", caret: 2 }), { text: "4191 1222 2", caret: 3 });
  assert.deepEqual(play(number, "9", { text: "4111 2222", caret: 4 }), { text: "4111 9222 2", caret: 6 });
});

test("a month is corrected in place", () => {
  const cut = play(formatExpiry, "<", { text: "12 / 31", caret: 2 });
  assert.deepEqual(cut, { text: "1 / 31", caret: 1 });
  assert.deepEqual(play(formatExpiry, "1", cut), { text: "11 / 31", caret: 2 });
});

test("letters do not enter and do not move the caret", () => {
  assert.deepEqual(play(number, "x", { text: "4111 2222", caret: 2 }), { text: "4111 2222", caret: 2 });
});
