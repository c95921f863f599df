import { invalid } from "../../errors/errors.js";

const KINDS = ["sender", "recipient", "recipientAccount", "transfer"];

/** Returns the name of the call that fetches the fields of a kind. */
export function methodOf(kind) {
  if (!KINDS.includes(kind)) throw invalid("InvalidRequest", "kind", `one of ${KINDS.join(", ")}`);
  return `${kind}Fields`;
}
