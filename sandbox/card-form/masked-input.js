// Regroups an input while the customer types, and keeps the caret in its place.

import { digitsOf } from "./card-number.js";

/** Returns the position in `text` after `count` digits. */
function caretAfterDigits(text, count) {
  let seen = 0;
  for (let at = 0; at < text.length && count > 0; at += 1) {
    if (/[0-9]/.test(text[at])) seen += 1;
    if (seen === count) return at + 1;
  }
  return count === 0 ? 0 : text.length;
}

/**
 * Returns the `{ text, caret }` to show after an edit that turned `before` into `text` with the caret at
 * `caret`.
 *
 * `format(text, { atEnd })` groups the text; `atEnd` means typing at the end. Deleting only a separator also
 * deletes the digit next to it, as the separator would reappear at once.
 */
export function remask({ before, text, caret, inputType, format }) {
  const deleting = inputType.startsWith("delete");
  const atEnd = caret >= text.length;
  let digitsBefore = digitsOf(text.slice(0, caret)).length;
  let kept = text;

  const digits = digitsOf(text);
  if (deleting && text.length < before.length && digits === digitsOf(before)) {
    if (inputType.endsWith("Backward")) digitsBefore -= 1;
    if (digitsBefore >= 0) kept = digits.slice(0, digitsBefore) + digits.slice(digitsBefore + 1);
    digitsBefore = Math.max(digitsBefore, 0);
  }

  const shown = format(kept, { atEnd: atEnd && !deleting });
  return { text: shown, caret: atEnd ? shown.length : caretAfterDigits(shown, digitsBefore) };
}

/** Keeps an input in a format, also when a browser or password manager fills it in. */
export function maskInput(input, format) {
  let before = input.value;
  const show = (text) => {
    if (text !== input.value) input.value = text;
    before = text;
  };
  const regroup = (event) => {
    if (event.isComposing) return;
    const caret = input.selectionStart ?? input.value.length;
    const next = remask({ before, text: input.value, caret, inputType: event.inputType ?? "", format });
    const moved = next.text !== input.value;
    show(next.text);
    if (moved && input.ownerDocument.activeElement === input) input.setSelectionRange(next.caret, next.caret);
  };
  input.addEventListener("input", regroup);
  input.addEventListener("compositionend", regroup);
  // Some password managers set the value and dispatch this event only.
  input.addEventListener("change", () => show(format(input.value, { atEnd: true })));
}
