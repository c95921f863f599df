import { useMemo } from "react";
import { contentOf } from "../input/content.js";
import { needsOf } from "../fields/controls/choices.js";
import { fieldOf } from "../fields/control.js";
import { useQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function useFieldOptions({ form, values }, fieldId) {
  const needed = useMemo(() => {
    const field = form && fieldOf(form, fieldId);
    return field ? needsOf(field) : NONE;
  }, [form, fieldId]);
  const key = form === undefined ? null : contentOf([fieldId, needed.map((id) => [id, values[id]])]);
  const query = useQuery(form, key, (form, options) => form.options(fieldId, values, options));
  const { value, isCurrent, error, isLoading, refetch } = query;
  // Never the choices for other values.
  const isKnown = isCurrent && value !== undefined;
  return { options: isKnown ? value : NONE, error, isLoading, isKnown, reload: refetch };
}
