import type { CardForm, CardFormOptions, CompletedCard } from "./card.js";
import type { Corridor } from "./corridor.js";
import type { FieldForm, FieldValue, PartyType, RecordField } from "./fields.js";
import type { MinorUnits } from "./money.js";
import type { Quote, QuoteBy } from "./quote.js";
import type { RecipientAccount } from "./recipient.js";
import type { TransferAttempt, TransferRequest } from "./transfer.js";

/** What a transfer says beside what the flow itself brings. */
export type TransferDetails = Pick<
  TransferRequest,
  | "customerHold"
  | "fields"
  | "senderId"
  | "purposeOfRemittance"
  | "sourceOfFunds"
  | "sourceTransferMethod"
  | "sourceAccountId"
>;

/** What to push to a card, to whom, and where to show the card form. */
export interface PushToCardOptions extends Omit<CardFormOptions, "sessionId"> {
  /** An element of what `corridors()` gave, with the transfer method PUSH_TO_CARD. */
  corridor: Corridor;
  /** The currency that is paid in: one of the corridor's. May be left out where it has only one. */
  srcCurrencyIso3Code?: string | undefined;
  /** The currency that is paid out: one of the corridor's. May be left out where it has only one. */
  dstCurrencyIso3Code?: string | undefined;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0. See `toMinorUnits`. */
  amount: MinorUnits;
  /** `SEND_AMOUNT` if left out. */
  quoteBy?: QuoteBy | undefined;
  recipientId: string;
  /** What the recipient is; `"PERSON"` if left out. */
  recipientType?: PartyType | undefined;
  /**
   * The account's fields but for `CARD_ID`. A function is given what the service asks for just now, and is
   * called again if what it gave cannot be sent: so a page can show a form and wait for the customer.
   */
  fields?:
    | (FieldValue | RecordField)[]
    | ((form: FieldForm) => (FieldValue | RecordField)[] | Promise<(FieldValue | RecordField)[]>)
    | undefined;
  /**
   * What the transfer says besides, such as its dynamic fields. A function is given the quote, and is called
   * each time that the transfer is prepared.
   */
  transfer?: TransferDetails | ((quote: Quote) => TransferDetails | Promise<TransferDetails>) | undefined;
}

/** A step that was taken, with what it came to. */
export type PushToCardStep =
  /** The corridor is enabled. */
  | { readonly type: "CORRIDOR"; readonly corridor: Corridor }
  /** The service asks for a card, and for nothing that `fields` does not give. */
  | { readonly type: "ACCOUNT_FIELDS"; readonly fields: FieldForm }
  /** The form is on the page. The next step is there when the customer's card was verified. */
  | { readonly type: "CARD_FORM"; readonly form: CardForm }
  /** The card was verified. */
  | ({ readonly type: "CARD" } & Readonly<CompletedCard>)
  /** The recipient has an account with the card. The form is gone. */
  | { readonly type: "RECIPIENT_ACCOUNT"; readonly recipientAccount: RecipientAccount }
  /** A new price, for this very account. */
  | { readonly type: "QUOTE"; readonly quote: Quote }
  /** The transfer is prepared, and the flow is over. Nothing is sent before `attempt.submit()`. */
  | { readonly type: "TRANSFER"; readonly attempt: TransferAttempt };

/**
 * The Push-to-Card flow. Nothing happens before it is iterated, and each step waits to be asked for.
 *
 * A step that fails rejects `next()` with a {@link RemitError}, and so throws from `for await`. That does not
 * end the flow: iterate the same object again, and it goes on with that very step, or with the one before
 * that can help:
 *
 * - An expired session, or a form that did not load: the form is renewed in its place, unless the page has
 *   done so already.
 * - A form that the page itself has destroyed before the card was verified: another one is shown, with a step
 *   of its own.
 * - An error of kind `card` after the card was verified: the customer is asked for another one. The form is
 *   renewed if it is still there, else another one is shown, with a step of its own.
 * - An error of kind `field` at the account: what the service asks for is fetched again, and `fields` asked
 *   again.
 * - A quote that no longer holds: a new one, with a step of its own.
 * - An account whose creation was not answered (`outcome_unknown`) is not created again blindly. The
 *   recipient's accounts are read, and the one with this card is taken. Only if every account tells its card
 *   and none has this one, read three times within four seconds, it is created once more. If an account does
 *   not tell, the step ends in `outcome_unknown` again; the page may then begin a new flow, which asks for a
 *   card anew.
 *
 * The form stays where it is when a card is refused in it (`CARD_VALIDATION_STOP_FAIL`): the customer tries
 * again.
 *
 * `break`, an exception in the body of `for await`, `return()`, the caller's signal and the kit's `destroy`
 * end the flow: the form is removed, what is in flight is aborted, and a call of `next()` that waits is
 * settled. After `break` and `return()` it is done; after the signal and `destroy` each further `next()`
 * rejects with `Aborted` or `Destroyed`. An attempt that was handed out is not touched by any of it; one that
 * was not is dropped, except by the kit's `destroy`, after which it is among `pendingTransfers()` as
 * `PREPARED`.
 */
export interface PushToCardFlow extends AsyncIterableIterator<PushToCardStep> {
  /** Takes the next step. Calls that are made meanwhile wait their turn. */
  next(): Promise<IteratorResult<PushToCardStep, undefined>>;
  /** Ends the flow. */
  return(): Promise<IteratorResult<PushToCardStep, undefined>>;
  [Symbol.asyncIterator](): PushToCardFlow;
}
