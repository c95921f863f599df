import { readAnswer } from "./answer.js";
import { Engine } from "./engine.js";

/**
 * Does what the core asks for, one thing at a time under each number, and tells those who wait for its calls
 * how they have ended.
 */
export class Hands extends Engine {
  /** The core that has these hands. */
  core;
  /** Of `pattern.js`. */
  matches;
  #host;
  #calls = new Map();
  #newest = 0;
  #isEnding = false;
  #journal;

  constructor(host) {
    super((...told) => this.#pass(...told));
    this.#host = host;
  }

  /** Begins a call as `begin(id, isAborted)` does it. */
  call(signal, begin) {
    this.#newest += 1;
    const id = this.#newest;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, accept: undefined, body: undefined });
      signal?.addEventListener("abort", () => this.#calls.has(id) && this.#run(() => this.core.abort(id)));
      this.#run(() => begin(id, signal?.aborted === true));
    });
  }

  /** Takes what forms and transfers need besides: only they have patterns, and a journal. */
  use({ matches, openJournal }) {
    this.matches ??= matches;
    this.#journal ??= openJournal?.(this.#host.journal);
  }

  /** Frees the core once nothing is under way. */
  finish() {
    this.#isEnding = true;
    this.#run(() => {});
  }

  /** The core has crashed, and tells nothing any more. */
  abandon(error) {
    this.#isEnding = false;
    this.stopAll();
    this.#calls.forEach(({ reject }) => reject(error));
    this.#calls.clear();
  }

  // What the core calls.

  send(id, url, method, bearer, accept, ...request) {
    const call = this.#calls.get(id);
    if (call !== undefined) {
      call.accept = accept;
    }
    super.send(id, url, method, bearer, accept, ...request);
  }

  token(id, ms) {
    this.ask(id, ms, this.#json(this.#host.token()));
  }

  journal(id, ms, method, ...given) {
    const answer = this.#journal[method](...given.filter((text) => text !== undefined));
    this.ask(id, ms, method === "keys" ? this.#json(answer) : answer);
  }

  trace(json) {
    this.#host.diagnostic(json);
  }

  /**
   * `order` says which of different rows stands at each place of a list; with a `form` the call comes to that
   * and its field sets.
   */
  end(id, answer, order, form) {
    const { resolve, reject, body } = this.#calls.get(id);
    this.#calls.delete(id);
    try {
      const value = order === undefined ? readAnswer(answer, body) : rowsOf(answer, order);
      resolve(form === undefined ? value : [form, value?.fieldSets]);
    } catch (error) {
      reject(error);
    }
  }

  // The core reads texts alone.
  async #json(answer) {
    return JSON.stringify(await answer);
  }

  #pass(id, status, body, requestId, type, retryAfter) {
    const call = this.#calls.get(id);
    // Of what any type will do for, the core does not look at the bytes.
    const isBlob = call?.accept === "*/*" && status >= 200 && status < 300;
    if (call !== undefined) {
      call.body = isBlob ? new Blob([body], { type }) : body;
    }
    this.#run(() => this.core.tell(id, status, isBlob ? undefined : body, requestId, retryAfter));
  }

  #run(work) {
    try {
      work();
    } catch {
      // It has crashed, and all who wait are told of that.
    }
    if (this.#isEnding && this.core.isIdle) {
      this.#isEnding = false;
      this.core.free();
    }
  }
}

// Rows that are the same letter by letter are one object, which nobody can change for the others.
function rowsOf(answer, order) {
  const rows = freeze(JSON.parse(answer.slice(1)));
  return Array.from(order, (place) => rows[place]);
}

function freeze(value) {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}
