/** An error that test runners show as a failed expectation, with both sides. */
export class ExpectationError extends Error {
  constructor(message, sides) {
    super(message);
    Object.assign(this, sides);
  }

  get name() {
    return "AssertionError";
  }
}
