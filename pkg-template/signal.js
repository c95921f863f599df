import { invalid, standardFailure } from "./errors.js";
import { readMember } from "./plain.js";

/** Returns the `signal` of a call's last argument. */
export function readSignal(options) {
  if (options === undefined) return undefined;
  if (isAbortSignal(options)) {
    throw invalid("InvalidRequest", "options", "an object that holds the signal: { signal }");
  }
  const signal = readMember(options, "signal", "options");
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw invalid("InvalidRequest", "signal", "an AbortSignal");
  }
  return signal;
}

/** Returns a signal that follows the caller's, whose methods the page may have replaced, until `release`. */
export function followSignal(signal) {
  const noRelease = () => {};
  if (signal === undefined) return { signal, release: noRelease };
  const controller = new AbortController();
  const abort = () => controller.abort(own("reason", signal));
  if (own("aborted", signal)) {
    abort();
    return { signal: controller.signal, release: noRelease };
  }
  const followers = followed.get(signal) ?? new Followers();
  followed.set(signal, followers.add(abort));
  EventTarget.prototype.addEventListener.call(signal, "abort", followers);
  const release = () => {
    followers.delete(abort);
    if (followers.size === 0) {
      EventTarget.prototype.removeEventListener.call(signal, "abort", followers);
    }
  };
  return { signal: controller.signal, release };
}

/** The followers of one signal are one listener: Node warns of a leak at more than ten. */
class Followers extends Set {
  handleEvent() {
    this.forEach((abort) => abort());
  }
}

const followed = new WeakMap();

/** Settles as `answer` does, or rejects with the error of this code once the signal aborts. */
export function unlessAborted(answer, signal, code) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(standardFailure(code));
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", abort));
  });
}

// Uses the class's getter, whatever the page has defined on the signal.
function own(name, signal) {
  return Object.getOwnPropertyDescriptor(AbortSignal.prototype, name).get.call(signal);
}

// The getter accepts signals of any realm, and throws for anything else.
export function isAbortSignal(value) {
  try {
    own("aborted", value);
    return true;
  } catch {
    return false;
  }
}
