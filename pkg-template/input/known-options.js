import { failure } from "../errors/errors.js";
import { readMembers } from "./plain.js";

/** Returns the members of a caller's options. Refuses unknown ones, which may be misspelled. */
export function readKnown(options, known, code = "InvalidRequest", name = "options") {
  const members = readMembers(options, name, code);
  const unknown = Object.keys(members).find((member) => !known.includes(member));
  if (unknown === undefined) return members;
  const option = name === "options" ? unknown : `${name}.${unknown}`;
  throw failure(code, `Unknown option \`${option}\`. There are ${known.join(", ")}.`, { option });
}
