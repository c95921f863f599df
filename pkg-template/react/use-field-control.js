import { useCallback, useEffect, useId } from "react";
import { failure } from "../errors.js";
import { AUTOFILL } from "../fields/autofill.js";
import { fieldControl, fieldsOf, memberOf, textOf, valueOf } from "../fields/control.js";
import { useFieldOptions } from "./use-field-options.js";

export function useFieldControl(fields, fieldId) {
  const idPrefix = useId();
  const { form, values, country, autofill, problems, warnings, setValue, touch } = fields;
  const { options, error, isLoading, isKnown, reload } = useFieldOptions(fields, fieldId);
  const field = form && fieldsOf(form).find((field) => field.fieldId === fieldId);
  const before = memberOf(values, fieldId);
  const set = useCallback(
    (text) => setValue(fieldId, valueOf(field, text, country, before)),
    [field, fieldId, country, before, setValue],
  );
  const value = textOf(before);
  const isLost =
    field?.fieldType === "DROPDOWN" && value !== "" && isKnown && !options.some(({ id }) => id === value);
  useEffect(() => {
    // A choice that is no longer offered would be sent unseen.
    if (isLost) setValue(fieldId, undefined);
  }, [isLost, fieldId, setValue]);
  if (field === undefined) {
    throw failure("InvalidRequest", "The form has no such field: show a field once `form` has it.");
  }
  const isOwn = (found) => found.fieldId === fieldId;
  const [problem, warning] = [problems.find(isOwn), warnings.find(isOwn)];
  const state = { values, problem, warning, options, error, isLoading };
  const table = autofill ? AUTOFILL : undefined;
  const control = fieldControl(form, field, state, { idPrefix, country, autofill: table });
  const listeners = { onChange: ({ target }) => set(target.value), onBlur: () => touch(fieldId) };
  const controlProps = { ...control.controlProps, ...listeners };
  return { ...control, controlProps, setValue: set, retry: reload };
}
