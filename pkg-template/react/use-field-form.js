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

  const [values, setValues] = useState(initialValues);
  const [touched, setTouched] = useState(NOTHING);
  // What listeners read, which may set a value and go on in the same turn.
  const latest = useRef(values);
  const replace = useCallback((changed) => {
    latest.current = changed;
    setValues(changed);
  }, []);
  const setValue = useCallback(
    (fieldId, value) => replace({ ...latest.current, [fieldId]: value }),
    [replace],
  );
  const touch = useCallback((fieldId) => setTouched((before) => ({ ...before, [fieldId]: true })), []);
  const reset = useCallback(
    (to = NOTHING) => {
      replace(to);
      setTouched(NOTHING);
    },
    [replace],
  );

  const found = useMemo(() => problemsOf(form, values), [form, values]);
  const problems = useMemo(
    () => found.problems.filter(({ fieldId }) => touched.all === ALL || touched[fieldId]),
    [found, touched],
  );
  const check = useCallback(() => {
    const all = there(form).check(latest.current);
    setTouched({ all: ALL });
    return all;
  }, [form]);
  const toFields = useCallback(
    () =>
      there(form).toFields(
        Object.fromEntries(fieldsOf(form).map(({ fieldId: id }) => [id, latest.current[id]])),
      ),
    [form],
  );

  return {
    form,
    error: key === null ? undefined : (kit.error ?? asked.error ?? found.error),
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

// Called while React renders, which an error would end, and with it the page around it.
function problemsOf(form, values) {
  try {
    return { problems: form?.check(values) ?? NONE };
  } catch (error) {
    if (!isRemitError(error)) {
      throw error;
    }
    return { problems: NONE, error };
  }
}

function there(form) {
  if (form === undefined) {
    throw failure("InvalidRequest", "The fields are not there yet: wait for `form`.");
  }
  return form;
}
