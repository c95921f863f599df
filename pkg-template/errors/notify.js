/** Calls a listener of the page, and reports what it throws as an uncaught exception. */
export function notify(listener, value) {
  try {
    listener(value);
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}
