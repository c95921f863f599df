// Stand-ins for what Safari 15.0 lacks, the package's oldest browser: `tests/newer-apis.mjs` has the list.

/** Returns a signal that aborts after a time. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Submits a form whose own handler does the work: nothing is sent by the browser. */
export function submitForm(form: HTMLFormElement): void {
  if (form.isConnected) form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

/** Returns an id that nobody else has. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
