import { turn } from "./windows.js";

const ARRIVAL_MS = 10_000;

/**
 * Sees every message of the window before the SDK does, and knows who was told to say what. The SDK acts on a
 * message before the next one arrives, so the witness can tell on which message it acted.
 */
export class Witness {
  /** Awaited messages by sender and origin, by event, and those whose sender may be gone on arrival. */
  #queues = new Map();
  #dispatched = new WeakMap();
  #orphans = [];
  #perhaps = [];
  #trouble;
  /** The latest message. */
  current;
  /** The latest genuine event of each form. */
  genuineEvents = new Map();
  strays = 0;

  constructor(trouble) {
    this.#trouble = trouble;
    addEventListener("message", (event) => this.#see(event), { capture: true });
  }

  /** Expects a message from a window that shows a page of an origin; resolves on its arrival. */
  expect(source, origin, message) {
    if (!this.#queues.has(source)) this.#queues.set(source, {});
    const queue = (this.#queues.get(source)[origin] ??= []);
    return this.#arrival(message, (entry) => queue.push(entry));
  }

  /** Expects a message whose sender is gone on arrival, so that nobody can tell who it was. */
  expectOrphan(message) {
    return this.#arrival(message, (entry) => this.#orphans.push(entry));
  }

  /** Recognises a message that may arrive or not. */
  expectPerhaps(message) {
    this.#perhaps.push({ message, resolve: () => {} });
  }

  /** Expects an event that a script is about to dispatch. */
  expectEvent(event, message) {
    return this.#arrival(message, (entry) => this.#dispatched.set(event, entry));
  }

  #arrival(message, keep) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#trouble(`a message never arrived: ${message.kind ?? "genuine"}`);
        resolve();
      }, ARRIVAL_MS);
      keep({ message, resolve: () => (clearTimeout(timer), resolve()) });
    });
  }

  #see(event) {
    const entry = event.isTrusted ? this.#find(event) : this.#dispatched.get(event);
    this.current = entry?.message;
    if (!entry) {
      this.strays += 1;
      return;
    }
    if (entry.message.form && event.isTrusted) this.genuineEvents.set(entry.message.form, event);
    // Only after the SDK has seen it, too: between two listeners of one event the engine runs whatever is
    // due. The SDK's action would be attributed to the next message, which the waiting code may send at once.
    turn().then(entry.resolve);
  }

  #find({ source, origin, data }) {
    const queued = this.#queues.get(source)?.[origin]?.shift();
    if (queued) return queued;
    for (const orphans of [this.#orphans, this.#perhaps]) {
      const at = orphans.findIndex((entry) => entry.message.data === data);
      if (at >= 0) return orphans.splice(at, 1)[0];
    }
    return undefined;
  }
}
