/** What is made once by key. What failed, offline perhaps, is made again when it is next asked for. */
export class Kept<Made> {
  readonly #made = new Map<string, Promise<Made>>();

  get(key: string, make: () => Promise<Made>): Promise<Made> {
    let made = this.#made.get(key);
    if (!made) {
      made = make();
      this.#made.set(key, made);
      made.catch(() => this.#made.delete(key));
    }
    return made;
  }
}
