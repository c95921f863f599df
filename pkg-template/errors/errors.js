import { CODES, GENERAL_TEXTS } from "./codes.js";
import { isSpanish, languageOf } from "./locale.js";
import { BRAND, RemitError } from "../core/remit-error.js";

/**
 * Returns an error with a message for developers. `details` has the kind of a code that is not in `CODES`.
 */
export function failure(code, message, details) {
  const [kind, resolution, retryable = false] = CODES[code] ?? [];
  return new RemitError(code, message, { kind, resolution, retryable, userMessage: textOf(code), ...details });
}

/**
 * Returns the customers' text of a code that JavaScript raises, in English or Spanish, by default that of the
 * page: these errors need no wasm, and no file beside it.
 */
export function textOf(code, locale = languageOf()) {
  const [, , , ...own] = CODES[code] ?? [];
  const [english, spanish = english] = own.length > 0 ? own : GENERAL_TEXTS;
  return isSpanish(locale) ? spanish : english;
}

const NONE = { __proto__: null };
const NO_TEXTS = { own: NONE, all: NONE };

/** Gives an error the customers' texts of a kit: `loadMessages` returns them. */
export function translated(error, messages = NO_TEXTS, locale) {
  RemitError.translate(error, messages, builtInOf(error, locale));
  return error;
}

/** Returns the customers' text that a kit has for an error, which may be another kit's. */
export function userMessageOf(error, messages = NO_TEXTS, locale) {
  return RemitError.textOf(error, messages, builtInOf(error, locale));
}

function builtInOf({ code }, locale) {
  return CODES[code] && textOf(code, locale);
}

/** Adds what caused an error, unless that is known. */
export function withCause(error, cause) {
  if (cause !== undefined && !("cause" in error)) {
    Object.defineProperty(error, "cause", { __proto__: null, value: cause, writable: true, configurable: true });
  }
  return error;
}

/** Returns the error, or one for whatever else was thrown. */
export function asError(cause) {
  return isRemitError(cause) ? cause : failure("Internal", "Something went wrong in RemitKit.", { cause });
}

/** Returns an error with the code's default message, which the kit translates. */
export function standardFailure(code, details) {
  return failure(code, textOf(code), { hasDefaultMessage: true, ...details });
}

export function invalid(code, option, expected, details) {
  return failure(code, `${option} must be ${expected}.`, { option, ...details });
}

// The brand also marks errors of another realm or another copy of the package.
export function isRemitError(value) {
  try {
    return typeof value === "object" && value !== null && value[BRAND] === true;
  } catch {
    return false;
  }
}
