/** Deals in random order, each card once before one comes again. */
export class Deck {
  #cards;
  #chance;
  #left = [];

  constructor(cards, chance) {
    this.#cards = cards;
    this.#chance = chance;
  }

  deal() {
    if (this.#left.length === 0) this.#left = [...this.#cards];
    const [card] = this.#left.splice(this.#chance.between(0, this.#left.length - 1), 1);
    return card;
  }
}
