import { invalid } from "./errors.js";
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

// The getter knows its own kind, of any realm; an object that merely looks like one makes it throw.
function isAbortSignal(value) {
  try {
    Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted").get.call(value);
    return true;
  } catch {
    return false;
  }
}
