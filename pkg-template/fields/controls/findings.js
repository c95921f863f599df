import { attempt, isBlank, memberOf } from "../control.js";

// Stands for a date that the browser has not understood, in which the core finds a problem.
const UNREAD = "?";
// What is shown of a problem, whose message is a text.
const SAID = new WeakMap();

/**
 * Returns the problems and the warnings of a form's values. `known` has the `values`, the ids of those that are
 * `unread`, what the service `refused`, and the `fields` that are shown, if not `all`. Throws for values that cannot be
 * sent, which `toFields` reports.
 */
export function findingsOf(form, { values, unread, refused, fields, all }, { masked, word }, texts) {
  // A field that is left out is another screen's, and a masked value is the service's already.
  const isOpen = ({ fieldId }) =>
    (all || fields.has(fieldId)) &&
    !refused.has(fieldId) &&
    !(memberOf(masked, fieldId) !== undefined && isBlank(values[fieldId]) && !unread.has(fieldId));
  const checked = { __proto__: null, ...values, ...Object.fromEntries([...unread].map((id) => [id, UNREAD])) };
  const found = [...form.check(checked).filter(isOpen), ...refused.values()];
  // A problem that cannot be said is one all the same.
  const wordFor = (one) => attempt(() => word?.(one, fields.get(one.fieldId), checked), undefined);
  const sayOf = (one) => refused.get(one.fieldId)?.message ?? wordFor(one) ?? one.message ?? texts.say("missing");
  const worded = found.map((one) => {
    const said = sayOf(one);
    const problem = { ...one, message: String(said) };
    SAID.set(problem, said);
    return problem;
  });
  return [worded, form.warnings(values)];
}

/** Returns what is shown of a problem. */
export const saidOf = (problem) => SAID.get(problem) ?? problem.message;

/** Returns the first finding of each field. */
export function byField(found) {
  const first = new Map();
  for (const one of found) if (!first.has(one.fieldId)) first.set(one.fieldId, one);
  return first;
}
