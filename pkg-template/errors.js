import { BRAND, RemitError } from "./remit-error.js";

// Kind and resolution of the codes that the first load raises itself.
const CODES = {
  InvalidRequest: ["invalid_request", "correct_input"],
  InvalidAmount: ["invalid_request", "correct_input"],
  InvalidRecipientId: ["invalid_request", "correct_input"],
  InvalidRecipientAccountId: ["invalid_request", "correct_input"],
  InvalidConfiguration: ["configuration", "correct_input"],
  NetworkFailure: ["unavailable", "try_again_later"],
  Aborted: ["aborted", "try_again_later"],
  CardFormDestroyed: ["aborted", "start_new_card_session"],
  OutcomeUnknown: ["outcome_unknown", "resume_attempt"],
  Destroyed: ["configuration", "correct_input"],
  Internal: ["internal", "contact_support"],
};

// The customers' texts, as in the core. All other codes are the page's fault.
const MESSAGES = {
  Aborted: "Cancelled.",
  CardFormDestroyed: "The card form was closed.",
  InvalidAmount: "Enter a valid amount.",
  NetworkFailure: "The service cannot be reached. Check your connection.",
  OutcomeUnknown:
    "We do not know yet whether this went through. Do not send it again: check its status first.",
};
const PAGE_AT_FAULT = "Something went wrong on this page. Reload it and try again.";

/**
 * Returns an error with a message for developers. `details` has the kind of a code that is not in `CODES`.
 */
export function failure(code, message, details) {
  const [kind, resolution] = CODES[code] ?? [];
  const retryable = kind === "unavailable";
  const userMessage = MESSAGES[code] ?? PAGE_AT_FAULT;
  return new RemitError(code, message, { kind, resolution, retryable, userMessage, ...details });
}

/** Returns an error with the code's default message, which the kit translates. */
export function standardFailure(code) {
  return failure(code, MESSAGES[code], { hasDefaultMessage: true });
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
