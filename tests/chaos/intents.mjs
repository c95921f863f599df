import { Chance } from "./chance.mjs";

/** Each intent has its own amount, in minor units, so that a row of the database belongs to one intent. */
const FIRST_AMOUNT = 1_000;
/** From 2,500 dollars on the sandbox holds a transfer back. */
const HELD_FROM = 250_000;
export const MOST_INTENTS = HELD_FROM - FIRST_AMOUNT;

const REFUSED_PERCENT = 6;

/** Makes the service genuinely refuse a transfer: an invalid member, or an amount of sandbox/TRIGGERS.md. */
const REFUSALS = [
  { recipientId: "00000000-0000-4000-8000-000000000000" },
  { recipientAccountId: "00000000-0000-4000-8000-000000000000" },
  { sourceOfFunds: "LOTTERY" },
  // Refused by the provider, which the service remembers: the progress is Failed then.
  { amount: 990_050 },
  { amount: 990_020 },
];

/**
 * Returns what customers want to send: `{ id, amount, refused, changes }`, where `changes` are the
 * members of the transfer that differ from those of a valid one. All intents that are `refused` for
 * their amount share it, as no row can have it.
 */
export function makeIntents(count, seed) {
  const chance = new Chance(seed, "intents");
  return Array.from({ length: count }, (_, id) => {
    const own = FIRST_AMOUNT + id;
    if (!chance.happens(REFUSED_PERCENT)) return { id, amount: own, refused: false, changes: {} };
    const { amount = own, ...changes } = chance.pick(REFUSALS);
    return { id, amount, refused: true, changes };
  });
}
