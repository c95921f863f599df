import { failure, standardFailure } from "../errors.js";
import { readSignal } from "../signal.js";

/** Stands where a kit's core stands: runs the work it is given, until it is destroyed. */
export class FakeHandle {
  #end;
  #listeners = new Set();

  run(work) {
    this.#refuseIfDestroyed();
    return work();
  }

  async call(work, options) {
    const signal = readSignal(options);
    this.#refuseIfDestroyed();
    if (signal?.aborted) {
      throw standardFailure("Aborted");
    }
    return work(undefined, signal);
  }

  translate(error) {
    return error;
  }

  onEnd(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  destroy() {
    if (this.#end === undefined) {
      const end = failure("Destroyed", "This RemitKit has been destroyed. Create a new one.");
      for (const listener of [...this.#listeners]) {
        listener(end);
      }
      this.#end = end;
    }
  }

  #refuseIfDestroyed() {
    if (this.#end !== undefined) {
      throw this.#end;
    }
  }
}
