import { invalid, standardFailure } from "./errors.js";
import { readMember } from "./plain.js";

/** The `signal` of a call's last argument. */
export function readSignal(options) {
  if (options === undefined) {
    return undefined;
  }
  if (isAbortSignal(options)) {
    throw invalid("InvalidRequest", "options", "an object that holds the signal: { signal }");
  }
  const signal = readMember(options, "signal", "options");
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw invalid("InvalidRequest", "signal", "an AbortSignal");
  }
  return signal;
}

/**
 * A signal of our own that follows the caller's, for the core: the caller's may have been given methods that
 * throw, which the core would not survive. `release` ends it.
 */
export function followSignal(signal) {
  if (signal === undefined) {
    return { signal, release: () => {} };
  }
  const controller = new AbortController();
  const abort = () => controller.abort(own("reason", signal));
  if (own("aborted", signal)) {
    abort();
    return { signal: controller.signal, release: () => {} };
  }
  let waiting = followed.get(signal);
  if (waiting === undefined) {
    waiting = new Followers(signal);
    followed.set(signal, waiting);
  }
  waiting.add(abort);
  return { signal: controller.signal, release: () => waiting.delete(abort) };
}

const followed = new WeakMap();

/** All who wait for one signal, with one listener: Node takes more than ten for a leak. */
class Followers {
  #aborts = new Set();
  #signal;
  #listen = () => this.#aborts.forEach((abort) => abort());

  constructor(signal) {
    this.#signal = signal;
  }

  add(abort) {
    EventTarget.prototype.addEventListener.call(this.#signal, "abort", this.#listen);
    this.#aborts.add(abort);
  }

  delete(abort) {
    this.#aborts.delete(abort);
    if (this.#aborts.size === 0) {
      EventTarget.prototype.removeEventListener.call(this.#signal, "abort", this.#listen);
    }
  }
}

/** What the answer comes to, or the error of this code once the signal is aborted. */
export function unlessAborted(answer, signal, code) {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(standardFailure(code));
    signal?.addEventListener("abort", giveUp, { once: true });
    if (signal?.aborted) {
      giveUp();
    }
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", giveUp));
  });
}

// By the class's own getter, whatever the page has put on the signal.
function own(name, signal) {
  return Object.getOwnPropertyDescriptor(AbortSignal.prototype, name).get.call(signal);
}

// The getter knows its own kind, of any realm; an object that merely looks like one makes it throw.
export function isAbortSignal(value) {
  try {
    own("aborted", value);
    return true;
  } catch {
    return false;
  }
}
