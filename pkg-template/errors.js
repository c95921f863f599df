import { RemitError } from "./remitkit_core.js";

const BRAND = Symbol.for("remitkit.error");

// Kind and resolution of the codes that the package raises before or beside the core.
const CODES = {
  InvalidRequest: ["invalid_request", "correct_input"],
  InvalidAmount: ["invalid_request", "correct_input"],
  InvalidConfiguration: ["configuration", "correct_input"],
  NetworkFailure: ["unavailable", "try_again_later"],
  CardFormDestroyed: ["aborted", "start_new_card_session"],
  OutcomeUnknown: ["outcome_unknown", "resume_attempt"],
  Destroyed: ["configuration", "correct_input"],
  Internal: ["internal", "contact_support"],
};

export function failure(code, message, details) {
  const [kind, resolution] = CODES[code];
  const retryable = kind === "unavailable";
  return new RemitError(code, message, { kind, resolution, retryable, ...details });
}

export function invalid(code, option, expected, details) {
  return failure(code, `${option} must be ${expected}.`, { option, ...details });
}

// By brand, so that an error of another realm or another copy of the package counts too.
export function isRemitError(value) {
  try {
    return typeof value === "object" && value !== null && value[BRAND] === true;
  } catch {
    return false;
  }
}
