import { failure, translated, userMessageOf, withCause } from "../errors/errors.js";
import { fetchWhenIdle, loadPart } from "./parts.js";
import { followSignal, readSignal, unlessAborted } from "../input/signal.js";

const NONE = { __proto__: null };

/** The core of a kit until `destroy`, shared by the kit and all that it hands out. */
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

  /** `messages` are the customer texts that replace the core's English ones. */
  constructor(instance, core, host, messages, locale, parts) {
    this.locale = locale;
    this.#instance = instance;
    this.#host = host;
    this.#messages = messages;
    this.#parts = parts;
    this.#core = core;
    this.#release = instance.onCrash((error) => this.#end(error));
  }

  /** Returns the page's own text for a code. */
  ownMessage(code) {
    return this.#messages?.own[code];
  }

  /** Returns the customer's text for an error, which may be another kit's. */
  userMessageOf(error) {
    return userMessageOf(error, this.#messages, this.locale);
  }

  /** Runs synchronous work: `work(core)`. */
  run(work) {
    this.#refuseIfDestroyed();
    return this.#instance.run(() => work(this.#core));
  }

  /** Loads a part of the package, and returns its script's module. */
  part(name, options) {
    return this.call((core, signal, script) => script, options, name);
  }

  /** Runs asynchronous work: `work(core, signal, script)`, once the `part` that it needs is loaded. */
  async call(work, options, part) {
    const callerSignal = readSignal(options);
    this.#refuseIfDestroyed();
    const { signal, release } = followSignal(callerSignal);
    let call;
    try {
      call = this.#instance.untilCrash(async () => {
        let script;
        if (part !== undefined) {
          script = await unlessAborted(loadPart(this.#parts, part, this.#instance), signal, "Aborted");
        }
        return work(this.#core, signal, script);
      });
      this.#calls.add(call);
      return await call;
    } catch (error) {
      throw this.explain(error);
    } finally {
      this.#calls.delete(call);
      release();
      fetchWhenIdle(this.#parts, this.#instance, this.#calls);
    }
  }

  /** Completes an error: adds the customer's texts, field labels, and what the token source threw. */
  translate(error) {
    if (error.code === "TokenUnavailable") withCause(error, this.#host.source.cause);
    error.problems?.forEach((problem) => label(problem, [...this.#fields.values()]));
    return translated(error, this.#messages, this.locale);
  }

  /** Returns the error of a call: the kit's own for whatever else was thrown. */
  explain(error) {
    return this.translate(this.#instance.explain(error));
  }

  /** Returns a form's problems with the customer's texts and the form's labels. */
  translateProblems(problems, fields) {
    const { all = NONE } = this.#messages ?? NONE;
    return problems.map(({ fieldId, code, message }) =>
      label({ fieldId, code, message: all[code] ?? message }, fields),
    );
  }

  /** Remembers the fields of a form, for the labels of later errors. */
  rememberFields(fields) {
    fields.forEach((field) => this.#fields.set(field.fieldId, field));
  }

  /** Calls `listener` at the end, by `destroy` or a crash, with the error of every later call. */
  onEnd(listener) {
    this.#refuseIfDestroyed();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes the card forms and waits for the calls in flight. */
  destroy() {
    if (this.#destroying === undefined) {
      this.#destroying = this.#finish();
      this.#end(this.#destroyed());
    }
    return this.#destroying;
  }

  async #finish() {
    await Promise.allSettled([...this.#calls]);
    try {
      this.#instance.run(() => this.#core.free());
    } catch {
      // After a crash there is nothing to free, and each call has rejected.
    }
    this.#release();
  }

  #end(error) {
    for (const listener of [...this.#listeners]) listener(error);
    this.#listeners.clear();
  }

  #refuseIfDestroyed() {
    if (this.#destroying !== undefined) throw this.#destroyed();
  }

  #destroyed() {
    return this.translate(failure("Destroyed", "This RemitKit has been destroyed. Create a new one."));
  }
}

function label(problem, fields) {
  const field = fields.find(({ fieldId }) => fieldId === problem.fieldId);
  const name = field?.label || field?.name;
  if (name) problem.label = name;
  return problem;
}
