import { contentOf } from "../content.js";
import { useAnswer } from "./use-answer.js";
import { fieldsOf } from "./use-field-form.js";

const NONE = Object.freeze([]);

export function useFieldOptions({ form, values }, fieldId) {
  const field = form && fieldsOf(form).find((field) => field.fieldId === fieldId);
  const key = form === undefined ? null : contentOf([fieldId, neededValues(field, values)]);
  const asked = useAnswer(form, key, (form, options) => form.options(fieldId, values, options));
  return {
    // Those of another choice elsewhere do not belong to this one.
    options: (asked.isCurrent && asked.value) || NONE,
    error: asked.error,
    isLoading: asked.isLoading,
    reload: asked.again,
  };
}

/** The values that the choices depend on: the fields that their address names. */
function neededValues(field, values) {
  const names = [...(field?.optionsSource ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  return names.map((name) => [name, values[name]]);
}
