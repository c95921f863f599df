// The name on the card. The service wants at least two names (interface, part 8: Cardholder name).

const LONGEST = 80;

/** The name with its spaces put in order; nothing else is changed. */
export function cleanName(text) {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ");
}

/** What is wrong with a name: "required", "characters", "names", "long", or null. */
export function nameProblem(text) {
  const name = cleanName(text);
  if (name === "") return "required";
  // Digits above all: a card number typed into this field must not travel as a name.
  if (!/^[\p{L}\p{M} .,'’·-]+$/u.test(name)) return "characters";
  if (name.split(" ").filter((part) => /\p{L}/u.test(part)).length < 2) return "names";
  if (name.length > LONGEST) return "long";
  return null;
}
