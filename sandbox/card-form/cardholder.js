// The name on the card. The service requires at least two names (interface, part 8).

const LONGEST = 80;

/** Returns the name with normalized spaces. */
export function cleanName(text) {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ");
}

/** Returns the problem of a name: "required", "characters", "names", "long", or null. */
export function nameProblem(text) {
  const name = cleanName(text);
  if (name === "") return "required";
  // Above all no digits: a card number typed into this field must not be sent as a name.
  if (!/^[\p{L}\p{M} .,'’·-]+$/u.test(name)) return "characters";
  if (name.split(" ").filter((part) => /\p{L}/u.test(part)).length < 2) return "names";
  if (name.length > LONGEST) return "long";
  return null;
}
