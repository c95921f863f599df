/** A cache in this process, which drops the oldest of too many entries. */
export class Memory {
  // The oldest first.
  #entries = new Map();
  #maxEntries;

  constructor(maxEntries = 10_000) {
    this.#maxEntries = maxEntries;
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
    if (this.#entries.size > this.#maxEntries) {
      this.#entries.delete(this.#entries.keys().next().value);
    }
  }

  delete(key) {
    this.#entries.delete(key);
  }
}
