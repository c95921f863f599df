import { failure } from "../errors/errors.js";

/** The end of an issuer. A class of its own, as Node warns of more than ten listeners of one AbortSignal. */
export class Closing {
  #listeners = new Set();
  #isClosed = false;

  close() {
    this.#isClosed = true;
    for (const listener of [...this.#listeners]) listener(closed());
  }

  throwIfClosed() {
    if (this.#isClosed) throw closed();
  }

  /** Calls `listener` with an error when the issuer closes, until the returned function is called. */
  onClose(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function closed() {
  return failure("Aborted", "The token issuer is closed.");
}
