import { CALLS } from "./calls.js";
import { CoreHandle } from "./core-handle.js";
import { corridorFilter } from "./corridor-filter.js";
import { asError, invalid, translated } from "./errors.js";
import { focusedElement } from "./focused.js";
import { KitCore } from "./kit-core.js";
import { loadInstance } from "./load.js";
import { loadMessages } from "./messages.js";
import { readLanguage, readOptions } from "./options.js";
import { fetchAll } from "./parts.js";
import { listJson, readMembers, readText, toJson } from "./plain.js";
import { makePublic } from "./public-object.js";
import { PushToCardFlow } from "./push-to-card.js";

/** The calls that need no part beyond the first load: `FIRST` of `src/js/core.rs`. */
const FIRST = ["corridors", "quote", "createCardSession", "getCardSession"];

/**
 * `ownWasm` returns the package's wasm, for pages that pass none; `parts` load what is not in the first load.
 */
export function openRemitKit(options, ownWasm, parts) {
  return open(options, ownWasm, parts).catch((cause) => {
    throw translated(asError(cause), ...readLanguage(options));
  });
}

async function open(options, ownWasm, parts) {
  const { wasm, host, settings, locale, texts } = readOptions(options);
  const loading = Promise.all([loadInstance(wasm, ownWasm), loadMessages(locale, texts)]);
  // In parallel, so that the first call does not wait for the wasm and then for the token.
  host.token.askEarly?.();
  const [instance, messages] = await loading;
  const core = instance.run(() => new KitCore(settings, host));
  return new RemitKit(new CoreHandle(instance, core, host, messages, locale, parts));
}

/** Loads the wasm ahead. Callers may ignore the promise, so a rejection is always handled. */
export function preloadParts(options, ownWasm, parts) {
  const loaded = load(options, ownWasm, parts).catch((cause) => {
    throw asError(cause);
  });
  loaded.catch(() => {});
  return loaded;
}

async function load(options = {}, ownWasm, parts) {
  const { wasm, everything = false, ...unknown } = readMembers(options, "options", "InvalidConfiguration");
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw invalid("InvalidConfiguration", name, "left out: preload takes `wasm` and `everything`");
  }
  if (typeof everything !== "boolean") {
    throw invalid("InvalidConfiguration", "everything", "true or false");
  }
  const instance = await loadInstance(wasm, ownWasm);
  if (everything) await fetchAll(parts, instance);
}

export class RemitKit {
  #handle;

  constructor(handle) {
    this.#handle = handle;
    makePublic(this, (error) => handle.explain(error));
  }

  // Calls that do more than their entry in `CALLS`.

  async corridors(filter, options) {
    const narrow = this.#handle.read(() => corridorFilter(filter));
    return narrow(await this.#call("corridors", [], [options]));
  }

  createCardSession(request = { entityMode: "RECIPIENT" }, options) {
    return this.#call("createCardSession", ["request"], [request, options]);
  }

  // Cards

  cardFormUrl(sessionId, theme) {
    return this.#handle.run((core) => {
      const id = readText(sessionId, "sessionId");
      return core.cardFormUrl(id, theme === undefined ? undefined : toJson(theme, "theme"));
    });
  }

  async cardForm(form, options) {
    const handle = this.#handle;
    const { container, loadError, autoFocus, ...data } = handle.read(() => readMembers(form, "options"));
    const json = handle.read(() => toJson(data, "options"));
    const focused = focusedElement();
    const { CardForm } = await handle.part("card", options);
    return CardForm.mount(handle, container, json, { loadError, autoFocus, focused }, options);
  }

  pushToCard(flow, options) {
    return this.#handle.read(() => new PushToCardFlow(this, this.#handle, flow, options));
  }

  // Transfers

  async prepareTransfer(request, options) {
    const json = this.#handle.read(() => toJson(request, "request"));
    const work = async (core, signal, { TransferAttempt }) =>
      new TransferAttempt(this.#handle, await core.call("prepareTransfer", "[]", json, signal));
    return this.#handle.call(work, options, "transfer");
  }

  async transfer(request, options) {
    const attempt = await this.prepareTransfer(request, options);
    return attempt.submit(options);
  }

  async pendingTransfers() {
    const work = async (core, signal, { TransferAttempt }) => {
      const records = await core.call("pendingTransfers", "[]");
      return records.map((record) => new TransferAttempt(this.#handle, record));
    };
    return this.#handle.call(work, undefined, "transfer");
  }

  // The kit itself

  request(raw, options) {
    return this.#call("request", ["request"], [raw, options]);
  }

  contentSecurityPolicy() {
    return this.#handle.run((core) => core.contentSecurityPolicy());
  }

  destroy() {
    return this.#handle.destroy();
  }

  [Symbol.dispose ?? Symbol()]() {
    this.destroy();
  }

  /** Calls an operation. `parameters` name its `args`: ids, then a `request` or, for fields, a `query`. */
  async #call(name, parameters, args) {
    const ids = [];
    let json;
    this.#handle.read(() =>
      parameters.forEach((parameter, place) => {
        if (parameter.endsWith("Id")) {
          ids.push(readText(args[place], parameter));
        } else {
          json = toJson(args[place], parameter);
        }
      }),
    );
    const options = args[parameters.length];
    if (parameters[0] === "query") {
      const work = async (core, signal, { FieldFormHandle, FieldForm }) =>
        new FieldForm(this.#handle, new FieldFormHandle(...(await core.call(name, "[]", json, signal))));
      return this.#handle.call(work, options, "transfer");
    }
    const work = (core, signal) => core.call(name, listJson(ids), json, signal);
    return this.#handle.call(work, options, FIRST.includes(name) ? undefined : "transfer");
  }

  static #calls = addCalls(this.prototype, (kit, ...call) => kit.#call(...call));
}

/** Adds a method for each entry of `CALLS`, with the properties that a method of the class would have. */
function addCalls(prototype, call) {
  for (const [name, takes] of Object.entries(CALLS)) {
    if (name in prototype) continue;
    const parameters = takes.match(/\w+/g) ?? [];
    const isOptional = takes.endsWith("?");
    const { [name]: value } = {
      [name](...args) {
        if (isOptional && args[0] === undefined) args[0] = {};
        return call(this, name, parameters, args);
      },
    };
    const length = isOptional ? 0 : parameters.length + 1;
    Object.defineProperty(value, "length", { value: length, configurable: true });
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}
