// The one class of error that JavaScript sees. All of the package makes it, so
// that `instanceof` holds whoever did; the brand holds across realms and copies of the package.

import { parseWithBigints } from "./bigint.js";

const BRAND = Symbol.for("remitkit.error");

// What an error may carry beside code, kind and message. None of it holds a token or a customer's data.
const DETAILS = ["resolution", "retryable", "httpStatus", "requestId", "option", "retryAfterMs", "problems"];
// What concerns the page and no log: a quote that no longer holds, the one that replaces it, and what
// differs.
const QUOTES = ["quote", "previousQuote", "difference"];

export class RemitError extends Error {
  // Whether the message is the code's own, and neither the service's words nor a developer's.
  #hasDefaultMessage;
  // Whether the one for the customer is.
  #hasDefaultUserMessage;

  // Says what the customer is told in another language: the page's own texts count before the service's
  // words, the built-in ones behind them.
  static translate(error, { own, all }) {
    if (#hasDefaultMessage in error) {
      const text = (error.#hasDefaultUserMessage ? all : own)[error.code];
      error.userMessage = text ?? error.userMessage;
      if (error.#hasDefaultMessage) {
        error.message = error.userMessage;
      }
      const texts = error.httpStatus === undefined ? all : own;
      error.problems?.forEach((problem) => {
        problem.message = texts[problem.code] ?? problem.message;
      });
    }
  }

  // A page may make one too. Whatever it passes, this gives an error and is not the cause of another.
  constructor(code, message, details) {
    super(typeof message === "string" ? message : "");
    this.code = code;
    this.userMessage = this.message;
    try {
      const { hasDefaultMessage, userMessage, kind, ...more } = details;
      this.#hasDefaultMessage = hasDefaultMessage === true;
      this.#hasDefaultUserMessage = hasDefaultMessage === true || userMessage !== undefined;
      if (userMessage !== undefined && !hasDefaultMessage) {
        this.userMessage = String(userMessage);
      }
      this.kind = kind;
      if ("cause" in more) {
        Object.defineProperty(this, "cause", { value: more.cause, writable: true, configurable: true });
      }
      for (const name of [...DETAILS, ...QUOTES]) {
        if (more[name] !== undefined) {
          this[name] = more[name];
        }
      }
    } catch {
      // Details that cannot be read are none.
    }
  }

  // What may be logged or sent on: `cause`, `attempt` and the quotes stay out of it.
  toJSON() {
    const safe = { name: this.name, code: this.code, kind: this.kind, message: this.message };
    for (const name of DETAILS) {
      if (this[name] !== undefined) {
        safe[name] = this[name];
      }
    }
    return safe;
  }
}

/** The error that the core tells of: JSON, and after a line feed what concerns its quotes. */
export function readError(text) {
  // The first line alone is the core's own: in a quote's text stand what lines the service has made.
  const end = text.indexOf("\n");
  const quotes = end < 0 ? undefined : text.slice(end + 1);
  const { code, message, ...details } = JSON.parse(end < 0 ? text : text.slice(0, end));
  // The quotes alone: in the service's own words nothing stands for a number.
  return new RemitError(code, message, quotes === undefined ? details : { ...details, ...parseWithBigints(quotes) });
}

Object.defineProperties(RemitError.prototype, {
  name: { value: "RemitError", configurable: true, writable: true },
  [BRAND]: { value: true },
});
