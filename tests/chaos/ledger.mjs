import { Chance } from "./chance.mjs";

/** Each intent has its own amount in minor units, so that a row of the database belongs to one intent. */
const FIRST_AMOUNT = 1_000;
/** The sandbox holds transfers of 2,500 dollars and more. */
const HELD_FROM = 250_000;
export const MOST_INTENTS = HELD_FROM - FIRST_AMOUNT;

const REFUSED_PERCENT = 6;

/** Makes the service refuse a transfer: an invalid member, or a trigger amount of sandbox/world.json. */
const REFUSALS = [
  { recipientId: "00000000-0000-4000-8000-000000000000" },
  { recipientAccountId: "00000000-0000-4000-8000-000000000000" },
  { sourceOfFunds: "LOTTERY" },
  // Refused by the provider, which the service records: the progress is Failed then.
  { amount: 990_050 },
  { amount: 990_020 },
];

/**
 * Returns what customers want to send: `{ id, amount, changes }`, where `changes` are the members that differ
 * from those of a valid transfer. Intents that are refused for their amount share it: no row can have it.
 */
export function makeIntents(count, seed) {
  const chance = new Chance(seed, "intents");
  return Array.from({ length: count }, (_, id) => {
    const refusal = chance.happens(REFUSED_PERCENT) ? chance.pick(REFUSALS) : {};
    const { amount = FIRST_AMOUNT + id, ...changes } = refusal;
    return { id, amount, changes };
  });
}

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
