import { contentOf } from "../../input/content.js";
import { attempt, memberOf, textOf } from "../control.js";

// Values of fields that change as people type, such as a name on which others depend, must not add up.
const KEPT = 50;
// What the form has said, by the values that were asked about.
const ANSWERS = new WeakMap();

/**
 * Returns whether a field is required for these values. The form reads all fields each time, so it is asked once for
 * all that depend on the same values, which are most often none.
 */
export function isNeeded(form, { fieldId, isRequired, dependencies }, values) {
  const watched = attempt(() => (dependencies?.isRequired ?? []).map((field) => field.fieldId), []);
  const others = watched.filter((id) => id !== fieldId).map((id) => [id, memberOf(values, id)]);
  const given = others.filter(([, value]) => value !== undefined);
  const key = contentOf(given.map(([id, value]) => [id, textOf(value)]));
  const answers = ANSWERS.get(form) ?? new Map();
  if (!answers.has(key)) {
    if (answers.size >= KEPT) answers.clear();
    // An empty value is a problem if and only if the field is required. Values that cannot be sent are reported by
    // `check`.
    const found = attempt(() => form.check({ __proto__: null, ...Object.fromEntries(given) }), undefined);
    answers.set(key, found && new Set(found.map((problem) => problem.fieldId)));
    ANSWERS.set(form, answers);
  }
  return answers.get(key)?.has(fieldId) ?? isRequired;
}
