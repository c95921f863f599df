import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";
import { contentOf } from "../content.js";
import { asError } from "../errors.js";
import { loadAgain } from "../load-again.js";
import { notify } from "../notify.js";
import { useRemitKit } from "./provider.js";
import { useLatest } from "./use-latest.js";

// By its public name, so that a page which also imports it gets the same module.
const loadFields = /* @__PURE__ */ loadAgain(() => import("remitkit/fields"));

export const FieldFormView = /* @__PURE__ */ forwardRef(function FieldFormView(props, ref) {
  const { kind, query, country, initialValues, masked, messages, filterOptions, theme, autofill } = props;
  const { id, className, name, required, disabled, lang, shadow, children } = props;
  const { remit, error } = useRemitKit();
  const latest = useLatest(props);
  const elementRef = useRef(null);

  useEffect(() => {
    const element = elementRef.current;
    const listeners = {
      ready: () => latest.current.onReady?.(element),
      fieldchange: () => latest.current.onChange?.(element.values),
      error: ({ detail }) => latest.current.onError?.(detail),
    };
    const pairs = Object.entries(listeners);
    pairs.forEach(([type, listener]) => element.addEventListener(type, listener));
    loadFields().then(
      ({ defineRemitFields }) => defineRemitFields(),
      (cause) => latest.current.onError?.(asError(cause)),
    );
    return () => pairs.forEach(([type, listener]) => element.removeEventListener(type, listener));
  }, [latest]);

  // Compared by value, as pages write them inline; the latest functions are called.
  const isComputed = typeof initialValues === "function";
  const isFiltered = filterOptions !== undefined;
  const initialKey = isComputed ? "" : contentOf([initialValues]);
  useEffect(() => {
    const { initialValues, filterOptions } = latest.current;
    const filter = (...args) => (latest.current.filterOptions ?? filterOptions)(...args);
    elementRef.current.initial = isComputed ? (form) => latest.current.initialValues(form) : initialValues;
    elementRef.current.options = isFiltered ? filter : undefined;
  }, [isComputed, isFiltered, initialKey, latest]);
  useEffect(() => {
    const { query, masked, messages, theme } = latest.current;
    Object.assign(elementRef.current, { query, masked, messages, theme });
  }, [contentOf([query, masked, messages, theme]), latest]);
  useEffect(() => {
    elementRef.current.remit = remit;
  }, [remit]);
  useEffect(() => {
    if (error !== undefined) notify(() => latest.current.onError?.(error));
  }, [error, latest]);
  useImperativeHandle(ref, () => elementRef.current, []);

  // Attributes, which React 18 writes as they are.
  const attributes = { id, class: className, kind, country, name, lang, autofill, shadow };
  const flags = { required: required ? "" : undefined, disabled: disabled ? "" : undefined };
  return createElement("remit-fields", { ref: elementRef, ...attributes, ...flags }, children);
});
