/** Deals in random order, each card once before one repeats. */
export class Deck {
  #left = [];

  constructor(cards, chance) {
    Object.assign(this, { cards, chance });
  }

  deal() {
    if (this.#left.length === 0) this.#left = [...this.cards];
    return this.#left.splice(this.chance.between(0, this.#left.length - 1), 1)[0];
  }
}

/** Counts the forged messages sent, those accepted, and the genuine ones that arrived. */
export class Tally {
  #left;
  forged = {};
  accepted = {};
  genuine = { said: 0, arrived: 0 };
  troubles = [];

  /** Starts with how many messages are to be sent. */
  start(forged, genuine) {
    this.#left = { forged, genuine };
  }

  get isExhausted() {
    return this.#left.forged === 0 && this.#left.genuine === 0;
  }

  get hasForged() {
    return this.#left.forged > 0;
  }

  /** Counts a forged message that is about to be sent; returns false if enough were sent. */
  takeForged(kind) {
    if (this.#left.forged === 0) return false;
    this.#left.forged -= 1;
    this.forged[kind] = (this.forged[kind] ?? 0) + 1;
    return true;
  }

  /** Takes back a message that could not be sent. */
  giveBack(kind) {
    this.#left.forged += 1;
    this.forged[kind] -= 1;
  }

  /** Returns how many of the wanted genuine messages may be sent. */
  takeGenuine(wanted) {
    const taken = Math.min(wanted, this.#left.genuine);
    this.#left.genuine -= taken;
    this.genuine.said += taken;
    return taken;
  }

  accept(kind) {
    this.accepted[kind] = (this.accepted[kind] ?? 0) + 1;
  }

  trouble(text) {
    this.troubles.push(text);
  }
}
