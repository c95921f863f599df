import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { contentOf } from "../input/content.js";
import { fieldOf, fieldsOf, isBlank, memberOf, sentValue, textOf } from "../fields/control.js";
import { methodOf } from "../fields/form/kind.js";
import { afterPress, watchPresses } from "../fields/presses.js";
import { textsIn } from "../fields/texts.js";
import { failure, isRemitError } from "../errors/errors.js";
import { useLanguage } from "./provider.js";
import { useLatest } from "./use-latest.js";
import { useKitQuery } from "./use-query.js";

// A service may call a field what objects inherit, such as `constructor`.
const UNTOUCHED = Object.freeze({ __proto__: null });
const NOTHING = Object.freeze({});
const NONE = Object.freeze([]);
/** Marks all fields as touched. A symbol, as a field may have any id. */
const ALL = Symbol("all");

export function useFieldForm(kind, query, options = NOTHING) {
  const { initialValues = NOTHING, country = query?.dstCountryIso3Code, filter } = options;
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
  const [entered, setEntered] = useState({ values: isComputed ? NOTHING : initialValues, unread: NONE });
  const [touched, setTouched] = useState(UNTOUCHED);
  // For listeners, which may set a value and read it in the same turn.
  const latest = useRef(entered);
  const replace = useCallback((changed) => {
    latest.current = changed;
    setEntered(changed);
  }, []);
  // Fields that were left during a press: what that shows would move what is pressed.
  const left = useRef(new Set());
  const setValue = useCallback(
    (fieldId, value) => {
      const { current } = latest;
      // The choices of these fields are others now.
      const cleared = form === undefined ? NONE : form.dependents(fieldId);
      const changed = Object.fromEntries([...cleared.map((id) => [id, undefined]), [fieldId, value]]);
      const unread = current.unread.filter((id) => id !== fieldId && !cleared.includes(id));
      replace({ ...current, values: { ...current.values, ...changed }, unread });
      cleared.forEach((id) => left.current.delete(id));
      const untouched = Object.fromEntries(cleared.map((id) => [id, false]));
      setTouched((before) => ({ __proto__: null, ...before, ...untouched }));
    },
    [form, replace],
  );
  const showLeft = useLatest(() => {
    for (const fieldId of left.current) {
      const { current } = latest;
      const value = memberOf(merged(initial, current), fieldId);
      // The control shows what is sent.
      if (form !== undefined && !isBlank(value)) {
        const sent = sentValue(form, fieldId, value);
        if (textOf(sent) !== textOf(value)) replace({ ...current, values: { ...current.values, [fieldId]: sent } });
      }
      setTouched((before) => ({ __proto__: null, ...before, [fieldId]: true }));
    }
    left.current.clear();
  });
  const touch = useCallback((fieldId) => {
    left.current.add(fieldId);
    afterPress(left, () => showLeft.current());
  }, []);
  useEffect(() => {
    watchPresses();
    return () => left.current.clear();
  }, []);
  const setUnread = useCallback(
    (fieldId, isUnread) => {
      const { current } = latest;
      if (current.unread.includes(fieldId) === isUnread) return;
      const others = current.unread.filter((id) => id !== fieldId);
      replace({ ...current, unread: isUnread ? [...others, fieldId] : others });
    },
    [replace],
  );
  // Each reads a control that is shown.
  const readers = useRef(new Set());
  const addReader = useCallback((read) => {
    readers.current.add(read);
    return () => readers.current.delete(read);
  }, []);
  const readControls = useCallback(() => readers.current.forEach((read) => read()), []);
  const reset = useCallback(
    (to = NOTHING) => {
      left.current.clear();
      replace({ values: to, unread: NONE, isReset: true });
      setTouched(UNTOUCHED);
    },
    [replace],
  );

  const values = useMemo(() => merged(initial, entered), [initial, entered]);
  const { unread } = entered;
  // Pages write the filter inline: another one is one that accepts other fields.
  const accepted = form ? fieldsOf(form, filter).map((field) => field.fieldId) : NONE;
  const fieldIds = useMemo(() => accepted, [form, contentOf(accepted)]);
  const isFiltered = filter !== undefined;
  const unreadText = useUnreadText(form);
  const find = useCallback(
    (values, unread) => {
      const own = new Set(fieldIds);
      // A field that is left out is another screen's.
      const isOwn = ({ fieldId }) => !isFiltered || own.has(fieldId);
      const problems = form.check(values).filter((found) => isOwn(found) && !unread.includes(found.fieldId));
      const ofUnread = unread.filter((id) => own.has(id)).map((id) => unreadProblem(form, id, unreadText));
      return inOrder([...problems, ...ofUnread], fieldIds);
    },
    [form, fieldIds, isFiltered, unreadText],
  );
  const found = useMemo(
    () => attempt(() => (form ? find(values, unread) : NONE), NONE),
    [form, find, values, unread],
  );
  const isTouched = ({ fieldId }) => touched.all === ALL || touched[fieldId];
  const problems = useMemo(() => found.value.filter(isTouched), [found, touched]);
  const suspected = useMemo(() => attempt(() => form?.warnings(values) ?? NONE, NONE), [form, values]);
  const warnings = useMemo(
    () => suspected.value.filter((one) => isTouched(one) && fieldIds.includes(one.fieldId)),
    [suspected, touched, fieldIds],
  );
  const check = useCallback(() => {
    required(form);
    readControls();
    const all = find(merged(initial, latest.current), latest.current.unread);
    setTouched({ all: ALL });
    return all;
  }, [form, find, initial]);
  const toFields = useCallback(() => {
    required(form);
    readControls();
    const current = merged(initial, latest.current);
    return form.toFields(Object.fromEntries(fieldIds.map((id) => [id, current[id]])));
  }, [form, fieldIds, initial]);

  return {
    form,
    error: fetched.error ?? initial.error ?? found.error,
    isLoading: fetched.isLoading,
    reload: fetched.refetch,
    fieldIds,
    values,
    setValue,
    unread,
    setUnread,
    addReader,
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

/** Returns what is said of a date that is half typed or impossible, once its texts are there. */
function useUnreadText(form) {
  const language = useLanguage();
  const [text, setText] = useState("…");
  const isNeeded = form !== undefined && fieldsOf(form).some(({ fieldType }) => fieldType === "DATE");
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isOver = false;
    textsIn(language).then((texts) => !isOver && setText(String(texts.say("date"))));
    return () => {
      isOver = true;
    };
  }, [isNeeded, language]);
  return text;
}

function unreadProblem(form, fieldId, message) {
  const { label, name } = fieldOf(form, fieldId);
  return { fieldId, code: "ValueRegexFailure", message, label: label || name || fieldId };
}

/** Sorts problems as their fields are; those that belong to no field stay behind. */
function inOrder(problems, fieldIds) {
  const places = new Map(fieldIds.map((id, place) => [id, place]));
  const placeOf = ({ fieldId }) => places.get(fieldId) ?? places.size;
  return problems.sort((one, other) => placeOf(one) - placeOf(other));
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
