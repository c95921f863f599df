/** Promises by key. A rejected one is dropped, so that the next request tries again. */
export class PromiseCache<Value> {
  readonly #promises = new Map<string, Promise<Value>>();

  get(key: string, create: () => Promise<Value>): Promise<Value> {
    const cached = this.#promises.get(key);
    if (cached) return cached;
    const created = create();
    this.#promises.set(key, created);
    created.catch(() => this.#promises.delete(key));
    return created;
  }
}
