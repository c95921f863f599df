import { CALLS } from "./calls.js";
import { CoreHandle } from "../module/core-handle.js";
import { asError, invalid, isRemitError, translated } from "../errors/errors.js";
import { focusedElement } from "../module/focused.js";
import { loadInstance } from "../module/load.js";
import { loadMessages } from "../errors/messages.js";
import { readLanguage, readOptions } from "./options.js";
import { FieldForm, TransferAttempt } from "../core/part-imports.js";
import { fetchAll } from "../module/parts.js";
import { readMembers, readText, toJson, toPlain } from "../input/plain.js";
import { makePublic } from "../module/public-object.js";
import { PushToCardFlow } from "../transfer/push-to-card.js";
import * as module from "../core/remitkit_core.js";

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
  host.source.askEarly?.();
  const [instance, messages] = await loading;
  const kit = instance.run(() => new module.RemitKit(settings, host));
  return new RemitKit(new CoreHandle(instance, kit, host, messages, locale, parts));
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

  // Cards

  cardFormUrl(sessionId, theme = {}) {
    return this.#handle.run((kit) => kit.cardFormUrl(readText(sessionId, "sessionId"), toJson(theme, "theme")));
  }

  async cardForm(form, options) {
    const handle = this.#handle;
    const { container, loadError, autoFocus, ...data } = readMembers(form, "options");
    const plain = toPlain(data, "options");
    const focused = focusedElement();
    const { CardForm } = await handle.part("card", options);
    return CardForm.mount(handle, container, plain, { loadError, autoFocus, focused }, options);
  }

  pushToCard(flow, options) {
    return new PushToCardFlow(this, this.#handle, flow, options);
  }

  // Transfers

  async prepareTransfer(request, options) {
    const handle = this.#handle;
    const json = toJson(request, "request");
    const prepare = (kit, signal) => kit.prepareTransfer(json, signal);
    const attempt = await handle.call(prepare, options, "transfer");
    return new TransferAttempt(handle, attempt);
  }

  async transfer(request, options) {
    const attempt = await this.prepareTransfer(request, options);
    return attempt.submit(options);
  }

  async pendingTransfers() {
    const handle = this.#handle;
    const attempts = await handle.call((kit) => kit.pendingTransfers(), undefined, "transfer");
    return attempts.map((attempt) => new TransferAttempt(handle, attempt));
  }

  // The kit itself

  request(raw, options) {
    return this.#call("request", [raw, options], { ids: [], input: "request", part: "transfer" });
  }

  userMessageOf(error) {
    if (isRemitError(error)) return this.#handle.userMessageOf(error);
    throw invalid("InvalidRequest", "error", "a RemitError");
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

  /** Makes a call with these arguments: its ids, its input if it has one, and the options. */
  async #call(name, args, { ids, input, part } = CALLS[name]) {
    const handle = this.#handle;
    const texts = ids.map((id, place) => readText(args[place], id));
    if (input !== undefined) texts.push(toJson(args[ids.length], input));
    const call = (kit, signal) => kit[name](...texts, signal);
    const value = await handle.call(call, args[texts.length], part);
    return value instanceof module.FieldForm ? new FieldForm(handle, value) : value;
  }

  // A method for each other entry of `CALLS`, with the properties that a method of the class would have.
  static #calls = Object.entries(CALLS).forEach(([name, { ids, input, default: omitted }]) => {
    if (name in this.prototype) return;
    const { [name]: value } = {
      [name](...args) {
        if (omitted !== undefined && args[0] === undefined) args[0] = omitted;
        return this.#call(name, args);
      },
    };
    const length = omitted !== undefined ? 0 : ids.length + (input === undefined ? 0 : 1) + 1;
    Object.defineProperty(value, "length", { __proto__: null, value: length, configurable: true });
    Object.defineProperty(this.prototype, name, { __proto__: null, value, writable: true, configurable: true });
  });
}
