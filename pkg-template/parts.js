// The parts of the package outside the first load. Each loads when the page is idle after its first call, or
// with the call that needs it.

import { failure, isRemitError } from "./errors.js";
import { partLinker } from "./load.js";
import { loadAgain } from "./load-again.js";
import { unlessAborted } from "./signal.js";

// As long as a call may take in all.
const TIMEOUT_MS = 30_000;

/**
 * Returns a function that loads a part for an instance: its script, which `load` imports, and its piece of
 * the module, at `ownWasm`. Concurrent calls share one load; a failed one is repeated.
 */
export function part(load, ownWasm) {
  const linkTo = partLinker(ownWasm);
  const loadScript = loadAgain(load);
  return async (instance) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
    const loads = [loadScript(), linkTo(instance, timeout.signal)];
    Promise.allSettled(loads).then(() => clearTimeout(timer));
    try {
      const [script] = await unlessAborted(Promise.all(loads), timeout.signal, "NetworkFailure");
      return script;
    } catch (cause) {
      throw unavailable(cause);
    }
  };
}

function unavailable(cause) {
  const message = "A part of RemitKit could not be loaded. Try again, or reload the page.";
  return isRemitError(cause) ? cause : failure("NetworkFailure", message, { cause });
}

/** Loads all parts, and the scripts that these load later. */
export async function fetchAll(parts, instance) {
  try {
    await Promise.all(Object.values(parts).map(async (load) => (await load(instance)).fetchLater?.()));
  } catch (cause) {
    throw unavailable(cause);
  }
}

let isScheduled = false;

/**
 * Loads the parts once the page is idle, without calls in flight. The call that needs one reports failures.
 */
export function fetchWhenIdle(parts, instance, calls) {
  if (isScheduled || parts === undefined || globalThis.document === undefined) return;
  isScheduled = true;
  const fetch = () => {
    if (calls.size > 0) {
      isScheduled = false;
    } else {
      fetchAll(parts, instance).catch(() => {});
    }
  };
  // Safari lacks requestIdleCallback.
  globalThis.requestIdleCallback?.(fetch) ?? setTimeout(fetch, 200);
}
