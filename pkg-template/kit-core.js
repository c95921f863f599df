import { readAnswer } from "./answer.js";
import { withCause } from "./errors.js";
import { Engine } from "./engine.js";
import { listJson, toText } from "./plain.js";
import { Core } from "./remitkit_core.js";

/**
 * One configuration of the service in the module: starts its calls, and runs the effects that they ask for.
 */
export class KitCore extends Engine {
  /** `matches` of `pattern.js`, once the transfer part is loaded. */
  matches;
  #core;
  #host;
  #journal;
  #calls = new Map();
  #lastId = 0;
  #isEnding = false;

  constructor(settings, host) {
    super((...result) => this.#complete(...result));
    this.#host = host;
    this.#core = new Core(settings, globalThis.location?.origin, this, host.diagnostic !== undefined);
    try {
      readAnswer(this.#core.fault());
    } catch (error) {
      this.#core.free();
      throw error;
    }
  }

  /** Takes what a part of the package brings for forms and transfers: patterns, and the journal. */
  use({ matches, openJournal }) {
    this.matches ??= matches;
    this.#journal ??= openJournal?.(this.#host.journal);
  }

  /** Calls an operation by its public name, or one of a transfer attempt. */
  call(name, ids, input, signal) {
    return this.#begin(signal, (...call) => this.#core.begin(...call, name, ids, input));
  }

  options(form, fieldId, values, signal) {
    return this.#begin(signal, (...call) => this.#core.beginOptions(...call, form.core, fieldId, values));
  }

  cardFormUrl(sessionId, theme = "{}") {
    return readAnswer(this.#core.cardFormUrl(sessionId, theme));
  }

  /** Creates a form, whose events go to `listener.hear(type, answer)`. */
  async openCard(container, options, listener, signal) {
    const [form] = await this.#begin(signal, (...call) =>
      this.#core.beginCardForm(...call, container, options, listener),
    );
    return form;
  }

  renewCard(form, signal) {
    return this.#begin(signal, (...call) => this.#core.beginRenewal(...call, form));
  }

  contentSecurityPolicy() {
    return readAnswer(this.#core.contentSecurityPolicy());
  }

  /** Rejects all calls after a crash: the core reports nothing any more. */
  abandon(error) {
    this.#isEnding = false;
    this.stopAll();
    this.#calls.forEach(({ reject }) => reject(error));
    this.#calls.clear();
  }

  /** Frees the core once nothing is in flight, not even work that outlives its call. */
  finish() {
    this.#isEnding = true;
    this.#run(() => {});
  }

  // The core calls these, and those of `Engine`.

  send(id, url, method, bearer, accept, ...request) {
    const call = this.#calls.get(id);
    if (call !== undefined) call.accept = accept;
    super.send(id, url, method, bearer, accept, ...request);
  }

  token(id, ms) {
    this.ask(id, ms, this.#json(this.#host.token()));
  }

  journal(id, ms, method, ...args) {
    const answer = this.#journal[method](...args.filter((text) => text !== undefined));
    this.ask(id, ms, method === "keys" ? this.#list(answer) : answer);
  }

  trace(json) {
    this.#host.diagnostic(json);
  }

  /**
   * Settles a call. `order` says which of the distinct rows stands at each place of a list; `form` is what
   * the call created, whose field sets are the answer.
   */
  end(id, answer, order, form) {
    const { resolve, reject, body, cause } = this.#calls.get(id);
    this.#calls.delete(id);
    try {
      const value = order === undefined ? readAnswer(answer, body) : readRows(answer, order);
      resolve(form === undefined ? value : [form, value?.fieldSets]);
    } catch (error) {
      reject(withCause(error, cause));
    }
  }

  #begin(signal, begin) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, accept: undefined, body: undefined });
      signal?.addEventListener("abort", () => this.#calls.has(id) && this.#run(() => this.#core.abort(id)));
      this.#run(() => begin(id, signal?.aborted === true));
    });
  }

  // The core reads text alone.
  async #json(answer) {
    const given = await answer;
    return given === undefined ? undefined : toText(given, "token", "InvalidConfiguration");
  }

  async #list(keys) {
    return listJson(await keys);
  }

  #complete(id, status, body, requestId, type, retryAfter, from, cause) {
    const call = this.#calls.get(id);
    // A receipt, whose bytes the core does not read.
    const isBlob = call?.accept === "*/*" && status >= 200 && status < 300;
    if (call !== undefined) {
      call.body = isBlob ? new Blob([body], { type }) : body;
      call.cause = cause;
    }
    this.#run(() => this.#core.complete(id, status, isBlob ? undefined : body, requestId, retryAfter, from));
  }

  #run(work) {
    try {
      work();
    } catch {
      // The core has crashed, and `abandon` rejects all calls.
    }
    if (this.#isEnding && this.#core.isIdle) {
      this.#isEnding = false;
      this.#core.free();
    }
  }
}

// Equal rows are one object, frozen so that no reader can change it for the others.
function readRows(answer, order) {
  const rows = freeze(JSON.parse(answer.slice(1)));
  // Not `Array.from`, which page libraries replace.
  const list = [];
  for (const place of order) list.push(rows[place]);
  return list;
}

function freeze(value) {
  if (typeof value === "object" && value !== null) {
    Object.keys(value).forEach((name) => freeze(value[name]));
    Object.freeze(value);
  }
  return value;
}
