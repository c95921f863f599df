import { RemitError } from "../core/remit-error.js";
import { CODES } from "./codes.js";

/** Returns an error. `message` must not quote what was sent or received: it may contain a secret. */
export function serverFailure(code, message, details) {
  const [kind, resolution, retryable] = CODES[code];
  return new RemitError(code, message, { kind, resolution, retryable, ...details });
}
