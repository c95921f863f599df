import { useEffect, useImperativeHandle, useRef } from "react";
import { IS_AWAITED } from "../element/is-awaited.js";
import { asError } from "../errors.js";
import { loadAgain } from "../load-again.js";
import { notify } from "../notify.js";
import { useRemitKit } from "./provider.js";

// By its public name, so that a page which also imports it gets the same module.
const loadFields = /* @__PURE__ */ loadAgain(() => import("remitkit/fields"));

/**
 * Defines an element of `remitkit/fields` and gives it the kit of the provider. `listen` returns its listeners,
 * by event; `latest` has the component's latest properties.
 *
 * @returns the element's ref.
 */
export function useElement(ref, latest, define, listen) {
  const { remit, error } = useRemitKit();
  const elementRef = useRef(null);
  useEffect(() => {
    const element = elementRef.current;
    element[IS_AWAITED] = true;
    // Read only if somebody hears it: the element says the others to the developer.
    const onError = (event) => latest.current.onError?.(event.detail);
    const listeners = Object.entries({ ...listen(element), error: onError });
    listeners.forEach(([type, listener]) => element.addEventListener(type, listener));
    loadFields().then(
      (fields) => fields[define](),
      (cause) => latest.current.onError?.(asError(cause)),
    );
    return () => listeners.forEach(([type, listener]) => element.removeEventListener(type, listener));
    // The listeners call the latest properties.
  }, [latest]);
  useEffect(() => {
    elementRef.current.remit = remit;
  }, [remit]);
  useEffect(() => {
    if (error !== undefined) notify(() => latest.current.onError?.(error));
  }, [error, latest]);
  useImperativeHandle(ref, () => elementRef.current, []);
  return elementRef;
}
