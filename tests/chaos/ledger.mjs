/** The shop's ledger: each basket's intents, the quotes taken for them, and the reported outcomes. */
export class Ledger {
  #intents;
  #baskets = new Map();
  #taken = 0;
  #resolved = new Set();
  quotes = new Map();
  outcomes = [];
  /** What pages did not expect of the SDK. */
  troubles = [];

  constructor(intents) {
    this.#intents = intents;
  }

  get resolved() {
    return this.#resolved.size;
  }

  get isComplete() {
    return this.#resolved.size === this.#intents.length;
  }

  /** Gives the basket its next intent; returns null if none is left. */
  take(basket) {
    const intent = this.#intents[this.#taken] ?? null;
    if (!intent) return null;
    this.#taken += 1;
    this.#baskets.set(basket, [...this.open(basket), intent]);
    return intent;
  }

  /** Returns the basket's intents without an outcome. */
  open(basket) {
    return (this.#baskets.get(basket) ?? []).filter(({ id }) => !this.#resolved.has(id));
  }

  /** Returns the intent's id for each quote. */
  owners(quoteHistoryIds) {
    return quoteHistoryIds.map((quote) => this.quotes.get(quote));
  }

  register(id, quoteHistoryId) {
    this.quotes.set(quoteHistoryId, id);
  }

  report(outcome) {
    this.outcomes.push({ ...outcome, at: new Date().toISOString() });
    this.#resolved.add(outcome.intent);
  }
}
