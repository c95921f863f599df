/**
 * A field of the form: its input and its message. `problem()` returns the key of the problem's text or null,
 * `hint()` the text shown otherwise. Problems are shown only after the customer has left the filled field or
 * verified the card: nobody is corrected while still typing for the first time.
 */
export class Field {
  #message;
  #say;
  #hint;
  #showsProblems = false;

  constructor({ id, input, message, say, problem, hint = () => "" }) {
    this.id = id;
    this.input = input;
    this.problem = problem;
    this.#message = message;
    this.#say = say;
    this.#hint = hint;
  }

  /** Updates the message. */
  refresh() {
    this.show(this.#showsProblems ? this.problem() : null);
  }

  /** Shows problems from now on, and returns whether the field is valid. */
  validate() {
    this.#showsProblems = true;
    this.refresh();
    return this.problem() === null;
  }

  /** Handles that the customer leaves the field. An empty one is not a mistake yet. */
  blur() {
    if (this.input.value !== "") this.#showsProblems = true;
    this.refresh();
  }

  clear() {
    this.input.value = "";
    this.#showsProblems = false;
    this.refresh();
  }

  /** Shows a problem by its key; null shows the hint. */
  show(problem) {
    if (problem === null) {
      this.input.removeAttribute("aria-invalid");
      delete this.#message.dataset.problem;
    } else {
      this.input.setAttribute("aria-invalid", "true");
      this.#message.dataset.problem = "";
    }
    const text = problem === null ? this.#hint() : this.#say(problem);
    // Writing an equal text would make some screen readers repeat it.
    if (this.#message.textContent !== text) this.#message.textContent = text;
  }
}
