import { KitCore } from "./kit-core.js";
import { failure } from "./errors.js";
import { RemitError } from "./remit-error.js";
import { followSignal, readSignal } from "./signal.js";

/** What a kit and everything that it gives out share: its core, until it is destroyed. */
export class CoreHandle {
  #instance;
  #core;
  #destroying;
  #calls = new Set();
  #listeners = new Set();
  #release;
  #messages;

  /** `messages` says the codes' own messages in another language than English. */
  constructor(instance, settings, host, messages, locale) {
    this.locale = locale;
    this.#instance = instance;
    this.#messages = messages;
    this.#core = instance.run(() => new KitCore(settings, host));
    this.#release = instance.onCrash((error) => {
      this.#core.abandon(error);
      this.#end(error);
    });
  }

  /** Work that gives a result at once: `work(core)`. */
  run(work) {
    this.#refuseIfDestroyed();
    try {
      return this.#instance.run(() => work(this.#core));
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Work that gives a promise: `work(core, signal)`. */
  async call(work, options) {
    const given = readSignal(options);
    this.#refuseIfDestroyed();
    const { signal, release } = followSignal(given);
    let call;
    try {
      call = this.#instance.run(() => work(this.#core, signal));
      this.#calls.add(call);
      return await call;
    } catch (error) {
      throw this.translate(this.#instance.explain(error));
    } finally {
      this.#calls.delete(call);
      release();
    }
  }

  /** The error in the kit's language. */
  translate(error) {
    if (this.#messages !== undefined) {
      RemitError.translate(error, this.#messages);
    }
    return error;
  }

  /** The problems of a form in the kit's language. */
  translateProblems(problems) {
    const say = (problem) => ({ ...problem, message: this.#messages[problem.code] ?? problem.message });
    return this.#messages === undefined ? problems : problems.map(say);
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
    await Promise.allSettled([...this.#calls]);
    try {
      this.#instance.run(() => this.#core.end());
    } catch {
      // After a crash nothing is left to free, and each call has told its own caller.
    }
    this.#release();
  }

  #end(error) {
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
