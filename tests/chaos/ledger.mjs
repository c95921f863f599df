/** The shop's ledger: who handles which intent, the quotes taken for it, and the outcomes pages reported. */
export class Ledger {
  #intents;
  #baskets = new Map();
  #next = 0;
  #resolved = new Set();
  quotes = new Map();
  outcomes = [];
  troubles = [];

  constructor(intents) {
    this.#intents = intents;
  }

  get taken() {
    return this.#next;
  }

  get resolved() {
    return this.#resolved.size;
  }

  get isComplete() {
    return this.#resolved.size === this.#intents.length;
  }

  /** Gives the basket its next intent, if there is one left. */
  take(basket) {
    const intent = this.#intents[this.#next];
    if (!intent) return null;
    this.#next += 1;
    const own = this.#baskets.get(basket) ?? [];
    this.#baskets.set(basket, [...own.filter(({ id }) => !this.#resolved.has(id)), intent]);
    return intent;
  }

  /** The basket's intents without an outcome. */
  open(basket) {
    return (this.#baskets.get(basket) ?? []).filter(({ id }) => !this.#resolved.has(id));
  }

  /** Whose quotes these are: `{ id, resolved }` for each. */
  owners(quoteHistoryIds) {
    return quoteHistoryIds.map((quote) => {
      const id = this.quotes.get(quote);
      return { id, resolved: this.#resolved.has(id) };
    });
  }

  register(id, quoteHistoryId) {
    this.quotes.set(quoteHistoryId, id);
  }

  report(outcome) {
    this.outcomes.push({ ...outcome, at: new Date().toISOString() });
    this.#resolved.add(outcome.intent);
  }
}
