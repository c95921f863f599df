import { CODES, GENERAL_TEXT } from "./codes.js";
import { BRAND, RemitError } from "./remit-error.js";

/**
 * Returns an error with a message for developers. `details` has the kind of a code that is not in `CODES`.
 */
export function failure(code, message, details) {
  const [kind, resolution, userMessage = GENERAL_TEXT] = CODES[code] ?? [];
  const retryable = kind === "unavailable";
  return new RemitError(code, message, { kind, resolution, retryable, userMessage, ...details });
}

/** Returns an error with the code's default message, which the kit translates. */
export function standardFailure(code) {
  return failure(code, CODES[code][2], { hasDefaultMessage: true });
}

export function invalid(code, option, expected, details) {
  return failure(code, `${option} must be ${expected}.`, { option, ...details });
}

/** Returns the error for problems with fields, as the core does: with the first problem's code. */
export function fieldFailure(problems) {
  const [{ code, fieldId, message }] = problems;
  const isMissing = ["MissingRequiredField", "NotEmptyValidator"].includes(code);
  const resolution = isMissing ? "complete_fields" : "correct_input";
  return new RemitError(code, message, {
    kind: "field",
    resolution,
    retryable: false,
    option: fieldId,
    problems,
  });
}

// The brand also marks errors of another realm or another copy of the package.
export function isRemitError(value) {
  try {
    return typeof value === "object" && value !== null && value[BRAND] === true;
  } catch {
    return false;
  }
}
