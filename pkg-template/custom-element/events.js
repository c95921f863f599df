import { complain } from "./complaint.js";

/** Returns whether an element is in a document that is shown. */
export const isInPage = ({ isConnected, ownerDocument }) => isConnected && ownerDocument.defaultView !== null;

export function dispatchChange(element) {
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Does not bubble: monitoring scripts take an `error` at the window for an exception. */
export function dispatch(element, type, detail) {
  element.dispatchEvent(new CustomEvent(type, { composed: true, detail }));
}

/** Tells an error, and one that no listener of the page reads to its developer. */
export function dispatchError(element, error) {
  let isRead = false;
  const event = new CustomEvent("error", { composed: true });
  const get = () => {
    isRead = true;
    return error;
  };
  Object.defineProperty(event, "detail", { __proto__: null, get });
  element.dispatchEvent(event);
  if (!isRead) complain(element, `${error.code}: ${error.message}`);
}

/** Returns whether an element is the first of its form that is invalid, which browsers show. */
export function isFirstInvalid(element) {
  const isInvalid = (control) => control.willValidate && !control.validity?.valid;
  return ([...(element.form?.elements ?? [])].find(isInvalid) ?? element) === element;
}
