import { useEffect, useImperativeHandle, useRef } from "react";
import { IS_AWAITED } from "../custom-element/is-awaited.js";
import { asError } from "../errors/errors.js";
import { loadAgain } from "../module/load-again.js";
import { notify } from "../errors/notify.js";
import { useRemitKit } from "./provider.js";
import { useLatest } from "./use-latest.js";

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
  const ofKit = useLatest(error);
  const elementRef = useRef(null);
  useEffect(() => {
    const element = elementRef.current;
    element[IS_AWAITED] = true;
    // Read only if somebody hears it: the element says the others to the developer. Why there is no kit is told below.
    const onError = (event) => {
      const { onError } = latest.current;
      if (onError && event.detail !== ofKit.current) onError(event.detail);
    };
    const listeners = Object.entries({ ...listen(element), error: onError });
    listeners.forEach(([type, listener]) => element.addEventListener(type, listener));
    loadFields().then(
      (fields) => fields[define](),
      (cause) => (latest.current.onError ?? console.error)(asError(cause)),
    );
    return () => listeners.forEach(([type, listener]) => element.removeEventListener(type, listener));
    // The listeners call the latest properties.
  }, [latest, ofKit]);
  useEffect(() => {
    // So that it says why it shows nothing.
    elementRef.current.remit = error === undefined ? remit : rejectedWith(error);
  }, [remit, error]);
  useEffect(() => {
    if (error !== undefined) notify(() => latest.current.onError?.(error));
  }, [error, latest]);
  useImperativeHandle(ref, () => elementRef.current, []);
  return elementRef;
}

function rejectedWith(error) {
  const rejected = Promise.reject(error);
  // An element that asks for nothing does not handle it.
  rejected.catch(() => {});
  return rejected;
}
