// The security code: three digits on the back, or four on the front, as the network has it.

import { codeLengthsOf, digitsOf } from "./card-number.js";

/** What is wrong with a code for a card of this network: "required", "length", or null. */
export function codeProblem(text, network) {
  const digits = digitsOf(text);
  if (digits === "") return "required";
  return codeLengthsOf(network).includes(digits.length) ? null : "length";
}
