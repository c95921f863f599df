/** Calls a listener of the page. What it throws is the page's affair and stops nothing here. */
export function notify(listener, value) {
  try {
    listener(value);
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}
