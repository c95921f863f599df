// What the first load leaves out: each part comes when the page is idle after its first call, or with the
// call that needs it.

import { failure, isRemitError } from "./errors.js";
import { partOfModule } from "./load.js";
import { loadAgain } from "./load-again.js";
import { unlessAborted } from "./signal.js";

// What is never answered must not keep its call for longer than a call takes in all.
const LOADED_WITHIN_MS = 30_000;

/**
 * A part, its script as `load` imports it and what it has of the module at `ownWasm`: for an instance once,
 * whoever asks, and again where it could not be fetched.
 */
export function part(load, ownWasm) {
  const addTo = partOfModule(ownWasm);
  const again = loadAgain(
    load,
    (address) => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address),
  );
  let loading;
  const loadScript = () => {
    loading ??= again().catch((cause) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
  return async (instance) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LOADED_WITHIN_MS);
    const loads = [loadScript(), addTo(instance, late.signal)];
    Promise.allSettled(loads).then(() => clearTimeout(timer));
    try {
      const [script] = await unlessAborted(Promise.all(loads), late.signal, "NetworkFailure");
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

/** Fetches all parts, with what they ask for later. */
export async function fetchAll(parts, instance) {
  try {
    await Promise.all(Object.values(parts).map(async (load) => (await load(instance)).fetchLater?.()));
  } catch (cause) {
    throw unavailable(cause);
  }
}

let isAsked = false;

/**
 * Fetches the parts in a page that has nothing else to do, and so no calls that wait for an answer. What
 * fails here is told by the call that needs it, which tries again.
 */
export function fetchWhenIdle(parts, instance, calls) {
  if (isAsked || globalThis.document === undefined) {
    return;
  }
  isAsked = true;
  const fetch = () => {
    if (calls.size > 0) {
      isAsked = false;
    } else {
      fetchAll(parts, instance).catch(() => {});
    }
  };
  // Safari has no such callback.
  globalThis.requestIdleCallback?.(fetch) ?? setTimeout(fetch, 200);
}
