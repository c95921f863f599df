import { useCallback, useMemo, useRef, useState } from "react";
import { contentOf } from "../content.js";
import { fieldsOf, isBlank, memberOf, sentValue, textOf } from "../fields/control.js";
import { methodOf } from "../fields/kind.js";
import { failure, isRemitError } from "../errors.js";
import { useKitQuery } from "./use-query.js";

// A service may call a field what objects inherit, such as `constructor`.
const UNTOUCHED = Object.freeze({ __proto__: null });
const NOTHING = Object.freeze({});
const NONE = Object.freeze([]);
/** Marks all fields as touched. A symbol, as a field may have any id. */
const ALL = Symbol("all");

export function useFieldForm(kind, query, options = NOTHING) {
  const { initialValues = NOTHING, country = query?.dstCountryIso3Code } = options;
  const { autofill = kind === "sender" } = options;
  const method = methodOf(kind);
  const key = query === null || query === undefined ? null : `${kind} ${contentOf(query)}`;
  const fetched = useKitQuery(key, (remit, options) => remit[method](query, options));
  // Never the form of an earlier query, which would collect other fields.
  const form = fetched.isCurrent ? fetched.value : undefined;

  // Computed once for each form, by the function of the render in which the form arrived.
  const isComputed = typeof initialValues === "function";
  const initial = useMemo(
    () => attempt(() => (form && isComputed ? initialValues(form) : NOTHING), NOTHING),
    [form],
  );
  const [entered, setEntered] = useState({ values: isComputed ? NOTHING : initialValues });
  const [touched, setTouched] = useState(UNTOUCHED);
  // For listeners, which may set a value and read it in the same turn.
  const latest = useRef(entered);
  const replace = useCallback((changed) => {
    latest.current = changed;
    setEntered(changed);
  }, []);
  const setValue = useCallback(
    (fieldId, value) => {
      const { current } = latest;
      // The choices of these fields are others now.
      const cleared = form === undefined ? NONE : form.dependents(fieldId);
      const changed = Object.fromEntries([...cleared.map((id) => [id, undefined]), [fieldId, value]]);
      replace({ ...current, values: { ...current.values, ...changed } });
      const untouched = Object.fromEntries(cleared.map((id) => [id, false]));
      setTouched((before) => ({ __proto__: null, ...before, ...untouched }));
    },
    [form, replace],
  );
  const touch = useCallback(
    (fieldId) => {
      const { current } = latest;
      const value = memberOf(merged(initial, current), fieldId);
      // The control shows what is sent.
      if (form !== undefined && !isBlank(value)) {
        const sent = sentValue(form, fieldId, value);
        if (textOf(sent) !== textOf(value)) replace({ ...current, values: { ...current.values, [fieldId]: sent } });
      }
      setTouched((before) => ({ __proto__: null, ...before, [fieldId]: true }));
    },
    [form, initial, replace],
  );
  const reset = useCallback(
    (to = NOTHING) => {
      replace({ values: to, isReset: true });
      setTouched(UNTOUCHED);
    },
    [replace],
  );

  const values = useMemo(() => merged(initial, entered), [initial, entered]);
  const found = useMemo(() => attempt(() => form?.check(values) ?? NONE, NONE), [form, values]);
  const isTouched = ({ fieldId }) => touched.all === ALL || touched[fieldId];
  const problems = useMemo(() => found.value.filter(isTouched), [found, touched]);
  const suspected = useMemo(() => attempt(() => form?.warnings(values) ?? NONE, NONE), [form, values]);
  const warnings = useMemo(() => suspected.value.filter(isTouched), [suspected, touched]);
  const check = useCallback(() => {
    const all = required(form).check(merged(initial, latest.current));
    setTouched({ all: ALL });
    return all;
  }, [form, initial]);
  const toFields = useCallback(() => {
    const fields = fieldsOf(required(form));
    const current = merged(initial, latest.current);
    return form.toFields(Object.fromEntries(fields.map(({ fieldId: id }) => [id, current[id]])));
  }, [form, initial]);

  return {
    form,
    error: fetched.error ?? initial.error ?? found.error,
    isLoading: fetched.isLoading,
    reload: fetched.refetch,
    values,
    setValue,
    reset,
    touch,
    problems,
    warnings,
    country,
    autofill,
    check,
    toFields,
  };
}

const merged = (initial, { values, isReset }) =>
  isReset || initial.value === NOTHING ? values : { ...initial.value, ...values };

// Catches errors of the page's functions and values: thrown during rendering, they would unmount the page.
function attempt(work, otherwise) {
  try {
    return { value: work() };
  } catch (error) {
    if (!isRemitError(error)) throw error;
    return { value: otherwise, error };
  }
}

function required(form) {
  if (form !== undefined) return form;
  throw failure("InvalidRequest", "The fields are not there yet: wait for `form`.");
}
