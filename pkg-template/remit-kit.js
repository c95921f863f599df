import { CoreHandle } from "./core-handle.js";
import { corridorFilter } from "./corridor-filter.js";
import { invalid } from "./errors.js";
import { focusedElement } from "./focused.js";
import { loadInstance } from "./load.js";
import { loadMessages } from "./messages.js";
import { readOptions } from "./options.js";
import { readMembers, readText, toJson } from "./plain.js";
import { PushToCardFlow } from "./push-to-card.js";

/** `ownWasm` gives the package's own wasm, where the page names none; `parts` what the first load leaves out. */
export async function openRemitKit(options, ownWasm, parts) {
  const { wasm, host, settings, locale, texts } = readOptions(options);
  const [instance, messages] = await Promise.all([loadInstance(wasm, ownWasm), loadMessages(locale, texts)]);
  return new RemitKit(new CoreHandle(instance, settings, host, messages, locale, parts));
}

/** Loads the wasm ahead of the first kit. Nobody has to wait for it: what fails here is told by that kit, which tries again. */
export function preloadParts(options, ownWasm, parts) {
  const loaded = load(options, ownWasm, parts);
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
  const further = everything ? Object.values(parts) : [];
  await Promise.all([loadInstance(wasm, ownWasm), ...further.map((part) => part())]);
}

/** One configuration of the service: its addresses, its token, its journal. */
export class RemitKit {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  // Corridors and quotes

  async corridors(filter, options) {
    const narrow = corridorFilter(filter);
    return narrow(await this.#read("corridors", {}, options));
  }

  quote(request, options) {
    return this.#send("quote", {}, request, options);
  }

  getQuote(quoteHistoryId, options) {
    return this.#read("getQuote", { quoteHistoryId }, options);
  }

  // Fields

  senderFields(query, options) {
    return this.#fieldForm("senderFields", query, options);
  }

  recipientFields(query, options) {
    return this.#fieldForm("recipientFields", query, options);
  }

  recipientAccountFields(query, options) {
    return this.#fieldForm("recipientAccountFields", query, options);
  }

  transferFields(query, options) {
    return this.#fieldForm("transferFields", query, options);
  }

  // Senders

  createSender(request, options) {
    return this.#send("createSender", {}, request, options);
  }

  updateSender(senderId, request, options) {
    return this.#send("updateSender", { senderId }, request, options);
  }

  replaceSender(senderId, request, options) {
    return this.#send("replaceSender", { senderId }, request, options);
  }

  getSender(senderId, options) {
    return this.#read("getSender", { senderId }, options);
  }

  deleteSender(senderId, options) {
    return this.#read("deleteSender", { senderId }, options);
  }

  senderId(options) {
    return this.#read("senderId", {}, options);
  }

  // Recipients and their accounts

  createRecipient(request, options) {
    return this.#send("createRecipient", {}, request, options);
  }

  replaceRecipient(recipientId, request, options) {
    return this.#send("replaceRecipient", { recipientId }, request, options);
  }

  getRecipient(recipientId, options) {
    return this.#read("getRecipient", { recipientId }, options);
  }

  deleteRecipient(recipientId, options) {
    return this.#read("deleteRecipient", { recipientId }, options);
  }

  recipients(filter = {}, options) {
    return this.#send("recipients", {}, filter, options);
  }

  createRecipientAccount(recipientId, request, options) {
    return this.#send("createRecipientAccount", { recipientId }, request, options);
  }

  replaceRecipientAccount(recipientId, accId, request, options) {
    return this.#send("replaceRecipientAccount", { recipientId, accId }, request, options);
  }

  getRecipientAccount(recipientId, accId, options) {
    return this.#read("getRecipientAccount", { recipientId, accId }, options);
  }

  deleteRecipientAccount(recipientId, accId, options) {
    return this.#read("deleteRecipientAccount", { recipientId, accId }, options);
  }

  recipientAccounts(recipientId, options) {
    return this.#read("recipientAccounts", { recipientId }, options);
  }

  // Cards

  createCardSession(request = { entityMode: "RECIPIENT" }, options) {
    return this.#send("createCardSession", {}, request, options);
  }

  getCardSession(sessionId, options) {
    return this.#read("getCardSession", { sessionId }, options);
  }

  cardFormUrl(sessionId, theme) {
    const id = readText(sessionId, "sessionId");
    const json = theme === undefined ? undefined : toJson(theme, "theme");
    return this.#handle.run((core) => core.cardFormUrl(id, json));
  }

  async cardForm(form, options) {
    const { container, loadError, autoFocus, ...data } = readMembers(form, "options");
    const json = toJson(data, "options");
    const focused = focusedElement();
    const { CardForm } = await this.#handle.part("card", options);
    return CardForm.mount(this.#handle, container, json, { loadError, autoFocus, focused }, options);
  }

  pushToCard(flow, options) {
    return new PushToCardFlow(this, this.#handle, flow, options);
  }

  // Transfers

  nonce(options) {
    return this.#read("nonce", {}, options);
  }

  async prepareTransfer(request, options) {
    const json = toJson(request, "request");
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

  getTransfer(transferId, options) {
    return this.#read("getTransfer", { transferId }, options);
  }

  transfers(filter = {}, options) {
    return this.#send("transfers", {}, filter, options);
  }

  transferStatuses(transferId, options) {
    return this.#read("transferStatuses", { transferId }, options);
  }

  transferProgress(quoteHistoryId, options) {
    return this.#read("transferProgress", { quoteHistoryId }, options);
  }

  transferReceipt(transferId, options) {
    return this.#read("transferReceipt", { transferId }, options);
  }

  transferRequest(transferRequestId, options) {
    return this.#read("transferRequest", { transferRequestId }, options);
  }

  releaseCustomerHold(transferId, options) {
    return this.#read("releaseCustomerHold", { transferId }, options);
  }

  cancelCustomerHold(transferId, request, options) {
    return this.#send("cancelCustomerHold", { transferId }, request, options);
  }

  // The kit itself

  request(raw, options) {
    return this.#send("request", {}, raw, options);
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

  /** An operation that takes nothing but ids, which are named for the errors. */
  #read(operation, ids, options) {
    return this.#call(operation, ids, () => undefined, options);
  }

  /** An operation that takes an object besides. */
  #send(operation, ids, request, options) {
    return this.#call(operation, ids, () => toJson(request, "request"), options);
  }

  async #call(operation, ids, input, options) {
    const names = Object.keys(ids);
    const path = names.length === 0 ? "[]" : JSON.stringify(names.map((name) => readText(ids[name], name)));
    const json = input();
    return this.#handle.call((core, signal) => core.call(operation, path, json, signal), options);
  }

  async #fieldForm(operation, query, options) {
    const json = toJson(query, "query");
    const work = async (core, signal, { AskedForm, FieldForm }) =>
      new FieldForm(this.#handle, new AskedForm(...(await core.fieldForm(operation, json, signal))));
    return this.#handle.call(work, options, "transfer");
  }
}
