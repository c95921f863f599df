import { contentOf } from "../content.js";
import { attempt, textOf } from "./control.js";

/**
 * Returns a function that returns whether a field is required for the `values` as they are then. The form is only
 * asked again after a change of those that the field depends on: it reads all values each time.
 */
export function neededFields(form, fields, values) {
  const known = new Map();
  const watchedBy = new Map(fields.map((field) => [field.fieldId, attempt(() => watchedIn(field), [])]));
  return ({ fieldId, isRequired }) => {
    const watched = watchedBy.get(fieldId).map((id) => [id, values[id]]);
    const key = contentOf(watched.map(([id, value]) => [id, textOf(value)]));
    const before = known.get(fieldId);
    if (before?.key === key) return before.isNeeded;
    const own = { __proto__: null, ...Object.fromEntries(watched.filter(([, value]) => value !== undefined)) };
    // Values that cannot be sent are reported by `check`.
    const isNeeded = attempt(() => form.isRequired(fieldId, own), isRequired);
    known.set(fieldId, { key, isNeeded });
    return isNeeded;
  };
}

const watchedIn = ({ dependencies }) => (dependencies?.isRequired ?? []).map(({ fieldId }) => fieldId);
