// What the core answers: a sign that says what follows, and JSON (`src/js/answer.rs`).

import { parseWithBigints } from "./bigint.js";
import { readError } from "./remit-error.js";

const decoder = new TextDecoder();

/** The value that an answer holds; `body` is that of the last reply. Throws the error that it tells of. */
export function readAnswer(answer, body) {
  const rest = () => answer.slice(1);
  switch (answer[0]) {
    case "=":
      return JSON.parse(rest());
    case "~":
      if (body instanceof Blob) {
        return body;
      }
      return body?.length > 0 ? JSON.parse(decoder.decode(body)) : undefined;
    case "#":
      return parseWithBigints(rest());
    case "!":
      throw readError(rest());
    default:
      return undefined;
  }
}
