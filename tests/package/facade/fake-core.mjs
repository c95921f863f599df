// Stands in for the wasm core: the same exports as the glue of the real one, and a control panel.
// Like the real glue it lets its exports pass through crash.js and keeps state for the whole module.

import { watchExports } from "./crash.js";

export { RemitError } from "./remit_error.js";

export const control = {
  /** Every call of the core, as [name, ...arguments]. */
  calls: [],
  /** What a call of an operation is answered with. May throw, or give a promise. */
  answer: () => null,
  /** What the card forms were mounted with, the newest last. */
  mounted: [],
  /** Gives the frame of a form in a container; undefined for one that is no element at all. */
  frame: undefined,
  /** When the sessions of the card forms end. */
  expirationDate: "2030-01-01T00:00:00.0000000Z",
  inits: [],
  resets: 0,
  failInit: undefined,
  /** Ends as a trap does: an exception that leaves an export. */
  trap() {
    return exports.trap();
  },
};

let exports;

function instantiate() {
  exports = watchExports({
    run: (work) => work(),
    trap() {
      throw new WebAssembly.RuntimeError("unreachable");
    },
  });
}

export default async function init(argument) {
  control.inits.push(argument);
  await null;
  if (control.failInit) {
    throw control.failInit;
  }
  exports ?? instantiate();
}

export function __wbg_reset_state() {
  control.resets += 1;
  instantiate();
}

export class Core {
  #instance = exports;
  #isFree = false;

  constructor(optionsJson, host) {
    control.host = host;
    this.#answer("new", optionsJson);
  }

  call(operation, idsJson, inputJson, signal) {
    const ids = JSON.parse(idsJson);
    switch (operation) {
      case "prepareTransfer":
        return this.#later(operation, inputJson, signal);
      case "submitTransfer":
      case "discardTransfer":
        return this.#later(operation, ...ids, signal);
      case "pendingTransfers":
        return this.#later(operation);
      default:
        return this.#later("call", operation, ids, inputJson, signal);
    }
  }

  async fieldForm(operation, queryJson, signal) {
    return new FieldFormCore(await this.#later("fieldForm", operation, queryJson, signal));
  }

  cardFormUrl(sessionId, themeJson) {
    return this.#answer("cardFormUrl", sessionId, themeJson);
  }

  async cardForm(container, optionsJson, deliver, signal) {
    const form = new CardFormCore(deliver, container);
    control.mounted.push(form);
    await this.#later("cardForm", container, optionsJson, deliver, signal);
    return form;
  }

  contentSecurityPolicy() {
    return this.#answer("contentSecurityPolicy");
  }

  destroy() {
    return this.#later("destroy");
  }

  free() {
    this.#answer("free");
    this.#isFree = true;
  }

  #answer(...call) {
    if (this.#isFree) {
      control.trap();
    }
    control.calls.push(call);
    if (this.#instance !== exports) {
      throw new Error("Invalid stale object from previous Wasm instance");
    }
    return control.answer(...call);
  }

  async #later(...call) {
    return this.#answer(...call);
  }
}

class FieldFormCore {
  constructor({ fieldSets, requiresCard }) {
    this.fieldSets = fieldSets;
    this.requiresCard = requiresCard;
  }

  check(valuesJson) {
    control.calls.push(["check", valuesJson]);
    return JSON.stringify(control.answer("check", valuesJson));
  }

  async options(fieldId, valuesJson, signal) {
    control.calls.push(["options", fieldId, valuesJson, signal]);
    return control.answer("options", fieldId, valuesJson, signal);
  }

  toFields(valuesJson) {
    control.calls.push(["toFields", valuesJson]);
    return JSON.stringify(control.answer("toFields", valuesJson));
  }
}

// Whatever is asked of it after it was freed is a crash, as it is in the real core.
class CardFormCore {
  #isFree = false;
  #session = 1;
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
    await control.answer("renew", signal);
    this.#session += 1;
  }

  destroy() {
    this.#alive();
    control.calls.push(["destroyForm"]);
  }

  free() {
    this.#alive();
    control.calls.push(["freeForm"]);
    this.#isFree = true;
  }

  #alive(value) {
    return this.#isFree ? control.trap() : value;
  }
}
