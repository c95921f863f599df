import { notify, Deferred } from "./card-imports.js";

const CAPACITY = 64;

/**
 * The events of a card form, in order. Keeps the newest, so that the first iterator, and the first listener
 * of each type, also gets the events before it.
 */
export class EventLog {
  #events = [];
  // The position of the oldest kept event, counted from the first one ever.
  #oldest = 0;
  // The form's current run, and the index at which it ended.
  #run = { end: Infinity };
  #isClosed = false;
  // Settles at the next event or the end, for iterators that wait.
  #changed = new Deferred();
  #listeners = new Set();
  // How far iterators, and listeners by type, have read.
  #iterated = 0;
  #delivered = new Map();

  append(event) {
    if (this.#run.end < Infinity) return;
    if (this.#events.push(event) > CAPACITY) {
      this.#events.shift();
      this.#oldest += 1;
    }
    this.#advance();
  }

  /** Pauses until `reopen`: iterators end once they have read the kept events; listeners stay. */
  end() {
    this.#run.end = this.#oldest + this.#events.length;
    this.#advance();
  }

  reopen() {
    this.#run = { end: Infinity };
  }

  /** Ends the log for good, and removes all listeners. */
  close() {
    this.#isClosed = true;
    this.#listeners.clear();
    this.end();
  }

  /** Calls the listener for each event of a type. Returns a function that unsubscribes. */
  listen(type, listener) {
    const reader = { type, listener, at: this.#delivered.get(type) ?? 0 };
    if (!this.#isClosed) this.#listeners.add(reader);
    // Deliver kept events after `listen` has returned, like later ones.
    queueMicrotask(() => this.#notifyListeners());
    return () => void this.#listeners.delete(reader);
  }

  iterate() {
    const stopped = new Deferred();
    const iterator = this.#read({ at: this.#iterated }, this.#run, stopped);
    const finish = iterator.return.bind(iterator);
    // Ends a pending `next`, too.
    // Not assigned: where a page has frozen the engine's prototypes, inherited names cannot be.
    Object.defineProperty(iterator, "return", {
      __proto__: null,
      value: () => {
        stopped.succeed();
        return finish();
      },
    });
    return iterator;
  }

  // A run may be over, and the next one begun, before a waiting iterator continues.
  async *#read(reader, run, stopped) {
    while (!stopped.isSettled) {
      if (this.#has(reader) && reader.at < run.end) {
        const event = this.#next(reader);
        this.#iterated = Math.max(reader.at, this.#iterated);
        yield event;
      } else if (run.end < Infinity) {
        return;
      } else {
        await Promise.race([this.#changed.promise, stopped.promise]);
      }
    }
  }

  #advance() {
    this.#changed.succeed();
    this.#changed = new Deferred();
    this.#notifyListeners();
  }

  // Event by event, so that listeners of different types see one order, also of kept events.
  #notifyListeners() {
    for (let reader = this.#furthestBehind(); reader !== undefined; reader = this.#furthestBehind()) {
      const event = this.#next(reader);
      this.#delivered.set(reader.type, Math.max(reader.at, this.#delivered.get(reader.type) ?? 0));
      if (event.type === reader.type) notify(reader.listener, event);
    }
  }

  #furthestBehind() {
    let found;
    for (const reader of this.#listeners) {
      if (this.#has(reader) && (found === undefined || reader.at < found.at)) found = reader;
    }
    return found;
  }

  #has(reader) {
    return reader.at < this.#oldest + this.#events.length;
  }

  // A reader that has fallen behind continues with the oldest kept event.
  #next(reader) {
    reader.at = Math.max(reader.at, this.#oldest) + 1;
    return this.#events[reader.at - 1 - this.#oldest];
  }
}
