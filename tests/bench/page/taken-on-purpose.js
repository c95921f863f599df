// What the SDK takes though a schema by hand would refuse it, and why that loses nothing. Everything else of the sort fails the run.

const NUMBER_FOR_TEXT = "a number in a field's value stands for its digits, which the field's rules then bind";

/** The reason, where there is one. */
export function takenOnPurpose({ group, what }) {
  if (/^input of /.test(group) && /^fields\.0\.value is (-1|a fraction)$/.test(what)) return NUMBER_FOR_TEXT;
  if (group === "value of a field" && /^(TEXT|DROPDOWN|DATE) .*= -?\d+$/.test(what)) return NUMBER_FOR_TEXT;
  return undefined;
}
