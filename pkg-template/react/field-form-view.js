import { createElement, forwardRef, useEffect } from "react";
import { contentOf } from "../input/content.js";
import { useElement } from "./use-element.js";
import { useLatest } from "./use-latest.js";

export const FieldFormView = /* @__PURE__ */ forwardRef(function FieldFormView(props, ref) {
  const { kind, query, country, initialValues, masked, messages, filter, filterOptions, theme, autofill } = props;
  const { id, className, name, required, disabled, lang, shadow, summary, validate, children } = props;
  const latest = useLatest(props);
  const elementRef = useElement(ref, latest, "defineRemitFields", (element) => ({
    ready: () => latest.current.onReady?.(element),
    fieldchange: () => latest.current.onChange?.(element.values),
  }));

  // Compared by value, as pages write them inline; the latest functions are called.
  const isComputed = typeof initialValues === "function";
  const initialKey = isComputed ? "" : contentOf([initialValues]);
  useEffect(() => {
    const { initialValues } = latest.current;
    elementRef.current.initial = isComputed ? (form) => latest.current.initialValues(form) : initialValues;
  }, [isComputed, initialKey, latest]);
  // The element compares what filters accept.
  useEffect(() => {
    elementRef.current.filter = filter;
    elementRef.current.options = filterOptions;
  }, [filter, filterOptions, elementRef]);
  useEffect(() => {
    const { query, masked, messages, theme } = latest.current;
    Object.assign(elementRef.current, { query, masked, messages, theme });
  }, [contentOf([query, masked, messages, theme]), latest]);

  // Without a kind, the element asks for nothing.
  const asked = query === null ? undefined : kind;
  // Attributes, which React 18 writes as they are.
  const attributes = { id, class: className, kind: asked, country, name, lang, autofill, shadow, summary, validate };
  const flags = { required: required ? "" : undefined, disabled: disabled ? "" : undefined };
  return createElement("remit-fields", { ref: elementRef, ...attributes, ...flags }, children);
});
