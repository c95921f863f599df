import { readMembers, toPlain } from "./plain.js";
import { readSignal } from "./signal.js";

const DONE = { done: true, value: undefined };

/**
 * The Push-to-Card flow before its first step, with which the rest of it comes. What it is given is read at
 * once, and judged with that step.
 */
export class PushToCard {
  #begin;
  #forget;
  #flow;
  #isOver = false;
  #end;
  #ended = new Promise((resolve) => {
    this.#end = resolve;
  });

  constructor(remit, handle, options, callOptions) {
    const given = readMembers(options, "options");
    for (const name of ["corridor", "fields", "transfer"]) {
      if (typeof given[name] === "object") {
        given[name] = toPlain(given[name], name, "InvalidRequest");
      }
    }
    const signal = readSignal(callOptions);
    this.#ended.catch(() => {});
    this.#forget = handle.run(() => handle.onEnd((error) => this.#end(Promise.reject(error))));
    this.#begin = async () => {
      const { PushToCardFlow } = await handle.part("transfer", { signal });
      this.#flow ??= this.#isOver ? undefined : new PushToCardFlow(remit, handle, given, signal);
      this.#forget();
      return this.#flow?.next() ?? DONE;
    };
  }

  async next() {
    return this.#flow?.next() ?? (this.#isOver ? DONE : Promise.race([this.#begin(), this.#ended]));
  }

  async return() {
    this.#isOver = true;
    this.#forget();
    this.#end(DONE);
    return this.#flow?.return() ?? DONE;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
