import { PushToCardSteps } from "./push-to-card-steps.js";
import { followSignal, Deferred, standardFailure } from "./transfer-imports.js";

/** A started Push-to-Card flow (interface, part 4): queues its steps, and ends it. */
export class PushToCardRun {
  #steps;
  #abort = new AbortController();
  #release;
  // The last call of `next`, until it has settled.
  #last = Promise.resolve();
  // How it ended: `{}`, `{ attempt }` that was handed out, or `{ error }` of every later call.
  #end;
  #stopped = new Deferred();

  constructor(remit, handle, options, callerSignal) {
    const { signal: own } = this.#abort;
    this.#steps = new PushToCardSteps(remit, handle, options, own, this.#stopped.promise);
    const forget = handle.onEnd((error) => this.#close({ error }, { removesForm: false }));
    const { signal, release } = followSignal(callerSignal);
    this.#release = () => {
      forget();
      release();
    };
    const abort = () => this.#close({ error: handle.translate(standardFailure("Aborted")) });
    if (signal?.aborted) {
      abort();
    } else {
      signal?.addEventListener("abort", abort);
    }
  }

  next() {
    const step = this.#last.then(() => this.#next());
    this.#last = step.catch(() => {});
    return step;
  }

  async return() {
    this.#close({});
    await this.#last;
    return { done: true, value: undefined };
  }

  async #next() {
    const step = this.#end === undefined ? await this.#unlessStopped(this.#steps.advance()) : undefined;
    if (this.#end?.error !== undefined) throw this.#end.error;
    if (this.#end !== undefined) return { done: true, value: undefined };
    if (step.type === "TRANSFER") this.#close({ attempt: step.attempt });
    return { done: false, value: Object.freeze(step) };
  }

  // Work in flight continues after the flow has ended; its outcome is ignored.
  async #unlessStopped(work) {
    try {
      return await Promise.race([work, this.#stopped.promise]);
    } catch (error) {
      if (this.#end === undefined) throw error;
    }
  }

  // The kit's end removes the form itself.
  #close(end, { removesForm = true } = {}) {
    if (this.#end === undefined) {
      this.#end = end;
      this.#release?.();
      this.#abort.abort();
      if (removesForm) this.#steps.removeForm();
      this.#stopped.succeed(end);
    }
  }
}
