// The parts of the package outside the first load. Each loads when the page is idle after its first call, or
// with the call that needs it.

import { failure, isRemitError } from "../errors/errors.js";
import { readAll } from "../core/fetch.js";
import { FIRST_LOAD } from "./first-load.js";
import { partLinker } from "./load.js";
import { loadAgain } from "./load-again.js";
import { bindPart } from "../core/part-imports.js";

// Slow lines bring a part in minutes: only what has stopped arriving is given up.
const STALL_MS = 30_000;

/**
 * Returns a function that loads a part for an instance: its script, which `load` imports, and its piece of
 * the module, at `ownWasm`. Concurrent calls share one load; a failed one is repeated.
 */
export function part(load, ownWasm) {
  const download = new Download();
  const linkTo = partLinker(ownWasm, (...args) => download.read(...args));
  const loadScript = loadAgain(load);
  return async (instance) => {
    try {
      const [script] = await download.unlessStalled(Promise.all([loadScript(), linkTo(instance)]));
      return script;
    } catch (cause) {
      throw unavailable(cause);
    }
  };
}

class Download {
  #bytes = 0;
  #abort;

  /** Fetches a file, whose reply `check` has accepted. */
  async read(address, check) {
    this.#abort = new AbortController();
    const reply = await fetch(address, { signal: this.#abort.signal });
    check(reply);
    return readAll(reply, ({ length }) => (this.#bytes += length));
  }

  /** Waits, but fails once nothing has arrived for a while. A script still arrives, for the next call. */
  unlessStalled(work) {
    let timer;
    const stalled = new Promise((_, reject) => {
      const watch = (before) => {
        timer = setTimeout(() => {
          if (this.#bytes > before) return watch(this.#bytes);
          this.#abort?.abort();
          reject(new Error(`nothing has arrived for ${STALL_MS / 1000} s`));
        }, STALL_MS);
      };
      watch(this.#bytes);
    });
    return Promise.race([work, stalled]).finally(() => clearTimeout(timer));
  }
}

/** Loads a part for an instance, and returns its script's module. */
export async function loadPart(parts, name, instance) {
  const script = await parts[name](instance);
  script.bindFirstLoad(FIRST_LOAD);
  bindPart(script);
  return script;
}

function unavailable(cause) {
  const message = "A part of RemitKit could not be loaded. Try again, or reload the page.";
  return isRemitError(cause) ? cause : failure("LoadFailed", message, { cause });
}

/** Loads all parts, and the scripts that these load later. */
export async function fetchAll(parts, instance) {
  try {
    await Promise.all(Object.keys(parts).map(async (name) => (await parts[name](instance)).fetchLater?.()));
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
