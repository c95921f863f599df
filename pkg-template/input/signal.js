import { invalid, standardFailure } from "../errors/errors.js";
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
  listen("addEventListener", signal, followers);
  const release = () => {
    followers.delete(abort);
    if (followers.size === 0) {
      listen("removeEventListener", signal, followers);
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

// Uses the class's members, whatever the page has defined on the signal. They accept signals of any realm,
// but a test DOM's do not accept the engine's.
function own(name, signal) {
  // Older browsers have no `reason`.
  const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, name) ?? { __proto__: null };
  return isOfClass(signal) ? get?.call(signal) : signal[name];
}

function listen(method, signal, listener) {
  const { [method]: change } = isOfClass(signal) ? EventTarget.prototype : signal;
  change.call(signal, "abort", listener);
}

function isOfClass(signal) {
  try {
    Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted").get.call(signal);
    return true;
  } catch {
    return false;
  }
}

export function isAbortSignal(value) {
  return isOfClass(value) || isLikeSignal(value);
}

// An object made from the class's prototype has its tag, but its accessors throw.
function isLikeSignal(value) {
  try {
    const tag = Object.prototype.toString.call(value);
    return tag === "[object AbortSignal]" && typeof value.aborted === "boolean";
  } catch {
    return false;
  }
}
