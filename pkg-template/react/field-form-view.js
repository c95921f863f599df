import { createElement, forwardRef, useEffect, useRef } from "react";
import { contentOf } from "../content.js";
import { attempt, fieldsOf } from "../fields/control.js";
import { useElement } from "./use-element.js";
import { useLatest } from "./use-latest.js";

export const FieldFormView = /* @__PURE__ */ forwardRef(function FieldFormView(props, ref) {
  const { kind, query, country, initialValues, masked, messages, filter, filterOptions, theme, autofill } = props;
  const { id, className, name, required, disabled, lang, shadow, summary, validate, children } = props;
  const latest = useLatest(props);
  const accepted = useRef(undefined);
  const elementRef = useElement(ref, latest, "defineRemitFields", (element) => ({
    ready() {
      accepted.current = acceptedIn(element, latest.current.filter);
      latest.current.onReady?.(element);
    },
    fieldchange: () => latest.current.onChange?.(element.values),
  }));

  // Compared by value, as pages write them inline; the latest functions are called.
  const isComputed = typeof initialValues === "function";
  const isFiltered = filterOptions !== undefined;
  const initialKey = isComputed ? "" : contentOf([initialValues]);
  useEffect(() => {
    const { initialValues, filterOptions } = latest.current;
    const latestFilter = (...args) => (latest.current.filterOptions ?? filterOptions)(...args);
    elementRef.current.initial = isComputed ? (form) => latest.current.initialValues(form) : initialValues;
    elementRef.current.options = isFiltered ? latestFilter : undefined;
  }, [isComputed, isFiltered, initialKey, latest]);
  // Another filter is one that accepts other fields: the element shows its form again then.
  useEffect(() => {
    const element = elementRef.current;
    const wanted = acceptedIn(element, filter);
    const isApplied = (filter === undefined) === (element.filter === undefined);
    if (isApplied && (wanted === undefined || wanted === accepted.current)) return;
    element.filter = filter && ((...args) => (latest.current.filter ?? filter)(...args));
  }, [filter, elementRef, latest]);
  useEffect(() => {
    const { query, masked, messages, theme } = latest.current;
    Object.assign(elementRef.current, { query, masked, messages, theme });
  }, [contentOf([query, masked, messages, theme]), latest]);

  // Attributes, which React 18 writes as they are.
  const attributes = { id, class: className, kind, country, name, lang, autofill, shadow, summary, validate };
  const flags = { required: required ? "" : undefined, disabled: disabled ? "" : undefined };
  return createElement("remit-fields", { ref: elementRef, ...attributes, ...flags }, children);
});

/** Returns which fields of the element's form a filter accepts; undefined while there is none, or no form. */
function acceptedIn({ definition }, filter) {
  const idsOf = () => contentOf(fieldsOf(definition, filter).map(({ fieldId }) => fieldId));
  // The element reports a filter that throws.
  return filter && definition && attempt(idsOf, undefined);
}
