// What one process remembers, with the interface of a cache. A shop has more customers than a process should
// remember for ever.

const MOST_ENTRIES = 10_000;

export class Memory {
  // From the entry that was set longest ago to the newest.
  #entries = new Map();
  #most;

  constructor(most = MOST_ENTRIES) {
    this.#most = most;
  }

  get(key) {
    const entry = this.#entries.get(key);
    if (entry && entry.until <= Date.now()) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry?.value;
  }

  set(key, value, ttlMs) {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: Date.now() + ttlMs });
    if (this.#entries.size > this.#most) {
      this.#entries.delete(this.#entries.keys().next().value);
    }
  }
}
