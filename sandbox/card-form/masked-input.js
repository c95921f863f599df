// A text field that is regrouped while it is typed, with the caret kept where the person has it.

const onlyDigits = (text) => text.normalize("NFKC").replace(/[^0-9]/g, "");

/** Where the caret stands in `text` so that `count` digits are before it. */
function caretAfterDigits(text, count) {
  let seen = 0;
  for (let at = 0; at < text.length && count > 0; at += 1) {
    if (/[0-9]/.test(text[at])) seen += 1;
    if (seen === count) return at + 1;
  }
  return count === 0 ? 0 : text.length;
}

/**
 * The `{ text, caret }` to show after an edit that turned `before` into `text` with the caret at `caret`.
 *
 * `format(text, { atEnd })` groups; `atEnd` is true while the person types on at the end. Deleting only a
 * separator deletes the digit next to it, as the separator would come straight back.
 */
export function remask({ before, text, caret, inputType, format }) {
  const deleting = inputType.startsWith("delete");
  const atEnd = caret >= text.length;
  let digitsLeft = onlyDigits(text.slice(0, caret)).length;
  let kept = text;

  const digits = onlyDigits(text);
  if (deleting && text.length < before.length && digits === onlyDigits(before)) {
    const back = inputType.endsWith("Backward");
    if (back) digitsLeft -= 1;
    if (digitsLeft >= 0) kept = digits.slice(0, digitsLeft) + digits.slice(digitsLeft + 1);
    digitsLeft = Math.max(digitsLeft, 0);
  }

  const shown = format(kept, { atEnd: atEnd && !deleting });
  return { text: shown, caret: atEnd ? shown.length : caretAfterDigits(shown, digitsLeft) };
}

/** Keeps `input` in the given format, also when a browser or a password manager fills it in. */
export function maskInput(input, format) {
  let before = input.value;
  const show = (text) => {
    if (text !== input.value) input.value = text;
    before = text;
  };
  const regroup = (event) => {
    if (event.isComposing) return;
    const caret = input.selectionStart ?? input.value.length;
    const edit = { before, text: input.value, caret, inputType: event.inputType ?? "", format };
    const next = remask(edit);
    const moved = next.text !== input.value;
    show(next.text);
    if (moved && input.ownerDocument.activeElement === input) input.setSelectionRange(next.caret, next.caret);
  };
  input.addEventListener("input", regroup);
  input.addEventListener("compositionend", regroup);
  // On leaving the field; and some password managers set the value and send this event alone.
  input.addEventListener("change", () => show(format(input.value, { atEnd: true })));
}
