import type { Corridor, FieldValues, MinorUnits, Quote, Transfer, TransferAttempt } from "remitkit";
import { sameRoute, type Route } from "./routes";
import { beginCheckout, type Sent } from "./sent";

export type RecipientType = "PERSON" | "BUSINESS";
export type QuoteBy = "SEND_AMOUNT" | "RECEIVE_AMOUNT";

/** What one checkout has come to so far. It lives in memory alone and ends with the page. */
export interface CheckoutState {
  corridors: readonly Corridor[];
  route?: Route | undefined;

  quoteBy: QuoteBy;
  /** What was typed, in minor units of the currency that `quoteBy` names; absent while it is no amount. */
  amount?: MinorUnits | undefined;
  quote?: Quote | undefined;
  /** The account that the quote was asked for; one without is an estimate. */
  quotedFor?: string | undefined;
  quoteError?: unknown;
  quoting: boolean;

  recipientType: RecipientType;
  recipientValues: FieldValues;
  recipient?: { id: string; name: string; values: string } | undefined;

  accountValues: FieldValues;
  account?: { id: string; ending?: string | undefined; name?: string | undefined } | undefined;

  pickupValues: FieldValues;
  /** Where cash is collected, and how that is called. */
  pickup?: { values: FieldValues; words: string } | undefined;

  transferValues: FieldValues;
  /** From the press of Send until the outcome is known; the checkout stays where it is meanwhile. */
  sending: boolean;
  attempt?: TransferAttempt | undefined;
  sent?: Sent | undefined;
  transfer?: (Transfer & { recovered?: boolean }) | undefined;
}

const START: CheckoutState = {
  corridors: [],
  quoteBy: "SEND_AMOUNT",
  quoting: false,
  recipientType: "PERSON",
  recipientValues: {},
  accountValues: {},
  pickupValues: {},
  transferValues: {},
  sending: false,
};

/** The state of the checkout, and who wants to know when it changes. */
export class Checkout {
  #state: CheckoutState = START;
  readonly #listeners = new Set<() => void>();

  get state(): Readonly<CheckoutState> {
    return this.#state;
  }

  /** Changes the given members and drops what was made for another route or recipient. */
  change(patch: Partial<CheckoutState>): void {
    const before = this.#state;
    const after = { ...before, ...patch };
    const moved = before.route && !sameRoute(before.route, after.route);
    if (moved || before.recipientType !== after.recipientType) after.recipient = patch.recipient;
    if (moved) {
      after.quote = patch.quote;
      after.accountValues = {};
      after.pickupValues = {};
      after.pickup = undefined;
      after.transferValues = {};
    }
    if (before.recipient?.id !== after.recipient?.id) after.account = patch.account;
    this.#state = after;
    for (const listener of this.#listeners) listener();
  }

  /** Begins another checkout: forgets everything but the corridors and the route. */
  restart(): void {
    beginCheckout();
    const { corridors, route } = this.#state;
    this.#state = { ...START, corridors, route };
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
