// An answer of the core is a sign that says what follows, and JSON (`src/js/answer.rs`).

import { parseWithBigints } from "./bigint.js";
import { readError } from "./remit-error.js";

const decoder = new TextDecoder();

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
