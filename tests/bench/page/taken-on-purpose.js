// What the SDK takes though a schema by hand would refuse it, and why that loses nothing. Everything else of the sort fails the run.

const NUMBER_FOR_TEXT = "what kind of value a field takes is said by the form that asks for it, to which the input is held next";

/** The reason, where there is one. */
export function takenOnPurpose({ group, what }) {
  if (/^input of /.test(group) && /^fields\.0\.value is (-1|a fraction)$/.test(what)) return NUMBER_FOR_TEXT;
  return undefined;
}
