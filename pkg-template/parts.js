// What the first load leaves out: each part comes when the page is idle after its first call, or with the call
// that needs it.

import { failure } from "./errors.js";
import { loadAgain } from "./load-again.js";

/** A part as `load` imports it: once for all who ask, and again where it could not be fetched. */
export function part(load) {
  const again = loadAgain(
    load,
    (address) => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address),
  );
  let loading;
  return () => {
    loading ??= again().catch((cause) => {
      loading = undefined;
      const message = "A part of RemitKit could not be loaded. Try again, or load the page anew.";
      throw failure("NetworkFailure", message, { cause });
    });
    return loading;
  };
}

let isAsked = false;

/**
 * Fetches the parts in a page that has nothing else to do. What fails here is told by the call that needs it,
 * which tries again.
 */
export function fetchWhenIdle(parts) {
  if (isAsked || globalThis.document === undefined) {
    return;
  }
  isAsked = true;
  const fetchAll = () => Object.values(parts).forEach((load) => Promise.resolve(load()).catch(() => {}));
  // Safari has no such callback.
  globalThis.requestIdleCallback?.(fetchAll) ?? setTimeout(fetchAll, 200);
}
