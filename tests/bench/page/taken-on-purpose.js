// Values that the SDK accepts although a hand-written schema would refuse them, and why no harm comes of it.
// Any other value of this kind fails the run.

const NUMBER_FOR_TEXT = "what kind of value a field takes is said by the form that asks for it, to which the input is held next";

/** The reason, where there is one. */
export function takenOnPurpose({ group, what }) {
  if (/^input of /.test(group) && /^fields\.0\.value is (-1|a fraction)$/.test(what)) return NUMBER_FOR_TEXT;
  return undefined;
}
