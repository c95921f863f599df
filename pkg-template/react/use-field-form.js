import { useCallback, useMemo, useRef, useState } from "react";
import { contentOf } from "../content.js";
import { failure, invalid, isRemitError } from "../errors.js";
import { useRemitKit } from "./provider.js";
import { useAnswer } from "./use-answer.js";

const METHODS = {
  sender: "senderFields",
  recipient: "recipientFields",
  recipientAccount: "recipientAccountFields",
  transfer: "transferFields",
};

const NOTHING = Object.freeze({});
const NONE = Object.freeze([]);

export function useFieldForm(kind, query, { initialValues = NOTHING } = {}) {
  if (!Object.hasOwn(METHODS, kind)) {
    throw invalid("InvalidRequest", "kind", `one of ${Object.keys(METHODS).join(", ")}`);
  }
  const kit = useRemitKit();
  const key = query === null || query === undefined ? null : `${kind} ${contentOf(query)}`;
  const asked = useAnswer(kit.remit, key, (remit, options) => remit[METHODS[kind]](query, options));
  // Of another query it would collect what is not asked for.
  const form = asked.isCurrent ? asked.value : undefined;

  // Made for this form, and by the function as it was when the form came.
  const made = useMemo(
    () => attempt(() => (form && typeof initialValues === "function" ? initialValues(form) : NOTHING), NOTHING),
    [form],
  );
  const [entered, setEntered] = useState({ values: typeof initialValues === "function" ? NOTHING : initialValues });
  const [touched, setTouched] = useState(NOTHING);
  // What listeners read, which may set a value and go on in the same turn.
  const latest = useRef(entered);
  const replace = useCallback((changed) => {
    latest.current = changed;
    setEntered(changed);
  }, []);
  const setValue = useCallback(
    (fieldId, value) => replace({ ...latest.current, values: { ...latest.current.values, [fieldId]: value } }),
    [replace],
  );
  const touch = useCallback((fieldId) => setTouched((before) => ({ ...before, [fieldId]: true })), []);
  const reset = useCallback(
    (to = NOTHING) => {
      replace({ values: to, isReset: true });
      setTouched(NOTHING);
    },
    [replace],
  );

  const values = useMemo(() => merged(made, entered), [made, entered]);
  const found = useMemo(() => attempt(() => form?.check(values) ?? NONE, NONE), [form, values]);
  const problems = useMemo(
    () => found.value.filter(({ fieldId }) => touched.all === ALL || touched[fieldId]),
    [found, touched],
  );
  const check = useCallback(() => {
    const all = there(form).check(merged(made, latest.current));
    setTouched({ all: ALL });
    return all;
  }, [form, made]);
  const toFields = useCallback(() => {
    const fields = fieldsOf(there(form));
    const given = merged(made, latest.current);
    return form.toFields(Object.fromEntries(fields.map(({ fieldId: id }) => [id, given[id]])));
  }, [form, made]);

  return {
    form,
    error: key === null ? undefined : (kit.error ?? asked.error ?? made.error ?? found.error),
    isLoading: kit.error === undefined && asked.isLoading,
    reload: asked.again,
    values,
    setValue,
    reset,
    touch,
    problems,
    check,
    toFields,
  };
}

/** Marks all fields, whatever a field is called. */
const ALL = Symbol("all");

export const fieldsOf = (form) => form.fieldSets.flatMap((set) => set.fields);

const merged = (made, { values, isReset }) => (isReset || made.value === NOTHING ? values : { ...made.value, ...values });

// Called while React renders, which an error would end, and with it the page around it.
function attempt(work, otherwise) {
  try {
    return { value: work() };
  } catch (error) {
    if (!isRemitError(error)) {
      throw error;
    }
    return { value: otherwise, error };
  }
}

function there(form) {
  if (form === undefined) {
    throw failure("InvalidRequest", "The fields are not there yet: wait for `form`.");
  }
  return form;
}
