import { CARD_EVENT_TYPES } from "../card/card-event-types.js";
import { CardForm } from "../card/card-form.js";
import DEFAULTS from "../card/card-form-defaults.js";
import { invalid } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { readMembers, toJson } from "../input/plain.js";
import { coreError } from "./core-error.js";
import { CORE_ERRORS } from "./core-errors.js";
import { FakeHandle } from "./fake-handle.js";

const OPTIONS = [
  "events", "cardId", "sessionId", "lifetimeMs", "container", "loadError", "autoFocus", "theme",
];
const SESSION_MS = 1_800_000;
const CARD_ID = "424242424242424242";

const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
const LOAD_FAILED = "LOAD_FAILED";
const { formExpired, formNotLoaded, formNotLoadedOtherwise, formUnconfirmed } = CORE_ERRORS;

export async function fakeCardForm(options = {}) {
  return cardFormOver(new FakeHandle(), readKnown(options, OPTIONS));
}

/** Creates the card form of a fake kit, by its handle. */
export async function cardFormOver(handle, { events = [], ...settings }) {
  if (!Array.isArray(events)) throw invalid("InvalidRequest", "events", "a list of events");
  const script = readEvents(events);
  const core = new FakeCore(settings);
  const begin = async (_, deliver) => {
    core.deliver = deliver;
    return core;
  };
  const form = await CardForm.over(handle, begin, settings);
  const fake = new FakeCardForm(form, core);
  await fake.emit(...script);
  return fake;
}

/** A form of the package's own class over a scripted core, and the controls for a test. */
class FakeCardForm {
  #core;

  constructor(form, core) {
    this.form = form;
    this.#core = core;
  }

  get themes() {
    return [...this.#core.themes];
  }

  get renewals() {
    return this.#core.renewals;
  }

  get isDestroyed() {
    return this.#core.isDestroyed;
  }

  failRenewal(error) {
    this.#core.renewalError = error;
  }

  async emit(...events) {
    readEvents(events).forEach((event) => this.#emit(event));
    // The form delivers in microtasks, so all listeners have been called after this one.
    await null;
  }

  #emit({ type, cardId = this.#core.cardId, ...detail }) {
    const { deliver, sessionId } = this.#core;
    deliver(type, detail);
    if (type === SUCCESS && cardId !== null) {
      deliver("COMPLETED", { cardId, sessionId });
    } else if (type === SUCCESS || type === EXPIRED) {
      deliver("FAILED", coreError(type === SUCCESS ? formUnconfirmed : formExpired));
    } else if (type === LOAD_FAILED) {
      deliver("FAILED", coreError(formNotLoaded[detail.reason] ?? formNotLoadedOtherwise));
    }
  }
}

/** Replaces the core's form. */
class FakeCore {
  themes = [];
  renewals = 0;
  isDestroyed = false;
  renewalError;
  deliver;
  #lifetimeMs;
  #expiresAt;

  constructor({ cardId = CARD_ID, sessionId, container, lifetimeMs = SESSION_MS }) {
    this.cardId = cardId;
    this.#lifetimeMs = lifetimeMs;
    this.#begin(sessionId);
    this.element = elementIn(container);
  }

  get url() {
    return `https://card-form.invalid/v2/add-card/${this.sessionId}`;
  }

  get expirationDate() {
    return new Date(this.#expiresAt).toISOString();
  }

  state() {
    return this;
  }

  update(themeJson) {
    this.themes.push(JSON.parse(themeJson));
  }

  async renew() {
    if (this.renewalError !== undefined) throw this.renewalError;
    this.renewals += 1;
    this.#begin();
  }

  destroy() {
    this.isDestroyed = true;
    this.element?.remove();
  }

  #begin(sessionId = `00000000-0000-4000-8000-${String(this.renewals).padStart(12, "0")}`) {
    this.sessionId = sessionId;
    this.#expiresAt = Date.now() + this.#lifetimeMs;
  }
}

function elementIn(container) {
  if (typeof document !== "object" || container === undefined) return undefined;
  const place = typeof container === "string" ? document.querySelector(container) : container;
  const frame = document.createElement("iframe");
  frame.title = DEFAULTS.title;
  place?.append(frame);
  return frame;
}

function readEvents(events) {
  return events.map((event, at) => readEvent(event, `events[${at}]`));
}

function readEvent(event, name) {
  const read = typeof event === "string" ? { type: event } : readMembers(event, name);
  if (!CARD_EVENT_TYPES.includes(read.type)) {
    throw invalid("InvalidRequest", `${name}.type`, `one of ${CARD_EVENT_TYPES.join(", ")}`);
  }
  if (read.type === LOAD_FAILED) read.reason ??= "unreachable";
  toJson(read, name);
  return read;
}
