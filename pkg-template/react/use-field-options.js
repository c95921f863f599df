import { contentOf } from "../content.js";
import { fieldsOf } from "./use-field-form.js";
import { useQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function useFieldOptions({ form, values }, fieldId) {
  const field = form && fieldsOf(form).find((field) => field.fieldId === fieldId);
  const key = form === undefined ? null : contentOf([fieldId, dependenciesOf(field, values)]);
  const query = useQuery(form, key, (form, options) => form.options(fieldId, values, options));
  const { value, isCurrent, error, isLoading, refetch } = query;
  // Never the choices for other values.
  return { options: (isCurrent && value) || NONE, error, isLoading, reload: refetch };
}

/** Returns the values on which the choices depend: those of the fields in their address. */
function dependenciesOf(field, values) {
  const names = [...(field?.optionsSource ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  return names.map((name) => [name, values[name]]);
}
