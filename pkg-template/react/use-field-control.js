import { useCallback, useEffect, useId, useRef } from "react";
import { failure } from "../errors/errors.js";
import { AUTOFILL } from "../fields/controls/autofill.js";
import { fieldControl, fieldOf, isBlank, memberOf, textOf, valueOf } from "../fields/control.js";
import { isNeeded } from "../fields/controls/is-needed.js";
import { useFieldOptions } from "./use-field-options.js";

export function useFieldControl(fields, fieldId) {
  const idPrefix = useId();
  const { form, values, country, autofill, problems, warnings, setValue, touch, unread, setUnread, addReader } = fields;
  const { options, error, isLoading, isKnown, reload } = useFieldOptions(fields, fieldId);
  const field = form && fieldOf(form, fieldId);
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
  const [idOf, rendered, setLatest] = [useRef(undefined), useRef(undefined), useRef(undefined)];
  // The control of a date that shows one half typed, or one that does not exist.
  const control = useRef(undefined);
  const isUnread = unread.includes(fieldId);
  useEffect(() => {
    // `reset` and `setValue` clear it too, where React finds the value empty already.
    if (!isUnread && control.current?.validity?.badInput) control.current.value = "";
  }, [isUnread]);
  useEffect(() => () => setUnread(fieldId, false), [fieldId, setUnread]);
  useEffect(
    () =>
      addReader(() => {
        const element = document.getElementById(idOf.current);
        const isOther = element?.localName === "input" && element.value !== rendered.current;
        if (isOther) setLatest.current(element.value);
      }),
    [addReader],
  );
  const isOwn = (found) => found.fieldId === fieldId;
  const [problem, warning] = [problems.find(isOwn), warnings.find(isOwn)];
  const state = { values, problem, warning, isNeeded: isNeeded(form, field, values), options, error, isLoading };
  const table = autofill ? AUTOFILL : undefined;
  const shown = fieldControl(form, field, state, { idPrefix, country, autofill: table });
  const { isShown } = shown;
  // What was entered goes away with its field, as nobody would see it, and comes back with it.
  const takenAlong = useRef(undefined);
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current === isShown) return;
    wasShown.current = isShown;
    if (isShown && takenAlong.current !== undefined && isBlank(before)) setValue(fieldId, takenAlong.current);
    takenAlong.current = isShown || isBlank(before) ? undefined : before;
    if (takenAlong.current !== undefined) setValue(fieldId, undefined);
    if (!isShown) setUnread(fieldId, false);
  }, [isShown, before, fieldId, setValue, setUnread]);
  // What stands in the control is compared with what was rendered: autofill need not have said so.
  useEffect(() => {
    [idOf.current, rendered.current, setLatest.current] = [shown.controlProps.id, value, set];
  });
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
      const { target } = event ?? {};
      // Autofill need not have said so.
      if (typeof target?.value === "string" && target.value !== value) set(target.value);
      if (isDate) read(target);
      touch(fieldId);
    },
  };
  // What is half typed is no change, and Enter submits it before the control is left.
  if (isDate) listeners.onKeyDown = listeners.onKeyUp = ({ target }) => read(target);
  return { ...shown, controlProps: { ...shown.controlProps, ...listeners }, setValue: set, retry: reload };
}
