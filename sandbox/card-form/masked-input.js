/**
 * Formats an input while the customer types at its end, and when they leave it. A correction in the middle
 * stays as it is meanwhile, as the caret would move away from it.
 */
export function maskInput(input, format) {
  const show = () => {
    const text = format(input.value);
    if (text !== input.value) input.value = text;
  };
  const regroup = ({ isComposing, inputType = "" }) => {
    const isAtEnd = input.selectionStart === input.value.length;
    if (isAtEnd && !isComposing && !inputType.startsWith("delete")) show();
  };
  input.addEventListener("input", regroup);
  input.addEventListener("compositionend", regroup);
  // Some password managers set the value and dispatch this event only.
  input.addEventListener("change", show);
}
