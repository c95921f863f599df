import { Deferred } from "../module/deferred.js";
import { readMembers, toPlain } from "../input/plain.js";
import { makePublic } from "../module/public-object.js";
import { readSignal } from "../input/signal.js";

const DONE = { done: true, value: undefined };

/** The Push-to-Card flow. Reads its options at once; loads and checks the rest with the first step. */
export class PushToCardFlow {
  #begin;
  #forget;
  #run;
  #isOver = false;
  #ended = new Deferred();

  constructor(remit, handle, options, callOptions) {
    makePublic(this, (error) => handle.explain(error));
    const given = readMembers(options, "options");
    for (const name of ["corridor", "theme", "fields", "transfer"]) {
      if (typeof given[name] === "object") given[name] = toPlain(given[name], name);
    }
    const signal = readSignal(callOptions);
    this.#forget = handle.run(() => handle.onEnd((error) => this.#ended.fail(error)));
    this.#begin = async () => {
      const { PushToCardRun } = await handle.part("transfer", { signal });
      this.#run ??= this.#isOver ? undefined : new PushToCardRun(remit, handle, given, signal);
      this.#forget();
      return this.#run?.next() ?? DONE;
    };
  }

  async next() {
    return this.#run?.next() ?? (this.#isOver ? DONE : Promise.race([this.#begin(), this.#ended.promise]));
  }

  async return() {
    this.#isOver = true;
    this.#forget();
    this.#ended.succeed(DONE);
    return this.#run?.return() ?? DONE;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
