import { failure } from "./errors.js";
import { Core } from "./remitkit_core.js";
import { readSignal } from "./signal.js";

/** What a kit and everything that it gives out share: its core, until it is destroyed. */
export class CoreHandle {
  #instance;
  #core;
  #destroying;
  #calls = new Set();
  #listeners = new Set();
  #release;

  constructor(instance, settings, host) {
    this.#instance = instance;
    this.#core = instance.run(() => new Core(settings, host));
    this.#release = instance.onCrash((error) => this.#end(error));
  }

  /** Work that gives a result at once: `work(core)`. */
  run(work) {
    this.#refuseIfDestroyed();
    return this.#instance.run(() => work(this.#core));
  }

  /** Work that gives a promise: `work(core, signal)`. */
  async call(work, options) {
    const signal = readSignal(options);
    this.#refuseIfDestroyed();
    const call = this.#instance.call(() => work(this.#core, signal));
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Tells of the end, whether by `destroy` or by a crash, with the error that every call then ends in. */
  onEnd(listener) {
    this.#refuseIfDestroyed();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes the card forms and waits for the calls in flight. */
  destroy() {
    if (this.#destroying === undefined) {
      this.#destroying = this.#finish();
      this.#end(destroyed());
    }
    return this.#destroying;
  }

  async #finish() {
    await Promise.allSettled([this.#instance.call(() => this.#core.destroy()), ...this.#calls]);
    try {
      this.#instance.run(() => this.#core.free());
    } catch {
      // After a crash nothing is left to free, and each call has told its own caller.
    }
  }

  #end(error) {
    this.#release();
    for (const listener of [...this.#listeners]) {
      listener(error);
    }
    this.#listeners.clear();
  }

  #refuseIfDestroyed() {
    if (this.#destroying !== undefined) {
      throw destroyed();
    }
  }
}

function destroyed() {
  return failure("Destroyed", "This RemitKit has been destroyed. Create a new one.");
}
