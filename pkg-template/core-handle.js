import { KitCore } from "./kit-core.js";
import { failure } from "./errors.js";
import { FIRST_LOAD } from "./first-load.js";
import { fetchWhenIdle } from "./parts.js";
import { RemitError } from "./remit-error.js";
import { followSignal, readSignal, unlessAborted } from "./signal.js";

const NONE = { __proto__: null };

/** What a kit and everything that it gives out share: its core, until it is destroyed. */
export class CoreHandle {
  #instance;
  #core;
  #destroying;
  #calls = new Set();
  #listeners = new Set();
  #release;
  #messages;
  #host;
  #parts;
  #fields = new Map();

  /** `messages` says what customers are told in other words than those of the core. */
  constructor(instance, settings, host, messages, locale, parts) {
    this.locale = locale;
    this.#instance = instance;
    this.#host = host;
    this.#messages = messages;
    this.#parts = parts;
    this.#core = instance.run(() => new KitCore(settings, host));
    this.#release = instance.onCrash((error) => {
      this.#core.abandon(error);
      this.#end(error);
    });
  }

  /** The page's own text for a code. */
  ownMessage(code) {
    return this.#messages?.own[code];
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

  /** A part that the first load has left out: its module. */
  part(name, options) {
    return this.call((core, signal, part) => part, options, name);
  }

  /** Work that gives a promise: `work(core, signal)`, with a part that it needs as a third argument. */
  async call(work, options, part) {
    const given = readSignal(options);
    this.#refuseIfDestroyed();
    const { signal, release } = followSignal(given);
    let call;
    try {
      call = part === undefined ? this.#instance.run(() => work(this.#core, signal)) : this.#callWith(part, work, signal);
      this.#calls.add(call);
      return await call;
    } catch (error) {
      throw this.translate(this.#instance.explain(error));
    } finally {
      this.#calls.delete(call);
      release();
      fetchWhenIdle(this.#parts, this.#instance, this.#calls);
    }
  }

  async #callWith(part, work, signal) {
    const module = await unlessAborted(this.#parts[part](this.#instance), signal, "Aborted");
    module.take(FIRST_LOAD);
    this.#core.use(module);
    return this.#instance.run(() => work(this.#core, signal, module));
  }

  /** The error in the kit's language, with what the token source has thrown. */
  translate(error) {
    const { cause } = this.#host.token;
    if (error.code === "TokenUnavailable" && cause !== undefined && !("cause" in error)) {
      Object.defineProperty(error, "cause", { value: cause, writable: true, configurable: true });
    }
    error.problems?.forEach((problem) => label(problem, [...this.#fields.values()]));
    if (this.#messages !== undefined) {
      RemitError.translate(error, this.#messages);
    }
    return error;
  }

  /** The problems of a form in the kit's language, each with what the form calls its field. */
  translateProblems(problems, fields) {
    const { all = NONE } = this.#messages ?? NONE;
    return problems.map(({ fieldId, code, message }) => label({ fieldId, code, message: all[code] ?? message }, fields));
  }

  /** Fields that the page was given: errors call them by the same names. */
  note(fields) {
    fields.forEach((field) => this.#fields.set(field.fieldId, field));
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

function label(problem, fields) {
  const field = fields.find(({ fieldId }) => fieldId === problem.fieldId);
  const name = field?.label || field?.name;
  if (name) {
    problem.label = name;
  }
  return problem;
}

function destroyed() {
  return failure("Destroyed", "This RemitKit has been destroyed. Create a new one.");
}
