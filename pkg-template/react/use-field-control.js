import { useCallback, useEffect, useId, useRef } from "react";
import { failure } from "../errors.js";
import { AUTOFILL } from "../fields/autofill.js";
import { fieldControl, fieldsOf, memberOf, textOf, valueOf } from "../fields/control.js";
import { useFieldOptions } from "./use-field-options.js";

export function useFieldControl(fields, fieldId) {
  const idPrefix = useId();
  const { form, values, country, autofill, problems, warnings, setValue, touch, unread, setUnread } = fields;
  const { options, error, isLoading, isKnown, reload } = useFieldOptions(fields, fieldId);
  const field = form && fieldsOf(form).find((field) => field.fieldId === fieldId);
  const isDate = field?.fieldType === "DATE";
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
  // The control of a date that shows one half typed, or one that does not exist.
  const control = useRef(undefined);
  const isUnread = unread.includes(fieldId);
  useEffect(() => {
    // `reset` and `setValue` clear it too, where React finds the value empty already.
    if (!isUnread && control.current?.validity?.badInput) control.current.value = "";
  }, [isUnread]);
  useEffect(() => () => setUnread(fieldId, false), [fieldId, setUnread]);
  const isOwn = (found) => found.fieldId === fieldId;
  const [problem, warning] = [problems.find(isOwn), warnings.find(isOwn)];
  const state = { values, problem, warning, options, error, isLoading };
  const table = autofill ? AUTOFILL : undefined;
  const shown = fieldControl(form, field, state, { idPrefix, country, autofill: table });
  const isGone = isUnread && !shown.isShown;
  useEffect(() => {
    if (isGone) setUnread(fieldId, false);
  }, [isGone, fieldId, setUnread]);
  const read = (target) => {
    control.current = target;
    setUnread(fieldId, target?.validity?.badInput === true);
  };
  const listeners = {
    onChange({ target }) {
      set(target.value);
      if (isDate) read(target);
    },
    onBlur(event) {
      if (isDate) read(event?.target);
      touch(fieldId);
    },
  };
  // What is half typed is no change, and Enter submits it before the control is left.
  if (isDate) listeners.onKeyDown = listeners.onKeyUp = ({ target }) => read(target);
  return { ...shown, controlProps: { ...shown.controlProps, ...listeners }, setValue: set, retry: reload };
}
