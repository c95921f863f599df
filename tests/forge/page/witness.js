import { turn } from "./pause.js";

const ARRIVAL_MS = 10_000;

/**
 * Sees every message of the window before the SDK does. It knows who was told to say what, so it can tell on
 * which message the SDK acted: the SDK acts on a message before the next one arrives.
 */
export class Witness {
  #told = new Map();
  #made = new WeakMap();
  #ofNobody = new Set();
  #perhaps = new Set();
  #trouble;
  /** The message that came last. */
  current;
  /** The last genuine event of each form. */
  genuineEvents = new Map();
  strays = 0;

  constructor(trouble) {
    this.#trouble = trouble;
    addEventListener("message", (event) => this.#see(event), { capture: true });
  }

  /** Expects a message from a window that shows a page of an origin. Resolves when it has arrived. */
  expect(source, origin, message) {
    const queue = this.#queue(source, origin);
    return this.#arrival(message, (entry) => queue.push(entry));
  }

  /** Expects a message from a window that may be gone on arrival: nobody can tell then who sent it. */
  expectPerhaps(message) {
    this.#perhaps.add({ message, resolve: () => {} });
  }

  /** A message whose sender is gone by the time it comes. */
  expectOfNobody(message) {
    return this.#arrival(message, (entry) => this.#ofNobody.add(entry));
  }

  /** The message that a script is about to dispatch. */
  made(event, message) {
    return this.#arrival(message, (entry) => this.#made.set(event, entry));
  }

  #arrival(message, keep) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#trouble(`a message never came: ${message.kind ?? "genuine"}`);
        resolve();
      }, message.patienceMs ?? ARRIVAL_MS);
      keep({
        message,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }

  #queue(source, origin) {
    if (!this.#told.has(source)) this.#told.set(source, new Map());
    const origins = this.#told.get(source);
    if (!origins.has(origin)) origins.set(origin, []);
    return origins.get(origin);
  }

  #see(event) {
    const entry = event.isTrusted ? this.#find(event) : this.#made.get(event);
    this.current = entry?.message;
    if (!entry) {
      this.strays += 1;
      return;
    }
    if (entry.message.form && event.isTrusted) this.genuineEvents.set(entry.message.form, event);
    // Resolve only after the SDK has seen it too: whoever waits for it may send the next message at once,
    // and between two listeners of one event the engine runs whatever has become due. The SDK's action would
    // then be attributed to that next message.
    turn().then(entry.resolve);
  }

  #find({ source, origin, data }) {
    const queued = this.#told.get(source)?.get(origin)?.shift();
    if (queued) return queued;
    for (const entries of [this.#ofNobody, this.#perhaps]) {
      for (const entry of entries) if (entry.message.data === data && entries.delete(entry)) return entry;
    }
    return undefined;
  }
}
