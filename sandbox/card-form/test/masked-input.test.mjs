import assert from "node:assert/strict";
import { test } from "node:test";
import { digitsOf, groupNumber } from "../card-number.js";
import { formatExpiry } from "../expiry.js";
import { remask } from "../masked-input.js";

const number = (text) => groupNumber(digitsOf(text));

/** Applies keys to a field as a browser does: "<" is backspace, ">" is delete, and others are typed. */
function play(format, keys, start = { text: "", caret: 0 }) {
  let { text, caret } = start;
  for (const key of keys) {
    const from = key === "<" ? Math.max(caret - 1, 0) : caret;
    const to = key === ">" ? Math.min(caret + 1, text.length) : caret;
    const typed = key === "<" || key === ">" ? "" : key;
    if (from === to && typed === "") continue;
    const inputType = { "<": "deleteContentBackward", ">": "deleteContentForward" }[key] ?? "insertText";
    const edited = text.slice(0, from) + typed + text.slice(to);
    ({ text, caret } = remask({ before: text, text: edited, caret: from + typed.length, inputType, format }));
  }
  return { text, caret };
}

for (const [name, cases] of Object.entries({
  "typing groups the digits and keeps the caret at the end": [
    [number, "41111111", undefined, "4111 1111", 9],
    [number, "378282246310005", undefined, "3782 822463 10005", 17],
    [formatExpiry, "1231", undefined, "12 / 31", 7],
    [formatExpiry, "5", undefined, "05 / ", 5],
    [formatExpiry, "12/2031", undefined, "12 / 31", 7],
  ],
  "backspace always reaches the empty field": [
    [number, `4111111111111111${"<".repeat(16)}`, undefined, "", 0],
    [formatExpiry, "1231<<<<", undefined, "", 0],
    [formatExpiry, "12<", undefined, "1", 1],
    [formatExpiry, "5<<", undefined, "", 0],
  ],
  "deleting a separator deletes the digit beside it": [
    [number, "<", { text: "4111 2222", caret: 5 }, "4112 222", 3],
    [number, ">", { text: "4111 2222", caret: 4 }, "4111 222", 4],
  ],
  "the caret stays behind a digit that is inserted": [
    [number, "9", { text: "4111 2222", caret: 2 }, "4191 1222 2", 3],
    [number, "9", { text: "4111 2222", caret: 4 }, "4111 9222 2", 6],
  ],
  "a month can be corrected in its place": [
    [formatExpiry, "<", { text: "12 / 31", caret: 2 }, "1 / 31", 1],
    [formatExpiry, "1", { text: "1 / 31", caret: 1 }, "11 / 31", 2],
  ],
  "letters are ignored": [[number, "x", { text: "4111 2222", caret: 2 }, "4111 2222", 2]],
})) {
  test(name, () => {
    for (const [format, keys, start, text, caret] of cases) {
      assert.deepEqual(play(format, keys, start), { text, caret }, keys);
    }
  });
}
