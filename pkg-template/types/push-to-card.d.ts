import type { CardForm, CardFormOptions, CompletedCard } from "./card.js";
import type { FieldForm } from "./fields.js";
import type { MinorUnits } from "./money.js";
import type { Corridor, FieldValue, PartyType, Quote, QuoteBy, RecipientAccount } from "./records.js";
import type { RecordField, TransferRequest } from "./records.js";
import type { TransferAttempt } from "./transfer.js";

/** The members of a transfer that the flow does not set itself. */
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
  /** An element of what `corridors()` returned, with the transfer method PUSH_TO_CARD. */
  corridor: Corridor;
  /** The currency that is paid in, one of the corridor's. Optional if the corridor has only one. */
  srcCurrencyIso3Code?: string | undefined;
  /** The currency that is paid out, one of the corridor's. Optional if the corridor has only one. */
  dstCurrencyIso3Code?: string | undefined;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0. See `toMinorUnits`. */
  amount: MinorUnits;
  /** `SEND_AMOUNT` by default. */
  quoteBy?: QuoteBy | undefined;
  recipientId: string;
  /** As in {@link TransferRequest}: binds the attempts at one payment, such as an order, to each other. */
  paymentId?: string | undefined;
  /** `"PERSON"` by default. */
  recipientType?: PartyType | undefined;
  /**
   * The account's fields except `CARD_ID`. A function receives the fields that the service requires now, and
   * is called again if the service cannot accept what it returned: so a page can show a form and wait for the
   * customer.
   */
  fields?:
    | (FieldValue | RecordField)[]
    | ((form: FieldForm) => (FieldValue | RecordField)[] | Promise<(FieldValue | RecordField)[]>)
    | undefined;
  /**
   * Further members of the transfer, such as its dynamic fields. A function receives the quote, and is called
   * each time that the transfer is prepared.
   */
  transfer?: TransferDetails | ((quote: Quote) => TransferDetails | Promise<TransferDetails>) | undefined;
}

/** A completed step, with its result. */
export type PushToCardStep =
  /** The corridor is enabled. */
  | { readonly type: "CORRIDOR"; readonly corridor: Corridor }
  /** The service requires a card, and nothing that `fields` does not provide. */
  | { readonly type: "ACCOUNT_FIELDS"; readonly fields: FieldForm }
  /** The form is on the page. The next step completes when the customer's card is verified. */
  | { readonly type: "CARD_FORM"; readonly form: CardForm }
  /** The card was verified. */
  | ({ readonly type: "CARD" } & Readonly<CompletedCard>)
  /** The recipient has an account with the card. The form is removed. */
  | { readonly type: "RECIPIENT_ACCOUNT"; readonly recipientAccount: RecipientAccount }
  /** A new price, for this account. */
  | { readonly type: "QUOTE"; readonly quote: Quote }
  /** The transfer is prepared, and the flow is over. Nothing is sent before `attempt.submit()`. */
  | { readonly type: "TRANSFER"; readonly attempt: TransferAttempt };

/**
 * The Push-to-Card flow. Nothing happens before it is iterated, and each step starts when it is requested.
 *
 * A step that fails rejects `next()` with a {@link RemitError}, and so throws from `for await`. That does not
 * end the flow: iterate the same object again to continue with that step, or with an earlier one if that is
 * what helps:
 *
 * - After an expired session, or a form that failed to load, the form is renewed in place, unless the page
 *   has done so.
 * - If the page destroyed the form before the card was verified, another form is shown, with a step of its
 *   own.
 * - After an error of kind `card` for a verified card, the customer enters another one. The form is renewed
 *   if it is still there; otherwise another is shown, with a step of its own.
 * - After an error of kind `field` at the account, the required fields are fetched again, and so is `fields`.
 * - If a quote is no longer valid, there is a new one, with a step of its own.
 * - If the reply to creating the account was lost (`outcome_unknown`), the flow reads the recipient's
 *   accounts and uses the one with this card. It creates another only if every account shows its card and, in
 *   three reads within four seconds, none has this one. If an account does not show its card, the step
 *   rejects with `outcome_unknown` again; the page may then start a new flow, which asks for a card again.
 *
 * The form stays in place when it refuses a card (`CARD_VALIDATION_STOP_FAIL`): the customer tries again.
 *
 * `break`, an exception in the body of `for await`, `return()`, the caller's signal and the kit's `destroy`
 * end the flow: the form is removed, requests in flight are aborted, and a pending `next()` settles. After
 * `break` and `return()` the flow is done; after the signal and `destroy` each further `next()` rejects with
 * `Aborted` or `Destroyed`. None of this affects an attempt that was handed out. One that was not is
 * discarded, except by the kit's `destroy`, after which it is among `pendingTransfers()` as `PREPARED`.
 */
export interface PushToCardFlow extends AsyncIterableIterator<PushToCardStep> {
  /** Takes the next step. Concurrent calls are queued. */
  next(): Promise<IteratorResult<PushToCardStep, undefined>>;
  /** Ends the flow. */
  return(): Promise<IteratorResult<PushToCardStep, undefined>>;
  [Symbol.asyncIterator](): PushToCardFlow;
}
