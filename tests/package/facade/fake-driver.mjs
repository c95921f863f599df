// Stands in for what drives the core's flows: the same methods, which answer as the control panel says.

import { toJson } from "./plain.js";
import { control, life } from "./remitkit_core.js";

export class Driver {
  #life = life();
  #isEnded = false;
  #waiting = new Set();

  constructor(optionsJson, host) {
    control.host = host;
    this.#answer("new", optionsJson);
  }

  call(operation, idsJson, inputJson, signal) {
    const ids = JSON.parse(idsJson);
    switch (operation) {
      case "prepareTransfer":
        return this.#record(operation, inputJson, signal);
      case "submitTransfer":
      case "discardTransfer":
      case "acknowledgeTransfer":
        return this.#later(operation, ...ids, signal);
      case "pendingTransfers":
        return this.#record(operation);
      default:
        return this.#later("call", operation, ids, inputJson, signal);
    }
  }

  async fieldForm(operation, queryJson, signal) {
    return new AskedForm(await this.#later("fieldForm", operation, queryJson, signal));
  }

  async options(form, fieldId, valuesJson, signal) {
    return this.#later("options", fieldId, valuesJson, signal);
  }

  cardFormUrl(sessionId, themeJson) {
    return this.#answer("cardFormUrl", sessionId, themeJson);
  }

  async cardForm(container, optionsJson, deliver, signal) {
    const form = new HostedForm(deliver, container);
    control.mounted.push(form);
    await this.#later("cardForm", container, optionsJson, deliver, signal);
    return form;
  }

  contentSecurityPolicy() {
    return JSON.parse(this.#answer("contentSecurityPolicy"));
  }

  abandon(error) {
    this.#waiting.forEach((reject) => reject(error));
  }

  end() {
    this.#answer("end");
    this.#isEnded = true;
  }

  #answer(...call) {
    if (this.#isEnded) {
      control.trap();
    }
    control.calls.push(call);
    if (this.#life !== life()) {
      throw new Error("Invalid stale object from previous Wasm instance");
    }
    return control.answer(...call);
  }

  async #record(...call) {
    return JSON.parse(await this.#later(...call));
  }

  #later(...call) {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      Promise.resolve()
        .then(() => this.#answer(...call))
        .finally(() => this.#waiting.delete(reject))
        .then(resolve, reject);
    });
  }
}

class AskedForm {
  constructor({ fieldSets, requiresCard }) {
    this.fieldSets = fieldSets;
    this.requiresCard = requiresCard;
  }

  check(values) {
    const valuesJson = toJson(values, "values");
    control.calls.push(["check", valuesJson]);
    return control.answer("check", valuesJson);
  }

  toFields(values) {
    const valuesJson = toJson(values, "values");
    control.calls.push(["toFields", valuesJson]);
    return control.answer("toFields", valuesJson);
  }
}

// Whatever is asked of it after it was destroyed is a crash.
class HostedForm {
  #isDestroyed = false;
  #session = 1;
  #asked = 1;
  #element = {
    removed: 0,
    remove() {
      this.removed += 1;
    },
  };

  constructor(deliver, container) {
    this.deliver = deliver;
    this.#element = control.frame?.(container) ?? this.#element;
  }

  get sessionId() {
    return this.#alive(`session-${this.#session}`);
  }

  get url() {
    return this.#alive(`https://card.example/v2/add-card/session-${this.#session}`);
  }

  get expirationDate() {
    return this.#alive(control.expirationDate);
  }

  get element() {
    return this.#alive(this.#element);
  }

  update(themeJson) {
    this.#alive();
    control.calls.push(["update", themeJson]);
    return control.answer("update", themeJson);
  }

  async renew(signal) {
    this.#alive();
    control.calls.push(["renew", signal]);
    this.#asked += 1;
    const place = this.#asked;
    await control.answer("renew", signal);
    this.#session = Math.max(place, this.#session);
  }

  destroy() {
    this.#alive();
    control.calls.push(["destroyForm"]);
    this.#element.remove();
    this.#isDestroyed = true;
  }

  #alive(value) {
    return this.#isDestroyed ? control.trap() : value;
  }
}
