import { take as takeForCards } from "../card-imports.js";
import { failure, standardFailure } from "../errors.js";
import { FIRST_LOAD } from "../first-load.js";
import { readSignal } from "../signal.js";
import { take as takeForTransfers } from "../transfer-imports.js";

takeForCards(FIRST_LOAD);
takeForTransfers(FIRST_LOAD);

/** Replaces a kit's CoreHandle, over a scripted core. */
export class FakeHandle {
  #core;
  #end;
  #listeners = new Set();

  constructor(core) {
    this.#core = core;
  }

  run(work) {
    this.#refuseIfDestroyed();
    return work();
  }

  async call(work, options) {
    const signal = readSignal(options);
    this.#refuseIfDestroyed();
    if (signal?.aborted) throw standardFailure("Aborted");
    return work(this.#core, signal);
  }

  ownMessage() {}

  translate(error) {
    return error;
  }

  translateProblems(problems) {
    return problems;
  }

  note() {}

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
    if (this.#end !== undefined) throw this.#end;
  }
}
