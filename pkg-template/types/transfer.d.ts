import type { MinorUnits } from "./money.js";
import type { Amount, HoldCancellation, ListedTransfer, QuoteBy, Transfer } from "./records.js";
import type { TransferFilter, TransferMethod, TransferProgress, TransferRequest } from "./records.js";
import type { TransferRequestRecord, TransferStatuses } from "./records.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** The result of a submission. */
export interface TransferResult extends Transfer {
  /** Whether the reply was lost and the transfer was then found to have been made. */
  recovered: boolean;
}

/**
 * One transfer, bound to one quote, one nonce and one body, so that it happens once, however often it is
 * submitted. The journal holds it from its preparation until its outcome is known, and a completed transfer
 * for 5 seconds more, so that a page closed at that very moment finds it again. Amount, route and recipient
 * are there after a reload too, to describe the transfer to the customer. Read the members by name:
 * `{ ...attempt }` and `JSON.stringify` have none.
 */
export interface TransferAttempt {
  readonly quoteHistoryId: string;
  readonly nonce: string;
  /** When it was prepared, milliseconds since 1970; 0 if its entry cannot be read. */
  readonly createdAt: number;
  /**
   * As this page and its journal know it. `PREPARED`: nothing was sent from here; a duplicated tab may have
   * sent it. `SENT`: it was sent, and its outcome is not known yet. `CREATED`: the transfer was made.
   * `REFUSED`: it was not, and never will be by this attempt. `DISCARDED`: by `discard`, or by whoever
   * cleared the page's storage before it was sent.
   */
  readonly state: "PREPARED" | "SENT" | "CREATED" | "REFUSED" | "DISCARDED" | Unlisted;
  /**
   * When the quote expires, milliseconds since 1970 by this page's clock: from then on `submit` sends nothing
   * and rejects with `QuoteExpired`. Known if this RemitKit fetched the quote, the service said so, and that
   * clock is not evidently wrong.
   */
  readonly expiresAt?: number;
  /** What the page called the payment when it prepared the attempt. */
  readonly paymentId?: string;
  /** The transfer's id, once it was made. */
  readonly transferId?: string;
  /**
   * The requested amount: minor units of the currency on the side that `quoteBy` fixes. This and the
   * following members of the request are absent only in an attempt that an earlier version of RemitKit
   * prepared, and where its entry cannot be read.
   */
  readonly amount?: MinorUnits;
  readonly quoteBy?: QuoteBy;
  readonly srcCurrencyIso3Code?: string;
  readonly dstCurrencyIso3Code?: string;
  readonly dstCountryIso3Code?: string;
  readonly transferMethod?: TransferMethod;
  readonly recipientId?: string;
  /** Absent for cash pickup. */
  readonly recipientAccountId?: string;
  /** What the sender pays in by the quote. This and the next two are known if this RemitKit fetched it. */
  readonly sendAmount?: Amount;
  /** What the recipient gets according to the quote. */
  readonly receiveAmount?: Amount;
  /** What the sender pays in total according to the quote. */
  readonly totalCost?: Amount;
  /**
   * Sends the transfer, or finds out its outcome if it was sent before. Never sends a transfer that was made.
   * Another tab that submits the same attempt waits for the same outcome.
   *
   * Settles within 60 seconds, or `timeoutMs` plus 30 seconds if that is longer. The signal ends the waiting
   * of this call alone, within a second.
   *
   * @throws {RemitError} of kind `outcome_unknown` while anything that was sent may still arrive: call
   * `resume` later, and never start the transfer again. `conflict` if another transfer was made with this
   * quote, and with a `paymentId` if an earlier attempt at the payment may have been sent
   * (`PaymentInProgress`, with that one as `attempt`) or was made (`PaymentAlreadyMade`, with its
   * `transfer`): this one stays `PREPARED`, and may be submitted once the earlier one has failed. Any other
   * error means that this call made no transfer: the attempt is `REFUSED`, and never will, or still
   * `PREPARED`, to be submitted again, or discarded before another one is started.
   */
  submit(options?: CallOptions): Promise<TransferResult>;
  /** The same as `submit`, named for its use after an unknown outcome. */
  resume(options?: CallOptions): Promise<TransferResult>;
  /**
   * Discards an attempt that was not sent. Asks the service first: a duplicated tab may have sent it.
   *
   * @throws {RemitError} of kind `outcome_unknown` if it was sent, `conflict` if the transfer was made,
   * `timeout` while another tab works on it, and the errors of the question: it stays then.
   */
  discard(options?: CallOptions): Promise<void>;
  /**
   * Removes a completed transfer from the journal, once the customer has been told. In the page that made it,
   * this happens automatically after 5 seconds; a page that finds it in `pendingTransfers` with the state
   * `CREATED` calls this or `resume`. May be called again. With a `paymentId` the ids of payment, sender,
   * quote and transfer stay for 30 days, so that the payment is not made again.
   *
   * @throws {RemitError} of kind `outcome_unknown` while its outcome is unknown, `invalid_request` if nothing
   * was sent: it stays then.
   */
  acknowledge(options?: CallOptions): Promise<void>;
}

/** The calls about transfers, as part of `RemitKit`. */
export interface TransferCalls {
  /** Returns a value that makes one transfer unrepeatable. `prepareTransfer` fetches one itself. */
  nonce(options?: CallOptions): Promise<{ nonce: string }>;
  /**
   * Checks a transfer and binds it to its quote and a nonce. Sends nothing that moves money. Settles within
   * 60 seconds, or `timeoutMs` plus 30 seconds if that is longer.
   */
  prepareTransfer(request: TransferRequest, options?: CallOptions): Promise<TransferAttempt>;
  /**
   * Sends the money, once: `prepareTransfer`, then `submit`. If a reply is lost, asks the service for the
   * outcome. If that fails too, rejects with kind `outcome_unknown` and the attempt to `resume`; any other
   * error means that no transfer was made. Settles within 120 seconds, or twice `timeoutMs` plus 60 seconds
   * if that is longer.
   */
  transfer(request: TransferRequest, options?: CallOptions): Promise<TransferResult>;
  /**
   * Returns the attempts of the token's sender with this service that the journal holds, after a reload too,
   * and those that this RemitKit has sent and the journal has lost: prepared or sent, without a known
   * outcome. An entry that cannot be read may be one of them: it is listed as `SENT`, with its quote alone, and
   * never posted. If there are any, asks the service for the token's sender, unless the option `senderId`
   * names it.
   *
   * @throws {RemitError} if the sender cannot be determined now; `retryable` if the service could not be
   * reached, or did not say while an attempt was sent that may be this sender's (`option` is then
   * `senderId`): call it again before you offer another transfer.
   */
  pendingTransfers(): Promise<TransferAttempt[]>;
  getTransfer(transferId: string, options?: CallOptions): Promise<Transfer>;
  transfers(filter?: TransferFilter, options?: CallOptions): Promise<ListedTransfer[]>;
  transferStatuses(transferId: string, options?: CallOptions): Promise<TransferStatuses>;
  /** Returns whether a transfer was made with a quote. */
  transferProgress(quoteHistoryId: string, options?: CallOptions): Promise<TransferProgress>;
  /** Returns a PDF. */
  transferReceipt(transferId: string, options?: CallOptions): Promise<Blob>;
  transferRequest(transferRequestId: string, options?: CallOptions): Promise<TransferRequestRecord>;
  /** Releases a transfer that `customerHold` holds. */
  releaseCustomerHold(transferId: string, options?: CallOptions): Promise<void>;
  /** Cancels a held transfer. */
  cancelCustomerHold(transferId: string, request: HoldCancellation, options?: CallOptions): Promise<void>;
}
