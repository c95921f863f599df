// One field of the form: its input, its line of text below, and whether it is judged yet.

/**
 * `problem()` gives the key of the text that says what is wrong, or null; `hint()` the text shown otherwise.
 * A field is judged once it was left with something in it, or once the card was to be verified:
 * nobody is corrected while still typing for the first time.
 */
export class Field {
  #message;
  #say;
  #hint;
  #judged = false;

  constructor({ id, input, message, say, problem, hint = () => "" }) {
    this.id = id;
    this.input = input;
    this.problem = problem;
    this.#message = message;
    this.#say = say;
    this.#hint = hint;
  }

  /** Brings what is shown up to date with what is typed. */
  refresh() {
    this.show(this.#judged ? this.problem() : null);
  }

  /** Judges the field from now on, and says whether it is in order. */
  judge() {
    this.#judged = true;
    const problem = this.problem();
    this.show(problem);
    return problem === null;
  }

  /** The person has left the field. An empty one is no mistake yet. */
  left() {
    if (this.input.value !== "") this.#judged = true;
    this.refresh();
  }

  clear() {
    this.input.value = "";
    this.#judged = false;
    this.refresh();
  }

  /** Shows a problem by its key, or the hint for null. */
  show(problem) {
    if (problem === null) {
      this.input.removeAttribute("aria-invalid");
      delete this.#message.dataset.problem;
    } else {
      this.input.setAttribute("aria-invalid", "true");
      this.#message.dataset.problem = "";
    }
    const text = problem === null ? this.#hint() : this.#say(problem);
    // Writing the same text again would make some screen readers repeat it.
    if (this.#message.textContent !== text) this.#message.textContent = text;
  }
}
