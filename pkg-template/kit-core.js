import { readAnswer } from "./answer.js";
import { Hands } from "./hands.js";
import { Core } from "./remitkit_core.js";

/** One configuration of the service in the module, with its calls and card forms. */
export class KitCore {
  #core;
  #hands;

  constructor(settings, host) {
    this.#hands = new Hands(host);
    this.#core = new Core(settings, globalThis.location?.origin, this.#hands, host.diagnostic !== undefined);
    this.#hands.core = this.#core;
    try {
      readAnswer(this.#core.fault());
    } catch (error) {
      this.#core.free();
      throw error;
    }
  }

  /** A part of the package is there. */
  use(part) {
    this.#hands.use(part);
  }

  /** An operation by its public name, or what is done with a transfer. */
  call(name, ids, input, signal) {
    return this.#begin(signal, (...call) => this.#core.begin(...call, name, ids, input));
  }

  fieldForm(name, query, signal) {
    return this.call(name, "[]", query, signal);
  }

  options(form, fieldId, values, signal) {
    return this.#begin(signal, (...call) => this.#core.beginOptions(...call, form.core, fieldId, values));
  }

  cardFormUrl(sessionId, theme = "{}") {
    return readAnswer(this.#core.cardFormUrl(sessionId, theme));
  }

  /** A new form; its events go to `listener.hear(type, answer)`. */
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

  /** The core has crashed, and tells nothing any more. */
  abandon(error) {
    this.#hands.abandon(error);
  }

  /** Nothing is begun any more. What works on behind the calls goes on to its end. */
  end() {
    this.#hands.finish();
  }

  #begin(signal, begin) {
    return this.#hands.call(signal, begin);
  }
}
