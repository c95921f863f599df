/** What was thrown, what of it was believed, and what of the genuine came through. */
export class Tally {
  #left = { forged: 0, genuine: 0 };
  forged = new Map();
  accepted = new Map();
  genuine = { said: 0, arrived: 0 };
  troubles = [];

  /** So many more are to be thrown and said. */
  allow(forged, genuine) {
    this.#left.forged += forged;
    this.#left.genuine += genuine;
  }

  get isExhausted() {
    return this.#left.forged === 0 && this.#left.genuine === 0;
  }

  get hasForged() {
    return this.#left.forged > 0;
  }

  /** Counts a forged message of a kind that is about to be thrown; false if enough were thrown. */
  takeForged(kind) {
    if (this.#left.forged === 0) return false;
    this.#left.forged -= 1;
    this.forged.set(kind, (this.forged.get(kind) ?? 0) + 1);
    return true;
  }

  /** It could not be thrown. */
  giveBack(kind) {
    this.#left.forged += 1;
    this.forged.set(kind, this.forged.get(kind) - 1);
  }

  /** How many genuine messages may be said, of those wanted. */
  takeGenuine(wanted) {
    const taken = Math.min(wanted, this.#left.genuine);
    this.#left.genuine -= taken;
    this.genuine.said += taken;
    return taken;
  }

  accept(kind) {
    this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
  }

  trouble(text) {
    this.troubles.push(text);
  }

  toJSON() {
    const { genuine, troubles } = this;
    return { forged: Object.fromEntries(this.forged), accepted: Object.fromEntries(this.accepted), genuine, troubles };
  }
}
