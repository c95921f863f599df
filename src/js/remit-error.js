export const BRAND = Symbol.for("remitkit.error");

// Loggable details: they hold neither tokens nor customer data.
const DETAILS = ["resolution", "retryable", "httpStatus", "requestId", "option", "retryAfterMs", "problems"];
// For the page, but not for logs: the fresh quote, the one that is no longer valid, and the difference; the
// transfer that was made for the payment.
const RECORDS = ["quote", "previousQuote", "difference", "transfer"];

/** The only class of error that the package throws. The brand identifies it across realms and copies. */
export class RemitError extends Error {
  // Whether `message`, or `userMessage`, is the default of its code.
  #hasDefaultMessage;
  #hasDefaultUserMessage;
  #untranslated;

  // Returns the customer's text. The page's own and the Spanish ones precede the service's, which is asked for
  // a language only with quotes.
  static textOf(error, { all }, builtIn) {
    if (!(#hasDefaultMessage in error)) return error.userMessage;
    const text = all[error.code] ?? (error.#hasDefaultUserMessage ? builtIn : undefined);
    return text ?? error.#untranslated;
  }

  static translate(error, messages, builtIn) {
    if (#hasDefaultMessage in error) {
      error.userMessage = RemitError.textOf(error, messages, builtIn);
      if (error.#hasDefaultMessage) error.message = error.userMessage;
      error.problems?.forEach((problem) => {
        problem.message = messages.all[problem.code] ?? problem.message;
      });
    }
  }

  // Public: a page may pass anything, and this must not throw.
  constructor(code, message, details) {
    super(typeof message === "string" ? message : "");
    this.code = code;
    this.userMessage = this.message;
    try {
      const { hasDefaultMessage, userMessage, kind, ...more } = details;
      this.#hasDefaultMessage = hasDefaultMessage === true;
      this.#hasDefaultUserMessage = hasDefaultMessage === true || userMessage !== undefined;
      if (userMessage !== undefined && !hasDefaultMessage) this.userMessage = String(userMessage);
      this.#untranslated = this.userMessage;
      this.kind = kind;
      if ("cause" in more) {
        const cause = { __proto__: null, value: more.cause, writable: true, configurable: true };
        Object.defineProperty(this, "cause", cause);
      }
      for (const name of [...DETAILS, ...RECORDS]) {
        if (more[name] !== undefined) this[name] = more[name];
      }
    } catch {
      // Ignore details that cannot be read.
    }
  }

  // Returns what may be logged: not `cause`, `attempt` and the records.
  toJSON() {
    const safe = { name: this.name, code: this.code, kind: this.kind, message: this.message };
    for (const name of DETAILS) {
      if (this[name] !== undefined) safe[name] = this[name];
    }
    return safe;
  }
}

Object.defineProperties(RemitError.prototype, {
  name: { __proto__: null, value: "RemitError", configurable: true, writable: true },
  [BRAND]: { __proto__: null, value: true },
});
