// Reads the core's answers (`src/js/answer.rs`): a sign that says what follows, and JSON.

import { RemitError } from "./remit-error.js";

const decoder = new TextDecoder();

// The core writes whole numbers beyond 2^53, which JSON.parse would round, as digits, "n" and NUL.
const BIGINT = /^-?\d+n\0$/;

/** Returns the value of an answer, or throws its error. `body` is the last reply's. */
export function readAnswer(answer, body) {
  const rest = () => answer.slice(1);
  switch (answer[0]) {
    case "=":
      return JSON.parse(rest());
    case "~":
      if (body instanceof Blob) return body;
      return body?.length > 0 ? JSON.parse(decoder.decode(body)) : undefined;
    case "#":
      return parseWithBigints(rest());
    case "!":
      throw readError(rest());
    default:
      return undefined;
  }
}

function parseWithBigints(text) {
  return JSON.parse(text, (_, value) =>
    typeof value === "string" && BIGINT.test(value) ? BigInt(value.slice(0, -2)) : value,
  );
}

// An error is JSON, followed by a line feed and its quotes if it has any.
function readError(text) {
  // The service's texts in the quotes may contain more line feeds.
  const end = text.indexOf("\n");
  const quotes = end < 0 ? undefined : text.slice(end + 1);
  const { code, message, ...details } = JSON.parse(end < 0 ? text : text.slice(0, end));
  // Only the quotes mark bigints; the service's messages may contain anything.
  return new RemitError(code, message, { ...details, ...(quotes && parseWithBigints(quotes)) });
}
