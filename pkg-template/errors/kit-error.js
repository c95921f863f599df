import { failure, isRemitError } from "./errors.js";

/** Returns a kit's RemitError, or the error for a `remit` that is not a kit. */
export function kitError(cause) {
  if (isRemitError(cause)) return cause;
  const message = "`remit` must be what createRemitKit gives, or a promise of it.";
  return failure("InvalidConfiguration", message, { option: "remit", cause });
}
